# Command lines of `tarry cc`, with compilers that print theirs.
install_tarry
: >prefix/lib/libtarry-cc.a
: >prefix/lib/tarry-cc.specs
mkdir bin
PATH=$PWD/bin:$PATH

script bin/mpicc <<'END'
case $* in
*-dM*) echo "#define __GNUC__ 12"; exit ;;
esac
echo "mpicc runs with $# words, the last is ${*##* }"
exit "${CODE-0}"
END
script bin/clang <<'END'
case $* in
*-dM*) echo "#define __GNUC__ 4"; echo "#define __clang__ 1"; exit ;;
esac
END
script bin/nvc <<'END'
case $* in
*-dM*) echo "#define __GNUC__ 12"; echo "#define __PGIC__ 23"; exit ;;
esac
END
# The shadow has another address on other processors; wrapped functions are shown once.
short() { sed -E "s|$PWD|.|g; s/offset=0x[0-9a-f]+/offset=0x…/; s/(-Wl,-u,__tsan_init),[^ ]*/\1,…/"; }

echo "# GCC"
for words in "app.c -o app" "-O2 -c app.c" "-O3 -O1 -c app.c" "-Og -c app.c" "-O2 -shared -o a.so a.o" "-x f95 -Ofast app.f"; do
	tarry cc --dry-run -- mpicc $words | short
done
echo "# GCC, all accesses"
tarry cc --dry-run --complete mpicc -O2 -c app.c | short
echo "# Clang"
tarry cc --dry-run clang -O2 app.c | short
tarry cc --dry-run clang -c app.c | short
echo "# nothing to compile"
tarry cc --dry-run mpicc --version
echo "# from a pipe"
tarry cc --dry-run mpicc -x c - | short
echo "# the compiler's exit code"
try tarry cc mpicc -c app.c
CODE=3 try tarry cc mpicc -c app.c
echo "# other compilers, or none"
try tarry cc nvc -c app.c
try tarry cc missing-cc -c app.c
rm prefix/lib/libtarry-cc.a
try tarry cc mpicc -c app.c
try tarry cc
