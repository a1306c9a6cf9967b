# What a hit costs among many variants of its URL.  Sourced by vmod.sh.
# shellcheck shell=bash disable=SC2154
#
# The list of variants is walked from the newest; the oldest is asked for.  The
# same visitors with a policy leave one variant.
walk_steps='1 10 100 1000 4000'
cat >"$tmp/walk.vcl" <<'E2'
vcl 4.1; backend b none; import vary;
sub vcl_init {
	new p = vary.policy(notice = 0);
	p.language("en, de");
}
sub vcl_recv {
	if (req.url ~ "^/policy") { p.recv(); }
	return (hash);
}
sub vcl_backend_error {
	set beresp.status = 200;
	set beresp.ttl = 1h;
	set beresp.http.Vary = "Accept-Language";
	if (bereq.url ~ "^/policy") { p.fetch(); }
	return (deliver);
}
sub vcl_deliver {
	if (req.url ~ "^/policy") { p.deliver(); }
}
E2
server walk "$tmp/walk.vcl"
# Visitor N's languages: as many bytes for each.
languages() { printf 'de-AT,de;q=0.9,x-%04d;q=0.5' "$1"; }
# fill PATH N: 200 in a connection, which ends with its last answer.
fill() {
	local i n=0 last

	while ((n < $2)); do
		exec 4<>"/dev/tcp/127.0.0.1/${varnish_port[walk]}"
		cat <&4 >/dev/null &
		for ((i = 1; i <= 200 && n < $2; i++, n++)); do
			last=
			((i < 200 && n < $2 - 1)) || last=$'Connection: close\r\n'
			printf 'GET %s HTTP/1.1\r\nHost: a\r\nAccept-Language: %s\r\n%s\r\n' \
				"$1" "$(languages "$n")" "$last"
		done >&4
		exec 4>&-
		wait $!
	done
}
for k in $walk_steps; do
	for way in plain policy; do fill "/$way/$k" "$k"; done
done
read -r walk_objects walk_asked < <(varnishd_counters walk MAIN.n_object MAIN.cache_miss)
for ((r = -1; r < rounds; r++)); do
	for k in $walk_steps; do
		for way in plain policy; do
			c=$(cost walk 1 "/$way/$k" -H 'Host: a' -H "Accept-Language: $(languages 0)") || exit 1
			[ "$r" -lt 0 ] || echo "$c" >>"$tmp/walk.$way.$k"
		done
	done
done
[ "$(varnishd_counters walk MAIN.cache_miss)" = "$walk_asked" ] || die "not all were hits"
varnishd_stop walk
echo "walk: microseconds of CPU of a hit, by variants of its URL ($walk_objects objects)"
printf '  %8s %12s %14s %12s\n' variants 'stock Vary' 'ns a variant' 'with policy'
walk_base=$(least <"$tmp/walk.plain.1")
: >"$tmp/walk.dat"
for k in $walk_steps; do
	stock=$(least <"$tmp/walk.plain.$k") policy=$(least <"$tmp/walk.policy.$k")
	echo "$k $stock $policy" >>"$tmp/walk.dat"
	printf '  %8d %12.2f %14s %12.2f\n' "$k" "$stock" "$(awk -v s="$stock" -v b="$walk_base" -v k="$k" \
		'BEGIN { if (k > 1) printf "%.0f", (s - b) * 1000 / (k - 1); else print "-" }')" "$policy"
done
if command -v gnuplot >/dev/null; then
	for out in "dumb size 78,20" "svg size 720,420"; do
		case $out in
		svg*) to="set output '$build/vmod-walk.svg'" ;;
		*) to= ;;
		esac
		gnuplot <<E2 || die "gnuplot failed"
set terminal $out
$to
set logscale xy
set xlabel "variants of the URL"
set ylabel "us of CPU a hit"
set key top left
set xrange [0.8:6000]
plot "$tmp/walk.dat" using 1:2 with linespoints title "stock Vary", "" using 1:3 with linespoints title "vary.policy()"
E2
	done
	echo "  the plot: $build/vmod-walk.svg"
else
	echo '  no plot: gnuplot is not installed'
fi
