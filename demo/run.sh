# The demonstration, step by step, and its summary.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2154

pages=20
requests=4000
browser='Mozilla/5.0 (X11; FreeBSD amd64; rv:152.0) Gecko/20100101 Firefox/152.0'

lines=()
# shellcheck disable=SC2059
sum() { lines+=("$(printf "$@")"); }

# A file that must not outlive us.
doomed=
undo+=(remove_doomed)
remove_doomed() { [ -z "$doomed" ] || rm -f "$doomed"; }

# run_demo FOLDER: with what was built there.
run_demo() {
	local began=$SECONDS

	built=$1
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
	demo_scan
	step b "varyprobe found the leak, and the line that causes it"
}

# Which line of which file it is.
demo_scan() {
	local line

	watched "$built/varyprobe" scan "$tmp/site/.htaccess" >"$tmp/scan.txt" 2>"$tmp/scan.err"
	line=$(sed -n 's|^.*/\(\.htaccess:[0-9]*\): .*\[vary-leak\].*|\1|p' "$tmp/scan.txt" | head -n 1)
	[ -n "$line" ] || die_log "$tmp/scan.txt" "varyprobe scan did not find the line"
	sum '     %s  %s' "$line" \
		"$(sed -n "${line#*:}s/^[[:blank:]]*//p" "$tmp/site/.htaccess")"
}

demo_backend() {
	printf 'vcl 4.0;\nbackend default { .host = "127.0.0.1"; .port = "%d"; }\n' \
		"$apache_port" >"$tmp/vcl/backend.vcl"
}

# c. The same visitors, without and with the VMOD.
demo_cache() {
	local name

	demo_backend
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
	sum '%-57s %9s %9s' "c  varnishd, $requests requests by the browsers of real visitors" \
	    'without' 'with VMOD'
	sum '%-57s %7.2f %% %7.2f %%' '     hit ratio' \
		"$(percent "$hit_without" $requests)" "$(percent "$hit_with" $requests)"
	sum '%-57s %9d %9d' '     objects in the cache' \
		"$objects_without" "$objects_with"
	sum '%-57s %9d %9d' '     fetches from Apache' \
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
	sum '%-57s %9s %9s' 'd  Apache is stopped' 'without' 'with VMOD'
	sum '%-57s %9s %9s' '     a page new to this browser, not to others' \
		"$one_without" "$one_with"
	sum '%-57s %7.2f %% %7.2f %%' '     the next 1000 requests that got their page' \
		"$(percent "$ok_without" 1000)" "$(percent "$ok_with" 1000)"
	[ "$one_with" = 200 ] || die "with the VMOD, Apache down: $one_with instead of 200"
	[ "$one_without" != 200 ] || die "without the VMOD, Apache down: 200 instead of an error"
}

# e. The disk under the build folder, by a file of diskbench's own making.  Where
# direct I/O is not to be had (13: the folder is in memory) the page cache is
# measured, and that is said.
demo_disk() {
	local status cached=''

	disk_run
	status=$?
	if [ $status -eq 13 ]; then
		cached=' (no direct I/O here: the page cache)'
		disk_run --buffered
		status=$?
	fi
	cat "$tmp/disk.txt"
	[ $status -eq 0 ] || die_log "$tmp/disk.err" "diskbench ended with $status"
	# Why it is not io_uring, if it is not.
	grep -i 'io_uring' "$tmp/disk.err"
	step e "diskbench measured a file in $built$cached"
	sum 'e  diskbench: 4 KiB random reads of a file of 256 MiB%s' "$cached"
	sum '     %s' "$(sed -n 's/^  engine: /engine /p' "$tmp/disk.txt")"
	sum '     %s' "$(sed -n 's/^  read: //p' "$tmp/disk.txt")"
	sum '     p50 %s   p99 %s' "$(disk_percentile 50.00)" "$(disk_percentile 99.00)"
}

disk_run() {
	local file=$built/quickstart.bench status

	rm -f "$file"
	doomed=$file
	watched "$built/diskbench/diskbench" run --create 256M --runtime 5s --status never "$@" \
		"$file" >"$tmp/disk.txt" 2>"$tmp/disk.err"
	status=$?
	rm -f "$file"
	return $status
}

# The percentile $1 with its unit, from the human report.
disk_percentile() {
	awk -v want="$1th=[" '
		/percentiles \(/ { unit = $0; sub(/.*percentiles \(/, "", unit); sub(/\).*/, "", unit) }
		{
			at = index($0, want)
			if (at == 0)
				next
			rest = substr($0, at + length(want))
			sub(/\].*/, "", rest)
			gsub(/ /, "", rest)
			print rest " " unit
			exit
		}' "$tmp/disk.txt"
}
