/* Needs between calls, from the rows of the model: one list for all kinds of operations.
 *
 *	struct need_reader needs = {.nodes = nodes, .context = mine, .add = add_need};
 *	needs_want(&sink);
 *	needs_read(&needs, block);                  calls add_need for each
 *	needs_release(&needs);
 *
 * A need means that some calls cannot end before others have arrived. It holds even if no process waited: a
 * late process would have waited if it had arrived earlier. Rows with invalid times are skipped. */
#ifndef TARRY_ANALYSIS_MODEL_NEEDED_CALLS_H
#define TARRY_ANALYSIS_MODEL_NEEDED_CALLS_H

#include "analysis/model/processes.h"
#include "analysis/relations/row_sink.h"
#include "analysis/relations/rows.h"
#include "base/array.h"

/* Larger times come from a damaged trace and could overflow: such rows are skipped. */
#define TIME_MAX ((int64_t)1 << 58)

static inline bool has_time(const struct occurrence *call)
{
	return call->start > -TIME_MAX && call->start <= call->end && call->end < TIME_MAX;
}

struct needed_call {
	const struct occurrence *call;
	int64_t moment;                       /* the need is satisfied from then on: its start, or its end */
	int64_t until;                        /* its thread takes no part after that; INT64_MAX: unknown */
	bool is_receiver;                     /* needed by a send: see `met` */
	const struct call_semantics *message; /* send of the message, either side; NULL: another need */
	bool is_any; /* a send to a wildcard receive, which would have taken it earlier */
};

struct waiting_call {
	const struct occurrence *call;
	int64_t since;   /* it can wait from then on: its start, or the arrival of other needs */
	int64_t met;     /* the same for receivers */
	uint32_t needed; /* the number of needed calls, from the first */
};

enum need_kind {
	NEED_CALLS,
	NEED_COLLECTIVE, /* of a collective operation: the last arrival counts */
	NEED_LEFT_EARLY, /* the same; other members left before all had arrived */
	NEED_PROGRESS,   /* of a non-blocking one: it progresses at the latest in the completing call */
	NEED_PARTITIONS, /* partitions of a message, at the end of the wait: arrivals are unknown */
};

struct call_need {
	enum need_kind kind;
	const struct needed_call *needed;
	const struct waiting_call *waits;
	uint32_t needed_count, wait_count;
	uint64_t instance; /* of a blocking operation in which all wait for all; 0: other operations */
};

struct need_reader {
	const struct nodes *nodes; /* for the eager limits */
	void *context;
	void (*add)(void *context, const struct call_need *need);
	int64_t least_ns; /* messages that cannot cause such long waits are skipped */
	/* Internal. */
	ARRAY(struct needed_call) needed;
	ARRAY(struct waiting_call) waits;
};

void needs_want(struct row_sink *sink);
void needs_read(struct need_reader *reader, const struct row_block *block);
void needs_release(struct need_reader *reader);

#endif
