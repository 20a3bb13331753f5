/* What was found of an operation of one size on one communicator, as a line that a process of the job writes and the command line reads. A later line on
 * the same replaces an earlier one. */
#ifndef TARRY_COLL_CHOICE_OUTCOME_H
#define TARRY_COLL_CHOICE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

enum { OUTCOME_NAME = 40, OUTCOME_LINE = 400 };

struct coll_outcome {
	int64_t comm; /* a number of the communicator, of the process that writes */
	int32_t processes, nodes;
	int32_t levels;               /* of the machine that orders respect: 1 for nodes alone */
	char operation[OUTCOME_NAME]; /* "allgather" */
	int32_t size_class;
	uint64_t bytes_min, bytes_max; /* of the calls so far */
	uint64_t calls;
	bool is_decided;
	bool is_forced;
	char chosen[OUTCOME_NAME]; /* "ring", "mpi"; the rival if that is not decided or has lost */
	bool is_library;           /* the library won, or nothing is decided */
	double library_s, rival_s; /* 0: not measured */
};

/* In OUTCOME_LINE bytes, with a line's end. Returns how many. */
int coll_outcome_print(const struct coll_outcome *outcome, char *line);
/* False: the line is something else, or damaged. */
bool coll_outcome_parse(const char *line, struct coll_outcome *outcome);

#endif
