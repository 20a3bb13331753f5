/* Marks, each between two readings of the processor's counter, which all nodes of the test bed have in common: the
 * truth that corrected times are measured against. Writes the readings into the file NAME.RANK, two on a line. */
#include "base/clock.h"
#include "tarry.h"

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { MARKS = 800, AT_ONCE = 8, PAUSE_US = 4000 };

int main(int argc, char **argv)
{
	static uint64_t before[MARKS], after[MARKS];
	char name[4096];
	FILE *file;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < MARKS; i++) {
		before[i] = clock_ticks();
		tarry_mark("here");
		after[i] = clock_ticks();
		if (i % AT_ONCE == 0)
			usleep(PAUSE_US);
	}
	snprintf(name, sizeof name, "%s.%d", argv[1], rank);
	file = fopen(name, "w");
	for (int i = 0; file && i < MARKS; i++)
		fprintf(file, "%llu %llu\n", (unsigned long long)before[i], (unsigned long long)after[i]);
	if (!file || fclose(file) != 0)
		return 1;
	MPI_Finalize();
	return 0;
}
