# Functions for the scripts of this folder.

# Shows a command, its output and, if it is not 0, its exit code.
try() {
	echo "\$ $*"
	code=0
	"$@" 2>&1 || code=$?
	[ "$code" -eq 0 ] || echo "exit code $code"
}

# The first lines of a command's output. Unlike head, it reads the rest as well, so the command is not stopped.
first() {
	sed -n "1,$1p"
}

# A separate installation next to the script, with a preloaded library that does nothing and recorders for the given
# MPI libraries: jobs need no MPI.
install_tarry() {
	mkdir -p prefix/bin prefix/lib
	cp "$(command -v tarry)" prefix/bin/
	cp -rL "$(dirname "$(command -v tarry)")/../share" prefix/
	cc -shared -o prefix/lib/libtarry-preload.so -x c /dev/null
	for mpi; do
		: >"prefix/lib/libtarry-record-$mpi.so"
	done
	PATH=$PWD/prefix/bin:$PATH
}

# A program from C on the standard input.
compile() {
	name=$1
	shift
	cc -x c - -x none -o "$name" "$@"
}

# A script from the standard input.
script() {
	{ echo '#!/bin/sh'; cat; } >"$1"
	chmod +x "$1"
}

# Decodes values of settings on its input.
decoded() {
	python3 -c 'import sys, urllib.parse; sys.stdout.write(urllib.parse.unquote(sys.stdin.read()))'
}
