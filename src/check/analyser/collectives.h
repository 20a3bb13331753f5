/* Collective calls of all members of a communicator, window or file: the n-th call of each is one instance. */
#ifndef TARRY_CHECK_ANALYSER_COLLECTIVES_H
#define TARRY_CHECK_ANALYSER_COLLECTIVES_H

#include "check/analyser/analysis.h"

struct collective_instance {
	struct analysed_call *reference; /* the first that came: others are compared with it */
	struct analysed_call *lowest;    /* of the lowest rank: it stands for all, whoever came first */
	struct analysed_call
		*rooted; /* of an intercommunicator: the first that gives a rank as the root; else NULL */
	uint32_t arrived;
	uint32_t found;           /* 1 << enum collective_problem that was reported of it */
	struct analysed_call **calls; /* by member, if their lists have to be compared pair by pair; else NULL */
};

/* Number of a member among both sides. */
static inline uint32_t member_place(const struct comm_member *member)
{
	return (member->side ? member->comm->size[0] : 0) + member->rank;
}

static inline uint32_t comm_members(const struct analysed_comm *comm)
{
	return comm->size[0] + comm->size[1];
}

static inline bool comm_is_inter(const struct analysed_comm *comm)
{
	return comm->size[0] && comm->size[1];
}

/* collective_checks.c */

/* Do all members have to be there before their lists can be compared? */
bool needs_all_calls(const struct analysed_call *call);
/* A call that joins an instance, with its reference. */
void check_collective(struct checked_run *analysis, struct collective_instance *instance,
                      struct analysed_call *call);
/* All members are there, and their lists have to fit. */
void check_lists(struct checked_run *analysis, struct collective_instance *instance);

#endif
