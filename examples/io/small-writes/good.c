/* Each rank writes all of its particles at once. */
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
	static struct particle particles[PARTICLES];
	char name[32];
	int rank, file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof name, "particles.%d", rank);
	file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
	if (write(file, particles, sizeof particles) != sizeof particles)
		MPI_Abort(MPI_COMM_WORLD, 1);
	close(file);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
