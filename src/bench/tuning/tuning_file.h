/* The files in which MPI libraries read which algorithm to use. Writers are pure: what they need to know of the library is in the
 * results' facts, where the program that measured has left it (section FACTS_TUNING). */
#ifndef TARRY_BENCH_TUNING_TUNING_FILE_H
#define TARRY_BENCH_TUNING_TUNING_FILE_H

#include "base/text.h"
#include "bench/tuning/choice.h"

/* Facts in FACTS_TUNING: "library" = "openmpi" or "mpich"; "library file" = path of the library; and, for each algorithm,
 * "MPI_Bcast binomial" = what the library calls it: of Open MPI its number, fan-out and segment size ("6 4 0"), of MPICH the
 * name of the function ("MPIR_Bcast_intra_binomial"). */
#define FACTS_TUNING "tuning"
#define FACT_LIBRARY "library"
#define FACT_LIBRARY_FILE "library file"

/* What a job is not to try is a list of "MPI_Bcast:linear" with semicolons. This instead of a name: the whole operation, of which is then
 * said in the omissions that it was TUNED_BEFORE. */
#define ALL_ALGORITHMS "*"
#define TUNED_BEFORE "has been tuned in an earlier job"

/* NULL if it is not known. */
const char *algorithm_fact(const struct results *results, const char *operation, const char *variant);

/* Before a file is written: choices that it could not say are taken no more, so that nobody is told of a gain that there is not. */
void rules_settle(struct choices *choices);
void selection_settle(struct choices *choices, const char *tree);

/* For Open MPI's coll_tuned_dynamic_rules_filename. */
enum status rules_file(const struct results *results, const struct choices *choices,
                       struct text *out) MUST_CHECK;

/* For MPICH's MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE: `tree` is the library's own decision tree, which stays as it is
 * for all that is not tuned. */
enum status selection_file(const struct results *results, const struct choices *choices, const char *tree,
                           struct text *out) MUST_CHECK;
/* For MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE, the device's tree: it would split collectives up by nodes before
 * the other tree is asked, so that where we tune, it has to leave them whole. */
enum status device_selection_file(const struct choices *choices, const char *tree,
                                  struct text *out) MUST_CHECK;

#endif
