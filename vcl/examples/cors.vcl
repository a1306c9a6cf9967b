# An API that answers other origins (CORS).
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: Access-Control-Allow-Origin with the Origin that asked, and "Vary:
# Origin", but many frameworks only where there was an Origin (koajs/cors#47,
# gorilla/handlers#275).  The first visitor without one then pins an answer without
# CORS for everybody; and any Origin that anybody sends makes another copy.
# Here: one copy for each origin that is allowed, one for all others, and Vary: Origin
# on every answer.
vcl 4.0;
import vary;

sub vcl_init {
	new cors = vary.policy();
	cors.allow("Origin", "https://www.example.com, https://app.example.com");
	cors.ensure("Origin");
}

sub vcl_recv {
	cors.recv();
}

sub vcl_backend_response {
	cors.fetch();
}

sub vcl_deliver {
	cors.deliver();
}
