/* Collective calls of all members of a communicator, window or file: the n-th call of each is one instance. */
#ifndef TARRY_CHECK_MATCHING_COLLECTIVES_H
#define TARRY_CHECK_MATCHING_COLLECTIVES_H

#include "check/matching/analysis.h"

/* The calls of the members, compared from the lowest rank on. */
struct collective_instance {
	struct analysed_comm *comm;
	const struct executed_collective *collective;
	struct analysed_call *reference; /* others are compared with it */
	struct analysed_call *lowest;    /* of the lowest rank that agrees with the reference */
	struct analysed_call *differing; /* of the lowest rank that does not; NULL: there is none */
	/* Of an intercommunicator: the lowest rank that gives a rank as the root, and that gives MPI_ROOT; NULL: none */
	struct analysed_call *rooted, *root;
	bool contradicts_itself; /* the reference */
};

/* NULL: the member at this place has not come. */
static inline struct analysed_call *instance_call(const struct collective_instance *instance, uint32_t place)
{
	const struct executed_operation *operation = instance->collective->members[place];

	return operation ? operation->call : NULL;
}

/* collective_checks.c */

/* Does it move data between its members, or have a root? */
bool moves_data(const struct analysed_call *call);

/* Of an intercommunicator they are compared alone: not all members give one. */
bool gives_root(const struct analysed_call *call); /* MPI_ROOT, of an intercommunicator */
bool roots_agree(struct findings_log *log, const struct analysed_call *call,
                 const struct analysed_call *other);
/* Has it data that have to be those of all others? */
bool has_common_data(const struct analysed_call *call);
/* `log` gets what they differ in; NULL: nothing is reported. */
bool collectives_agree(struct findings_log *log, const struct analysed_call *call,
                       const struct analysed_call *other);
/* All members are there. The same for their lists. */
bool lists_fit(struct findings_log *log, const struct collective_instance *instance);

#endif
