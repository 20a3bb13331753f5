/* Each rank opens its log for every line, after it has asked whether the user wants to stop. */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>

enum { STEPS = 1500 };

int main(int argc, char **argv)
{
	struct stat stop;
	char name[32];
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof name, "log.%d", rank);
	for (int i = 0; i < STEPS && stat("stop", &stop) != 0; i++) {
		FILE *log = fopen(name, "a"); /* @io.metadata-storm rank=0,1 time=other */
		fprintf(log, "step %d\n", i);
		fclose(log);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
