# 'make dist': the tarball has all files of the commit and nothing else, knows its commit without git, and is always the same.
#
#	dist.sh [build]		build: also build it and run its tests, where git is missing
set -eu
fail() {
	echo "FAILED: $1"
	exit 1
}
git rev-parse --git-dir >/dev/null 2>&1 || {
	echo "skipped: this is no git checkout"
	exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tarball=$(scripts/dist "$folder/one" 2>/dev/null)
cmp "$tarball" "$(scripts/dist "$folder/two" 2>/dev/null)" || fail "the same commit becomes different tarballs"
tar -xzf "$tarball" -C "$folder"
tree=$(find "$folder" -maxdepth 1 -name 'tarry-[0-9]*')
git ls-tree -r --name-only HEAD | sort >"$folder/expected"
(cd "$tree" && find . -type f -o -type l | sed 's,^\./,,' | sort) >"$folder/found"
diff "$folder/expected" "$folder/found" || fail "the tarball has other files than the commit"

# The module of this tree, because the committed one may be older.
commit=$(cmake -DTARRY_SOURCE="$tree" -P cmake/Commit.cmake 2>&1)
[ "$commit" = "$(git rev-parse --short=12 HEAD)" ] || fail "the tarball takes itself for commit '$commit'"
cp -r "$tree/cmake" "$folder/unknown"
git show HEAD:cmake/commit.txt >"$folder/unknown/commit.txt"
mkdir "$folder/copy" && mv "$folder/unknown" "$folder/copy/cmake"
commit=$(cmake -DTARRY_SOURCE="$folder/copy" -P cmake/Commit.cmake 2>&1)
[ -z "$commit" ] || fail "a copy without git takes itself for commit '$commit'"

[ "${1:-}" = build ] || exit 0
mkdir "$folder/bin"
printf '#!/bin/sh\necho "git is not installed here" >&2\nexit 127\n' >"$folder/bin/git"
chmod +x "$folder/bin/git"
export PATH="$folder/bin:$PATH"
cd "$tree"
make MPICC="${TARRY_MPICC:-}" >"$folder/log" 2>&1 || fail "$(tail -n 40 "$folder/log")"
build/bin/tarry --version | grep -qF "commit $(cut -c 1-12 cmake/commit.txt)" || fail "tarry --version does not show the commit"
cmake -S . -B build/test -G Ninja -DTARRY_TESTS=ON --log-level=NOTICE >"$folder/log" 2>&1 &&
	cmake --build build/test >"$folder/log" 2>&1 || fail "$(tail -n 40 "$folder/log")"
cd build/test
ctest -R '^(meta|unit|cli|rules|findings)-' -E '^meta-(cross|mpi_variants|demo)' -j 2 --output-on-failure >"$folder/log" 2>&1 ||
	fail "$(tail -n 80 "$folder/log")"
