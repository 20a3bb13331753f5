/* Calls with every kind of constant and handle of the standard's binary interface. With the argument "wrong" it makes mistakes. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void exchange(MPI_Comm comm)
{
	double sent[5] = {1, 2, 3, 4, 5}, received[5] = {0};
	MPI_Request requests[2];
	MPI_Status statuses[2];

	MPI_Irecv(received, 5, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[0]);
	MPI_Isend(sent, 5, MPI_DOUBLE, 0, 17, comm, &requests[1]);
	MPI_Waitall(2, requests, statuses);
	MPI_Send(sent, 1, MPI_INT16_T, MPI_PROC_NULL, 0, comm);
	printf("received %g\n", received[4]);
}

static void flush(MPI_Comm comm)
{
	static char room[4096];
	MPI_Request request;
	void *address;
	int size;

	MPI_Comm_attach_buffer(comm, room, sizeof room);
	MPI_Comm_iflush_buffer(comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_detach_buffer(comm, &address, &size);
}

static void make_mistakes(void)
{
	MPI_Request request;
	int number = 1;

	MPI_Irecv(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
	MPI_Send(&number, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	MPI_Send(&number, 1, (MPI_Datatype)MPI_SUM, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	double mine[2] = {3, 4}, sum[2] = {0};
	int provided;
	MPI_Comm comm;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	exchange(comm);
	flush(comm);
	MPI_Allreduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, comm);
	MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_MAX, comm);
	printf("sum %g\n", sum[1]);
	MPI_Comm_free(&comm);
	if (argc > 1 && strcmp(argv[1], "wrong") == 0)
		make_mistakes();
	MPI_Finalize();
	return 0;
}
