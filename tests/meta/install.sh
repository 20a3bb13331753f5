# The result of `make install` works in place, and after it was moved; `make uninstall` removes exactly its files.
#
#	install.sh BUILD [MPICC LAUNCHER]
#
# With an MPI library, a job is recorded with the moved installation. Without one, only the rest is tested.
set -eu
build=$1
mpicc=${2:-}
launcher=${3:-}
source=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
	echo "FAILED: $1"
	exit 1
}

install_into() {
	DESTDIR=$1 "$source/scripts/install" "$build" /opt/tarry >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
}

uninstall_from() {
	DESTDIR=$1 "$source/scripts/uninstall" "$2" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
}

install_into "$folder/stage"
mkdir "$folder/elsewhere"
mv "$folder/stage/opt/tarry" "$folder/elsewhere/moved"
moved=$folder/elsewhere/moved
PATH=$moved/bin:$PATH
export PKG_CONFIG_PATH="$moved/share/pkgconfig"
cd "$folder"

check_files() {
	[ -z "$(find stage -type f)" ] || fail "files outside of the prefix: $(find stage -type f)"
	tarry --version | grep -q '^tarry ' || fail "the installed program does not say its version"
	tarry rules list | grep -q late-sender || fail "the shipped rules are not found"
	grep -q tarry "$moved/share/bash-completion/completions/tarry" || fail "there is no completion for bash"
	for file in share/man/man1/tarry.1 share/man/man5/tarry-rules.5 share/tarry/report.schema.json \
		share/tarry/bench.schema.json share/tarry/python/tarry.py share/doc/tarry/docs/report-format.md share/doc/tarry/docs/rule-language.md \
		share/doc/tarry/docs/patterns.md share/doc/tarry/docs/upc.md share/doc/tarry/docs/pictures/late-sender.svg \
		share/doc/tarry/examples/patterns/late-sender/bad.c share/tarry/upc/tarry_upc.upc \
		share/tarry/upc/berkeley/upc_atomic.h lib/libtarry-gasp.a lib/libtarry-cc.a lib/tarry-cc.specs; do
		[ -e "$moved/$file" ] || fail "'$file' is not installed"
	done
}

# They do not contain library folders of this machine, or the folders of sources and build.
check_binaries() {
	for file in "$moved"/bin/* "$moved"/lib/*; do
		! readelf -d "$file" 2>/dev/null | grep -E 'R(UN)?PATH' || fail "$file looks for libraries in fixed places"
	done
	! grep -rlaF -e "$source/src" -e "$source/include" -e "$build" "$moved" ||
		fail "these files hold the folder where they were built"
}

check_header_by_pkg_config() {
	sources=$source/tests/meta/consumer
	flags=$(pkg-config --cflags --libs tarry)
	# shellcheck disable=SC2086 # flags are words
	cc -o by_pkg_config "$sources/in_c.c" $flags
	[ "$(./by_pkg_config)" = "done in C" ] || fail "a program built with pkg-config does not work"
	! command -v gfortran >/dev/null || {
		# shellcheck disable=SC2046
		gfortran -o by_pkg_config $(pkg-config --variable=fortran_module tarry) "$sources/in_fortran.f90"
		[ "$(./by_pkg_config)" = "done in Fortran" ] || fail "a Fortran program built with pkg-config does not work"
	}
}

check_header_by_cmake() {
	{
		cmake -S "$source/tests/meta/consumer" -B consumer -DCMAKE_PREFIX_PATH="$moved" && cmake --build consumer
	} >log 2>&1 || fail "$(cat log)"
	[ "$(consumer/in_c)" = "done in C" ] || fail "a program built with find_package does not work"
	! command -v gfortran >/dev/null || [ "$(consumer/in_fortran)" = "done in Fortran" ] ||
		fail "a Fortran program built with find_package does not work"
}

# Loads the module in a shell that knows only the folder of module files.
check_module() {
	version=$(tarry --version | sed -n 's/^tarry \([0-9.]*\).*/\1/p')
	module=$moved/share/modulefiles/tarry/$version
	[ -e "$module" ] || fail "there is no module file of version $version"
	command -v modulecmd >/dev/null || return 0
	MODULEPATH=$moved/share/modulefiles PATH=/usr/bin:/bin modulecmd sh load tarry >loaded 2>log || fail "$(cat log)"
	# shellcheck disable=SC1091
	found=$(PATH=/usr/bin:/bin; . ./loaded; command -v tarry; pkg-config --variable=includedir tarry; echo "$CPATH")
	for place in bin/tarry include; do
		echo "$found" | grep -qF "$moved/$place" || fail "the module does not lead to $place: $found"
	done
}

# Removes its files and the folders that it created. Older and later files stay.
check_uninstall() {
	uninstall_from "" "$moved"
	[ ! -e "$moved" ] || fail "left by make uninstall: $(find "$moved")"
	! "$source/scripts/uninstall" "$moved" 2>log || fail "what is not installed is removed"
	grep -q 'make uninstall PREFIX=' log || fail "it is not said what to do: $(cat log)"

	mkdir -p busy/opt/tarry/bin busy/opt/tarry/share/man
	echo other >busy/opt/tarry/bin/other
	find busy | sort >before
	install_into "$folder/busy"
	# An older version had a file that this one has not.
	echo old >busy/opt/tarry/bin/tarry-old
	sed -i '1i file bin/tarry-old' busy/opt/tarry/share/tarry/installed.txt
	install_into "$folder/busy"
	[ ! -e busy/opt/tarry/bin/tarry-old ] || fail "a file of an older version is left"
	uninstall_from "$folder/busy" /opt/tarry
	find busy | sort | diff before - || fail "make uninstall does not leave what was there before"
	! "$source/scripts/install" "$build" relative 2>log || fail "a relative prefix is accepted"
}

# With a cmake that does nothing. The tests of make test-long build for real.
check_last_lines() {
	mkdir bin
	printf '#!/bin/sh\n' >bin/cmake
	chmod +x bin/cmake
	PATH=$folder/bin:$PATH make --no-print-directory -C "$source" BUILD="$folder/built" >out 2>log || fail "$(cat log)"
	grep -q "^Next: $folder/built/bin/tarry run" out || fail "make does not say what to do next: $(cat out)"
	[ "$(wc -l <out)" = 2 ] || fail "make does not end with two lines: $(cat out)"
}

if [ -z "$mpicc" ]; then
	check_files
	check_binaries
	check_header_by_pkg_config
	check_header_by_cmake
	check_module
	check_uninstall
	check_last_lines
	exit 0
fi

# The example, with the installed header and a region.
sed 's|^int main|#include <tarry.h>\n&|; s|^\tchange = spread_heat.*|tarry_region_begin("all steps");\n&|' \
	"$source/examples/heat/heat.c" >heat.c
# shellcheck disable=SC2046
"$mpicc" -g -Wno-stringop-overflow -o heat heat.c $(pkg-config --cflags --libs tarry) -lm
"$source/scripts/mpirun-here" tarry run -o heat.tarry -- "$launcher" -n 4 ./heat 20 0 0 >out || fail "$(cat out)"
grep -q '^after 20 steps' out || fail "the program's output is missing: $(cat out)"
tarry info heat.tarry >info
cat info
tarry dump heat.tarry >dump
grep -q MPI_Waitall dump || fail "MPI_Waitall was not recorded"
grep -q 'all steps' dump || fail "the region was not recorded"
tarry analyze --json - heat.tarry | grep -q '"findings"' || fail "the trace could not be analysed: $(tarry analyze heat.tarry 2>&1)"
grep -qF "$moved/lib/libtarry-record-" dump || fail "the recorder in the job was not the one that was moved"
