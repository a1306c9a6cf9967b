# WordPress, with a page cache plugin on Apache.
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: WordPress itself no Vary.  WP Super Cache answers
# "Vary: Accept-Encoding, Cookie" (wp-cache-phase2.php), WP Rocket's and WP Super
# Cache's .htaccess test Cookie, User-Agent, X-Forwarded-Proto, and an Apache from
# 2.4.33 on puts what they test into Vary.
# What that costs: trackers give every visitor cookies of his own, so every visitor
# gets a copy of his own; User-Agent splits what is left.
#
# If a plugin serves mobiles another theme, write
#	wordpress.map("User-Agent", "X-Device");
#	wordpress.map("Sec-CH-UA-Mobile", "X-Device");
#	wordpress.map("Sec-CH-UA-Platform", "X-Device");
# and include device.vcl and device-origin.vcl.
vcl 4.0;
import std;
import vary;

sub vcl_init {
	new wordpress = vary.policy();
	# http or https, as the TLS proxy says it; between it and us, so clients do
	# not hear of it.
	wordpress.allow("X-Forwarded-Proto", "http, https");
	wordpress.hide("X-Forwarded-Proto");
}

sub vcl_recv {
	# A session in a second Cookie line is a session, too.
	std.collect(req.http.Cookie, "; ");
	if (req.url ~ "^/(wp-login\.php|wp-admin(/|$)|wp-cron\.php)" ||
	    req.http.Cookie ~ "(^|;\s*)(wordpress_logged_in_|wp-postpass_|comment_author_|woocommerce_items_in_cart|wp_woocommerce_session_)") {
		return (pass);
	}
	if (req.method == "GET" || req.method == "HEAD") {
		# All other cookies are the browser's affair.
		unset req.http.Cookie;
	}
	wordpress.recv();
}

sub vcl_backend_response {
	wordpress.fetch();
}

sub vcl_deliver {
	wordpress.deliver();
}
