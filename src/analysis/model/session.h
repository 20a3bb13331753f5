/* One trace under analysis: the facts that all passes share, each made once.
 *
 *	struct analysis_session *session = session_new(reader);
 *	session_correct_time(session);                 for exact times; without it they come from comparisons of clocks
 *	relate(session, &sink, &counts);
 *	session_free(session);
 *
 * Communicators follow from the trace alone. Nodes with their eager limits, the parts of processes that count as the run, and delays
 * follow from the times too: session_correct_time() frees them, and pointers to them end there.
 *
 * The passes that fill a session, with what each needs and provides, are a table in engine/analysis.c. */
#ifndef TARRY_ANALYSIS_MODEL_SESSION_H
#define TARRY_ANALYSIS_MODEL_SESSION_H

#include "analysis/model/call_semantics.h"
#include "analysis/model/logical_clock.h"
#include "analysis/model/processes.h"
#include "analysis/model/remote_facts.h"

struct analysis_session {
	struct reader *reader;
	struct rank_range owned;     /* whose calls it replays: all, unless other sessions own some */
	struct session_peers *peers; /* that own the others; NULL: there are none */
	struct remote_facts *facts;  /* about them */
	bool has_origin;             /* otherwise each replay finds it: */
	int64_t origin;              /* the first start of all ranks, which times of rows count from */
	struct corrected_time *time;
	struct comm_table *comms;
	struct nodes *nodes;              /* with eager limits */
	struct propagated_delays *delays; /* NULL: there are none, or nobody asked */
	struct run_spans *run;            /* NULL: nobody asked yet; see session_run_spans() */
	bool has_counted_calls;           /* in the run */
	bool splits_sinks; /* sinks that follow calls run in threads of their own (model/sink_thread.h) */
	/* Now and then during a pass, with a part from 0 to 1. May be NULL. */
	void (*progress)(double part);
};

/* Lives no longer than the reader. */
struct analysis_session *session_new(struct reader *reader);
static inline bool session_owns(const struct analysis_session *session, uint32_t process)
{
	return process >= session->owned.first && process < session->owned.end;
}

/* It owns a part of the ranks, and its peers own the others. */
void session_share(struct analysis_session *session, struct session_peers *peers);

/* From now on it owns all of them, and keeps what it knows. */
void session_unshare(struct analysis_session *session);
/* Whether sessions can pass on all facts that this trace needs, as far as the own ranks tell (model/remote_facts.h). */
bool session_is_shareable(const struct analysis_session *session);

/* Takes several replays if an effect came before its cause, otherwise one. */
void session_correct_time(struct analysis_session *session);
/* The part of each process that counts as the run, with the number of calls if they are to be counted. */
const struct run_spans *session_run_spans(struct analysis_session *session, bool counts_calls);
void session_free(struct analysis_session *session);

#endif
