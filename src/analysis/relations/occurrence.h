/* One call of a function, as rows of all relations have it. */
#ifndef TARRY_ANALYSIS_RELATIONS_OCCURRENCE_H
#define TARRY_ANALYSIS_RELATIONS_OCCURRENCE_H

#include <stdint.h>

struct call_semantics;

/* Times are corrected ones, in ns since the first start of the run. */
struct occurrence {
	const struct call_semantics *semantics; /* of its distinct call (model/call_semantics.h) */
	int64_t start, end;
	uint64_t position; /* among the calls of its thread that communicate, from 0 */
	uint32_t thread;   /* number of its stream in the process */
	uint32_t
		phase; /* the user's innermost phase around it; 0: none; different for each time in each process */
};

/* Parts of a call that differ from one to the next. */
enum call_part {
	PART_FACTS, /* of its distinct call */
	PART_START,
	PART_END,
	PART_POSITION,
	PART_WHERE, /* thread, and above it the phase */
	CALL_PARTS,
};

#endif
