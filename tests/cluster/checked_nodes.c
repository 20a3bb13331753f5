/* Messages and collective calls between two nodes. With WRONG, a message between the nodes and a reduction do not fit. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	double values[4] = {1, 2, 3, 4}, sum;
	int rank, size, numbers[8] = {0}, other;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	other = (rank + size / 2) % size; /* on the other node */
	for (int i = 0; i < 100; i++)
		MPI_Sendrecv(values, 4, MPI_DOUBLE, other, i, numbers, 4, MPI_DOUBLE, other, i,
		             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank == 0)
		MPI_Send(values, 2, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
	if (rank == size / 2)
#ifdef WRONG
		MPI_Recv(numbers, 4, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(values, &sum, 1, MPI_DOUBLE, rank == size / 2 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
#else
		MPI_Recv(numbers, 2, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(values, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
	printf("rank %d\n", rank);
	MPI_Finalize();
	return 0;
}
