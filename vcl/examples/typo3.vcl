# TYPO3.
# SPDX-License-Identifier: BSD-2-Clause
#
# What it sends: no Vary of its own; its example .htaccess turns mod_deflate on, which
# adds Accept-Encoding, and sites add "Header append Vary User-Agent" from old
# recipes.  A site that redirects / by Accept-Language answers "Vary: Accept-Language".
# What matters: fe_typo_user (a visitor who is logged in), be_typo_user (an editor).
vcl 4.0;
import std;
import vary;

sub vcl_init {
	new typo3 = vary.policy();
	# The languages of the site, its default first.
	typo3.language("en, de, fr");
}

sub vcl_recv {
	# A session in a second Cookie line is a session, too.
	std.collect(req.http.Cookie, "; ");
	if (req.url ~ "^/typo3(/|\?|$)" ||
	    req.http.Cookie ~ "(^|;\s*)(fe_typo_user|be_typo_user|staticfilecache)=") {
		return (pass);
	}
	if (req.method == "GET" || req.method == "HEAD") {
		unset req.http.Cookie;
	}
	typo3.recv();
}

sub vcl_backend_response {
	typo3.fetch();
}

sub vcl_deliver {
	typo3.deliver();
	unset resp.http.X-Cache-Tags;
}
