# Ready-made subs on vmod vary.  Include this file after "vcl 4.1;" (or 4.0);
# VCL runs the subs of one name in the order in which they stand, so what you
# write after the include comes after it.
#
# The policy: what this site's Vary members are worth.  It strips Host, which
# is part of the cache key already, and User-Agent, which splits the cache by
# browser version; it keeps all others.  Both are claims about the origin that
# "varyprobe audit" can check.  To say more, add to it in a vcl_init of your own:
#
#	sub vcl_init {
#		vary_site.language("en, fr, de");
#	}

import vary;

sub vcl_init {
	new vary_site = vary.policy();
}

sub vcl_recv {
	# Several lines of one header become one: Varnish keys on the first
	# line only, the origin may read another.
	vary_site.recv();
}

sub vcl_backend_response {
	# The stored Vary.  What must not be shared ("*" in any spelling, a
	# malformed value) is uncacheable from here on, whatever follows.
	vary_site.fetch();
}

sub vcl_backend_error {
	vary_site.fetch();
}

sub vcl_deliver {
	# The Vary that browsers and downstream caches must see.
	vary_site.deliver();
}

sub vcl_synth {
	vary_site.deliver();
}
