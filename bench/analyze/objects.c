/* Creates and frees objects, one after another: objects communicators|types|requests COUNT. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void use_communicator(void)
{
	MPI_Comm comm;

	MPI_Comm_dup(MPI_COMM_SELF, &comm);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
}

static void use_type(void)
{
	MPI_Datatype type;
	int from[4] = {0}, to[4];

	MPI_Type_contiguous(4, MPI_INT, &type);
	MPI_Type_commit(&type);
	MPI_Sendrecv(from, 1, type, 0, 0, to, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
}

static void use_requests(void)
{
	MPI_Request requests[2];
	int from = 0, to;

	MPI_Recv_init(&to, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
	MPI_Send_init(&from, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
	MPI_Startall(2, requests);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*use)(void);
	} kinds[] = {{"communicators", use_communicator}, {"types", use_type}, {"requests", use_requests}};
	int count = argc == 3 ? atoi(argv[2]) : 0;

	MPI_Init(&argc, &argv);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (int j = 0; j < count && strcmp(argv[1], kinds[i].name) == 0; j++)
			kinds[i].use();
	MPI_Finalize();
	return 0;
}
