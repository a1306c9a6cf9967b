# Drupal 8 to 11.
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: "Vary: Cookie" on every page that anonymous visitors may share
# (core/lib/Drupal/Core/EventSubscriber/FinishResponseSubscriber.php), unless
# settings.php has omit_vary_cookie; Apache adds Accept-Encoding.
# What that costs: with a tracker's cookies, a copy for each visitor.
# What matters: whether there is a session cookie, SESS or SSESS and a hash.
vcl 4.0;
import std;
import vary;

sub vcl_init {
	new drupal = vary.policy();
}

sub vcl_recv {
	# A session in a second Cookie line is a session, too.
	std.collect(req.http.Cookie, "; ");
	if (req.http.Cookie ~ "(^|;\s*)(S?SESS[0-9a-f]{32}|NO_CACHE)[^=;]*=") {
		return (pass);
	}
	if (req.method == "GET" || req.method == "HEAD") {
		unset req.http.Cookie;
	}
	drupal.recv();
}

sub vcl_backend_response {
	drupal.fetch();
	# For the ban lurker; not for browsers.
	set beresp.http.X-Url = bereq.url;
}

sub vcl_deliver {
	# Vary: Cookie stays: a browser that logs in must not see the anonymous page.
	drupal.deliver();
	unset resp.http.X-Url;
	unset resp.http.X-Drupal-Cache-Tags;
	unset resp.http.X-Drupal-Cache-Contexts;
}
