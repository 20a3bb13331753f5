// The same in C++, with numbers on the heap.
#include "numbers.h"

#include <cstdio>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
	std::vector<int> numbers(64);
	MPI_Request request;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	fill_numbers(numbers.data(), 64);
	if (!rank) {
		MPI_Isend(numbers.data(), 64, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
		if (argc > 1)
			numbers[argc] = 1; // USED
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	} else {
		MPI_Recv(numbers.data(), 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	numbers[2] = 1;
	if (!rank)
		std::printf("sum %ld\n", sum_numbers(numbers.data(), 64));
	MPI_Finalize();
	return 0;
}
