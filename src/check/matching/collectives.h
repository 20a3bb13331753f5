/* Collective calls of all members of a communicator, window or file: the n-th call of each is one instance. */
#ifndef TARRY_CHECK_MATCHING_COLLECTIVES_H
#define TARRY_CHECK_MATCHING_COLLECTIVES_H

#include "check/matching/analysis.h"

/* Calls are compared as they come, with the first. When all are there, or at the end, it is reported what those of the lowest ranks
 * differ in, so that findings do not depend on who came first. */
struct collective_instance {
	struct analysed_call *reference; /* the first that came: others are compared with it */
	struct analysed_call *lowest;    /* of the lowest rank that agrees with the reference */
	struct analysed_call *differing; /* of the lowest rank that does not; NULL: there is none */
	struct analysed_call *
		rooted; /* of an intercommunicator: the lowest rank that gives a rank as the root; else NULL */
	struct analysed_call *root; /* likewise, that gives MPI_ROOT */
	bool contradicts_itself;    /* the reference */
	uint32_t arrived;
	bool has_leavers;  /* some members called MPI_Finalize instead */
	bool has_rejected; /* MPI did not accept the calls of some members */
	struct analysed_call *
		*calls; /* by member, if their lists have to be compared pair by pair; else NULL */
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
/* Of an intercommunicator they are compared alone: not all members give one. */
bool gives_root(const struct analysed_call *call); /* MPI_ROOT, of an intercommunicator */
bool roots_agree(struct findings_log *log, const struct analysed_call *call,
                 const struct analysed_call *other);
bool is_same_collective(const struct analysed_call *a, const struct analysed_call *b);
/* Has it data that have to be those of all others? */
bool has_common_data(const struct analysed_call *call);
/* `log` gets what they differ in; NULL: nothing is reported. */
bool collectives_agree(struct findings_log *log, const struct analysed_call *call,
                       const struct analysed_call *other);
/* All members are there, and their lists have to fit. */
void check_lists(struct checked_run *run, struct collective_instance *instance);

#endif
