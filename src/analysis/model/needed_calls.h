/* Who waits for whom, read from the rows of the model: one list for all kinds of operations.
 *
 *	struct need_reader needs = {.nodes = nodes, .context = mine, .add = add_need};
 *	needs_want(&sink);
 *	needs_read(&needs, block);                  calls add_need for each
 *	needs_release(&needs);
 *
 * A need says that some calls cannot end before other ones have come. It holds whether anybody waited or not: who came late
 * itself would have waited, had it come earlier. Rows whose times make no sense are passed over. */
#ifndef TARRY_ANALYSIS_MODEL_NEEDED_CALLS_H
#define TARRY_ANALYSIS_MODEL_NEEDED_CALLS_H

#include "analysis/model/processes.h"
#include "analysis/relations/row_sink.h"
#include "analysis/relations/rows.h"
#include "base/array.h"

/* Times of a trace of nonsense would be too large to add and subtract: what has such ones is passed over. */
#define TIME_MOST ((int64_t)1 << 58)

static inline bool has_time(const struct occurrence *call)
{
	return call->start > -TIME_MOST && call->start <= call->end && call->end < TIME_MOST;
}

struct needed_call {
	const struct occurrence *call;
	int64_t moment;   /* from which on nobody waits for it: its start, or its end */
	int64_t until;    /* after that, its thread has no more part in it; INT64_MAX: that is not known */
	bool is_receiver; /* that a send needs: see `met` */
	const struct call_semantics *message; /* the send of the message, either side; NULL: another need */
	bool is_any; /* a send to a receive from anybody, which would have taken it earlier had it come so */
};

struct waiting_call {
	const struct occurrence *call;
	int64_t since;   /* from when on it can wait for them: its start, or when other things had come */
	int64_t met;     /* the same for receivers */
	uint32_t needed; /* the first so many of the needed calls */
};

enum need_kind {
	NEED_CALLS,
	NEED_COLLECTIVE, /* of a collective operation: whoever comes last */
	NEED_LEFT_EARLY, /* likewise; others of it left before all had come */
	NEED_PROGRESS, /* of one that does not block: who has begun it moves it in the call that completes it, if not before */
	NEED_PARTITIONS, /* partitions of a message, by the end of the wait: when each came is not known */
};

struct call_need {
	enum need_kind kind;
	const struct needed_call *needed;
	const struct waiting_call *waits;
	uint32_t needed_count, wait_count;
	uint64_t instance; /* of a blocking operation in which all wait for all; 0: another */
};

struct need_reader {
	const struct nodes *nodes; /* for the eager limits */
	void *context;
	void (*add)(void *context, const struct call_need *need);
	int64_t least_ns; /* messages are passed over whose waits cannot be as long */
	/* Internal. */
	ARRAY(struct needed_call) needed;
	ARRAY(struct waiting_call) waits;
};

void needs_want(struct row_sink *sink);
void needs_read(struct need_reader *reader, const struct row_block *block);
void needs_release(struct need_reader *reader);

#endif
