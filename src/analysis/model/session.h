/* The analysis of one trace: facts shared by all passes, each computed once.
 *
 *	struct analysis_session *session = session_new(reader);
 *	session_correct_time(session);                 for exact times; otherwise only by clock comparisons
 *	relate(session, &sink, &counts);
 *	session_free(session);
 *
 * Communicators depend only on the trace. Nodes with their eager limits, the parts of processes that
 * count as the run, and delays also depend on times: session_correct_time() frees them and
 * invalidates pointers to them.
 *
 * The table of passes that fill a session, with their inputs and outputs, is in engine/analysis.c. */
#ifndef TARRY_ANALYSIS_MODEL_SESSION_H
#define TARRY_ANALYSIS_MODEL_SESSION_H

#include "analysis/model/call_semantics.h"
#include "analysis/model/logical_clock.h"
#include "analysis/model/processes.h"
#include "analysis/model/remote_facts.h"

/* How much time between calls does not count as work. */
struct work_limits {
	int64_t gap_ns; /* from one call to the next */
	double part;    /* of the time in the calls */
};

/* Parameters of the rules that the model, causes and predictions use as well. */
struct shared_parameters {
	int64_t eps_ns;             /* shorter waits are noise */
	struct work_limits polls;   /* unsuccessful tests are a wait, unless the process works between them */
	struct work_limits repeats; /* for `repeated` of `site` */
	double longest_part;        /* of the calls, for `longest` of `site` */
};

struct analysis_session {
	struct reader *reader;
	struct rank_range owned;     /* the ranks that it replays: all, unless other sessions own some */
	struct session_peers *peers; /* owners of the other ranks; NULL: none */
	struct remote_facts *facts;  /* about other ranks */
	bool has_origin;             /* otherwise each replay finds it: */
	int64_t origin;              /* the first start of all ranks, the origin of the times in rows */
	struct corrected_time *time;
	struct comm_table *comms;
	struct nodes *nodes;                 /* with eager limits */
	struct propagated_delays *delays;    /* NULL: there are none, or nobody asked */
	struct run_spans *run;               /* NULL: nobody asked yet; see session_run_spans() */
	struct shared_parameters parameters; /* set when rules are compiled (engine/analysis.c) */
	bool splits_sinks; /* sinks that follow calls run in threads of their own (model/sink_thread.h) */
	/* Now and then during a pass, with a part from 0 to 1. May be NULL. */
	void (*progress)(double part);
};

static inline bool poll_is_idle(const struct analysis_session *session, int64_t between_ns, int64_t busy_ns,
                                uint64_t polls)
{
	const struct work_limits *limits = &session->parameters.polls;

	return (double)between_ns <= limits->part * (double)busy_ns ||
	       (double)between_ns <= (double)limits->gap_ns * (double)polls;
}

/* Must not outlive the reader. */
struct analysis_session *session_new(struct reader *reader);
static inline bool session_owns(const struct analysis_session *session, uint32_t process)
{
	return process >= session->owned.first && process < session->owned.end;
}

static inline uint32_t session_owned_count(const struct analysis_session *session)
{
	return session->owned.end - session->owned.first;
}

/* It owns a part of the ranks, and its peers own the others. */
void session_share(struct analysis_session *session, struct session_peers *peers);

/* From now on it owns all ranks, and keeps its facts. */
void session_unshare(struct analysis_session *session);
/* True if sessions can exchange all facts that this trace needs, as far as its own ranks show
 * (model/remote_facts.h). */
bool session_is_shareable(const struct analysis_session *session);

/* Takes several replays if an effect preceded its cause, otherwise one. */
void session_correct_time(struct analysis_session *session);
/* The part of each process that counts as the run. */
const struct run_spans *session_run_spans(struct analysis_session *session);
void session_free(struct analysis_session *session);

#endif
