# The functions of vary/ alone.  Sourced by vmod.sh.
# shellcheck shell=bash disable=SC2154
#
# Instructions are what valgrind counts, of 1,100 times less those of 100, so that
# the program's own start cancels out; they do not depend on the machine's load.
core=$build/tests/bench/vmod-core
[ -x "$core" ] || make -s -C "$build" tests/bench/vmod-core >/dev/null 2>"$tmp/make.log" ||
	die_log "$tmp/make.log" "cannot build tests/bench/vmod-core"
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$core" "$1" "$2" 2>&1 |
		awk '/Collected/ { print $NF }'
}
declare -A core_count core_bytes
have_valgrind=no
if command -v valgrind >/dev/null; then have_valgrind=yes; fi
echo 'core: one time, without varnishd'
printf '  %-18s %6s %10s %13s\n' case bytes ns instructions
while read -r name bytes; do
	for ((r = 0; r < rounds; r++)); do "$core" "$name" 100000; done >"$tmp/core.ns"
	core_bytes[$name]=$bytes core_count[$name]=0
	if [ $have_valgrind = yes ]; then
		core_count[$name]=$((($(instructions "$name" 1100) - $(instructions "$name" 100)) / 1000))
	fi
	printf '  %-18s %6d %10.1f %13s\n' "$name" "$bytes" "$(least <"$tmp/core.ns")" \
		"$(if [ $have_valgrind = yes ]; then echo "${core_count[$name]}"; else echo -; fi)"
done < <("$core")
# Linear: a byte of a long value costs what one of a value half as long costs.
if [ $have_valgrind = yes ]; then
	for pair in 'language-10x language-20x' 'media-5x media-10x' 'cookie-10x cookie-20x'; do
		read -r half whole <<<"$pair"
		figure "linear, ${half%%-*}: instructions a byte, of $whole to $half" "$(awk \
			-v a="${core_count[$half]}" -v b="${core_count[$whole]}" \
			-v x="${core_bytes[$half]}" -v y="${core_bytes[$whole]}" \
			'BEGIN { printf "%.3f", b / y / (a / x) }')" '<=' 1.1
	done
else
	echo '  linear in the length of the value: not measured, valgrind is not installed'
fi
