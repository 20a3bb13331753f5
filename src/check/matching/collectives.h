/* Collective calls of all members of a communicator, window or file: the n-th call of each is one instance. */
#ifndef TARRY_CHECK_MATCHING_COLLECTIVES_H
#define TARRY_CHECK_MATCHING_COLLECTIVES_H

#include "check/matching/analysis.h"

/* The calls of the members, compared from the lowest rank up. */
struct collective_instance {
	struct analysed_comm *comm;
	const struct executed_collective *collective;
	struct analysed_call *reference; /* the call that others are compared with */
	struct analysed_call *lowest;    /* of the lowest rank that agrees with the reference */
	struct analysed_call *differing; /* of the lowest rank that does not; NULL: none */
	/* On an intercommunicator: the lowest rank that passes a rank as the root, and the one that passes
	 * MPI_ROOT; NULL: none */
	struct analysed_call *rooted, *root;
	bool contradicts_itself; /* the reference */
};

/* NULL: the member at this place has not arrived. */
static inline struct analysed_call *instance_call(const struct collective_instance *instance, uint32_t place)
{
	const struct executed_operation *operation = instance->collective->members[place];

	return operation ? operation->call : NULL;
}

/* Starts of persistent calls have no arguments: those were compared when the request was created. */
static inline bool call_is_start(const struct analysed_call *call)
{
	const uint32_t start = CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT;

	return (call->flags & start) == start;
}

/* collective_checks.c */

bool call_is_root(const struct analysed_call *call);
/* True if all members must be known before they can be compared. */
bool needs_all_calls(const struct analysed_call *call);
/* True if it moves data between its members, or has a root. */
bool moves_data(const struct analysed_call *call);

/* On an intercommunicator roots are compared separately: not all members pass one. */
bool gives_root(const struct analysed_call *call); /* MPI_ROOT, of an intercommunicator */
bool roots_agree(struct findings_log *log, const struct analysed_call *call,
                 const struct analysed_call *other);
/* True if it has data that must equal that of all others. */
bool has_common_data(const struct analysed_call *call);
/* `log` gets the differences; NULL: not reported. */
bool collectives_agree(struct findings_log *log, const struct analysed_call *call,
                       const struct analysed_call *other);
/* The same for the lists, after all members have arrived. */
bool lists_fit(struct findings_log *log, const struct collective_instance *instance);

#endif
