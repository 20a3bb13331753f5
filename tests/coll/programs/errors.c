/* Calls that MPI rejects: a wrapper must let MPI reject them, with the program's error handlers. */
#include <mpi.h>
#include <stdio.h>

static int raised;

static void count_error(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	raised++;
}

static void expect(const char *what, int code)
{
	int class = MPI_SUCCESS, rank;

	if (code != MPI_SUCCESS)
		MPI_Error_class(code, &class);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		printf("%s: class %d, raised %d\n", what, class, raised);
	raised = 0;
}

static void try_all(MPI_Comm comm)
{
	int a[64] = {0}, b[64] = {0}, counts[64] = {-1}, places[64] = {0};

	expect("count", MPI_Allgather(a, -1, MPI_INT, b, 1, MPI_INT, comm));
	expect("type", MPI_Allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
	expect("op", MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm));
	expect("root", MPI_Bcast(a, 1, MPI_INT, 99, comm));
	expect("negative root", MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, -7, comm));
	expect("counts", MPI_Allgatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, comm));
	expect("gather", MPI_Gather(a, -3, MPI_INT, b, 1, MPI_INT, 0, comm));
	expect("alltoall", MPI_Alltoall(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, comm));
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;
	int one = 1, all = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	expect("no communicator", MPI_Barrier(MPI_COMM_NULL));
	MPI_Comm_create_errhandler(count_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	try_all(MPI_COMM_WORLD);
	for (int i = 0; i < 30; i++)
		MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	try_all(MPI_COMM_WORLD);
	expect("afterwards", MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
	MPI_Errhandler_free(&handler);
	MPI_Finalize();
	return all ? 5 : 0;
}
