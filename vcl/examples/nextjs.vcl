# Next.js, app router.
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: "Vary: rsc, next-router-state-tree, next-router-prefetch,
# next-router-segment-prefetch" on every page, with intercepted routes also next-url.
# What that costs: next-router-state-tree is the page that the visitor comes from,
# written out; every path through the site makes another copy (vercel/next.js
# #65335, #49140, #91237).
#
# The state tree lets the server leave out what the browser has.  Without it the
# answer is the whole page's, right for everybody; so it is dropped before the
# origin sees it, too.
vcl 4.0;
import std;
import vary;

sub vcl_init {
	new nextjs = vary.policy();
	nextjs.presence("RSC, Next-Router-Prefetch");
	nextjs.drop("Next-Router-State-Tree");
	nextjs.strip("Next-Router-State-Tree");
}

sub vcl_recv {
	# A session in a second Cookie line is a session, too.
	std.collect(req.http.Cookie, "; ");
	# A server action, or a draft: never from the cache.
	if (req.http.Next-Action || req.http.Cookie ~ "(^|;\s*)__prerender_bypass=") {
		return (pass);
	}
	if (!req.http.RSC) {
		# Only React's own requests have these.
		unset req.http.Next-Router-Prefetch;
		unset req.http.Next-Router-Segment-Prefetch;
		unset req.http.Next-Url;
	}
	# "_rsc=" in the URL is for browsers' caches that do not know Vary.
	set req.url = regsub(regsub(req.url, "([?&])_rsc=[^&]*&?", "\1"), "[?&]$", "");
	nextjs.recv();
}

sub vcl_backend_response {
	nextjs.fetch();
}

sub vcl_deliver {
	nextjs.deliver();
}
