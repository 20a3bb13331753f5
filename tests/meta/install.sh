# What `make install` puts somewhere works there, and also after it was moved elsewhere.
#
#	install.sh BUILD [MPICC LAUNCHER]
#
# With an MPI library, a job is recorded with what was moved.
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

DESTDIR=$folder/stage cmake --install "$build" --prefix /opt/tarry >"$folder/log" || fail "$(cat "$folder/log")"
mkdir "$folder/elsewhere"
mv "$folder/stage/opt/tarry" "$folder/elsewhere/moved"
moved=$folder/elsewhere/moved
PATH=$moved/bin:$PATH
cd "$folder"

[ -z "$(find stage -type f)" ] || fail "files outside of the prefix: $(find stage -type f)"
tarry --version | grep -q '^tarry ' || fail "the installed program does not say its version"
[ -e "$moved/share/man/man1/tarry.1" ] || fail "the manual is not installed"
[ -e "$moved/share/man/man5/tarry-rules.5" ] || fail "the manual of the rules is not installed"
[ -e "$moved/share/tarry/report.schema.json" ] || fail "the schema of reports is not installed"
[ -e "$moved/share/tarry/bench.schema.json" ] || fail "the schema of measurements is not installed"
tarry rules list | grep -q late-sender || fail "the shipped rules are not found"
for document in report-format.md rule-language.md patterns.md upc.md pictures/late-sender.svg; do
	[ -e "$moved/share/doc/tarry/docs/$document" ] || fail "docs/$document is not installed"
done
[ -e "$moved/share/doc/tarry/examples/patterns/late-sender/bad.c" ] || fail "the examples are not installed"
for file in share/tarry/upc/tarry_upc.upc share/tarry/upc/berkeley/upc_atomic.h lib/libtarry-gasp.a; do
	[ -e "$moved/$file" ] || fail "'$file', which UPC programs need, is not installed"
done
grep -q tarry "$moved/share/bash-completion/completions/tarry" || fail "there is no completion for bash"
for file in "$moved"/bin/tarry "$moved"/lib/*.so; do
	! readelf -d "$file" | grep -E 'R(UN)?PATH' || fail "$file looks for libraries in fixed places"
done
[ -n "$mpicc" ] || exit 0

# The example, which also has to compile with the installed header.
sed 's|^int main|#include <tarry.h>\n&|' "$source/examples/heat/heat.c" >heat.c
"$mpicc" -g -Wno-stringop-overflow -I "$moved/include" -o heat heat.c -lm
"$source/scripts/mpirun-here" tarry run -o heat.tarry -- "$launcher" -n 4 ./heat 20 0 0 >out || fail "$(cat out)"
grep -q '^after 20 steps' out || fail "the program's output is missing: $(cat out)"
tarry info heat.tarry >info
cat info
grep -q 'MPI_Waitall' info || tarry dump heat.tarry | grep -q MPI_Waitall || fail "MPI_Waitall was not recorded"
tarry analyze heat.tarry | grep -q 'findings*$' || fail "the trace could not be analysed: $(tarry analyze heat.tarry 2>&1)"
tarry dump heat.tarry | grep -qF "$moved/lib/libtarry-record-" ||
	fail "the recorder in the job was not the one that was moved"
