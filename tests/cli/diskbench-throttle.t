#!/bin/sh
# A loop device that may do so many reads a second: what diskbench says of it,
# and what fio says.
. "$top_srcdir/tests/cli/lib-disk.sh"
command -v jq >/dev/null || skip_all "no jq"
need_loops
cd "$work" || exit 99
random_loop disk.img 64
throttle "$dev" riops 1000 || skip_all "no block I/O controller of cgroups here"
before=$(hash_of "$dev")

settled bench_in_group run --runtime 2s --ramp 500ms --iodepth 16 --format json "$dev"
is "1000 IOPS: exit 0" "$code" 0
ours=$(jq .jobs[0].read.iops out)
# The throttle lets 50 go each tenth of a second: two seconds are right to 5 %,
# ten (tests/bench/disk-accuracy.sh) to 1 %.
between "1000 IOPS: within 5 %" "$ours" 949 1051
between "its own count is the device's" \
    "$(jq '.jobs[0] | .diskbench.device_stat.read_bytes / 4096 / (.read.iops * .job_runtime / 1000)' out)" 0.9 1.1
if command -v fio >/dev/null; then
	in_group fio --name=x --filename="$dev" --direct=1 --rw=randread --bs=4k \
	    --ioengine=libaio --iodepth=16 --runtime=2 --ramp_time=500ms --time_based \
	    --readonly --output-format=json >fio.json 2>fio.err
	theirs=$(jq .jobs[0].read.iops fio.json)
	between "within 10 % of fio's $theirs" "$ours" \
	    "$(jq -n "$theirs * 0.9")" "$(jq -n "$theirs * 1.1")"
else
	skip "within 10 % of fio's" "no fio"
fi
throttle "$dev" riops 0
throttle "$dev" rbps 10485760
settled bench_in_group run --runtime 3s --ramp 500ms --bs 16k --iodepth 4 --format json "$dev"
# Thirty slices of a tenth of a second, and by chance one more at each end.
between "10 MiB/s: within 7 %" "$(jq .jobs[0].read.bw_bytes out)" 9751757 11219763
throttle "$dev" rbps 0
is "nothing was written" "$(hash_of "$dev")" "$before"
done_testing
