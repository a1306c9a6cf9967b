# The place that the handbook is typed along in: the servers of the story on the
# ports that it names, and a shell.  Sourced by quickstart.
# shellcheck shell=bash disable=SC2154,SC2034

# QUICKSTART_PORTS names others than the text does, as the tests do.
read -r place_apache place_varnish <<<"${QUICKSTART_PORTS:-8080 6081}"

# run_place FOLDER: with what was built there.
run_place() {
	built=$1
	# Not a file system in memory, as /tmp may be: diskbench works here.
	TMPDIR=${TMPDIR:-/var/tmp} servers_folder
	place_port "$place_apache"
	place_port "$place_varnish"
	demo_files
	place_files
	apache_start "$place_apache"
	demo_backend
	varnish_options=(-a "127.0.0.1:$place_varnish" -p "vcl_path=$tmp:$tmp/vcl")
	varnishd_start varnish "$tmp/vcl/without.vcl"
	step place "$tmp: Apache on 127.0.0.1:$place_apache, varnishd on 127.0.0.1:$place_varnish"
	step place "type along doc/story.md and the pages after it; exit ends all of it"
	place_shell
}

place_port() {
	! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null ||
		die "something listens on 127.0.0.1:$1 already; stop it first: the handbook's commands name that port"
}

# Names as the text has them.  The reader's varnishd is the one without a name.
place_files() {
	local i p

	ln -s site "$tmp/htdocs" && mkdir "$tmp/bin" || die "cannot fill $tmp"
	for i in 1 2 3 4 5; do
		printf 'http://blog.example/page%d.html\n' "$i"
	done >"$tmp/urls.txt"
	for p in varyprobe diskbench/diskbench; do
		printf '#!/bin/sh\nexec "%s" "$@"\n' "$built/$p" >"$tmp/bin/${p##*/}"
	done
	for p in "$built/varylive" "$(command -v varnishadm)" "$(command -v varnishlog)" \
	    "$(command -v varnishstat)"; do
		printf '#!/bin/sh\ncase " $* " in *" -r "* | *" -n "*) ;; *) set -- -n "%s" "$@" ;; esac\nexec "%s" "$@"\n' \
			"$tmp/varnish" "$p" >"$tmp/bin/${p##*/}"
	done
	chmod 755 "$tmp"/bin/*
}

# In the foreground: the terminal is the shell's.  Commands that come from
# elsewhere are stopped when we are.
place_shell() {
	cd "$tmp" || die "$tmp is gone"
	PATH=$tmp/bin:$PATH
	if [ -t 0 ]; then
		PS1='story$ ' bash --norc -i
	else
		watched bash
	fi
}
