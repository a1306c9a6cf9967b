# The same site, the same grace, and a Vary policy.
vcl 4.0;
include "backend.vcl";
import vary;

sub vcl_init {
	new site = vary.policy();
}

sub vcl_recv {
	site.recv();
}

sub vcl_backend_response {
	set beresp.grace = 24h;
	site.fetch();
}

sub vcl_deliver {
	site.deliver();
}
