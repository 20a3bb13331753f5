# The Debian packages can be built from a copy of the tree, hold to Debian's policy, and work.
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

PATH=$folder/together/usr/bin:$PATH
mpicc.openmpi -g -o heat "$source/examples/heat/heat.c" -lm
"$source/scripts/mpirun-here" tarry run -o heat.tarry -- mpirun.openmpi -n 2 ./heat 20 0 0
tarry dump heat.tarry | grep -qF "$folder/together/usr/lib/tarry/libtarry-record-openmpi.so" ||
	fail "the packages record nothing"
