#!/bin/sh
# diskbench under memcheck: each engine, each command, and what is wrong.
. "$top_srcdir/tests/cli/lib-disk.sh"
need_memcheck
command -v jq >/dev/null || skip_all "no jq"
cd "$work" || exit 99

bench run --create 4m --runtime 50ms --format json -o a.json file
[ "$code" != 13 ] || skip_all "no direct I/O on the file system of $work"
# All that work here, in one run.
engines=
for e in $("$DISKBENCH" run --help | sed -n '/^Engines/,$s/^  \([a-z_]*\) .*/\1/p'); do
	case $e in
	null | sim) engines="$engines --name=$e --ioengine=$e" ;;
	mmap) engines="$engines --name=$e --ioengine=$e --filename=file --direct=0" ;;
	*)
		bench run --engine "$e" --runtime 10ms file
		[ "$code" != 0 ] ||
		    engines="$engines --name=$e --ioengine=$e --filename=file --direct=1"
		;;
	esac
done
# shellcheck disable=SC2086
memcheck "each engine:$(printf '%s\n' $engines | sed -n 's/--ioengine=/ /p' | tr -d '\n')" 0 \
    "$DISKBENCH" fio --rw=randread --bs=4k --iodepth=4 --time_based --runtime=50ms $engines
# What is written to is of this run's own making.
memcheck "writes at a rate, in an open loop, by name" 0 \
    "$DISKBENCH" run --create 4m --rw randrw --mix 50 --fsync 8 --open-loop --rate 500 \
    --runtime 100ms --compressible 30 --duplicates 10 --format json own
t=$("$DISKBENCH" identify --format json own | jq -r '.devices[0].token')
memcheck "pts" 0 "$DISKBENCH" pts --test throughput --rounds 1 --runtime 20ms --write "$t" \
    --overwrite-data --format json -o pts.json own
memcheck "a profile" 0 "$DISKBENCH" run --profile varnish-file --hit 100 \
    --time-budget 1500ms --format json -o profile.json file
memcheck "a curve" 0 "$DISKBENCH" curve --points 4 --accesses 16 --runtime 20ms --format json -o curve.json file
memcheck "a comparison" 0 "$DISKBENCH" compare --pairs 5 --runtime 20ms --ramp 0 \
    --format json -o compare.json file own
memcheck "list" 0 "$DISKBENCH" list
memcheck "a page of results" 0 "$DISKBENCH" report a.json profile.json -o page.html
memcheck "a page of comparisons, curves and tests" 0 "$DISKBENCH" report compare.json curve.json pts.json
head -c 900 a.json >half.json
memcheck "half a result" 50 "$DISKBENCH" report a.json half.json
memcheck "one result a side" 0 "$DISKBENCH" compare a.json --vs a.json
memcheck "no token" 30 "$DISKBENCH" run --rw randwrite file
printf '[x]\nfilename=file\nbssplit=4k/50:8k\nbogus=1\n' >bad.fio
memcheck "an option of a job file that nobody knows" 2 "$DISKBENCH" fio bad.fio
done_testing
