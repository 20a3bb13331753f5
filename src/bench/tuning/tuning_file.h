/* The files from which MPI libraries read algorithms. Writers are pure: facts of the results (section
 * FACTS_TUNING), added by the measuring program, have all data about the library. */
#ifndef TARRY_BENCH_TUNING_TUNING_FILE_H
#define TARRY_BENCH_TUNING_TUNING_FILE_H

#include "base/text.h"
#include "bench/tuning/choice.h"

/* Facts in FACTS_TUNING: "library" = "openmpi" or "mpich"; "library file" = path of the library; and for
 * each algorithm "MPI_Bcast binomial" = its name in the library: for Open MPI number, fan-out, segment size and
 * pending requests ("6 4 0 0"), for MPICH the function ("MPIR_Bcast_intra_binomial"). FACT_NODES = number of
 * nodes on which so many processes were measured. */
#define FACTS_TUNING "tuning"
#define FACT_LIBRARY "library"
#define FACT_LIBRARY_FILE "library file"
#define FACT_NODES "nodes of %d processes"

/* A list of algorithms that a job skips is "MPI_Bcast:linear", separated by semicolons. This instead of a
 * name skips the whole operation, which the omissions report as TUNED_BEFORE. */
#define ALL_ALGORITHMS "*"
#define TUNED_BEFORE "has been tuned in an earlier job"

/* NULL: unknown. */
const char *algorithm_fact(const struct results *results, const char *operation, const char *variant);

/* Before a file is written: drops choices that it cannot express, so that no false gain is reported. */
void rules_settle(const struct results *results, struct choices *choices);
void selection_settle(struct choices *choices, const char *tree);

/* The format that Open MPI reads. */
enum rules_version {
	RULES_THREE_NUMBERS = 1, /* for each rule; the other formats are not known before 5.0.7 */
	RULES_FOUR_NUMBERS = 2,
	/* Version 6 also reads the others, but applies their rules to other numbers of processes. */
	RULES_JSON = 3,
};

/* By the version of the measured library; the oldest if that is unknown. */
enum rules_version rules_version(const struct results *results);

/* For Open MPI's coll_tuned_dynamic_rules_filename. */
enum status rules_file(const struct results *results, const struct choices *choices,
                       struct text *out) MUST_CHECK;

/* For MPICH's MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE: `tree` is the library's own decision tree, which
 * is unchanged for all other cases. */
enum status selection_file(const struct results *results, const struct choices *choices, const char *tree,
                           struct text *out) MUST_CHECK;
/* For MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE, the device's tree: it would split collectives by
 * nodes before the other tree is used, so it must keep tuned collectives whole. */
enum status device_selection_file(const struct choices *choices, const char *tree,
                                  struct text *out) MUST_CHECK;

#endif
