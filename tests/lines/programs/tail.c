/* clang-format off */
/* Calls in tail position, which become jumps: the return address is then that of the caller's caller. */
#include <mpi.h>

__attribute__((noinline)) int straight(MPI_Comm comm)
{
	return MPI_Barrier(comm); /* @ straight */
}

static __attribute__((noinline)) int first_of_two(MPI_Comm comm, void *place)
{
	return MPI_Bcast(place, 1, MPI_INT, 0, comm); /* @ first_of_two */
}

/* A jump to a jump. */
static __attribute__((noinline)) int second_of_two(MPI_Comm comm, void *place)
{
	return first_of_two(comm, place);
}

/* Jumps to two functions, one of which is the right one. */
static __attribute__((noinline)) int either(MPI_Comm comm, int *size, int what)
{
	if (what)
		return MPI_Comm_size(comm, size); /* @ either */
	return MPI_Comm_rank(comm, size);
}

static __attribute__((noinline)) int this_way(MPI_Comm comm, int *place)
{
	return MPI_Allreduce(MPI_IN_PLACE, place, 1, MPI_INT, MPI_SUM, comm);
}

static __attribute__((noinline)) int that_way(MPI_Comm comm, int *place)
{
	place[0] = 7;
	return MPI_Allreduce(MPI_IN_PLACE, place, 1, MPI_INT, MPI_MAX, comm);
}

/* Two jumps lead to the same function: it is unknown which one it was. */
static __attribute__((noinline)) int both(MPI_Comm comm, int *place, int what)
{
	if (what)
		return this_way(comm, place);
	return that_way(comm, place);
}

int main(int argc, char **argv)
{
	int place = 0, rc = 0;

	MPI_Init(&argc, &argv); /* @ main */
	rc |= straight(MPI_COMM_SELF);
	rc |= second_of_two(MPI_COMM_SELF, &place);
	rc |= either(MPI_COMM_SELF, &place, argc);
	rc |= both(MPI_COMM_SELF, &place, argc); /* @ main through both MPI_Allreduce */
	MPI_Finalize(); /* @ main */
	return rc;
}
