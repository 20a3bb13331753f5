/* Rank 0 collects the results of all ranks and writes them. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, BLOCKS = 16 };

int main(int argc, char **argv)
{
	int rank, size;
	char *own, *all = NULL;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	own = calloc(BLOCKS, BLOCK);
	if (rank == 0)
		all = calloc((size_t)BLOCKS * size, BLOCK);
	MPI_Gather(own, BLOCKS * BLOCK, MPI_CHAR, all, BLOCKS * BLOCK, MPI_CHAR, 0, MPI_COMM_WORLD);
	if (rank == 0) {
		int file = open("results.dat", O_CREAT | O_WRONLY | O_TRUNC,
		                0644); /* @io.serial-writer rank=0 time=write */
		for (long i = 0; i < (long)BLOCKS * size; i++)
			if (write(file, all + i * BLOCK, BLOCK) != BLOCK)
				MPI_Abort(MPI_COMM_WORLD, 1);
		close(file);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
