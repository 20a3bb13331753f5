/* Why processes wait: where the late process was instead.
 *
 *	struct causes *causes = causes_new(session, &(struct causes_options){.eps_ns = 1000});
 *	struct cause_list list = causes_of(causes, finding->at.process, finding->at.call, finding->partner.call);
 *	for (size_t i = 0; i < list.count; i++)
 *		show(&list.items[i]);
 *	free(list.items);
 *	causes_free(causes);
 *
 * One replay of the trace, apart from that of the rules (docs/causes.md). It keeps the last calls of each thread and asks of each wait
 * what the late process did more than the waiting one since both were in step. Waits of the late process count as
 * what caused them, so that every cause is the end of its chain. The causes of a wait add up to the wait.
 *
 * Memory is bounded, whatever the number of calls: what no longer fits is CAUSE_OTHER or CAUSE_UNKNOWN. */
#ifndef TARRY_ANALYSIS_CAUSES_CAUSES_H
#define TARRY_ANALYSIS_CAUSES_CAUSES_H

#include "analysis/causes/critical_path.h"
#include "analysis/model/propagated_delay.h"
#include "analysis/model/relations.h"
#include "analysis/model/run_spans.h"

struct causes_options {
	struct symbols *source; /* that knows layers around MPI; NULL: there are none */
	bool finds_path;        /* the critical path is wanted */
	uint32_t path_nodes;    /* that it may take; 0: as many as there is memory for */
	int64_t eps_ns;         /* shorter waits are noise */
};

struct wait_cause {
	enum cause_kind kind;
	uint32_t process;       /* that was there; NO_PROCESS: several, or not known */
	struct caller from, to; /* computing: the calls before and behind; in a call: `to` */
	const char *region;     /* the user's innermost of the time between the calls; NULL: none */
	int64_t own_ns,
		mean_ns; /* computing: of this process at this place in the whole run, and the mean of those that come there */
	uint64_t instances; /* waits in which it had a part */
	int64_t total_ns;
	int64_t in_vain_ns; /* of it, in tests that found nothing */
};

/* The largest first. */
struct cause_list {
	struct wait_cause *items; /* of the caller, with free() */
	size_t count;
	int64_t total_ns; /* of the waits: what the causes add up to */
};

/* How long one process waited for another, in all. */
struct pair_wait {
	uint32_t waiting, late;
	int64_t ns;
};

struct pair_waits {
	const struct pair_wait *items; /* in no order; of the causes */
	size_t count;
	int64_t left_out_ns; /* of pairs that there was no room for */
};

struct causes *causes_new(struct analysis_session *session, const struct causes_options *options);
/* Of the waits of a process in calls from the place of `wait`, for calls from the place of `partner`; NULL, or if there are no such
 * waits: for any calls. */
struct cause_list causes_of(struct causes *causes, uint32_t process, const struct call *wait,
                            uint32_t partner_process, const struct call *partner);
struct pair_waits causes_pairs(const struct causes *causes);
/* NULL: it was not wanted, or nothing was recorded. */
const struct critical_path *causes_path(const struct causes *causes);
/* The same, for the caller to free. */
struct critical_path *causes_take_path(struct causes *causes);
/* Calls that were gone through, of all kinds. */
uint64_t causes_calls(const struct causes *causes);
void causes_free(struct causes *causes);

#endif
