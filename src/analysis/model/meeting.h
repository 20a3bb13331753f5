/* Collective calls: the k-th of each member of a communicator is one meeting, and a member leaves it when those that it
 * needs have entered.
 *
 *	uint32_t member = meeting_member(&meetings, comm, LANE_CALLS, process);
 *	uint32_t meeting = meeting_enter(&meetings, member, &entry);
 *	if (!meeting_may_leave(&meetings, meeting, &entry))
 *		… later: meeting_next_woken() tells who may go on …
 *	struct arrival cause = meeting_cause(&meetings, meeting, &entry);
 *	meeting_leave(&meetings, meeting);
 *
 * Calls that were prepared meet by the order in which they were prepared, each time they are started; MPI_Init and
 * MPI_Finalize meet apart from the others, and so do UPC's barriers, split or not, and calls on each window and file. Memory is that of the meetings under way. */
#ifndef TARRY_ANALYSIS_MODEL_MEETING_H
#define TARRY_ANALYSIS_MODEL_MEETING_H

#include "analysis/model/role.h"
#include "analysis/relations/rows.h"

#define NO_MEETING UINT32_MAX

/* Somebody's coming: when, as the visitor sees it, and who. */
struct arrival {
	int64_t moment;
	uint32_t process; /* NO_PROCESS: nobody came */
};

struct meeting {
	uint32_t lane;
	uint64_t sequence; /* in its lane */
	enum meets meets;
	uint32_t entered[2]; /* of each side */
	uint32_t missing[2]; /* of each side, that will never come */
	uint32_t left;
	struct arrival last[2]; /* of each side */
	int64_t calm_last
		[2]; /* the last moment of each side that the visitor would have, had all had their processors */
	struct arrival root;
	uint32_t root_process;                /* NO_PROCESS: it will not come */
	bool is_mixed;                        /* members came with calls of different kinds: nobody waits */
	struct scan *scan;                    /* of lower_first */
	uint32_t first_asleep;                /* chained through `next_asleep` */
	uint32_t next;                        /* of free ones */
	struct collective_call *participants; /* if somebody wants to know when it is `over` */
	uint32_t participant_count, participant_room;
};

/* A member of a meeting. */
struct entry {
	struct membership own;
	enum meets meets;
	int64_t root;
	bool needs_nobody;
	bool gives_nothing; /* nobody needs it */
	uint32_t process;
	int64_t moment;
};

enum { LANE_CALLS = 0, LANE_ENVIRONMENT = 1, LANE_BARRIERS = 2, LANE_PREPARED = 3 };

/* Meetings of one kind of order on a communicator. */
struct lane {
	uint32_t comm;
	uint32_t next;      /* of the same communicator */
	uint64_t base;      /* sequence of the first one under way */
	uint32_t *meetings; /* a ring; NO_MEETING: over already */
	uint32_t first, count, room;
	uint32_t gone[2]; /* members of each side that will come to none of the next */
	uint64_t size[2]; /* of each side */
};

struct lane_member {
	uint32_t lane;
	uint32_t process;
	uint64_t next; /* sequence of its next meeting */
};

struct meetings {
	const struct comm_table *comms;
	struct meeting *items;
	uint32_t count, room, free;
	struct lane *lanes;
	uint32_t lane_count, lane_room;
	uint32_t *comm_lanes; /* by communicator: its first lane */
	struct map by_lane;   /* communicator and number to lane */
	struct map by_member; /* lane and process to … */
	struct lane_member *members;
	uint32_t member_count, member_room;
	struct map prepared;   /* communicator and process to what it prepared so far */
	bool *gone;            /* by process */
	uint32_t *next_asleep; /* by process */
	uint32_t *woken;       /* a stack */
	uint32_t woken_count, woken_room;
	uint64_t finished, incomplete, mixed;
	/* Called for each meeting when all have left, or at the end; may be NULL. */
	void (*over)(void *context, const struct meeting *meeting);
	void *context;
};

void meetings_init(struct meetings *meetings, const struct comm_table *comms, size_t processes);
void meetings_release(struct meetings *meetings);

/* A process in a lane of a communicator: always the same number. */
uint32_t meeting_member(struct meetings *meetings, uint32_t comm, uint32_t lane, uint32_t process);
/* The same for the lane of a window or file. */
uint32_t meeting_member_of_object(struct meetings *meetings, uint32_t comm, uint64_t object,
                                  uint32_t process);
/* In the lane of the next call that this process prepares. */
uint32_t meeting_prepare(struct meetings *meetings, uint32_t comm, uint32_t process);
/* NO_MEETING: it is over without this member, in a damaged trace. */
uint32_t meeting_enter(struct meetings *meetings, uint32_t member, const struct entry *entry);
/* Whether all members of a side came, or never will. */
static inline bool meeting_is_complete(const struct meetings *meetings, const struct meeting *meeting,
                                       uint32_t side)
{
	return (uint64_t)meeting->entered[side] + meeting->missing[side] >=
	       meetings->lanes[meeting->lane].size[side];
}

/* Where it is kept who came; `wait` is the call, until it is set. */
uint32_t meeting_seat(struct meetings *meetings, uint32_t meeting, const struct occurrence *call);
/* Meetings of the same lane that somebody has not left yet. */
uint32_t meetings_under_way(const struct meetings *meetings, uint32_t meeting);
bool meeting_may_leave(const struct meetings *meetings, uint32_t meeting, const struct entry *entry);
/* The last of those whom this member needed, or nobody. */
struct arrival meeting_cause(const struct meetings *meetings, uint32_t meeting, const struct entry *entry);
/* When a member would have come without noise; and the last of those whom this member needed, all of them: INT64_MIN if it
 * needed nobody, or one that is known by name. */
void meeting_note_calm(struct meetings *meetings, uint32_t meeting, const struct entry *entry,
                       int64_t moment);
int64_t meeting_calm_cause(const struct meetings *meetings, uint32_t meeting, const struct entry *entry);
void meeting_leave(struct meetings *meetings, uint32_t meeting);

/* Until the meeting lets this member go, the process is asleep; afterwards it is handed out once. */
void meeting_sleep(struct meetings *meetings, uint32_t meeting, const struct entry *entry);
/* It goes on, whoever is missing. */
void meeting_forget(struct meetings *meetings, uint32_t meeting, const struct entry *entry);
bool meeting_next_woken(struct meetings *meetings, uint32_t *process);
/* The process will come to no further meeting. */
void meeting_process_gone(struct meetings *meetings, uint32_t process);
/* Those that are still under way will get no further. */
void meetings_end(struct meetings *meetings);
/* Of all members, on both sides. */
uint64_t meeting_size(const struct meetings *meetings, const struct meeting *meeting);
uint32_t meeting_comm(const struct meetings *meetings, const struct meeting *meeting);

#endif
