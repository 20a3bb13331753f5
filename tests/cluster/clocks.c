/* Marks, each between two readings of the processor's counter, which all nodes of the test bed have in common: the
 * truth that corrected times are measured against. Prints "mark RANK COUNTER COUNTER". */
#include "base/clock.h"
#include "tarry.h"

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { MARKS = 800, AT_ONCE = 8, PAUSE_US = 4000 };

int main(int argc, char **argv)
{
	static uint64_t before[MARKS], after[MARKS];
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
	for (int i = 0; i < MARKS; i++)
		printf("mark %d %llu %llu\n", rank, (unsigned long long)before[i],
		       (unsigned long long)after[i]);
	MPI_Finalize();
	return 0;
}
