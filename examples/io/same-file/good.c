/* Rank 0 reads the input for all. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, BLOCKS = 16 };

int main(int argc, char **argv)
{
	char *input = calloc(BLOCKS, BLOCK);
	int rank, file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		file = open("input.dat", O_RDONLY);
		for (long i = 0; i < BLOCKS; i++)
			if (read(file, input + i * BLOCK, BLOCK) != BLOCK)
				MPI_Abort(MPI_COMM_WORLD, 1);
		close(file);
	}
	MPI_Bcast(input, BLOCKS * BLOCK, MPI_CHAR, 0, MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
