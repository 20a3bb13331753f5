/* What sessions that analyse a trace together (model/session_peers.h) exchange for their rules (engine/rule_owners.h): distinct calls, places, the rows
 * that the leader evaluates, counts, metrics and findings.
 *
 *	shared_places_number(session, places);                    all, before the first row
 *	shared_rows_finish(&taker);                              all, at the end of the rows
 *	shared_findings_take(peers, analysis);          all: then the leader has the findings of all
 */
#ifndef TARRY_ANALYSIS_ENGINE_SHARED_RULES_H
#define TARRY_ANALYSIS_ENGINE_SHARED_RULES_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/rule_owners.h"
#include "analysis/engine/rule_symbols.h"
#include "analysis/model/session.h"

/* Sends the distinct calls of the own ranks to the leader. */
void shared_calls_take(struct analysis_session *session);

/* Gives places the same numbers in all sessions, so that sums by place can be combined. Before the first use of the places. */
void shared_places_number(struct analysis_session *session, struct places *places);

/* Adds the chosen rows, which operators of the leader need. */
void shared_rows_pack(struct text *out, const struct row_block *block, const bool *is_chosen);

struct shared_rows_taker {
	struct analysis_session *session;
	struct rule_symbols *symbols;
	struct engine *engine;
	struct rule_partitions *partitions;
};
/* Finishes all batches, and passes the rows of other sessions to those of the leader. */
void shared_rows_finish(const struct shared_rows_taker *taker);

/* Adds the counts of all sessions. */
void shared_counts_take(struct session_peers *peers, struct replay_counts *counts);
/* Adds the metrics of all sessions; the leader also gets the findings of the others. False: the data of the
 * sessions are inconsistent. */
bool shared_findings_take(struct session_peers *peers, struct analysis *analysis);

#endif
