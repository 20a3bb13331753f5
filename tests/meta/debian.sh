# The Debian packages can be built from a copy of the tree, hold to Debian's policy, work, and can be installed and removed.
#
#	debian.sh
set -eu
. tests/meta/copies.sh
command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null || {
	echo "skipped: debhelper is not installed"
	exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=$PWD

copy_tree "$folder/tree"
cd "$folder/tree"
cp -r packaging/debian .
dpkg-buildpackage -us -uc -b >"$folder/log" 2>&1 || fail "$(tail -n 60 "$folder/log")"
cd "$folder"
for package in tarry tarry-dev tarry-doc; do
	dpkg-deb -x "$package"_*.deb together
done
dpkg-deb -f tarry_*.deb Depends Recommends >fields
grep -q '^Depends:.*libdw1' fields || fail "libraries are not required: $(cat fields)"
! grep '^Depends:.*mpi' fields || fail "one MPI library alone does not do"
grep -q '^Recommends:.*mpi.*mpi' fields || fail "the MPI libraries are not recommended: $(cat fields)"
! command -v lintian >/dev/null || lintian --allow-root --fail-on error,warning ./*.changes || fail "lintian complains"

# In a root of their own: all is configured, and nothing is left after the removal.
mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/lib/dpkg/triggers
: >root/var/lib/dpkg/status
: >root/var/lib/dpkg/available
packages() {
	dpkg --root="$folder/root" --force-depends --force-script-chrootless --log=/dev/null "$@" >log 2>&1 || fail "$(cat log)"
}
packages -i tarry_*.deb tarry-dev_*.deb tarry-doc_*.deb
[ "$(dpkg-query --root="$folder/root" -W -f '${db:Status-Abbrev} ')" = "ii  ii  ii  " ] || fail "not installed: $(cat log)"
root/usr/bin/tarry --version | grep -q '^records programs of: Open MPI, MPICH' || fail "the installed tarry serves no MPI"
packages -P tarry-doc tarry-dev tarry
left=$(find root -path root/var/lib/dpkg -prune -o -type f -print -o -type l -print)
[ -z "$left" ] || fail "left after the removal: $left"

PATH=$folder/together/usr/bin:$PATH
mpicc.openmpi -g -o heat "$source/examples/heat/heat.c" -lm
"$source/scripts/mpirun-here" tarry run -o heat.tarry -- mpirun.openmpi -n 2 ./heat 20 0 0
tarry dump heat.tarry | grep -qF "$folder/together/usr/lib/tarry/libtarry-record-openmpi.so" ||
	fail "the packages record nothing"
