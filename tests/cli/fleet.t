#!/bin/sh
# What goes to many machines does what doc/scale.md says: alerts fire in promtool, the
# playbook measures a file of this machine.
. "$top_srcdir/tests/cli/lib-probe.sh"
p=$top_srcdir/packaging
doc=$top_srcdir/doc/scale.md
have() { command -v "$1" >/dev/null 2>&1; }

# block LANGUAGE WORD: the block of scale.md in which a line begins with WORD
block() {
	awk -v l="$1" -v w="$2" '
		$0 == "```" l { on = 1; text = ""; hit = 0; next }
		on && /^```/ { if (hit) printf "%s", text; on = 0 }
		on { text = text $0 "\n"; if (index($0, w) == 1) hit = 1 }' "$doc"
}
sed '/^#/d' "$p/prometheus/varykit.rules.yml" >"$work/rules"
block yaml groups: >"$work/shown"
is "scale.md shows the alerts that are installed" "$(diff "$work/rules" "$work/shown")" ""
sed '/^#/d' "$p/ansible/drives.yml" >"$work/play"
block yaml '- name: Read' >"$work/shown"
is "scale.md shows the playbook that is installed" "$(diff "$work/play" "$work/shown")" ""
for m in $(grep -o 'vary[a-z]*_[a-z_]*' "$work/rules" | sort -u); do
	grep -q "\"*$m[ {]" "$top_srcdir/probe/report_prometheus.c" \
		"$top_srcdir/live/report_prometheus.c" || echo "$m"
done >"$work/out"
is "alerts name metrics that there are" "$(cat "$work/out")" ""
if have promtool; then
	promtool check rules "$p/prometheus/varykit.rules.yml" >"$work/out" 2>&1
	is "promtool takes the rules" "$?" 0
	promtool test rules "$p/prometheus/varykit.rules.test.yml" >"$work/out" 2>&1
	is "promtool: they fire when they should, and not before" "$?" 0
	[ -z "$(grep FAILED "$work/out")" ] || sed 's/^/# /' "$work/out"
else
	skip "promtool takes the rules" "no promtool (Debian: prometheus)"
	skip "promtool: they fire when they should" "no promtool (Debian: prometheus)"
fi

if ! have ansible-playbook; then
	skip "ansible-playbook" "no ansible-playbook (Debian: ansible-core)"
elif [ ! -x "$top_builddir/diskbench/diskbench" ]; then
	skip "ansible-playbook" "diskbench was not built"
else
	# Ansible's own files go where the test's are.
	play() {
		(cd "$work" && HOME=$work ANSIBLE_LOCAL_TEMP=$work/a ANSIBLE_REMOTE_TEMP=$work/a \
			ANSIBLE_NOCOLOR=1 LC_ALL=C.UTF-8 ansible-playbook -i one, -c local "$@" \
			"$p/ansible/drives.yml" >"$work/out" 2>"$work/err")
	}
	play --syntax-check
	is "ansible-playbook --syntax-check" "$?" 0
	"$top_builddir/diskbench/diskbench" run --create 1M --buffered --runtime 50ms \
		"$work/drive.dat" >/dev/null 2>"$work/err"
	cat >"$work/vars.json" <<-JSON
		{ "diskbench": "$top_builddir/diskbench/diskbench", "as_root": false,
		  "targets": ["$work/drive.dat"], "results": "$work/results",
		  "options": ["--buffered", "--runtime", "50ms"] }
	JSON
	before=$(cksum <"$work/drive.dat")
	play -e "@$work/vars.json"
	is "the playbook measures a file of this machine" "$?" 0
	is "its result is there" \
		"$(jq -r '.diskbench.schema, (.jobs[0].read.total_ios > 0)' "$work/results/one-drive.dat.json" | tr '\n' ' ')" \
		"varykit.diskbench/1 true "
	[ -s "$work/results/one-drive.dat.json" ] || sed 's/^/# /' "$work/out"
	is "the file is what it was" "$(cksum <"$work/drive.dat")" "$before"
fi

# The recipes, as Hadoop and Spark run them, and one process for all.
if ! have python3 || [ ! -x "$VARYPROBE" ]; then
	skip "the recipes of Hadoop and Spark" "no python3, or varyprobe was not built"
else
	start_origin
	for c in 22 28 20 11 32b; do echo "$base/case/$c"; done >"$work/urls"
	echo http://127.0.0.1:1/ >>"$work/urls"
	mkdir "$work/bin"
	# The recipes' --rate is for other people's origins: at two a second this is minutes.
	cat >"$work/bin/varyprobe" <<-SH
		#!/bin/sh
		[ "\$1" != audit ] || set -- "\$@" --rate 0
		exec "$VARYPROBE" "\$@"
	SH
	chmod +x "$work/bin/varyprobe"
	"$VARYPROBE" audit --urls "$work/urls" --format ndjson --rate 0 >"$work/all" 2>"$work/err"
	# Not the requests: robots.txt is asked for by each process.
	sum() { jq -cS '[.urls, .outcomes, .worst, .findings]' "$1"; }
	"$VARYPROBE" summary "$work/all" >"$work/whole"
	like "one process finds something in the six" "$(sum "$work/whole")" '^.6,.*"vary-'
	for framework in hadoop spark; do
		PATH=$work/bin:$PATH python3 "$top_srcdir/tests/cli/streams.py" $framework \
			"$doc" <"$work/urls" >"$work/out" 2>"$work/err"
		is "$framework: every program ends with 0, and one line comes out" \
			"$?:$(wc -l <"$work/out" | tr -d ' ')" 0:1
		is "$framework: the sum is that of one process" "$(sum "$work/out")" "$(sum "$work/whole")"
	done
fi
done_testing
