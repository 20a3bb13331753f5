/* The selection of calls by the options --only, --not, --from and --to. The command line checks it, the recorder
 * applies it.
 *
 *	bool chosen[SELECTABLE] = {false};
 *	unknown = select_calls("p2p,MPI_Barrier,MPI_I*", chosen);
 *	if (!unknown && chosen[CALL_Barrier]) … */
#ifndef TARRY_CALLS_SELECT_H
#define TARRY_CALLS_SELECT_H

#include "calls/ids.h"

#include <stdbool.h>
#include <stdint.h>

/* After the functions: all regions, phases and marks of the user's code, as one entry. */
enum { SELECT_MARKS = ALL_CALLS, SELECTABLE };

/* OpenMP events cannot be selected: the functions and classes before them can. */
enum { RECORDABLE_CALLS = PGAS_CALLS_END, RECORDABLE_CLASSES = CLASS_OPENMP };

/* Short names for classes that belong together. */
enum { CALL_GROUPS = 5, GROUP_CLASSES = 8 };
struct call_group {
	const char *name;
	enum call_class classes[GROUP_CLASSES];
	int count;
};
extern const struct call_group call_groups[CALL_GROUPS];
extern const char select_marks[]; /* the name for SELECT_MARKS */

/* Adds the entries of a comma-separated list: functions with their large-count variants, classes, groups
 * of classes, and patterns of these. Returns NULL, or the rest of the list from the first unknown name on;
 * its end for an empty list. */
const char *select_calls(const char *list, bool chosen[SELECTABLE]);

/* Removes the entries that an option of the trace excludes: "--only p2p", "--not MPI_Barrier". Marks are
 * excluded only by name. Names that this version does not know are ignored. */
void select_apply(const char *option, bool recorded[SELECTABLE]);

/* A moment of the program: the first or nth time that something happens. */
struct moment {
	uint64_t nth;  /* from 1; 0: not given */
	uint32_t call; /* the function; ALL_CALLS: a region, phase or mark */
	bool has_level;
	int64_t level;  /* of MPI_Pcontrol */
	char name[256]; /* of the region, phase or mark */
};

/* Parses "solve", "solve:3", "MPI_Barrier:10", "upc_barrier:10", "MPI_Pcontrol=1". Returns NULL, or the
 * end of an error sentence; moment_no_function: the name is unknown. */
const char *moment_parse(const char *text, struct moment *moment);
extern const char moment_no_function[];

#endif
