#!/bin/sh
# The include lists are the map of the tree: rooms.tbl says who may include
# what, and this fails with the line that reaches across rooms.
# An outside library is any <header> that some room's line names; the C and
# POSIX libraries are everybody's.
cd "${top_srcdir:-.}" || exit 99
tbl=tests/lint/rooms.tbl
rooms=$(awk '!/^#/ && NF && $1 !~ /\./ { print $1 }' $tbl)
bad=
n=0
for room in $rooms; do
	[ -d "$room" ] || continue
	for f in "$room"/*.[ch]; do
		[ -e "$f" ] || continue
		n=$((n + 1))
		out=$(awk -v file="$f" -v room="$room" '
			FNR == NR {
				if ($0 ~ /^#/ || NF == 0) next
				for (i = 2; i <= NF; i++) {
					allow[$1, $i] = 1
					if ($i ~ /\/$|\.h$/) outside[$i] = 1
				}
				for (i = 2; i <= NF; i++) list[$1] = list[$1] " " $i
				listed[$1] = 1
				next
			}
			/^#[ \t]*include/ {
				split($0, q, /[<>"]/); h = q[2]
				own = listed[file] ? file : room
				quoted = $0 ~ /"/
				dir = h; if (!sub(/\/.*/, "", dir)) dir = h
				if (quoted) {
					if (dir == room || allow[own, dir] || allow[own, dir "/"] || allow[own, h]) next
				} else {
					known = 0
					for (o in outside)
						if (o == h || (o ~ /\/$/ && index(h, o) == 1)) known = 1
					if (!known || allow[own, dir "/"] || allow[own, h]) next
				}
				print file ":" FNR ": may not include " h
			}' $tbl "$f")
		[ -z "$out" ] || bad="$bad$out
"
	done
done
echo 1..2
if [ "$n" -gt 0 ]; then echo "ok 1 - $n files read"; else echo "not ok 1 - no files"; fi
if [ -z "$bad" ]; then
	echo "ok 2 - every include is allowed by rooms.tbl"
else
	echo "not ok 2 - every include is allowed by rooms.tbl"
	printf '%s' "$bad" | sed 's/^/# /'
fi
