# Symfony with FOSHttpCache's user context: pages by group, not by user.
# SPDX-License-Identifier: BSD-2-Clause
#
# Include it before the subs that call FOSHttpCache's own: its fos_user_context_recv
# returns.  Take the three lines with regsub() on Vary out of fos_user_context_deliver:
# the policy does it as a list.
#
# What it sends: "Vary: X-User-Context-Hash" on pages, often "Cookie, Authorization"
# too.  The header exists between Varnish and the application only.
# What that costs, if it is not kept apart: Vary: Cookie makes a copy for each user
# of what the hash says is the same for the group.
vcl 4.0;
import vary;

sub vcl_init {
	new fos = vary.policy();
	# The cache keys on the group; clients are told Cookie, which is what it is
	# made from.  That group members see the same is what the hash asserts.
	fos.map("Cookie", "X-User-Context-Hash");
	fos.strip("Authorization");
}

sub vcl_recv {
	fos.recv();
}

sub vcl_backend_response {
	fos.fetch();
}

sub vcl_deliver {
	fos.deliver();
	# No cache further down may keep a group's page: it knows nothing of groups.
	if (req.http.X-User-Context-Hash && resp.http.Vary ~ "(?i)(^|,\s*)Cookie") {
		set resp.http.Cache-Control = "private, no-cache";
	}
	unset resp.http.X-User-Context-Hash;
}
