# The demonstration, step by step, and its summary.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2154

pages=20
requests=4000
browser='Mozilla/5.0 (X11; FreeBSD amd64; rv:152.0) Gecko/20100101 Firefox/152.0'

lines=()
# shellcheck disable=SC2059
sum() { lines+=("$(printf "$@")"); }

# run_demo FOLDER: what was built there.
run_demo() {
	local began=$SECONDS

	built=$top/$1
	servers_folder
	demo_files
	demo_origin
	demo_audit
	demo_cache
	demo_outage
	demo_disk
	printf '\n'
	printf '%s\n' "${lines[@]}"
	printf 'All steps succeeded in %d s; everything that was started is stopped.\n' \
		$((SECONDS - began))
}

# A copy of all that the servers read, where their user may read it.
demo_files() {
	local i

	mkdir "$tmp/site" "$tmp/vcl" "$tmp/vmod" || die "cannot fill $tmp"
	cp demo/apache.conf "$tmp/" && cp vcl/*.vcl demo/*.vcl "$tmp/vcl/" &&
		cp demo/htaccess "$tmp/site/.htaccess" || die "cannot fill $tmp"
	cp "$built/vmod/.libs/libvmod_vary.so" "$tmp/vmod/" ||
		die "the VMOD was not built: see what configure says in $built/quickstart.log"
	for ((i = 1; i <= pages; i++)); do
		demo_page "$i" >"$tmp/site/page$i.html"
	done
}

demo_page() {
	printf '<!DOCTYPE html>\n<html lang="en"><title>Page %d</title>\n<h1>Page %d</h1>\n' "$1" "$1"
	awk -v n="$1" 'BEGIN {
		for (i = 1; i <= 40; i++)
			printf "<p>Paragraph %d of page %d says what all the others say.</p>\n", i, n
	}'
	printf '</html>\n'
}

# a. The origin.
demo_origin() {
	apache_start
	origin_vary=$(curl -s -D - -o /dev/null -H 'Host: blog.example' -H 'Accept-Encoding: gzip' \
	    "http://127.0.0.1:$apache_port/page1.html" | tr -d '\r' | sed -n 's/^[Vv]ary: //p')
	case $origin_vary in
	*User-Agent*) ;;
	*) die "Apache answers without the story's Vary: '$origin_vary'" ;;
	esac
	step a "$(apache2 -v | sed -n 's/^Server version: //p') on 127.0.0.1:$apache_port"
	sum 'a  Apache with the .htaccess of the story answers'
	sum '     Vary: %s' "$origin_vary"
}

# b. What varyprobe finds.  It has to find something: 1 is the status we want.
demo_audit() {
	local status rule

	watched "$built/varyprobe" audit --connect-to "127.0.0.1:$apache_port" \
		http://blog.example/page1.html >"$tmp/audit.txt" 2>"$tmp/audit.err"
	status=$?
	cat "$tmp/audit.txt"
	[ $status -eq 1 ] || die_log "$tmp/audit.err" "varyprobe ended with $status, not 1"
	sum 'b  varyprobe audit'
	for rule in vary-leak vary-redundant; do
		grep -q "$rule" "$tmp/audit.txt" || die "varyprobe did not report $rule"
		sum '     %s' "$(grep -m 1 "$rule" "$tmp/audit.txt" | sed 's/^ *//')"
	done
	step b "varyprobe found the leak"
}

# c. The same visitors, without and with the VMOD.
demo_cache() {
	local name

	printf 'vcl 4.0;\nbackend default { .host = "127.0.0.1"; .port = "%d"; }\n' \
		"$apache_port" >"$tmp/vcl/backend.vcl"
	load_make 20170213 $requests $pages >"$tmp/load" || die "cannot make the requests"
	for name in without with; do
		varnishd_start $name "$tmp/vcl/$name.vcl"
		load_send "$tmp/load" "${varnish_port[$name]}" >"$tmp/$name.status"
		[ "$(awk '{ print $1, $2 }' "$tmp/$name.status")" = "$requests 200" ] ||
			die_log "$tmp/$name.status" "varnishd ($name) did not answer all requests with 200"
		read -r "hit_$name" "miss_$name" "objects_$name" "fetches_$name" < <(
			varnishd_counters $name MAIN.cache_hit MAIN.cache_miss MAIN.n_object \
			    MAIN.s_fetch)
		step c "varnishd $name the VMOD: $requests requests sent"
	done
	sum 'c  varnishd, %d requests, the browsers of real visitors    without   with the VMOD' $requests
	sum '     hit ratio                                          %8.2f %%      %8.2f %%' \
		"$(percent "$hit_without" $requests)" "$(percent "$hit_with" $requests)"
	sum '     objects in the cache                               %8d        %8d' \
		"$objects_without" "$objects_with"
	sum '     fetches from Apache                                %8d        %8d' \
		"$fetches_without" "$fetches_with"
	[ "$hit_with" -gt "$hit_without" ] ||
		die "the VMOD won no hits: $hit_without without, $hit_with with"
}

percent() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.4f", 100 * a / b }'; }

# d. Apache is gone; what do visitors see?
demo_outage() {
	local name

	apache_stop
	load_make 19910806 1000 $pages >"$tmp/load.after"
	for name in without with; do
		printf -v "one_$name" '%s' "$(curl -s -o /dev/null -w '%{http_code}' -A "$browser" \
		    -H 'Host: blog.example' -H 'Accept-Encoding: gzip' \
		    "http://127.0.0.1:${varnish_port[$name]}/page7.html")"
		printf -v "ok_$name" '%d' "$(load_send "$tmp/load.after" "${varnish_port[$name]}" |
		    awk '$2 == 200 { print $1 }')"
		varnishd_stop $name
	done
	step d "Apache stopped; asked both again"
	sum 'd  Apache is stopped                                      without   with the VMOD'
	sum '     a page new to this browser, but not to others          %4s            %4s' \
		"$one_without" "$one_with"
	sum '     the next 1000 requests answered with the page      %8.2f %%      %8.2f %%' \
		"$(percent "$ok_without" 1000)" "$(percent "$ok_with" 1000)"
	[ "$one_with" = 200 ] || die "with the VMOD, Apache down: $one_with instead of 200"
	[ "$one_without" != 200 ] || die "without the VMOD, Apache down: 200 instead of an error"
}

# e. The disk under the build folder.
demo_disk() {
	:
}
