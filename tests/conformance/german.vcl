# The policy for the site that the public cache tests play: it is written in one
# language, German, and its header Foo is a list.
vcl 4.1;

include "vary.vcl";

sub vcl_init {
	vary_site.language("de");
	vary_site.list("Foo");
}
