# What quickstart says, and how it ends.  Sourced by quickstart.
# shellcheck shell=bash

# The programs that are running for us, by pid, and the folder they work in.
# Whatever the end is, on_exit stops the former and removes the latter.
pids=()
tmp=
undo=()

say() { printf '%s\n' "$*"; }

step() { printf '%-12s %s\n' "$1" "${*:2}"; }

die() {
	printf 'quickstart: %s\n' "$*" >&2
	exit 1
}

# Show the end of a log that explains a failure.
die_log() {
	printf 'quickstart: %s; the end of %s:\n' "$2" "$1" >&2
	tail -n 25 "$1" | sed 's/^/    /' >&2
	exit 1
}

on_exit() {
	local status=$? pid u i

	trap '' INT TERM HUP
	for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
		stop_pid "${pids[i]}"
	done
	# One that was started when the signal came is in no list of ours yet.
	for pid in $(jobs -rp); do
		stop_pid "$pid"
	done
	for u in "${undo[@]:+${undo[@]}}"; do
		[ -z "$u" ] || $u
	done
	[ -z "$tmp" ] || rm -rf "$tmp"
	exit $status
}

patience=100
# TERM, $patience tenths of a second, KILL; to all that it started, where it has a group
# of its own: make alone would leave a test that runs to run on.
stop_pid() {
	local i whom=$1

	kill -0 -- "-$1" 2>/dev/null && whom=-$1
	kill -TERM -- "$whom" 2>/dev/null || return 0
	for ((i = 0; i < patience; i++)); do
		kill -0 -- "$whom" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL -- "$whom" 2>/dev/null
	wait "$1" 2>/dev/null
	return 0
}

forget_pid() {
	local p kept=()

	for p in "${pids[@]:+${pids[@]}}"; do
		[ "$p" = "$1" ] || kept+=("$p")
	done
	pids=("${kept[@]:+${kept[@]}}")
}

# Run a command so that a signal to quickstart is acted upon at once, not when
# the command is through: bash runs traps during wait, not during a child.  set -m
# gives it a group of its own.
watched() {
	local pid status

	set -m
	"$@" &
	pid=$!
	set +m
	pids+=("$pid")
	wait "$pid"
	status=$?
	forget_pid "$pid"
	return $status
}

trap on_exit EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
