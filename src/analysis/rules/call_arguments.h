/* Arguments of MPI's functions that declared events are made of. A call has them only if a rule that was loaded when it was recorded asked
 * for them.
 *
 *	size_t count;
 *	const struct rule_argument *needed = rulebook_arguments(book, &arena, &count); */
#ifndef TARRY_ANALYSIS_RULES_CALL_ARGUMENTS_H
#define TARRY_ANALYSIS_RULES_CALL_ARGUMENTS_H

#include "analysis/rules/rulebook.h"
#include "calls/arguments.h"

struct rule_argument {
	struct call_argument what;
	const char *function; /* "MPI_Cart_create" */
	const char *text;     /* "dims[0]" */
	const char *file;     /* of the rule that first asked for it */
};

/* Each once, in the order of the rules. */
struct rule_argument *rulebook_arguments(const struct rulebook *book, struct arena *arena, size_t *count);

/* One of them, by its name in a rule; NULL: no rule asks for it. */
const struct rule_argument *rule_argument_find(const struct rule_argument *arguments, size_t count,
                                               const char *function, const char *text);

/* As the recorder takes them: "MPI_Comm_split:color/MPI_Cart_create:dims[0]". NULL: rules ask for none. */
const char *rulebook_argument_list(const struct rulebook *book, struct arena *arena);

#endif
