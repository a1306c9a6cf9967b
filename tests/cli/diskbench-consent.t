#!/bin/sh
# Consent to write: the token, whose it is, and what else is never written over.
. "$top_srcdir/tests/cli/lib-disk.sh"
. "$top_srcdir/tests/cli/lib-disk-refused.sh"

# --- without consent
zero_loop free.img 16 || skip_all "no loop device"
free=$dev
watch=$free
sum=$(hash_of "$free")
bench run --rw randwrite --runtime 200ms "$free"
is "no token: exit 30" "$code:$out" "30:"
like "no token: says where it is to be had" "$err" 'diskbench identify /dev/loop'
bench run --rw randwrite --runtime 200ms --write yes "$free"
is "a wrong token: exit 30" "$code:$out" "30:"
bench run --rw randrw --runtime 200ms --write "" "$free"
is "an empty token: exit 30" "$code:$out" "30:"
for pty in yes y 1; do
	printf '%s\n' $pty | "$DISKBENCH" run --rw randwrite --runtime 200ms "$free" >out 2>err
	is "no token, \"$pty\" on stdin: exit 30" $? 30
done
if command -v script >/dev/null; then
	# The same with a terminal: nobody is asked.
	# script(1) waits two seconds for a standard input that has ended.
	{ printf 'yes\n'; sleep 0.4; } | script -qec "$DISKBENCH run --rw randwrite --runtime 200ms $free" /dev/null >out 2>&1
	is "no token, on a terminal: exit 30" $? 30
fi
for o in --force --yes -y -f --no-confirm --i-will-destroy=yes; do
	bench run --rw randwrite --runtime 200ms $o "$free"
	[ "$code:$out" = 2: ] || break
done
is "no option says yes: exit 2" "$o $code:$out" "--i-will-destroy=yes 2:"
DISKBENCH_FORCE=1 DISKBENCH_YES=1 FORCE=yes YES=1 DISKBENCH_WRITE=$(token_of "$free") \
    "$DISKBENCH" run --rw randwrite --runtime 200ms "$free" >out 2>err
is "no variable says yes: exit 30" "$?:$(grep -l getenv "$top_srcdir"/diskbench/*.c)" 30:
bench fio --name=x --filename="$free" --rw=randwrite --bs=4k --runtime=1 --time_based --direct=1
is "fio without a token: exit 30" "$code:$out" "30:"
is "without consent nothing is written" "$(hash_of "$free")" "$sum"

# --- with it, on a device that nobody has
bench identify "$free"
is "identify: exit 0" "$code:$err" "0:"
like "identify: the token" "$out" '^token +[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$'
like "identify: an empty one" "$out" '^contents +empty'
like "identify: not in use" "$out" '^in use +no$'
t=$(token_of "$free")
is "identify: the same token each time" "$(token_of "$free")" "$t"
bench run --rw randwrite --runtime 300ms --write "$t" --format json "$free"
is "consent, a free and empty device: written to" "$code $(jq '.jobs[0].write.iops > 0' out)" "0 true"
is "and it is" "$([ "$(hash_of "$free")" = "$sum" ]; echo $?)" 1
is "and nobody is left holding it" "$("$DISKBENCH" list --format json |
    jq -r --arg d "$free" '.devices[] | select(.path == $d) | .in_use_by')" null
sum=$(hash_of "$free")
bench run --rw randwrite --runtime 300ms --write "$t" "$free"
is "data of an unknown kind: exit 39" "$code:$out" "39:"
like "data of an unknown kind: says what to add" "$err" '--overwrite-data'
is "data of an unknown kind: nothing is written" "$(hash_of "$free")" "$sum"
fio_too "data of an unknown kind" "$free" "$free"
bench run --rw randwrite --runtime 200ms --write "$t" --overwrite-data --format json "$free"
is "and with --overwrite-data: written to" "$code" 0
# A ring is taken apart after its program; the device must not wait for that.
for e in io_uring ''; do
	codes=
	for i in 1 2 3 4 5 6; do
		bench run --rw randwrite --runtime 20ms --write "$t" --overwrite-data ${e:+--engine $e} "$free"
		codes=$codes$code
	done
	case $codes in
	14*) skip "${e:-default engine}: free again as soon as it ends" "no io_uring here" ;;
	*) is "${e:-default engine}: free again as soon as it ends" "$codes" 000000 ;;
	esac
done

# --- the name was taken over by another drive
truncate -s 16M other.img
attach_instead "$work/other.img" "$free"
sum=$(hash_of "$free")
bench run --rw randwrite --runtime 200ms --write "$t" --overwrite-data "$free"
is "another drive under the name: exit 30" "$code:$out" "30:"
like "another drive under the name: says so" "$err" 'another drive has taken the name'
is "another drive under the name: nothing is written" "$(hash_of "$free")" "$sum"

# --- a result is no reason to write there either
for o in "list" "identify $free" "run --runtime 100ms --allow-unwritten $free" "run --engine null --runtime 100ms"; do
	# shellcheck disable=SC2086
	bench $o -o "$free"
	is "$o -o over a disk: exit 18" "$code:$out" "18:"
	like "$o -o over a disk: says why" "$err" 'is a disk: no result is written over it'
done
ln -s "$free" result.json
bench list -o result.json
is "list -o over a disk, by a link: exit 18" "$code:$out" "18:"
"$DISKBENCH" list 1<>"$free" 2>err
is "a disk as the standard output: exit 18" $? 18
like "a disk as the standard output: says why" "$(cat err)" '^diskbench: stdout: is a disk: no result is written over it'
is "-o over a disk: nothing is written" "$(hash_of "$free")" "$sum"
done_testing
