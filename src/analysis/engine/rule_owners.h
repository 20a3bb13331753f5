/* Which of several sessions that analyse a trace together (model/session_peers.h) evaluates an operator of the rules (engine/stateful.h):
 *
 *	each session, if it combines rows of one rank: the session that owns the rank. The rows may be joined with rows that all sessions have;
 *	all sessions together, if it is a group of rows of many ranks, and the results of sessions can be combined. Each session groups the rows of its
 *		ranks, then all exchange the states of their groups, and all get the same results;
 *	all sessions, if it combines only rows that all have. The results are the same in all sessions;
 *	the leader, in all other cases. It has all collective calls anyway, and gets the sums of calls (`site`, `call_pair`) of all ranks.
 *
 *	if (!rules_divide(partitions, peers)) …                  one session must evaluate everything
 */
#ifndef TARRY_ANALYSIS_ENGINE_RULE_OWNERS_H
#define TARRY_ANALYSIS_ENGINE_RULE_OWNERS_H

#include "analysis/engine/partitions.h"
#include "analysis/engine/stateful.h"
#include "analysis/model/session_peers.h"

/* True if only the leader has rows of this relation. */
bool relation_is_only_leaders(enum relation relation);
/* True if the leader gets the rows of other sessions. */
bool relation_is_sent(enum relation relation);
/* Determines the owners of all operators. False: a rule compares ranks by rows that the leader does not
 * have. */
bool rules_divide(struct rule_partitions *partitions, struct session_peers *peers);
/* True if another session evaluates the rules about these rows, or the operator of the port. */
bool rules_are_elsewhere(const struct table *table);
bool port_is_elsewhere(const struct port *port);
/* If the leader has the operator: chooses the rows of the present block that it needs. */
void port_choose(struct port *port);
/* Of an operator that sessions evaluate together, before its results: combines the groups of all sessions. */
void rules_combine(struct stateful *stateful);

#endif
