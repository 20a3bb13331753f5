/* Rules in sessions that analyse a trace together (model/session_peers.h). Each session evaluates the rules that put together rows of one rank for its own
 * ranks. Rules that compare ranks are evaluated by the leader: it has all collective calls anyway, and gets the sums of calls (`site`, `call_pair`) of all
 * ranks.
 *
 *	if (!rules_divide(partitions, peers)) …                  one session has to do it all
 *	shared_rows_pack(&pass->rows, partitions, batch, block);   not the leader
 *	shared_rows_finish(peers, &pass->rows, &taker);            all, at the end of the rows
 *	shared_findings_take(peers, symbols, analysis);          all: then the leader has the findings of all */
#ifndef TARRY_ANALYSIS_ENGINE_SHARED_RULES_H
#define TARRY_ANALYSIS_ENGINE_SHARED_RULES_H

#include "analysis/engine/analysis.h"
#include "analysis/engine/partitions.h"
#include "analysis/engine/rule_symbols.h"
#include "analysis/model/session.h"

/* The leader alone has rows of this relation. */
bool relation_is_only_leaders(enum relation relation);
/* It gets those of other sessions, too. */
bool relation_is_sent(enum relation relation);
/* Which operators put together rows of one rank. False: a rule compares ranks by rows that the leader does not have. */
bool rules_divide(struct rule_partitions *partitions, const struct session_peers *peers);

/* Distinct calls of the own ranks, for the leader. */
void shared_calls_take(struct analysis_session *session);

/* Those that operators of the leader get. */
void shared_rows_pack(struct text *out, const struct rule_partitions *partitions, const struct batch *batch,
                      const struct row_block *block);

struct shared_rows_taker {
	struct analysis_session *session;
	struct rule_symbols *symbols;
	struct engine *engine;
	struct rule_partitions *partitions;
};
/* Hands rows of others to the leader's batches, and finishes all batches. Releases `mine`. */
void shared_rows_finish(struct text *mine, const struct shared_rows_taker *taker);

/* Counts become those of all sessions. */
void shared_counts_take(struct session_peers *peers, struct replay_counts *counts);
/* Metrics become those of all sessions; the leader also gets the findings of the others. False: they do not fit together. */
bool shared_findings_take(struct session_peers *peers, struct rule_symbols *symbols,
                          struct analysis *analysis);

#endif
