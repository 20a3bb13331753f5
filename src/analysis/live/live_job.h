/* A job while it runs, from the parts that its processes write: what each process does, who waits for whom, and which call sites took
 * the most time so far.
 *
 *	struct live_job *job = live_job_new("run.tarry.parts");
 *	for (;;) {
 *		live_job_look(job, now_ns);
 *		for (size_t i = 0; i < job->processes.count; i++)
 *			show(job->processes.items[i]);
 *	}
 *	live_job_free(job);
 *
 * The job knows nothing of it (src/trace/follow.h). A look takes bounded time and memory, however long the job runs: if processes write
 * more than a look may read, sums are of a part of the calls (`skipped_bytes`), and what processes do now is right all the same.
 *
 * What is not seen is not guessed: of a network file system only parts of this machine are read, as the others come here late
 * and in no order. `hidden` counts the rest. */
#ifndef TARRY_ANALYSIS_LIVE_LIVE_JOB_H
#define TARRY_ANALYSIS_LIVE_LIVE_JOB_H

#include "analysis/model/call_needs.h"
#include "analysis/symbols/symbols.h"
#include "base/array.h"
#include "base/map.h"
#include "calls/calls.h"
#include "trace/follow.h"

enum live_state {
	LIVE_STARTING,  /* before the end of MPI_Init */
	LIVE_COMPUTING, /* outside of MPI */
	LIVE_IN_CALL,
	LIVE_POLLING,    /* asks again and again, and does something else in between */
	LIVE_UNRECORDED, /* recording is paused, or has ended */
	LIVE_FINISHED,   /* MPI_Finalize is over */
	LIVE_GONE,       /* the process has ended before that */
};

#define LIVE_NONE UINT32_MAX

struct live_part;

struct live_process {
	uint64_t world;
	uint32_t rank;
	const char *host;
	enum live_state state;
	uint32_t site;  /* of the open call; outside of MPI, of the last one; LIVE_NONE */
	int64_t for_ns; /* as long it has been in this state; -1: not known */
	/* The open call; NULL. Both end with the next look. */
	const struct call *call;
	const struct call_info *info;
	/* Whom it waits for: numbers of processes. They end with the next look. */
	const uint32_t *partners;
	uint32_t partner_count;
	bool needs_one; /* of them; otherwise all */
	bool needs_any; /* it also, or only, receives from any rank */

	const struct live_part *part;
	struct followed_process *followed;
	size_t comms_seen;
	bool has_finalized;
	bool splits_barriers; /* of UPC: who has notified may do something else */
	struct waiting_process waiting;
};

/* A place of the program that calls MPI. */
struct live_site {
	const char *function;
	const char *place;          /* "heat.c:84", "exchange+0x1c in app"; "" */
	uint64_t calls, open_calls; /* that have ended, and that have not */
	double ns, open_ns;         /* spent in them */
};

/* A process that others wait for, directly or indirectly, and that does not wait itself. */
struct live_awaited {
	uint32_t process;
	uint32_t *waiters; /* in ascending order; until the next look */
	uint32_t waiter_count;
};

struct live_job {
	struct arena arena;
	const char *folder;
	char host[65];
	bool is_local; /* all that is in the folder was written on this machine */
	struct symbols *symbols;
	ARRAY(struct live_part *) parts;
	ARRAY(struct live_process *) processes; /* in the order in which they appeared */
	ARRAY(struct live_site) sites;
	struct text_map site_numbers;
	struct map by_inode; /* of a file to its part */
	struct map by_rank;  /* world and rank to process */
	struct map by_group; /* communicator to the process that recorded its members */
	uint64_t read_bytes, skipped_bytes;
	uint64_t size; /* of the largest world */
	size_t hidden; /* parts that cannot be read from here */
	struct text hidden_hosts;
	size_t silent; /* parts with nothing in them: chunks are written when they are full, as where files cannot be mapped */

	struct arena look;            /* what ends with the next look */
	struct live_awaited *awaited; /* whom most wait for comes first */
	uint32_t awaited_count;
	uint32_t *circle; /* processes that wait for each other, or for those */
	uint32_t circle_count;
};

struct live_job *live_job_new(const char *folder);
void live_job_free(struct live_job *job);

/* `now_ns` since 1970. */
void live_job_look(struct live_job *job, int64_t now_ns);

/* The job's processes by world and rank: numbers, for the caller to free. */
uint32_t *live_job_order(const struct live_job *job);

#endif
