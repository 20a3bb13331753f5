/* Arguments of MPI functions in declared events. A call has them only if a rule loaded during
 * recording asked for them.
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
	const char *file;     /* of the first rule that asked for it */
};

/* Each once, in the order of the rules. */
struct rule_argument *rulebook_arguments(const struct rulebook *book, struct arena *arena, size_t *count);

/* By its name in a rule; NULL: no rule asks for it. */
const struct rule_argument *rule_argument_find(const struct rule_argument *arguments, size_t count,
                                               const char *function, const char *text);

/* In the format of the recorder: "MPI_Comm_split:color/MPI_Cart_create:dims[0]". NULL: none. */
const char *rulebook_argument_list(const struct rulebook *book, struct arena *arena);

#endif
