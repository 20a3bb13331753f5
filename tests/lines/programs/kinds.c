/* clang-format off */
/* Calls of all the kinds that a C program makes, each at a line that is planted: `@ function` behind it tells the
 * function that must be named, `inlined` that it was inlined there. */
#include <mpi.h>

#define SYNC(comm) MPI_Barrier(comm)

static int numbers[4];

static inline __attribute__((always_inline)) void innermost(MPI_Comm comm)
{
	MPI_Bcast(numbers, 1, MPI_INT, 0, comm); /* @ innermost inlined x2 */
	numbers[1]++;
}

static inline __attribute__((always_inline)) void inner(MPI_Comm comm)
{
	MPI_Barrier(comm); /* @ inner inlined x2 */
	innermost(comm);
	numbers[2]++;
}

/* Too small for the compiler to leave it where it is, from -O1 on. */
static void small(MPI_Comm comm)
{
	MPI_Bcast(numbers, 2, MPI_INT, 0, comm); /* @ small x2 */
	numbers[0]++;
}

static __attribute__((noinline)) void outer(MPI_Comm comm)
{
	inner(comm);
	small(comm);
	inner(comm);
	small(comm);
	numbers[3]++;
}

static __attribute__((noinline)) int by_macro(MPI_Comm comm)
{
	int rc = SYNC(comm); /* @ by_macro MPI_Barrier */

	rc += MPI_Allreduce(MPI_IN_PLACE, numbers, /* @ by_macro */
	                    1,
	                    MPI_INT, MPI_SUM,
	                    comm);
	return rc + numbers[0];
}

static __attribute__((noinline)) int by_pointer(int (*function)(MPI_Comm), MPI_Comm comm)
{
	int rc = function(comm); /* @ by_pointer MPI_Barrier */

	return rc + numbers[1];
}

__attribute__((noinline)) int in_a_loop(MPI_Comm comm, int times)
{
	int flag = 0;

	for (int i = 0; i < times; i++) {
		if (i == 1)
			MPI_Barrier(comm); /* @ in_a_loop */
		else if (i % 2)
			MPI_Iprobe(0, 7, comm, &flag, MPI_STATUS_IGNORE); /* @ in_a_loop x3 */
		else
			MPI_Bcast(numbers, 4, MPI_INT, 0, comm); /* @ in_a_loop x4 */
	}
	return flag;
}

/* One argument is a call of its own. */
static int rank_in(MPI_Comm comm)
{
	int rank = 0;

	MPI_Comm_rank(comm, &rank); /* @ rank_in */
	return rank;
}

int main(int argc, char **argv)
{
	MPI_Comm self;
	int result = 0;

	MPI_Init(&argc, &argv); /* @ main */
	self = MPI_COMM_SELF;
	outer(self);
	result += by_macro(self);
	result += by_pointer(MPI_Barrier, self);
	result += in_a_loop(self, 8);
	MPI_Bcast(numbers, 1, MPI_INT, rank_in(self), self); /* @ main MPI_Bcast */
	MPI_Barrier(MPI_COMM_WORLD); /* @ main */
	MPI_Finalize(); /* @ main */
	return result < 0;
}
