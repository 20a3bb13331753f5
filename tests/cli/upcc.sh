# Command lines of `tarry upcc`, with compilers that print theirs.
install_tarry
: >prefix/lib/libtarry-gasp.a
export HOME=$PWD
mkdir bin
PATH=$PWD/bin:$PATH
# Wrapped functions of one kind are shown once.
short() { sed -E 's/(,--wrap=[a-z_]*)[A-Z]+/\1T/g; s/(,--wrap=[a-z_]*T)(\1)*/\1/g'; }

script bin/upcc <<'END'
case $* in
*--version*) echo "This is upcc (the Berkeley Unified Parallel C compiler), v. 2020.4.0"; exec sleep 60 ;;
*-x\ upc*) echo "upcc: unrecognized flag '-x'" >&2; exit 255 ;;
*-print-include-dir*)
	case ${PLAIN-}$* in
	1*-inst\ *) ;;
	*) exit ;;
	esac
	echo "upcc: Error: -inst: this copy of Berkeley UPC was not built with GASP instrumentation support" >&2
	exit 255 ;;
esac
echo "upcc runs with $# words, the last is ${*##* }"
echo "a message" >&2
exit "${CODE-0}"
END
script bin/gupc <<'END'
case $* in
*-dM*) echo "#define __GNUC__ 5"; echo "#define __UPC__ 1"; exit ;;
esac
echo "gupc runs: $1"
exit "${CODE-0}"
END
script bin/clang-upc <<'END'
case $* in
*-dM*) echo "#define __clang__ 1"; echo "#define __UPC__ 1"; exit ;;
esac
echo "clang-upc runs: $1"
END
script bin/cc2 <<'END'
case $* in
*-dM*) echo "#define __GNUC__ 12" ;;
*) echo "cc2 12.2" ;;
esac
END
# An upcc under another name, and one that instruments only.
cp bin/upcc bin/my-upc
script bin/upcc-inst <<'END'
echo "upcc: -inst: upcc should not be invoked directly: call the GASP-based performance tool's compile wrapper" >&2
exit 255
END

for compiler in upcc gupc clang-upc my-upc upcc-inst; do
	echo "# $compiler"
	tarry upcc --dry-run $compiler -O app.upc -o app | short
	tarry upcc --dry-run -- $compiler -c a.upc b.upc
done

echo "# nothing to compile"
for words in --version "-V" "-print-include-dir" "-o app" ""; do
	tarry upcc --dry-run upcc $words
done
tarry upcc --dry-run gupc -v
echo "# only linked, or not to the end"
tarry upcc --dry-run gupc -o app a.o b.o -lm | short
tarry upcc --dry-run clang-upc -E a.upc -o a.i
tarry upcc --dry-run upcc -trans a.upc
tarry upcc --dry-run gupc -shared -o liba.so a.o
echo "# a value is no input, and language names end before our files"
tarry upcc --dry-run upcc -o app.upc -network smp -T=4
tarry upcc --dry-run gupc -x upc a.c -o app -MF a.o | short
echo "# words from files, and those that a shell would not take as they are"
echo "-c 'a file.upc'" >more
echo "@more" >words
tarry upcc --dry-run gupc @words "-DNAME=\"it's\"" ''
echo "-o app a.upc" >link
tarry upcc --dry-run clang-upc @link @missing | short
echo "# options of ours"
tarry upcc --local --functions --dry-run upcc -c a.upc
tarry upcc --local --functions --dry-run gupc -c a.upc
try tarry upcc --functions clang-upc -c a.upc
tarry upcc --gasp-only --dry-run upcc a.upc
tarry upcc --gasp-only --dry-run gupc a.upc
echo "# they run, and their exit code and messages are theirs"
try tarry upcc -- upcc -c a.upc
try tarry upcc -- gupc a.upc
CODE=3 try tarry upcc gupc a.upc
CODE=3 try tarry upcc upcc -c a.upc
PLAIN=1 CODE=255 try tarry upcc upcc -c a.upc
script bin/strict-upc <<'END'
case $* in
*-dM*) echo "#define __UPC__ 1"; exit ;;
*tarry_upc.h*) echo "strict-upc: a header that I do not take" >&2; exit 1 ;;
esac
END
try tarry upcc strict-upc -c a.upc
try tarry upcc --gasp-only strict-upc -c a.upc
echo "# what cannot be"
try tarry upcc no-such-upcc -c a.upc
try tarry upcc cc2 -c a.upc
try tarry upcc
rm prefix/lib/libtarry-gasp.a
try tarry upcc gupc -c a.upc
: >prefix/lib/libtarry-gasp.a
rm -r prefix/share/tarry/upc
try tarry upcc gupc -c a.upc
