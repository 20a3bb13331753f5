/* What the user wants recorded, as the options --only, --not, --from and --to say it: the command line checks it, the
 * recorder goes by it.
 *
 *	bool chosen[SELECTABLE] = {false};
 *	unknown = select_calls("p2p,MPI_Barrier,MPI_I*", chosen);
 *	if (!unknown && chosen[CALL_Barrier]) … */
#ifndef TARRY_CALLS_SELECT_H
#define TARRY_CALLS_SELECT_H

#include "calls/ids.h"

#include <stdbool.h>
#include <stdint.h>

/* Behind the functions: the regions, phases and marks of the user's own code, as one. */
enum { SELECT_MARKS = ALL_CALLS, SELECTABLE };

/* What threads of OpenMP do cannot be recorded: these are the functions and classes that have names here. */
enum { RECORDABLE_CALLS = UPC_CALLS_END, RECORDABLE_CLASSES = CLASS_OPENMP };

/* Short words for classes that programs use together. */
enum { CALL_GROUPS = 4, GROUP_CLASSES = 7 };
struct call_group {
	const char *name;
	enum call_class classes[GROUP_CLASSES];
	int count;
};
extern const struct call_group call_groups[CALL_GROUPS];
extern const char select_marks[]; /* the word for SELECT_MARKS */

/* Adds what a list names, separated by commas: functions with their large-count twins, classes, groups of classes, and
 * patterns of any of them. NULL, or the rest of the list from the first name that means nothing; its end, if there is none. */
const char *select_calls(const char *list, bool chosen[SELECTABLE]);

/* Takes away what an option excludes, as the trace states it: "--only p2p", "--not MPI_Barrier". Marks are excluded only by name. A name
 * that this version does not know stands for nothing. */
void select_apply(const char *option, bool recorded[SELECTABLE]);
/* Recorded whatever is selected: without these a trace has no beginning or no end. */
enum { ALWAYS_SELECTED = 8 };
extern const uint32_t always_selected[ALWAYS_SELECTED];

/* A time in the program's own words: the first or nth time that something happens. */
struct moment {
	uint64_t nth;  /* from 1; 0: it was not said */
	uint32_t call; /* the function; ALL_CALLS: a region, phase or mark */
	bool has_level;
	int64_t level;  /* of MPI_Pcontrol */
	char name[256]; /* of the region, phase or mark */
};

/* "solve", "solve:3", "MPI_Barrier:10", "upc_barrier:10", "MPI_Pcontrol=1". NULL, or what is wrong with the text, as the end of a sentence about
 * it; moment_no_function is the one that has to do with its name. */
const char *moment_parse(const char *text, struct moment *moment);
extern const char moment_no_function[];

#endif
