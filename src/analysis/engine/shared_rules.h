/* What sessions that analyse a trace together (model/session_peers.h) exchange for their rules (engine/rule_owners.h): distinct calls, the rows that the
 * leader evaluates, counts, metrics and findings.
 *
 *	shared_rows_pack(&pass->rows, partitions, batch, block);   not the leader
 *	shared_rows_finish(peers, &pass->rows, &taker);            all, at the end of the rows
 *	shared_findings_take(peers, symbols, analysis);          all: then the leader has the findings of all
 */
#ifndef TARRY_ANALYSIS_ENGINE_SHARED_RULES_H
#define TARRY_ANALYSIS_ENGINE_SHARED_RULES_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/rule_owners.h"
#include "analysis/engine/rule_symbols.h"
#include "analysis/model/session.h"

/* Sends the distinct calls of the own ranks to the leader. */
void shared_calls_take(struct analysis_session *session);

/* Adds the rows that operators of the leader need. */
void shared_rows_pack(struct text *out, const struct rule_partitions *partitions, const struct batch *batch,
                      const struct row_block *block);

struct shared_rows_taker {
	struct analysis_session *session;
	struct rule_symbols *symbols;
	struct engine *engine;
	struct rule_partitions *partitions;
};
/* Passes the rows of other sessions to the leader's batches, and finishes all batches. Releases `mine`. */
void shared_rows_finish(struct text *mine, const struct shared_rows_taker *taker);

/* Adds the counts of all sessions. */
void shared_counts_take(struct session_peers *peers, struct replay_counts *counts);
/* Adds the metrics of all sessions; the leader also gets the findings of the others. False: the data of the
 * sessions are inconsistent. */
bool shared_findings_take(struct session_peers *peers, struct rule_symbols *symbols,
                          struct analysis *analysis);

#endif
