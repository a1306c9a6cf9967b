# The same site, the same grace, and a Vary policy.
vcl 4.0;
include "backend.vcl";
include "vary.vcl";

sub vcl_backend_response {
	set beresp.grace = 24h;
}
