/* pair: check=message.type-mismatch ranks=2 at=0,1 mpi=mpich
 *
 * Partitioned requests with the same envelope match in the order in which they were made, whatever the order of their starts. */
#include "../pair.h"

enum { VALUES = 4 };

static void send_all(void)
{
	int first[VALUES] = {1, 2, 3, 4};
	float second[VALUES] = {5, 6, 7, 8};
	MPI_Request requests[2];

	MPI_Psend_init(first, 2, 2, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]); /* FOUND */
	MPI_Psend_init(second, 2, 2, MPI_FLOAT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
	               &requests[1]); /* FOUND */
	MPI_Startall(2, requests);
	for (int i = 0; i < 2; i++) {
		MPI_Pready(i, requests[0]);
		MPI_Pready(i, requests[1]);
	}
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Send(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void receive_all(void)
{
	int first[VALUES];
	float second[VALUES];
	MPI_Request requests[2];

#ifdef WRONG
	MPI_Precv_init(second, 4, 1, MPI_FLOAT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
	               &requests[1]);                                                            /* FOUND */
	MPI_Precv_init(first, 1, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]); /* FOUND */
	MPI_Start(&requests[0]);
#else
	MPI_Precv_init(first, 1, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
	MPI_Precv_init(second, 4, 1, MPI_FLOAT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
#endif
	MPI_Start(&requests[1]);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	/* The other one is started only now: the sender does not wait for that. */
	MPI_Recv(NULL, 0, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef WRONG
	MPI_Start(&requests[0]);
#endif
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#ifndef WRONG
	expect(first[0] == 1 && second[3] == 8);
#endif
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

int main(int argc, char **argv)
{
	start(&argc, &argv);
	for (int i = 0; i < 3; i++) {
		if (rank == 0)
			send_all();
		else
			receive_all();
	}
	return finish();
}
