/* Why processes wait: where the late process was instead.
 *
 *	struct causes *causes = causes_new(session, &(struct causes_options){.finds_path = true});
 *	struct cause_list list = causes_of(causes, finding->at.process, finding->at.call, finding->partner.call);
 *	for (size_t i = 0; i < list.count; i++)
 *		show(&list.items[i]);
 *	free(list.items);
 *	causes_free(causes);
 *
 * A pass over the rows of a replay (docs/causes.md): of a replay of its own, or of one that also serves the rules:
 *
 *	causes = causes_begin(session, &options, &counts);
 *	rules.second = causes_sink(causes);
 *	relate(session, &rules, &counts);
 *	causes_finish(causes);                    not needed before causes_free()
 *
 * It keeps the last calls of each thread. For each wait it finds the extra work of the late process since both were last
 * synchronized. Waits of the late process are charged to their own causes, so every cause is the end of its
 * chain. The causes of a wait add up to the wait.
 *
 * Memory is bounded for any number of calls: the excess is charged to CAUSE_OTHER or CAUSE_UNKNOWN. */
#ifndef TARRY_ANALYSIS_CAUSES_CAUSES_H
#define TARRY_ANALYSIS_CAUSES_CAUSES_H

#include "analysis/causes/critical_path.h"
#include "analysis/causes/work_instances.h"
#include "analysis/model/propagated_delay.h"
#include "analysis/model/relations.h"
#include "analysis/model/run_spans.h"

struct causes_options {
	struct symbols *source; /* knows wrappers around MPI; NULL: none */
	bool finds_path;        /* also finds the critical path */
	uint32_t path_nodes;    /* limit of its nodes; 0: as many as fit into memory */
};

/* Different threads at different times. */
#define SEVERAL_THREADS UINT32_MAX

struct wait_cause {
	enum cause_kind kind;
	uint32_t process;       /* the cause; NO_PROCESS: several, or unknown */
	struct caller from, to; /* computation: the calls before and after it; in a call: `to` */
	const char *region;     /* the user's innermost region between the calls; NULL: none */
	int64_t own_ns,
		mean_ns; /* computing: of this process at this place in the whole run, and the mean of those that come there … */
	uint32_t ranks;     /* … so many */
	int64_t blocked_ns; /* of own_ns, blocked in the kernel */
	/* An OpenMP thread that makes this computing long, as it reaches a barrier of its team later than the others. 0 ns: none */
	int64_t late_ns;       /* than the mean of the others, in the whole run */
	uint32_t late_thread;  /* number of its stream; SEVERAL_THREADS */
	struct caller late_at; /* the barrier */
	uint64_t instances;    /* waits in which it had a part */
	int64_t total_ns;
	int64_t in_vain_ns; /* of it, in unsuccessful tests */
};

/* The largest first. */
struct cause_list {
	struct wait_cause *items; /* the caller frees it */
	size_t count;
	int64_t total_ns; /* of the waits: the sum of the causes */
};

/* The total time one process waited for another in a region of the user. */
struct pair_wait {
	uint32_t waiting, late;
	const char *region; /* the innermost, with those around it: "time loop > exchange"; NULL: in none */
	int64_t ns;
};

struct pair_waits {
	const struct pair_wait *items; /* unsorted; owned by the causes */
	size_t count;
	int64_t left_out_ns; /* of pairs beyond the limit */
};

struct causes *causes_new(struct analysis_session *session, const struct causes_options *options);
struct causes *causes_begin(struct analysis_session *session, const struct causes_options *options,
                            const struct replay_counts *counts);
const struct row_sink *causes_sink(const struct causes *causes);
void causes_finish(struct causes *causes);
/* The causes of waits of a process in calls from the place of `wait`, for calls from the place of `partner`.
 * If `partner` is NULL or there are no such waits: for any calls. */
struct cause_list causes_of(struct causes *causes, uint32_t process, const struct call *wait,
                            uint32_t partner_process, const struct call *partner);
/* Computing between two calls; NULL: not known. */
const struct work_instances *causes_work(struct causes *causes, const struct caller *from,
                                         const struct caller *to);
struct pair_waits causes_pairs(const struct causes *causes);
/* NULL: not requested, or nothing was recorded. */
const struct critical_path *causes_path(const struct causes *causes);
/* The same; the caller frees it. */
struct critical_path *causes_take_path(struct causes *causes);
/* The number of replayed calls of all kinds. */
uint64_t causes_calls(const struct causes *causes);
void causes_free(struct causes *causes);

#endif
