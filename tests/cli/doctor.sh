# Missing parts determine the output; the rest depends on the machine.
install_tarry
ours() { grep -A1 -E '^[a-z]+ +(preload|recorder|checker|bench) ' | grep -vE '^(-|[a-z]+ +(MPI|launcher) )'; }
export HOME=$PWD
code=0
tarry doctor >found || code=$?
ours <found
tail -1 found
echo "exit code $code"

: >prefix/lib/libtarry-record-mpich.so
tarry doctor >found
ours <found
grep -E '^[a-z]+ +(cache|folder) ' found | sed 's/, .*//'
tail -1 found

tarry doctor --json >found
python3 - <<'END'
import json
report = json.load(open("found"))
print(report["can_record"], sorted({finding["check"] for finding in report["findings"]}))
END
rm prefix/lib/libtarry-preload.so
try tarry doctor | ours

# UPC compilers are asked for their kind.
mkdir bin
PATH=$PWD/bin:$PATH
script bin/upcc <<'END'
case $* in
*--version*) echo "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0" ;;
*-inst\ *) echo "upcc: Error: -inst: this copy of Berkeley UPC was not built with GASP instrumentation support" >&2; exit 255 ;;
esac
END
script bin/gupc <<'END'
echo "#define __UPC__ 1"
END
script bin/clang-upc <<'END'
echo "something else"
END
tarry doctor | grep -E '^[a-z]+ +UPC |opt_inst|tarry upcc'

# Containers: what to bind. Inside, whether the folder is bound.
: | script bin/apptainer
: | script bin/podman
tarry doctor | grep -E ' container +[^ ]*/(apptainer|podman):' | sed 's/[^ ]*\(bin.apptainer\|bin.podman\):/\1:/'
APPTAINER_CONTAINER=/image.sif tarry doctor | grep -E ' container +in a container' | sed 's/^[a-z]* *//; s/in a folder .*/in a folder .../'
rm bin/apptainer bin/podman

# Programs.
printf 'int main(void) { return 0; }\n' >app.c
cc -o app app.c
cc -static -o static app.c
for program in app static; do
	code=0
	tarry doctor ./$program >found || code=$?
	grep ' program  ' found
	tail -1 found
	echo "exit code $code"
done
