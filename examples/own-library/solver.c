#include "solver.h"

#include <time.h>

enum { CELLS_IN_A_MS = 1000 };

/* Instead of arithmetic: its time grows with the number of cells, whatever else the machine does. */
double solver_relax(int level, size_t cells)
{
	struct timespec time = {0, (long)(cells / CELLS_IN_A_MS) * 1000000};

	nanosleep(&time, NULL);
	return 1.0 / (double)(level + 1);
}
