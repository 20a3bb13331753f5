/* One call of a function, as contained in rows of all relations. */
#ifndef TARRY_ANALYSIS_RELATIONS_OCCURRENCE_H
#define TARRY_ANALYSIS_RELATIONS_OCCURRENCE_H

#include <stdint.h>

struct call_semantics;

/* Times are corrected, in ns since the first start of the run. */
struct occurrence {
	const struct call_semantics *semantics; /* of its distinct call (model/call_semantics.h) */
	int64_t start, end;
	uint64_t position; /* among the communicating calls of its thread, from 0 */
	uint32_t thread;   /* number of its stream in the process */
	uint32_t phase; /* the user's innermost phase; 0: none; different for each instance in each process */
};

/* Varying parts of a call. */
enum call_part {
	PART_FACTS, /* of its distinct call */
	PART_START,
	PART_END,
	PART_POSITION,
	PART_WHERE, /* thread, and phase in the upper half */
	CALL_PARTS,
};

#endif
