/* What rules ask of a recording: --rules and --minimal of `tarry run` and `tarry exec`. Functions that are not MPI's get
 * wrappers (src/analysis/wrappers), and with --minimal only those functions of MPI are recorded that a rule can use. */
#ifndef TARRY_CLI_TRACED_H
#define TARRY_CLI_TRACED_H

#include "analysis/wrappers/wrappers.h"
#include "base/arena.h"
#include "base/options.h"

struct traced_choice {
	struct words rules;
	bool no_shipped;
	bool minimal;
};

struct traced_plan {
	struct wrappers wrappers;
	const char *library;  /* of the wrappers, to be preloaded; NULL: none */
	const char *obstacle; /* why there is no library; NULL */
	const char *only;     /* functions of MPI, as --only takes them; NULL: all */
};

/* Fails if the rules are wrong. Wrappers that cannot be made are an obstacle, but no reason not to record MPI. */
enum status traced_plan(const struct traced_choice *choice, struct arena *arena,
                        struct traced_plan *plan) MUST_CHECK;

/* What LD_PRELOAD becomes: the wrappers behind the first library, and none of another recording's. `others` may be NULL. */
const char *traced_preload(const struct traced_plan *plan, const char *first, const char *others,
                           struct arena *arena);

/* After the job: says which functions no process called, by what the processes left in the folder of parts. */
void traced_tell_unseen(const struct traced_plan *plan, const char *parts, struct arena *arena);

#endif
