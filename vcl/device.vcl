# device.vcl - one word for the visitor's device: mobile, tablet, desktop or bot.
# SPDX-License-Identifier: BSD-2-Clause
#
#	include "device.vcl";
#	sub vcl_init {
#		new site = vary.policy();
#		# Each that the class is made from: caches behind us are told all.
#		site.map("User-Agent", "X-Device");
#		site.map("Sec-CH-UA-Mobile", "X-Device");
#		site.map("Sec-CH-UA-Platform", "X-Device");
#	}
#	sub vcl_recv { call vary_device; site.recv(); }
#
# The origin reads X-Device and names it (or User-Agent) in Vary; the cache then
# keeps four copies of a page instead of one for each version of each browser.
# An origin that reads User-Agent itself would still see whichever browser came
# first: device-origin.vcl shows it a typical browser of the class.
#
# Client hints come first: who sends them says in two words what the others hide
# in a hundred bytes.  Chromium sends both by default, but only over TLS.
# iPadOS says that it is a Mac, and nothing in a request tells otherwise.
vcl 4.0;

sub vary_device {
	# Not a client's to say.
	unset req.http.X-Device;

	if (req.http.Sec-CH-UA-Mobile == "?1") {
		set req.http.X-Device = "mobile";
	} elsif (req.http.Sec-CH-UA-Mobile == "?0" &&
	    req.http.Sec-CH-UA-Platform) {
		# A touch device that does not ask for the mobile page.
		if (req.http.Sec-CH-UA-Platform == {""Android""}) {
			set req.http.X-Device = "tablet";
		} else {
			set req.http.X-Device = "desktop";
		}
	} elsif (!req.http.User-Agent || req.http.User-Agent ~
	    {"(?xi)
		# What crawlers call themselves, and the tools that are made of
		bot | crawl | spider | slurp | craper | scan | fetch | monitor |
		preview | watch | verif | optimi | inspect | synthetic | agent |
		headless | lighthouse | electron | python | playwright | selenium |
		nikto | ptst | pingdom | imageproxy | favicon | metrix |
		google- | -google | securityheaders | insights | hotjar |
		# where they say who sends them
		https?: | www\. | [a-z]@[a-z] |
		\w\.(com|io|co|fr|org|net)([/;)]|$) |
		# and how none of the browsers is written
		compatible[;)] (?!\ MSIE) | like\ Gecko[;,] | /537\.36; |
		^ (?! Mozilla/5\.0\ \( (?!java) | Mozilla/4\.0\ \(compatible;\ MSIE | Opera/ )
	    "}) {
		set req.http.X-Device = "bot";
	} elsif (req.http.User-Agent ~
	    "iPad|Tablet|Kindle|Silk/|PlayBook|^(?!.*Mobi).*Android") {
		set req.http.X-Device = "tablet";
	} elsif (req.http.User-Agent ~
	    "Mobi|iPhone|iPod|Android|Opera Mini|BlackBerry") {
		set req.http.X-Device = "mobile";
	} else {
		set req.http.X-Device = "desktop";
	}
}
