# site.vcl - a site behind Varnish, from launch day on.
# SPDX-License-Identifier: BSD-2-Clause
#
# Copy it to /etc/varnish, adapt what stands above the line of dashes, and load it:
#
#	varnishd -f /etc/varnish/site.vcl -p vcl_path=/etc/varnish:/usr/share/varnish/vcl ...
#
# It keeps what it promises (each promise is a play, tests/vtc/v1*.vtc):
#   - the site outlives its backend: what anybody has seen is served while it is down;
#   - Vary is declared once, by vmod vary, and splits the cache by nothing else;
#   - what is personal (Authorization, session cookies, Set-Cookie) is never shared;
#   - PURGE and BAN are for those who may, and take all variants with them;
#   - every answer says in its headers where it came from.
vcl 4.0;

import std;
import vary;

# --- Adapt from here ---------------------------------------------------------------

# The origin.  The limits keep a slow one from taking all of Varnish's threads.
backend origin {
	.host = "127.0.0.1";
	.port = "8080";
	.max_connections = 200;
	.connect_timeout = 2s;
	.first_byte_timeout = 30s;
	.between_bytes_timeout = 10s;
	.probe = {
		.url = "/";
		.timeout = 2s;
		.interval = 5s;
		.window = 5;
		.threshold = 3;
		.initial = 3;
	}
}

# Who may PURGE and BAN.
acl purgers {
	"127.0.0.1";
	"::1";
}

sub vcl_init {
	# What this site's Vary is worth: "varyprobe audit URL" finds it out, and
	# "varyprobe policy" prints these lines.  Host and User-Agent are stripped:
	# the former is in the cache key anyway, the latter must not matter here.
	new site = vary.policy();
	# With device.vcl, each header that a class is made from:
	# site.map("User-Agent", "X-Device");
	# site.map("Sec-CH-UA-Mobile", "X-Device");
	# site.map("Sec-CH-UA-Platform", "X-Device");
	# site.language("en, fr, de");
	# site.media("image/avif, image/webp");
}

# The cookies that make a request personal: it is passed, and nothing is stored.
# All other cookies are the browser's and its trackers' business, not the origin's.
sub site_personal {
	if (req.http.Cookie ~
	    "(?i)(^|;\s*)[^=;]*(sess|sid|auth|token|logged_in|cart|user)[^=;]*=") {
		set req.http.X-Site-Personal = "1";
	}
}

# What never comes from the cache, whoever asks.
sub site_uncached {
	if (req.url ~ "^/(admin|login|account|api/private)(/|\?|$)") {
		set req.http.X-Site-Personal = "1";
	}
}

# --- Nothing to adapt below this line -----------------------------------------------
#
# X-Site-* are notes from one sub to the next: clients cannot send them, neither
# the origin nor clients see them.

sub vcl_recv {
	if (req.restarts == 0) {
		unset req.http.X-Site-Personal;
		unset req.http.X-Site-Fwd;
		unset req.http.X-Site-Stale;
		unset req.http.X-Site-Ttl;
	}

	# A session in a second Cookie line is a session, too.
	std.collect(req.http.Cookie, "; ");

	# One name for one site: case and port are no difference.
	if (req.http.Host) {
		set req.http.Host = std.tolower(regsub(req.http.Host, ":[0-9]+$", ""));
	}

	# For load balancers: is Varnish there, and is the origin?
	if (req.url == "/varnish-health") {
		if (std.healthy(req.backend_hint)) {
			return (synth(200, "OK"));
		}
		return (synth(503, "Backend is down"));
	}

	# Parameters that only tell an advertiser where the visitor came from.
	if (req.url ~ "[?&](utm_[a-z]+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl)=") {
		set req.url = regsuball(req.url,
		    "([?&])((utm_[a-z]+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl)=[^&]*&?)+", "\1");
		set req.url = regsub(req.url, "[?&]+$", "");
	}
	# The part that is for the browser alone.
	set req.url = regsub(req.url, "#.*$", "");

	if (req.method == "PURGE" || req.method == "BAN") {
		if (client.ip !~ purgers) {
			return (synth(403, "Not yours to purge"));
		}
		if (req.method == "PURGE") {
			return (purge);
		}
		# BAN: everything of this host whose path matches X-Ban-Url.  On obj.*
		# alone, so that the ban lurker can do the work.
		if (!req.http.X-Ban-Url || !req.http.Host) {
			return (synth(400, "X-Ban-Url or Host is missing"));
		}
		ban("obj.http.X-Site-Host == " + req.http.Host +
		    " && obj.http.X-Site-Url ~ " + req.http.X-Ban-Url);
		return (synth(200, "Banned"));
	}

	if (req.http.Upgrade ~ "(?i)websocket") {
		return (pipe);
	}
	if (req.method != "GET" && req.method != "HEAD" && req.method != "OPTIONS" &&
	    req.method != "POST" && req.method != "PUT" && req.method != "PATCH" &&
	    req.method != "DELETE") {
		return (synth(405, "Method Not Allowed"));
	}

	# Static files are the same for everybody.
	if (req.url ~ "(?i)^[^?]*\.(css|js|mjs|map|json|txt|xml|ico|svg|png|jpe?g|gif|webp|avif|woff2?|ttf|eot|mp4|webm|mp3|pdf|zip|gz)(\?.*)?$") {
		unset req.http.Cookie;
	}

	call site_personal;
	call site_uncached;
	if (req.http.Authorization) {
		set req.http.X-Site-Personal = "1";
	}
	if (req.http.X-Site-Personal) {
		set req.http.X-Site-Fwd = "bypass";
		return (pass);
	}
	if (req.method != "GET" && req.method != "HEAD") {
		set req.http.X-Site-Fwd = "method";
		return (pass);
	}
	unset req.http.Cookie;

	# The request that the cache compares and the origin sees.
	site.recv();

	# While the origin is well, what is stale is refreshed behind the visitor's
	# back for ten seconds; after that the visitor waits for the new one.  While
	# it is not, or has just failed this very request, anything goes.
	if (req.http.X-Site-Stale) {
		set req.grace = 10y;
	} elsif (std.healthy(req.backend_hint)) {
		set req.grace = 10s;
	}
	# builtin.vcl does the rest: Host must be there, return (hash).
}

sub vcl_pipe {
	# Upgrade is hop-by-hop: without this the origin never hears of it.
	if (req.http.Upgrade) {
		set bereq.http.Upgrade = req.http.Upgrade;
		set bereq.http.Connection = req.http.Connection;
	}
	return (pipe);
}

sub vcl_hit {
	set req.http.X-Site-Fwd = "hit";
	if (obj.ttl <= 0s) {
		set req.http.X-Site-Fwd = "stale";
	}
}

sub vcl_miss {
	set req.http.X-Site-Fwd = "uri-miss";
	if (req.is_hitmiss) {
		# The origin said that it is not to be shared; Varnish remembers.
		set req.http.X-Site-Fwd = "miss";
	} elsif (vary.variants() > 0) {
		set req.http.X-Site-Fwd = "vary-miss";
	} elsif (vary.variants() < 0) {
		set req.http.X-Site-Fwd = "miss";
	}
}

sub vcl_pass {
	if (!req.http.X-Site-Fwd) {
		# Hit-for-pass.
		set req.http.X-Site-Fwd = "miss";
	}
}

sub vcl_backend_fetch {
	unset bereq.http.X-Site-Personal;
	unset bereq.http.X-Site-Fwd;
	unset bereq.http.X-Site-Stale;
}

sub vcl_backend_response {
	# For BAN: what the ban lurker can see of the request.
	set beresp.http.X-Site-Host = bereq.http.Host;
	set beresp.http.X-Site-Url = bereq.url;
	set beresp.http.X-Site-Backend = beresp.backend.name;

	if (beresp.status >= 500) {
		# Behind a visitor's back: what is stored is better.
		if (bereq.is_bgfetch) {
			return (abandon);
		}
		set beresp.ttl = 0s;
		set beresp.grace = 0s;
		set beresp.keep = 0s;
		site.fetch();
		return (deliver);
	}

	# A day in reserve for the time when the origin is down; a week more to
	# answer 304 with.
	if (beresp.ttl > 0s) {
		set beresp.grace = 24h;
		set beresp.keep = 168h;
	}

	if (bereq.url ~ "(?i)^[^?]*\.(css|js|mjs|map|ico|svg|png|jpe?g|gif|webp|avif|woff2?|ttf|eot|mp4|webm|mp3)(\?.*)?$") {
		unset beresp.http.Set-Cookie;
	}

	# The stored Vary; "*" in any spelling and malformed values: not shared.
	site.fetch();
}

sub vcl_backend_error {
	if (bereq.is_bgfetch) {
		return (abandon);
	}
	# A page of our own, for as long as it takes to say it: nobody may keep it,
	# Varnish neither, or it would hide what is stored.
	set beresp.ttl = 0s;
	set beresp.grace = 0s;
	set beresp.keep = 0s;
	set beresp.http.Content-Type = "text/html; charset=utf-8";
	set beresp.http.Cache-Control = "no-store";
	set beresp.http.Retry-After = "5";
	set beresp.http.X-Site-Backend = "none";
	synthetic({"<!DOCTYPE html>
<html lang="en"><title>Back soon</title>
<h1>Back soon</h1>
<p>This page cannot be shown right now. Please try again in a moment.</p>
</html>
"});
	site.fetch();
	return (deliver);
}

sub vcl_deliver {
	# The origin failed this request, and the probe has not noticed yet: once
	# more, with all that is stored.
	if (resp.status >= 500 && req.restarts == 0 && !req.http.X-Site-Stale &&
	    (req.http.X-Site-Fwd == "uri-miss" || req.http.X-Site-Fwd == "vary-miss" ||
	    req.http.X-Site-Fwd == "miss")) {
		set req.http.X-Site-Stale = "1";
		return (restart);
	}

	# Cache-Status is RFC 9211's: a negative ttl means that it was served stale.
	set req.http.X-Site-Ttl = obj.ttl;
	set req.http.X-Site-Ttl = regsub(req.http.X-Site-Ttl, "\..*$", "");
	if (req.http.X-Site-Fwd == "hit" || req.http.X-Site-Fwd == "stale") {
		set resp.http.Cache-Status = "Varnish; hit; ttl=" + req.http.X-Site-Ttl;
	} elsif (obj.uncacheable || obj.ttl <= 0s) {
		set resp.http.Cache-Status = "Varnish; fwd=" + req.http.X-Site-Fwd;
	} else {
		set resp.http.Cache-Status = "Varnish; fwd=" + req.http.X-Site-Fwd +
		    "; stored; ttl=" + req.http.X-Site-Ttl;
	}
	if (req.http.X-Site-Fwd == "hit") {
		set resp.http.X-Cache = "HIT";
	} elsif (req.http.X-Site-Fwd == "stale") {
		set resp.http.X-Cache = "STALE";
	} elsif (req.http.X-Site-Fwd == "bypass" || req.http.X-Site-Fwd == "method") {
		set resp.http.X-Cache = "PASS";
	} else {
		set resp.http.X-Cache = "MISS";
	}
	set resp.http.X-Cache-Hits = obj.hits;
	set resp.http.X-Backend = resp.http.X-Site-Backend;
	if (!resp.http.X-Backend) {
		set resp.http.X-Backend = "none";
	}
	unset resp.http.X-Site-Host;
	unset resp.http.X-Site-Url;
	unset resp.http.X-Site-Backend;
	unset resp.http.X-Varnish;
	unset resp.http.Via;

	# The Vary that browsers and caches further down must see.
	site.deliver();
}

sub vcl_synth {
	set resp.http.Cache-Control = "no-store";
	set resp.http.Cache-Status = "Varnish; fwd=request; detail=synthetic";
	set resp.http.X-Cache = "SYNTH";
	set resp.http.X-Cache-Hits = "0";
	set resp.http.X-Backend = "none";
	unset resp.http.X-Varnish;
	unset resp.http.Via;
	if (resp.status == 405) {
		set resp.http.Allow = "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";
	}
	set resp.http.Content-Type = "text/plain; charset=utf-8";
	synthetic(resp.status + " " + resp.reason + {"
"});
	site.deliver();
	return (deliver);
}
