# What one call costs inside varnishd.  Sourced by vmod.sh.
# shellcheck shell=bash disable=SC2154
#
# Each row repeats its lines N times in one sub, and its cost is what a request
# takes more than one that repeats the row's own preparation only, so that the
# request itself cancels out.  All rows of a group are in one VCL, chosen by the URL:
# two processes differ by more than a call costs.
N=200

# branch URL-OBJECT NUMBER LINES
branch() {
	local i

	printf 'if (%s == "/%d") {\n' "$1" "$2"
	for ((i = 0; i < N; i++)); do printf '%s\n' "$3"; done
	echo '}'
}

declare -A call
# group SUB PREPARATION, then NAME|INIT|LINES on stdin: fills call[NAME], microseconds.
# The policy of a line is P.
group() {
	local sub=$1 prep=$2 url=req.url name init lines r b c i names=() inits='' branches

	[ "$sub" != backend ] || url=bereq.url
	branches=$(branch $url 0 "$prep")
	while IFS='|' read -r name init lines; do
		names+=("$name")
		i=${#names[@]}
		inits="$inits new p$i = vary.policy(); ${init//P./p$i.}"
		branches="$branches
$(branch $url "$i" "$prep ${lines//P./p$i.}")"
	done
	{
		echo 'vcl 4.1; backend b none; import vary; import std;'
		[ "$have_accept" = no ] || echo 'import accept;'
		echo "sub vcl_init { $inits }"
		case $sub in
		recv) echo "sub vcl_recv { $branches return (synth(200)); }" ;;
		backend)
			# Each a fetch for the cache, of which no lookup hears.
			echo 'sub vcl_recv { set req.hash_always_miss = true; return (hash); }'
			echo "sub vcl_backend_error { set beresp.status = 200; $branches return (deliver); }"
			;;
		deliver)
			echo 'sub vcl_recv { return (synth(200)); }'
			echo "sub vcl_synth { $branches return (deliver); }"
			;;
		esac
	} >"$tmp/calls.vcl"
	server calls "$tmp/calls.vcl"
	rm -f "$tmp"/row*.us
	for ((r = 0; r < rounds; r++)); do
		for ((i = 0; i <= ${#names[@]}; i++)); do
			c=$(cost calls 1 "/$i" "${browser[@]}") || exit 1
			echo "$c" >>"$tmp/row$i.us"
		done
	done
	varnishd_stop calls
	b=$(least <"$tmp/row0.us")
	for ((i = 1; i <= ${#names[@]}; i++)); do
		call[${names[i - 1]}]=$(least <"$tmp/row$i.us" |
			awk -v b="$b" -v n="$N" '{ printf "%.4f\n", ($1 - b) / n }')
		printf '  %-50s %8.3f\n' "${names[i - 1]}" "${call[${names[i - 1]}]}"
	done
}
browser=(-H 'Accept-Language: de-AT,de;q=0.9,en;q=0.8'
	-H 'Accept: text/html,image/webp,*/*;q=0.8' -H 'Cookie: _ga=1; lang=de; session=abc')

echo 'calls: microseconds of CPU of one'
group backend 'set beresp.http.Vary = "Host,Accept-Encoding,User-Agent";' <<'E2'
response, three regsub steps||set beresp.http.Vary = regsuball(beresp.http.Vary, "(?i)(^|,)[ \t]*(host|user-agent)[ \t]*(?=,|$)", ""); set beresp.http.Vary = regsub(beresp.http.Vary, "^[ ,]+", ""); set beresp.http.Vary = regsub(beresp.http.Vary, "[ ,]+$", "");
response, .fetch()||P.fetch();
E2
figure 'response clean-up, of the regsub chain' \
	"$(ratio "${call[response, .fetch()]}" "${call[response, three regsub steps]}")" '<=' 0.333
group backend 'set beresp.http.Vary = "Accept-Encoding";' <<'E2'
response in normal form, .fetch()||P.fetch();
E2

# A header that is written takes workspace, and leaves a record in the log.
cat >"$tmp/nothing.vcl" <<'E2'
vcl 4.1; backend b none; import vary; import vtc;
sub vcl_init { new p = vary.policy(); }
sub vcl_recv { return (hash); }
sub vcl_backend_error {
	set beresp.status = 200;
	set beresp.ttl = 1h;
	set beresp.http.Vary = "Accept-Encoding";
	set beresp.http.W1 = vtc.workspace_free(backend);
	set beresp.http.W2 = vtc.workspace_free(backend);
	p.fetch();
	set beresp.http.W3 = vtc.workspace_free(backend);
	return (deliver);
}
E2
server nothing "$tmp/nothing.vcl"
varnishadm -n "$tmp/nothing" param.set vsl_mask default >/dev/null
read -r before between after < <(curl -s -D - -o /dev/null "http://127.0.0.1:${varnish_port[nothing]}/" |
	tr -d '\r' | awk -F': ' '{ v[$1] = $2 } END { print v["W1"], v["W2"], v["W3"] }')
written=$(varnishlog -n "$tmp/nothing" -d -g request -i BerespHeader,BerespUnset | grep -c 'Vary')
varnishd_stop nothing
# The two headers that say so cost the same: what is more is the call's.
figure 'already canonical: bytes of workspace' $(((between - after) - (before - between))) '==' 0
figure 'already canonical: writes of Vary besides the VCL'"'"'s own' $((written - 1)) '==' 0

if [ "$have_accept" = yes ]; then
	group recv 'set req.http.Accept-Language = "de-AT,de;q=0.9,en;q=0.8"; set req.http.Accept = "text/html,image/webp,*/*;q=0.8"; set req.http.Cookie = "_ga=1; lang=de; session=abc";' <<'E2'
request, accept.filter twice and two regsub|new l = accept.rule("en"); l.add("de"); l.add("de-AT"); new m = accept.rule("text/plain"); m.add("image/webp");|set req.http.Accept-Language = l.filter(req.http.Accept-Language); set req.http.Accept = m.filter(req.http.Accept); set req.http.Cookie = regsuball(";" + req.http.Cookie, "; *(?!session=|lang=)[^;]*", ""); set req.http.Cookie = regsub(req.http.Cookie, "^[; ]+", "");
request, .recv() of language, media, cookie|P.language("en, de"); P.media("image/webp"); P.cookie("session, lang");|P.recv();
E2
	figure 'full policy, of accept.filter and regsub for the same' \
		"$(ratio "${call[request, .recv() of language, media, cookie]}" "${call[request, accept.filter twice and two regsub]}")" '<=' 1
else
	echo '  full policy beside accept.filter: not measured, varnish-modules is not installed'
fi
group recv 'set req.http.X = "1";' <<'E2'
request, .recv() with nothing to do||P.recv();
E2
group deliver 'set resp.http.X = "1";' <<'E2'
response, .deliver() with nothing to do||P.deliver();
E2
