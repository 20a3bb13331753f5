/* What replay.c is made of: processes that go from call to call, and the operations that their calls begin and
 * complete. Of use to nobody else.
 *
 * An operation is a receive, a probe or a part in a collective call, together with what it sends. It ends with its
 * own call, or through a request with another.
 *
 *	operations_begin(scene, actor, thread);
 *	if (operations_end(scene, actor, thread))
 *		… the call is over …
 *	else
 *		… the actor waits; scene_wake() will be called for it …
 *
 * Calls are occurrences (model/relations.h). For a visitor, who has a time of its own, their start and end are ticks and
 * their position is the moment that the visitor gave them. */
#ifndef TARRY_MODEL_OPERATION_H
#define TARRY_MODEL_OPERATION_H

#include "model/foresight.h"
#include "model/match.h"
#include "model/meeting.h"
#include "model/relations.h"
#include "model/telling.h"
#include "model/tracker.h"

struct operation {
	struct occurrence
		by; /* the call that began it, with the role of the one that prepared it; no role: there is none */
	uint32_t receive; /* half of its receive or probe; NO_HALF: not posted, or none */
	uint32_t sent;    /* half of its message */
	uint32_t meeting;
	uint32_t member; /* of one that was prepared and meets */
	uint32_t seat;   /* in the meeting */
	bool is_under_way;
	bool is_foreseen; /* of an open receive: it was known from its start whose message it gets */
};

/* A thread, and the call that it is at. */
struct thread {
	struct event_iter iter;
	struct stream *stream;
	struct foresight foresight;
	struct event event;
	struct role *role;
	struct occurrence now;
	struct operation own; /* that the call ends by itself */
	uint64_t position;    /* of its next call that communicates */
	uint32_t phase;
	uint32_t outcomes_done; /* completed requests that need not wait any more */
	bool has_event;
	bool is_passed_over; /* the call at hand: what it sends, receives or meets cannot be matched */
	bool is_inside;
};

enum actor_state { ACTOR_READY, ACTOR_WAITS, ACTOR_ENDED };

struct actor {
	uint32_t process;
	struct thread *threads;
	uint32_t thread_count;
	enum actor_state state;
	bool is_queued;
	bool is_deaf;   /* posts no more receives */
	bool is_blind;  /* trackers know that calls may be missing */
	bool is_ahead;  /* a tracker says so */
	bool is_forced; /* the call at hand ends without what it waits for */
	uint64_t gap;   /* from this tick on its order is not known, as something was not recorded */
	bool lacks_completions;
	struct roles roles;
	struct operation *requests; /* by number, and matched messages with them */
	uint64_t request_room, requests_made;
	uint64_t in_flight; /* messages that it sent and that are not over yet */
	/* Completions that have to be told one after the other: one above the number; 0: none. */
	uint32_t first_pending, last_pending, pending_count;
	/* What it waits for: a message or a meeting. */
	uint32_t waits_half;
	uint32_t waits_meeting;
	struct entry waits_entry;
	uint32_t sender;        /* of that message */
	uint32_t first_waiting; /* who waits for a message of this one, chained through … */
	uint32_t next, previous;
};

/* Processes that can go on, each at most once. */
struct actor_queue {
	uint32_t *items; /* a ring with room for all */
	uint32_t first, count, room;
};

struct scene {
	struct reader *reader;
	const struct visitor *visitor;
	const struct teller *teller;
	const struct corrected_time *time; /* NULL: for a visitor */
	int64_t origin;                    /* what times count from */
	struct replay_counts *counts;
	uint64_t expected; /* events, about */
	struct comm_table *comms;
	struct arena arena; /* of the roles */
	struct matcher matcher;
	struct meetings meetings;
	struct telling telling;
	struct tracker trackers[TRACKERS_MAX];
	uint32_t tracker_count;
	struct actor *actors; /* by process */
	uint32_t actor_count;
	uint32_t limit; /* of what one process may have under way before it goes on last */
	struct actor_queue ready, ahead;
	uint64_t settled; /* events, when the trackers were looked after last time */
};

void operations_begin(struct scene *scene, struct actor *actor, struct thread *thread);
bool operations_end(struct scene *scene, struct actor *actor, struct thread *thread);

struct event_source source_of(const struct scene *scene, struct actor *actor, struct thread *thread);
struct step step_at(const struct actor *actor, struct thread *thread);

/* From replay.c: goes through the whole trace. */
void scene_play(struct scene *scene);
/* An actor that waited goes on. */
void scene_wake(struct scene *scene, uint32_t process);

#endif
