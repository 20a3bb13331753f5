/* Processes that a launcher started together, and of which each is alone in an MPI_COMM_WORLD of its own: the launcher and the MPI library of the program do
 * not know each other. Nothing in such a trace says how the program runs in parallel.
 *
 *	struct wrong_launcher wrong = find_wrong_launcher(reader);
 *	if (wrong.processes) … */
#ifndef TARRY_ANALYSIS_MODEL_WRONG_LAUNCHER_H
#define TARRY_ANALYSIS_MODEL_WRONG_LAUNCHER_H

#include "trace/reader.h"

struct wrong_launcher {
	uint64_t processes;   /* 0: there are none such */
	const char *launcher; /* "mpirun (Open MPI)", "srun" */
	const char *library;  /* of the program: "MPICH"; "?" */
};

struct wrong_launcher find_wrong_launcher(const struct reader *reader);

#endif
