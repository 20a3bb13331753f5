/* Each rank writes its particles one by one. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { PARTICLES = 3000 };

struct particle {
	double position[3], speed[3], mass;
};

int main(int argc, char **argv)
{
	struct particle particle = {{0}, {0}, 1};
	char name[32];
	int rank, file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof name, "particles.%d", rank);
	file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644); /* @io.small-writes rank=0,1 time=write */
	for (int i = 0; i < PARTICLES; i++)
		if (write(file, &particle, sizeof particle) != sizeof particle)
			MPI_Abort(MPI_COMM_WORLD, 1);
	close(file);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
