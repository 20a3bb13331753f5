/* A running job, from the parts that its processes write: the state of each process, waits between processes,
 * and the call sites with the most time so far.
 *
 *	struct live_job *job = live_job_new("run.tarry.parts");
 *	for (;;) {
 *		live_job_look(job, now_ns);
 *		for (size_t i = 0; i < job->processes.count; i++)
 *			show(job->processes.items[i]);
 *	}
 *	live_job_free(job);
 *
 * The job does not notice it (src/trace/follow.h). A look takes bounded time and memory, however long the job
 * runs: if processes write more than a look may read, totals cover a part of the calls (`skipped_bytes`), but
 * the current states are still correct.
 *
 * Unseen state is not guessed: on a network file system only parts of this machine are read, because others
 * arrive late and in any order. `hidden` counts the rest. */
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
	LIVE_COMPUTING, /* outside MPI */
	LIVE_IN_CALL,
	LIVE_POLLING,    /* tests repeatedly, and works in between */
	LIVE_UNRECORDED, /* recording is paused, or has ended */
	LIVE_FINISHED,   /* MPI_Finalize has returned */
	LIVE_GONE,       /* the process ended before that */
};

#define LIVE_NONE UINT32_MAX

struct live_part;

struct live_process {
	uint64_t world;
	uint32_t rank;
	const char *host;
	enum live_state state;
	uint32_t site;  /* of the open call; outside MPI, of the last one; LIVE_NONE */
	int64_t for_ns; /* how long it has been in this state; -1: unknown */
	/* The open call; NULL. Both are valid until the next look. */
	const struct call *call;
	const struct call_info *info;
	/* The processes it waits for, by number. Valid until the next look. */
	const uint32_t *partners;
	uint32_t partner_count;
	bool needs_one; /* one of them is enough; otherwise all are needed */
	bool needs_any; /* it also, or only, receives from any rank */

	const struct live_part *part;
	struct followed_process *followed;
	bool was_there; /* the system process, on this machine */
	bool is_done;
	bool is_gone; /* it has ended before that */
	size_t comms_seen;
	bool has_finalized;
	bool splits_barriers; /* of UPC: a thread that has notified may do other work */
	struct waiting_process waiting;
};

/* A place of the program that calls MPI. */
struct live_site {
	const char *function;
	const char *place;          /* "heat.c:84", "exchange+0x1c in app"; "" */
	uint64_t calls, open_calls; /* completed and open calls */
	double ns, open_ns;         /* spent in them */
};

/* A process that others wait for, directly or indirectly, and that does not wait itself. */
struct live_awaited {
	uint32_t process;
	uint32_t *waiters; /* in ascending order; valid until the next look */
	uint32_t waiter_count;
};

struct live_job {
	struct arena arena;
	const char *folder;
	char host[65];
	bool is_local; /* all files in the folder were written on this machine */
	struct symbols *symbols;
	ARRAY(struct live_part *) parts;
	ARRAY(struct live_process *) processes; /* in order of appearance */
	ARRAY(struct live_site) sites;
	struct text_map site_numbers;
	struct text_map by_name; /* of a file to its part */
	struct map by_rank;      /* world and rank to process */
	struct map by_group;     /* communicator to the process that recorded its members */
	uint64_t read_bytes, skipped_bytes;
	uint64_t size; /* of the largest world */
	size_t hidden; /* processes that cannot be read from here */
	struct text hidden_hosts;
	size_t silent; /* empty parts: full chunks are written, for example without mapped files */

	struct arena look;            /* memory that is valid until the next look */
	struct live_awaited *awaited; /* the process with the most waiters first */
	uint32_t awaited_count;
	uint32_t *circle; /* processes that wait for each other, or for those */
	uint32_t circle_count;
};

struct live_job *live_job_new(const char *folder);
void live_job_free(struct live_job *job);

/* `now_ns`: since 1970. */
void live_job_look(struct live_job *job, int64_t now_ns);

/* The processes by world and rank, as numbers; the caller frees the list. */
uint32_t *live_job_order(const struct live_job *job);

#endif
