# A program that cannot be recorded gets one message, from one process, and still runs.
install_tarry openmpi
echo 'int main(void) { return 5; }' >main.c
echo 'int MPI_Init(int *c, char ***v); int main(void) { return MPI_Init(0, 0); }' >mpi.c
echo 'int MPI_Init(int *c, char ***v) { return 6; }' >init.c
cc -o without main.c
cc -static -o static main.c 2>/dev/null || { echo "skipped: no static C library"; exit 77; }
cc -o with-static mpi.c init.c
mkdir lib
library() { cc -shared -o "lib/$1" -Wl,-soname,"$1" init.c; }
library libmpi.so.40
library libmpi.so.12
library libmpi.so.99
for number in 40 12 99; do
	cc -o "uses-$number" mpi.c "lib/libmpi.so.$number" -Wl,-rpath,'$ORIGIN/lib'
done
# MPI used by a library of the program
cc -shared -o lib/libsolver.so mpi.c -Dmain=solve "lib/libmpi.so.12" -Wl,-rpath,'$ORIGIN'
echo 'int solve(void); int main(void) { return solve(); }' | compile uses-indirectly lib/libsolver.so \
	-Wl,-rpath-link,lib -Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib'
echo '#include <dlfcn.h>
int main(void) { return dlopen("nothing", RTLD_NOW) ? 1 : 0; }' | compile loads-later

for program in without static with-static uses-40 uses-12 uses-99 uses-indirectly loads-later; do
	try tarry exec "./$program"
done

echo "one process speaks for all:"
for variable in OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID; do
	for rank in 0 1; do
		try env "$variable=$rank" tarry exec ./without
	done
done

echo "a folder of LD_LIBRARY_PATH:"
cc -o uses-elsewhere mpi.c lib/libmpi.so.12
LD_LIBRARY_PATH=$PWD/lib try tarry exec ./uses-elsewhere

echo "UPC:"
echo 'void bupc_init_reentrant(void) {} int main(void) { return 7; }' | compile berkeley
echo 'void __upc_pupc_init(void) {} int main(void) { return 8; }' | compile gupc
echo 'int tarry_upc_recording(void) { return 0; } void __upc_pupc_init(void) {} int main(void) { return 9; }' | compile prepared
for program in berkeley gupc prepared; do
	try tarry exec "./$program"
done
: >prefix/lib/libtarry-record-upc.so
try tarry exec ./prepared
try tarry run ./prepared
try tarry run ./gupc
