/* Every rank reads the whole input. */
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
	file = open("input.dat", O_RDONLY); /* @io.same-file rank=0,1 time=read */
	for (long i = 0; i < BLOCKS; i++)
		if (read(file, input + i * BLOCK, BLOCK) != BLOCK)
			MPI_Abort(MPI_COMM_WORLD, 1);
	close(file);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
