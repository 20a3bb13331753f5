/* The result of the trial of an operation and size on a communicator: a line that a process of the job writes
 * and the command line reads. A later line replaces an earlier one. */
#ifndef TARRY_COLL_CHOICE_OUTCOME_H
#define TARRY_COLL_CHOICE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

enum { OUTCOME_NAME = 40, OUTCOME_LINE = 400 };

struct coll_outcome {
	int64_t comm; /* number of the communicator in the writing process */
	int32_t processes, nodes;
	int32_t levels;               /* number of the machine's levels that orders use; 1: only nodes */
	char operation[OUTCOME_NAME]; /* "allgather" */
	int32_t size_class;
	uint64_t bytes_min, bytes_max; /* of the calls so far */
	uint64_t calls;
	bool is_decided;
	bool is_forced;
	char chosen[OUTCOME_NAME]; /* "ring", "mpi"; the rival if undecided or slower */
	bool is_library;           /* the library is faster, or the trial is undecided */
	double library_s, rival_s; /* 0: not measured */
};

/* Writes at most OUTCOME_LINE bytes, with a newline. Returns their number. */
int coll_outcome_print(const struct coll_outcome *outcome, char *line);
/* False: another kind of line, or a damaged one. */
bool coll_outcome_parse(const char *line, struct coll_outcome *outcome);

#endif
