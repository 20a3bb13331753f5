# Functions for the scripts of this folder.

# Shows a command, what it prints and, if it is not 0, its exit code.
try() {
	echo "\$ $*"
	code=0
	"$@" 2>&1 || code=$?
	[ "$code" -eq 0 ] || echo "exit code $code"
}

# The first lines of what a command prints. Unlike head, it reads the rest as well: the command is not stopped by that.
first() {
	sed -n "1,$1p"
}

# An installation of its own beside the script, with a library to preload that does nothing and recorders
# for the MPI libraries named: jobs need no MPI.
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

# Values of settings on its input, as they were before the front end encoded them.
decoded() {
	python3 -c 'import sys, urllib.parse; sys.stdout.write(urllib.parse.unquote(sys.stdin.read()))'
}
