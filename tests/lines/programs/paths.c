/* clang-format off */
/* The same call by different ways, from different depths of the stack, by recursion and from a callback. `< name` in
 * a mark tells each step of the way. */
#include <mpi.h>
#include <stdlib.h>

static volatile int keep;

static __attribute__((noinline)) void sync(MPI_Comm comm)
{
	MPI_Barrier(comm); /* @ sync < left < main @ sync < right < main x2 @ sync < right < left < main @ sync < main @ sync < with_room < main x4 */
	keep++;
}

static __attribute__((noinline)) void right(MPI_Comm comm)
{
	sync(comm);
	keep++;
}

static __attribute__((noinline)) void left(MPI_Comm comm)
{
	sync(comm);
	right(comm);
	keep++;
}

static __attribute__((noinline)) void deeper(MPI_Comm comm, int levels)
{
	volatile char room[64];

	room[levels] = 1;
	if (levels)
		deeper(comm, levels - 1);
	else
		MPI_Bcast((void *)room, 1, MPI_CHAR, 0, comm); /* @ deeper < deeper < deeper < main @ deeper < main */
	keep += room[levels];
}

static int by_size(const void *left, const void *right)
{
	int size;

	MPI_Comm_size(MPI_COMM_SELF, &size); /* @ by_size < in_libc < main */
	return *(const int *)left - *(const int *)right + size - 1;
}

/* Other words lie on the stack at another size of it. */
static __attribute__((noinline)) void with_room(MPI_Comm comm, int size)
{
	volatile char room[size];

	room[0] = 1;
	sync(comm);
	keep += room[0];
}

int main(int argc, char **argv)
{
	int two[] = {2, 1};

	MPI_Init(&argc, &argv); /* @ main */
	left(MPI_COMM_SELF);
	for (int i = 0; i < 2; i++)
		right(MPI_COMM_SELF);
	sync(MPI_COMM_SELF);
	deeper(MPI_COMM_SELF, 2);
	deeper(MPI_COMM_SELF, 0);
	qsort(two, 2, sizeof *two, by_size);
	for (int i = 0; i < 4; i++)
		with_room(MPI_COMM_SELF, 16 << i);
	MPI_Finalize(); /* @ main */
	return 0;
}
