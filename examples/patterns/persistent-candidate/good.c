/* The transfer is prepared once and started in each step.
 *
 * tarry-example: ranks=1 args=200 slow=MPI_Isend */
#include <mpi.h>
#include <stdlib.h>

enum { STEPS = 700000 };

int main(int argc, char **argv)
{
	double edge = 1, beyond = 0;
	MPI_Request sending;
	int steps = argc > 1 ? atoi(argv[1]) : STEPS;

	MPI_Init(&argc, &argv);
	MPI_Send_init(&edge, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &sending);
	for (int i = 0; i < steps; i++) {
		MPI_Start(&sending);
		MPI_Recv(&beyond, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Wait(&sending, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&sending);
	MPI_Finalize();
	return 0;
}
