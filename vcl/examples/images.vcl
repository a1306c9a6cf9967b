# One image URL, several formats: AVIF, WebP, or the original.
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: "Vary: Accept" with the modern format, and often nothing with the
# original (cshum/imagor#819, vincentorback/WebP-images-with-htaccess#5), so that the
# first browser pins the format for all.  Where Vary is right, each browser's own
# spelling of Accept makes another copy.
# Here: three copies, and Vary: Accept on each.
vcl 4.0;
import vary;

sub vcl_init {
	new images = vary.policy();
	# The server's own preference first: of two that a browser likes alike, this one.
	images.media("image/avif, image/webp");
	images.ensure("Accept");
}

sub vcl_recv {
	if (req.url ~ "(?i)^[^?]*\.(png|jpe?g|gif|webp|avif)(\?.*)?$") {
		unset req.http.Cookie;
		images.recv();
	}
}

sub vcl_backend_response {
	if (bereq.url ~ "(?i)^[^?]*\.(png|jpe?g|gif|webp|avif)(\?.*)?$") {
		images.fetch();
	}
}

sub vcl_deliver {
	if (req.url ~ "(?i)^[^?]*\.(png|jpe?g|gif|webp|avif)(\?.*)?$") {
		images.deliver();
	}
}
