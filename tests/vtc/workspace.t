#!/bin/sh
# Rules 8 and 18, case V06: a workspace that ends at any byte makes a call fail
# with a clear text or succeed; nothing is ever half changed, nothing panics.
# One play is written for each workspace, with a request for each remainder.
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
echo 1..3
n=0

# VCL ends where a call fails, and cannot look: what was taken away by then, and
# not put back, stands in the log.
cat >"$tmp/half.awk" <<'E'
/^\*/ { split("", gone) }
$2 ~ /^(Req|Beresp|Resp)Unset$/ { gone[$3] = 1 }
$2 ~ /^(Req|Beresp|Resp)Header$/ { delete gone[$3] }
$2 == "VCL_Error" && /vary: p/ {
	seen++
	for (h in gone)
		if (h ~ /^(Vary|X-Varykit-Vary|Accept-Language|Cookie):$/) {
			print "HALF", h, $0
			bad = 1
		}
}
END { exit bad || seen < 6 }
E

# play NAME WORKSPACE STEP LAST VCL
play() {
	n=$((n + 1))
	{
		cat <<-E
		varnishtest "$1"
		server s1 -repeat 1000 {
			non_fatal
			rxreq
			txresp -hdr "Connection: close" -hdr "Vary: User-Agent, X-Hash, Accept" -hdr "Vary: accept, Origin"
		} -start
		varnish v1 -arg "-p thread_pools=1" -vcl {
			backend b { .host = "\${s1_addr}"; .port = "\${s1_port}"; }
			import vary;
			import vtc;
			import std;
			sub vcl_init {
				new p = vary.policy();
				p.restore("User-Agent");
				p.hide("X-Hash");
				p.ensure("Cookie");
				p.language("en, de");
				p.cookie("b, a");
			}
			$5
		} -start
		E
		# Where nothing is left Varnish itself cannot answer: a connection each.
		i=0
		while [ $i -le "$4" ]; do
			echo "client c1 {"
			echo "	non_fatal"
			echo "	txreq -url /$i -hdr \"Leave: $i\" -hdr \"Accept-Language: de-AT\" -hdr \"Cookie: x=1; a=2\" -hdr \"Cookie: b=3\""
			echo "	rxresp"
			echo "} -run"
			i=$((i + $3))
		done
		cat <<-E
		# The last remainders are large enough, the first are not.
		client c1 {
			txreq -url /last -hdr "Leave: 4000" -hdr "Accept-Language: de-AT" -hdr "Cookie: x=1; a=2" -hdr "Cookie: b=3"
			rxresp
			expect resp.status == 200
			expect resp.http.X-Whole == "yes"
		} -run
		varnish v1 -expect VARY.vcl1.p.failures > 5
		shell {
			if varnishlog -n \${v1_name} -d -g raw -i VCL_Log | grep HALF; then exit 1; fi
			varnishlog -n \${v1_name} -d -g vxid -q 'VCL_Error ~ "^vary: p"' | awk -f $tmp/half.awk || exit 1
			varnishlog -n \${v1_name} -d -g raw -i VCL_Error | grep -q "vary: p.*raise workspace_"
		}
		E
	} >"$tmp/$n.vtc"
	if $VARNISHTEST $VARNISHTEST_FLAGS -b 50M "$tmp/$n.vtc" >"$tmp/$n.log" 2>&1; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		grep -E '^----|panic|Panic' "$tmp/$n.log" | head -20 | sed 's/^/# /'
	fi
}

deliver='sub vcl_deliver {
	p.deliver();
	if (resp.http.Vary == "User-Agent, Accept, Origin, Cookie" && ! resp.http.X-Varykit-Vary) {
		set resp.http.X-Whole = "yes";
	} else {
		std.log("HALF " + resp.http.Vary);
	}
}'

play "backend workspace, .fetch()" backend 1 260 "
sub vcl_recv { return (hash); }
sub vcl_backend_response {
	vtc.workspace_alloc(backend, -1 * std.integer(bereq.http.Leave, 0));
	p.fetch();
	if (beresp.http.Vary != \"Accept, Origin, Cookie, X-Hash\") {
		std.log(\"HALF \" + beresp.http.Vary);
	}
}
$deliver"

play "client workspace, .recv()" client 3 700 "
sub vcl_recv {
	vtc.workspace_alloc(client, -1 * std.integer(req.http.Leave, 0));
	p.recv();
	if (req.http.Accept-Language != \"de\" || req.http.Cookie != \"b=3; a=2\") {
		std.log(\"HALF \" + req.http.Cookie);
	}
	return (hash);
}
sub vcl_backend_response { p.fetch(); }
$deliver"

play "client workspace, .deliver()" client 1 200 "
sub vcl_recv { return (hash); }
sub vcl_backend_response { p.fetch(); }
sub vcl_deliver {
	vtc.workspace_alloc(client, -1 * std.integer(req.http.Leave, 0));
}
$deliver"
