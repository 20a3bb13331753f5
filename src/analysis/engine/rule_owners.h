/* Which of several sessions that analyse a trace together (model/session_peers.h) evaluates a rule. Rules that combine rows of one rank are evaluated by
 * the session that owns the rank. Rules that compare ranks are evaluated by the leader: it has all collective calls anyway, and gets the sums of calls
 * (`site`, `call_pair`) of all ranks.
 *
 *	if (!rules_divide(partitions, peers)) …                  one session must evaluate everything
 */
#ifndef TARRY_ANALYSIS_ENGINE_RULE_OWNERS_H
#define TARRY_ANALYSIS_ENGINE_RULE_OWNERS_H

#include "analysis/engine/partitions.h"
#include "analysis/model/session_peers.h"

/* True if only the leader has rows of this relation. */
bool relation_is_only_leaders(enum relation relation);
/* True if the leader gets the rows of other sessions. */
bool relation_is_sent(enum relation relation);
/* Determines the operators that combine rows of one rank. False: a rule compares ranks by rows that the
 * leader does not have. */
bool rules_divide(struct rule_partitions *partitions, const struct session_peers *peers);

#endif
