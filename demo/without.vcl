# The site behind plain Varnish.  Grace is there, so that the page that is in the
# cache could be served while Apache is down.
vcl 4.0;
include "backend.vcl";

sub vcl_backend_response {
	set beresp.grace = 24h;
}
