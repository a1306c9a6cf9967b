# What an operator does to vcl/site.vcl, for the plays v1*.vtc: his backend's
# address instead of the example's.
# usage: sh site.sh TOP_SRCDIR TMPDIR ADDRESS PORT [quick-probe]
# Without the last word the backend has no probe, so that a play's server sees the
# requests of its clients and no others.
case ${5:-} in
quick-probe) probe='s/interval = 5s/interval = 0.1s/; s/timeout = 2s/timeout = 0.5s/; s/initial = 3/initial = 2/' ;;
*) probe='/probe = {/,/^	}/d' ;;
esac
sed -e "/^backend origin/,/^}/{
	s/\"127.0.0.1\"/\"$3\"/
	s/\"8080\"/\"$4\"/
	$probe
}" "$1/vcl/site.vcl" >"$2/site.vcl"
