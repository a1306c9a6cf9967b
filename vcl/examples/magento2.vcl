# Magento 2 and Mage-OS: the part of the VCL that Magento generates that deals with
# variants; keep the rest of it.
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: "Vary: Accept-Encoding", with the usual Apache recipe also
# User-Agent.  What its pages depend on is in a cookie, X-Magento-Vary, a hash of
# customer group, currency and store; Magento's own VCL hashes it, so that a purge of
# the URL takes one group's page and leaves the others'.
# Here it is what it is, a variant: a purge takes all, and clients are told Cookie.
vcl 4.0;
import std;
import vary;

sub vcl_init {
	new magento = vary.policy();
	magento.map("Cookie", "X-Magento-Vary");
	magento.ensure("Cookie");
	magento.map("X-Forwarded-Proto", "X-Magento-Scheme");
}

sub vcl_recv {
	# A session in a second Cookie line is a session, too.
	std.collect(req.http.Cookie, "; ");
	unset req.http.X-Magento-Vary;
	unset req.http.X-Magento-Scheme;
	if (req.url ~ "^/(customer|checkout)(/|\?|$)") {
		return (pass);
	}
	if (req.http.Cookie ~ "(^|;\s*)X-Magento-Vary=[0-9a-f]{32,64}(;|$)") {
		set req.http.X-Magento-Vary = regsub(req.http.Cookie,
		    "^(.*;\s*)?X-Magento-Vary=([0-9a-f]{32,64})(;.*)?$", "\2");
	}
	if (req.http.X-Forwarded-Proto == "https") {
		set req.http.X-Magento-Scheme = "https";
	}
	magento.recv();
	if (req.method == "GET" || req.method == "HEAD") {
		# With all its cookies: the origin needs the session to render the page.
		return (hash);
	}
}

sub vcl_backend_response {
	# A page that was made for another group than the request's: not under its key.
	if (!bereq.http.X-Magento-Vary && beresp.http.Set-Cookie ~ "X-Magento-Vary=") {
		set beresp.ttl = 0s;
		set beresp.uncacheable = true;
	} elsif (beresp.ttl > 0s && beresp.http.Cache-Control !~ "private") {
		unset beresp.http.Set-Cookie;
	}
	magento.fetch();
}

sub vcl_deliver {
	magento.deliver();
	unset resp.http.X-Magento-Tags;
}
