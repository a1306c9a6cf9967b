# The visitors: the same requests, in the same order, to whoever listens.
# Sourced by quickstart.
# shellcheck shell=bash disable=SC2154

# load_make SEED REQUESTS PAGES >FILE: a curl configuration with one request a
# block; pages at random, browsers as often as data/useragents.tsv says.  @PORT@
# stands for the port.  Not awk's rand(): the numbers are to be the same for
# every awk.
load_make() {
	awk -F '\t' -v seed="$1" -v n="$2" -v pages="$3" '
		function uniform() {
			seed = (seed * 16807) % 2147483647
			return seed / 2147483647
		}
		{ weight[NR] = $1; total += $1; browser[NR] = $2 }
		END {
			for (i = 0; i < n; i++) {
				x = uniform() * total
				for (k = 1; k < NR && x >= weight[k]; k++)
					x -= weight[k]
				if (i > 0)
					print "next"
				printf "url = \"http://127.0.0.1:@PORT@/page%d.html\"\n",
				    1 + int(uniform() * pages)
				printf "user-agent = \"%s\"\n", browser[k]
				print "header = \"Host: blog.example\""
				print "header = \"Accept-Encoding: gzip, deflate, br, zstd\""
				print "max-time = 10"
				print "output = /dev/null"
				print "write-out = \"%{http_code}\\n\""
				print "silent"
			}
		}' "$top/data/useragents.tsv"
}

# load_send FILE PORT: prints how many answers there were of each status.
load_send() {
	sed "s/@PORT@/$2/" "$1" >"$tmp/load.curl"
	curl -q -K "$tmp/load.curl" | sort | uniq -c
}
