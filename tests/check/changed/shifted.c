/* Sequences of calls in which the checker cannot know which send meets which receive, or which broadcast is which: nothing may be concluded from their data.
 * For two processes. */
#include <mpi.h>

enum { COUNT = 16 };

static int rank, data[8][COUNT], received[8][COUNT];

/* A wildcard receive that is freed while it is active takes the first message. */
static void freed(void)
{
	MPI_Request request;

	if (rank == 0) {
		MPI_Barrier(MPI_COMM_WORLD);
		for (int i = 0; i < 4; i++)
			MPI_Send(data[i], COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(received[0], COUNT, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
		MPI_Request_free(&request);
		MPI_Barrier(MPI_COMM_WORLD);
		for (int i = 1; i < 4; i++)
			MPI_Recv(received[i], COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

/* A broadcast that MPI rejects on one process, and that is called again. */
static void again(void)
{
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	if (rank == 1)
		MPI_Bcast(received[0], COUNT, MPI_INT, 77, comm);
	for (int i = 0; i < 4; i++)
		MPI_Bcast(rank ? received[i] : data[i], COUNT, MPI_INT, 0, comm);
	MPI_Comm_free(&comm);
}

/* A persistent wildcard receive that is started again while an earlier one is open. */
static void restarted(void)
{
	MPI_Request open, request;

	if (rank == 0) {
		for (int i = 0; i < 3; i++) {
			MPI_Send(data[i], COUNT, MPI_INT, 1, 5, MPI_COMM_WORLD);
			MPI_Barrier(MPI_COMM_WORLD);
		}
		MPI_Send(data[4], COUNT, MPI_INT, 1, 6, MPI_COMM_WORLD);
	} else {
		MPI_Irecv(received[4], COUNT, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &open);
		MPI_Recv_init(received[5], COUNT, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
		for (int i = 0; i < 3; i++) {
			MPI_Start(&request);
			MPI_Wait(&request, MPI_STATUS_IGNORE);
			MPI_Barrier(MPI_COMM_WORLD);
		}
		MPI_Request_free(&request);
		MPI_Wait(&open, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 8 * COUNT; i++)
		data[i / COUNT][i % COUNT] = i * i;
	restarted();
	again();
	freed();
	MPI_Finalize();
	return 0;
}
