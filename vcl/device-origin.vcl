# device-origin.vcl - one browser a class, for an origin that reads User-Agent.
# SPDX-License-Identifier: BSD-2-Clause
#
#	include "device.vcl";
#	include "device-origin.vcl";
#	sub vcl_backend_fetch { call vary_device_origin; }
#
# With it the page that is stored for a class is the page for that class, not the
# one for the browser that happened to come first.
vcl 4.0;

sub vary_device_origin {
	if (bereq.http.X-Device == "mobile") {
		set bereq.http.User-Agent = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36";
	} elsif (bereq.http.X-Device == "tablet") {
		set bereq.http.User-Agent = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
	} elsif (bereq.http.X-Device == "bot") {
		set bereq.http.User-Agent = "Mozilla/5.0 (compatible; Varnish; bot)";
	} elsif (bereq.http.X-Device == "desktop") {
		set bereq.http.User-Agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36";
	}
}
