/* Each rank keeps its log open. Rank 0 asks every 100 steps whether the user wants to stop, and tells the others. */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>

enum { STEPS = 1500, BETWEEN = 100 };

int main(int argc, char **argv)
{
	struct stat stop;
	char name[32];
	int rank, stops = 0;
	FILE *log;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(name, sizeof name, "log.%d", rank);
	log = fopen(name, "a");
	for (int i = 0; i < STEPS && !stops; i++) {
		if (i % BETWEEN == 0) {
			stops = rank == 0 && stat("stop", &stop) == 0;
			MPI_Bcast(&stops, 1, MPI_INT, 0, MPI_COMM_WORLD);
		}
		fprintf(log, "step %d\n", i);
	}
	fclose(log);
	MPI_Finalize();
	return 0;
}
