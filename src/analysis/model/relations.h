/* What a replay tells those who analyse: calls in their relations, each told once, when all of it is known.
 *
 *	static void completed(void *context, const struct completion *completion)
 *	{
 *		for (uint32_t i = 0; i < completion->count; i++)
 *			look_at(&completion->rows[i]);
 *	}
 *
 *	struct teller teller = {.context = mine, .completion = completed};
 *	relate(reader, time, &teller, &counts);
 *
 * Times are corrected ones, in ns since the first start of the run. What is handed out lives until the callback
 * returns; roles live as long as the replay. Memory is that of what is under way. */
#ifndef TARRY_ANALYSIS_MODEL_RELATIONS_H
#define TARRY_ANALYSIS_MODEL_RELATIONS_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/replay.h"
#include "analysis/relations/rows.h"

/* Messages that lay there when another one was received that was sent after them, from the same to the same process on one
 * communicator. */
struct overtaken {
	uint32_t bytes; /* UINT32_MAX: so many or more */
	bool exist;
};

/* The calls of both sides of a message. */
struct sides {
	struct occurrence
		send; /* the call that sent it; of a prepared request, the start with the preparing call's role */
	struct occurrence post; /* the call that posted the receive */
};

/* Each may be NULL: what nobody asks for costs nothing. */
struct teller {
	void *context;
	/* A distinct call is met for the first time: the place to set role->note, and whether each of its calls is to be
	 * told by `call`. */
	void (*meet)(void *context, struct role *role);
	void (*call)(void *context, const struct occurrence *call);
	void (*completion)(void *context, const struct completion *completion);
	/* Where to put a completion with so many transfers, in place of telling it by `completion`: it is told when anything
	 * else is. `count` and `transfers` are set. */
	struct completion *(*room)(void *context, uint32_t count);
	/* The same for a message that the call of one of its sides completed alone: that which sent it, or that which
	 * received it. Returns NULL if nobody wants to know of it. May be missing where `room` is there. */
	struct completion *(*room_for_one)(void *context, const struct sides *message, bool is_send);
	void (*gathering)(void *context, const struct collective_operation *gathering);
	void (*neighbour)(void *context, const struct neighbour_call *call);
	void (*request)(void *context, const struct request_life *life);
	void (*exposures)(void *context, const struct exposure_epoch *exposures);
	void (*access_epoch)(void *context, const struct origin_epoch *epoch);
	void (*fence)(void *context, const struct window_fence *fence);
	void (*lock)(void *context, const struct lock_hold *hold);
	void (*mutex)(void *context, const struct mutex_hold *hold);
	void (*thread_fence)(void *context, const struct thread_fence *fence);
	void (*passive)(void *context, const struct passive_call *call);
	void (*access)(void *context, const struct access *access);
	void (*partitioned)(void *context, const struct partitioned_send *send);
	void (*polling)(void *context, const struct polling *polling);
	/* As far as the later one is received before as many as LATE_KEPT (model/inversions.h) others that wait. */
	void (*inversion)(void *context, const struct inversion *inversion);
	void (*phase)(void *context, const struct phase_time *time);
	/* At the end, before `over`; if `site` is there too. */
	void (*call_pair)(void *context, const struct call_pair *pair);
	/* Behind that: one process after the other. */
	void (*site)(void *context, const struct site_sum *site);
	/* A phase or region begins: what it is called, before any call that lies in it is told. Names live as long as the
	 * reader. */
	void (*phase_begun)(void *context, uint32_t phase, const char *name);
	/* Completions of a process are told in their order, also those that others were complete before: as a rule needs
	 * it that looks at what follows what. Costs memory for what waits. */
	bool in_order;
	bool compares; /* the transfers of a completion */
	/* All is told; roles live until it returns. */
	void (*over)(void *context);
	/* Now and then, with a part from 0 to 1. */
	void (*progress)(double part);
};

/* `time` may be that of corrected_time_by_clocks() as long as no effect comes before its cause, which counts->violations
 * tells: then all of it has to be done again with that of corrected_time_new(). */
void relate(struct reader *reader, const struct corrected_time *time, const struct teller *teller,
            struct replay_counts *counts);

#endif
