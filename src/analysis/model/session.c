#include "analysis/model/session.h"

#include "analysis/model/propagated_delay.h"
#include "analysis/model/run_spans.h"
#include "base/memory.h"

#include <stdlib.h>

struct analysis_session *session_new(struct reader *reader)
{
	struct analysis_session *session = memory_new(1, sizeof *session);

	session->reader = reader;
	session->owned.end = (uint32_t)reader->process_count;
	session->time = corrected_time_by_clocks(reader);
	session->comms = comm_table_new(reader);
	session->nodes = nodes_new(reader);
	return session;
}

void session_share(struct analysis_session *session, struct session_peers *peers)
{
	session->peers = peers;
	session->owned = peers_range(peers, session->reader->process_count, peers->own);
}

void session_unshare(struct analysis_session *session)
{
	remote_facts_free(session->facts, session->peers);
	session->facts = NULL;
	session->peers = NULL;
	session->owned = (struct rank_range){0, (uint32_t)session->reader->process_count};
}

static void forget_times(struct analysis_session *session)
{
	corrected_time_free(session->time);
	propagated_delays_free(session->delays);
	run_spans_free(session->run);
	nodes_free(session->nodes);
	session->delays = NULL;
	session->run = NULL;
}

void session_correct_time(struct analysis_session *session)
{
	forget_times(session);
	session->time = corrected_time_by_clocks(session->reader);
	session->nodes = nodes_new(session->reader);
	correct_time(session);
}

const struct run_spans *session_run_spans(struct analysis_session *session)
{
	if (!session->run)
		session->run = run_spans_new(session->reader, session->time, session->peers);
	return session->run;
}

void session_free(struct analysis_session *session)
{
	if (!session)
		return;
	forget_times(session);
	remote_facts_free(session->facts, session->peers);
	comm_table_free(session->comms);
	free(session);
}
