#!/bin/bash
# bash and zsh complete what the programs take: each command, each option of each
# command as --help lists it, the words that an option takes.
cd "$top_builddir" || exit 99
t=$(mktemp -d) || exit 99
trap 'rm -rf "$t"' EXIT
n=0
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
		echo "not ok $n - $2"
		sed 's/^/# /' "$t/diff" 2>/dev/null
	fi
}
programs=
for p in varyprobe varylive diskbench/diskbench; do
	[ -x "$p" ] && programs="$programs $p"
done
if [ -z "$programs" ]; then
	echo "1..0 # SKIP no program was built"
	exit 0
fi

# What --help lists, read in another way than the completions do: each word
# that looks like an option in what stands left of the explanation.
listed() {
	"$@" --help | awk '/^  +-/ {
		line = $0
		sub(/^ +/, "", line)
		sub(/  .*/, "", line)
		while (match(line, /--[a-z0-9][a-z0-9_.-]*/)) {
			print substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
		}
	}' | sort -u
}
commands() { "$1" --help | awk '/^  [a-z]+ / { print $1 }'; }

# complete FUNCTION PROGRAM WORD...: the last word is what is being typed.
compopt() { :; }
complete_bash() {
	local f=$1 p=$2
	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	"$f" "$p" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
	printf '%s\n' "${COMPREPLY[@]}" | sort -u
}
same() { diff "$1" "$2" >"$t/diff"; }

for p in $programs; do
	name=$(basename "$p")
	# shellcheck source=/dev/null
	. "completion/$name"
	complete -p "$name" | grep -q "_varykit_$name"
	ok $? "bash: $name is completed"
	words=$(commands "./$p")
	if [ -n "$words" ]; then
		printf '%s\n' $words --help --version | sort -u >"$t/want"
		complete_bash "_varykit_$name" "./$p" '' >"$t/got"
		same "$t/want" "$t/got"
		ok $? "bash: $name: the commands"
	fi
	for c in ${words:-''}; do
		[ "$c" = help ] && continue
		if [ "$c" = "''" ]; then call=("./$p"); else call=("./$p" "$c"); fi
		listed "${call[@]}" >"$t/want"
		complete_bash "_varykit_$name" "${call[@]}" -- >"$t/got"
		[ -s "$t/want" ] && same "$t/want" "$t/got"
		ok $? "bash: ${call[*]##*/}: the options of --help"
		# A word of a closed list is in the option's own explanation.
		for o in $(cat "$t/want"); do
			for w in $("_varykit_${name}_words" "${call[1]:-}" "$o" "./$p"); do
				"${call[@]}" --help | grep -qw -- "$w" || echo "$o $w"
			done
		done >"$t/diff"
		[ ! -s "$t/diff" ]
		ok $? "bash: ${call[*]##*/}: no word that --help does not know"
	done
done

if [ -x varyprobe ]; then
	mkdir "$t/here" && cd "$t/here" && touch urls.txt
	complete_bash _varykit_varyprobe "$top_builddir/varyprobe" audit --format js >"$t/got"
	[ "$(cat "$t/got")" = json ]
	ok $? "bash: --format js"
	complete_bash _varykit_varyprobe "$top_builddir/varyprobe" audit --format = sar >"$t/got"
	[ "$(cat "$t/got")" = sarif ]
	ok $? "bash: --format=sar"
	complete_bash _varykit_varyprobe "$top_builddir/varyprobe" audit --urls u >"$t/got"
	[ "$(cat "$t/got")" = urls.txt ]
	ok $? "bash: --urls takes a file"
	complete_bash _varykit_varyprobe "$top_builddir/varyprobe" audit --rate u >"$t/got"
	[ -z "$(cat "$t/got")" ]
	ok $? "bash: --rate takes none"
	complete_bash _varykit_varyprobe "$top_builddir/varyprobe" nonsense -- >"$t/got"
	[ -z "$(cat "$t/got")" ]
	ok $? "bash: an unknown command is not run"
	cd "$top_builddir" || exit 99
fi

if command -v zsh >/dev/null 2>&1; then
	for p in $programs; do
		name=$(basename "$p")
		head -n 1 "completion/_$name" | grep -qx "#compdef $name"
		ok $? "zsh: $name is completed"
		words=$(commands "./$p")
		for c in ${words:-''}; do
			[ "$c" = help ] && continue
			if [ "$c" = "''" ]; then call=("./$p"); else call=("./$p" "$c"); fi
			listed "${call[@]}" >"$t/want"
			# zsh's own part is played: what it would be given is printed.
			zsh -f -c '
				_describe() { local a=$@[-1]; print -rl -- ${(P)a} }
				_files() { print FILES }
				source completion/_'"$name"'
				words=("$@" --) CURRENT=$(($# + 1))
				_'"$name"' ' zsh "${call[@]}" 2>"$t/err" |
				sed -n 's/^\(--[a-z0-9_.-]*\).*/\1/p' | sort -u >"$t/got"
			cat "$t/err" >>"$t/got"
			[ -s "$t/got" ] && same "$t/want" "$t/got"
			ok $? "zsh: ${call[*]##*/}: the options of --help"
		done
	done
else
	n=$((n + 1))
	echo "ok $n # SKIP zsh is not installed"
fi
echo "1..$n"
