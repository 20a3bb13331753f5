/* Detects processes that a launcher started together, but each alone in its own MPI_COMM_WORLD: the launcher
 * does not match the MPI library of the program. Such a trace says nothing about the parallel program.
 *
 *	struct wrong_launcher wrong = find_wrong_launcher(reader);
 *	if (wrong.processes) … */
#ifndef TARRY_ANALYSIS_MODEL_WRONG_LAUNCHER_H
#define TARRY_ANALYSIS_MODEL_WRONG_LAUNCHER_H

#include "trace/reader.h"

struct wrong_launcher {
	uint64_t processes;   /* 0: none */
	const char *launcher; /* "mpirun (Open MPI)", "srun" */
	const char *library;  /* of the program: "MPICH"; "?" */
};

struct wrong_launcher find_wrong_launcher(const struct reader *reader);

#endif
