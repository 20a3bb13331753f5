/* clang-format off */
/* Functions that the compiler inlines around calls, and regions. `< name` in a mark tells each step of the way that the compiler
 * knows, `<< name` those that are on the stack. */
#include <mpi.h>
#include <tarry.h>

static volatile int keep;

static inline __attribute__((always_inline)) void helper(MPI_Comm comm)
{
	MPI_Barrier(comm); /* @ helper < exchange < solve << run < main x3 @ helper < jumps < run < main @ helper < exchange < run < main */
}

static inline __attribute__((always_inline)) void exchange(MPI_Comm comm)
{
	tarry_region_begin("exchange"); /* @ exchange < solve << run < main x3 @ exchange < run < main */
	helper(comm);
	tarry_region_end("exchange"); /* @ exchange < solve << run < main x3 @ exchange < run < main */
}

static __attribute__((noinline)) void solve(int n)
{
	for (int i = 0; i < n; i++)
		exchange(MPI_COMM_SELF);
	keep++;
}

/* The barrier is its last action, and becomes a jump. */
static __attribute__((noinline)) void jumps(MPI_Comm comm)
{
	keep++;
	helper(comm);
}

static __attribute__((noinline)) void last(void)
{
	keep++;
	tarry_mark("last"); /* @ last << main */
}

static inline __attribute__((always_inline)) void run(int n)
{
	solve(n);
	jumps(MPI_COMM_SELF);
	exchange(MPI_COMM_SELF);
	keep++;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	tarry_phase("loop"); /* @ main */
	run(3);
	last();
	MPI_Finalize();
	return 0;
}
