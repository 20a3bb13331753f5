/* What a replay tells those who analyse: calls in their relations, each told once, when all of it is known.
 *
 *	static void completed(void *context, const struct completion *completion)
 *	{
 *		for (uint32_t i = 0; i < completion->count; i++)
 *			look_at(&completion->transfers[i]);
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

/* One call of a function. */
struct occurrence {
	const struct role *
		role; /* of its distinct call: role->call, role->process, and role->note, which is the teller's */
	int64_t start, end;
	uint64_t position; /* among the calls of its thread that communicate, from 0 */
	uint32_t thread;   /* number of its stream in the process */
	uint32_t
		phase; /* the user's innermost phase around it; 0: none; different for each time in each process */
};

/* Messages that lay there when another one was received that was sent after them, from the same to the same process on one
 * communicator. */
struct overtaken {
	uint32_t bytes; /* UINT32_MAX: so many or more */
	bool exist;
};

/* One side of a message. Its communicator, ranks and tag are those of the role that sent it. */
/* The calls of both sides of a message. */
struct sides {
	struct occurrence
		send; /* the call that sent it; of a prepared request, the start with the preparing call's role */
	struct occurrence post; /* the call that posted the receive */
};

struct transfer {
	union {
		struct sides sides;
		struct {
			struct occurrence send, post;
		};
	};
	uint32_t overtaken_bytes; /* of the receiver's side, as struct overtaken has it */
	bool overtakes;
	bool is_send;
	bool is_probe; /* `post` is a probe that waited for the message: it is told again when it is received */
};

/* What one call completed: a Recv, a Send, a Wait with all its requests. Told when all its receives are over and the
 * receives of all its sends are posted; a side whose partner is not in the trace is left out. */
struct completion {
	struct occurrence wait;
	struct transfer *transfers;
	uint32_t count;
	int64_t met; /* start of `wait`, or when the collective operations had come that it completed too */
	/* If the teller compares them: of the transfers that it received, without probes, the one that was sent last
	 * (UINT32_MAX: none), and of all the latest starts of both calls. */
	uint32_t last;
	int64_t last_sent, last_posted;
};

/* The part of a process in a collective operation. */
struct participant {
	struct occurrence call;
	struct occurrence wait; /* the same, or the call that completed its request */
	int64_t since;          /* start of `wait`, or when other things had come that it completed too */
	uint32_t side, rank;
	bool is_root;
	int64_t alone; /* in a collective call of UPC, ns in which it was the only one inside */
};

struct gathering {
	uint64_t comm;     /* identity */
	uint64_t position; /* in its lane */
	uint32_t lane;
	uint32_t size;                          /* of the communicator, both sides */
	bool is_complete;                       /* all members are in the trace */
	bool is_mixed;                          /* they made different calls */
	const struct participant *participants; /* in the order in which they came */
	uint32_t count;
};

/* The part of a process in a neighbourhood operation whose topology is known: it gets from its sources alone. */
struct neighbour_call {
	struct occurrence call, wait, last; /* last: of the source that came last */
	int64_t since;                      /* as in a participant */
	uint32_t rank, sources;
};

struct request_life {
	struct occurrence start, wait;
	uint64_t polls;
	bool is_cancelled, is_persistent;
};

/* One origin of an exposure epoch. */
struct exposure {
	struct occurrence start, complete, first, last;
	uint64_t accesses;
	uint32_t origin; /* rank in the window's communicator */
};

struct exposures {
	uint64_t window;
	struct occurrence post, wait;
	const struct exposure *origins;
	uint32_t count;
};

/* One target of an access epoch. */
struct access_target {
	struct occurrence post, first;
	uint64_t accesses;
	uint32_t target; /* rank in the window's communicator */
};

struct access_epoch {
	uint64_t window;
	struct occurrence start, complete;
	const struct access_target *targets;
	uint32_t count;
};

/* The part of a process in a fence, and what others did to it in the epoch that ends there. */
struct fence_part {
	struct occurrence call, last;
	uint64_t accesses;
	uint32_t origins, rank;
};

struct fence {
	uint64_t window;
	uint32_t size; /* of the window's communicator */
	const struct fence_part *parts;
	uint32_t count;
};

struct lock_hold {
	uint64_t window;
	uint32_t target; /* UINT32_MAX: all, by MPI_Win_lock_all */
	bool is_exclusive;
	bool had_to_wait; /* `before` is set */
	struct occurrence take, give, first, before;
};

/* A lock of UPC. */
struct mutex_hold {
	uint64_t mutex;
	struct occurrence take, give;
	struct occurrence before; /* the unlock that it had to wait for; `take`, if there is none */
};

/* upc_fence, and what its thread has read and written elsewhere since its last synchronisation. */
struct thread_fence {
	struct occurrence call;
	struct occurrence last; /* access; `call`, if there is none */
	uint64_t accesses;
	int64_t bytes;
};

/* A call under a lock that names its target: an access, a flush, or the lock's own. */
struct passive_call {
	struct occurrence call;
	struct occurrence
		next; /* with which the target came back to MPI; `call` itself, if it was not away */
	uint64_t window;
	int64_t absent; /* ns of the call in which the target was in no call of MPI */
	uint32_t target;
	bool is_contended; /* the lock had to wait for another one */
};

struct access {
	uint64_t window;
	uint32_t origin, target;
	struct occurrence call, close;
};

/* A partitioned send, from the start of its request. */
struct partitioned_send {
	struct occurrence start;       /* with the role of the call that prepared it */
	struct occurrence first, last; /* calls that made partitions ready */
	uint64_t ready;                /* how many such calls */
};

/* Tests of a thread in a row that found nothing: `call` begins with the first and ends with the last. */
struct polling {
	struct occurrence call;
	uint64_t polls;
	int64_t busy; /* ns inside the tests */
};

/* A call that waited for a message, and later another one was received that had been sent before it. */
struct inversion {
	struct occurrence wait, send; /* of the messages that `wait` received, the one that was sent last */
	bool is_same_source;          /* such a message of the same process */
};

struct phase_time {
	struct occurrence begin, finish;
	const char *name;
	uint32_t phase;
};

/* All calls of a process that are one distinct call. */
struct site_sum {
	struct occurrence call; /* the first of them, but with the end of the last */
	uint64_t count;         /* fruitless tests in a row are so many */
	uint64_t starts;        /* of what it prepared; if it prepares nothing, `count` */
	int64_t inside;         /* ns in the calls */
	int64_t before; /* ns between the end of the call that its thread made before, and the start; local ones are
	                 * passed by, and have none */
	int64_t stolen; /* of `before`, ns in which the thread wanted a processor and had none */
	int64_t bytes;  /* sent, by all starts together; by accesses of UPC that read, received */
	bool is_local;  /* has to do with nobody else (calls.h), or is no function of MPI */
	int64_t peer;   /* rank that it sent to, or really received from; RANK_NULL: none, or not known */
	/* Sends that directly followed, among the calls of their thread that communicate, one to the same process; accesses
	 * of UPC that followed one of these here with nothing but accesses of its thread in between. */
	uint64_t again;
	int64_t again_inside;
	/* Blocking receives whose message had been sent before: ns in them, and for how long it had been under way. */
	uint64_t found;
	int64_t found_inside, lain;
	int64_t moving; /* in the others, ns since the send began */
	/* Blocking receives that a send of as many bytes to another process followed directly, and ns in between with a
	 * processor. */
	uint64_t passed_on;
	int64_t until_passed;
	/* Blocking receives that directly followed a blocking send to the same process: ns in between, bytes of these sends,
	 * how much of both transfers could have been at the same time, and the send with the most of it. */
	uint64_t replies;
	int64_t reply_gap, reply_sent, reply_saved;
	struct occurrence answered; /* `call`, if there is none */
	/* Blocking collective calls: ns after the last process had come, and until the first one left. */
	int64_t settled, worked;
	int64_t stolen_inside; /* in these and in accesses of UPC, ns in which the thread had no processor */
	int64_t eager;         /* the teller's */
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
	void (*gathering)(void *context, const struct gathering *gathering);
	void (*neighbour)(void *context, const struct neighbour_call *call);
	void (*request)(void *context, const struct request_life *life);
	void (*exposures)(void *context, const struct exposures *exposures);
	void (*access_epoch)(void *context, const struct access_epoch *epoch);
	void (*fence)(void *context, const struct fence *fence);
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
	/* At the end, before `over`: one process after the other. */
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
