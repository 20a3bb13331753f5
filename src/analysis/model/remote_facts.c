#include "analysis/model/remote_facts.h"

#include "analysis/model/operation.h"

void remote_facts_tell(const struct replay *replay, enum remote_fact_kind kind, const struct occurrence *by,
                       uint32_t peer, struct rank_fact fact)
{
	const struct remote_facts *facts = replay->session->facts;

	if (!facts || (peer != NO_PROCESS && session_owns(replay->session, peer)))
		return;
	fact.kind = kind;
	if (by) {
		fact.thread = by->thread;
		fact.start = by->start + replay->origin;
		fact.end = by->end + replay->origin;
		fact.position = by->position;
	}
	facts->tell(facts->context, &fact);
}

static void take(struct replay *replay, const struct rank_fact *fact)
{
	struct replay_process *proc = &replay->processes[fact->process];
	struct replay_operation operation = {.collective = NO_COLLECTIVE};
	struct occurrence by = {.start = fact->start - replay->origin,
	                        .end = fact->end - replay->origin,
	                        .position = fact->position,
	                        .thread = fact->thread};
	struct match *match;

	if (fact->kind == REMOTE_ENDED) {
		end_process(replay, proc);
		return;
	}
	operation.semantics = semantics_of(&proc->semantics_table, replay->comms, fact->process, fact->call);
	by.semantics = operation.semantics;
	if (fact->kind == REMOTE_SENT) {
		match = send_message(replay, proc, operation.semantics, &by);
		if (match)
			match_done(replay, match, MATCH_SEND_DONE);
	} else if (fact->kind == REMOTE_POSTED) {
		match = post_receive(replay, find_queue(replay, operation.semantics, fact->source, fact->tag),
		                     &by);
		match_done(replay, match, MATCH_RECEIVE_DONE);
	} else {
		meet(replay, &operation, &by);
		if (operation.collective != NO_COLLECTIVE)
			collective_leave(&replay->collectives, operation.collective);
	}
}

bool remote_facts_take(struct replay *replay)
{
	const struct remote_facts *facts = replay->session->facts;
	struct rank_fact fact;
	bool any = false;

	while (facts && !replay->ready.count && facts->next(facts->context, &fact)) {
		take(replay, &fact);
		any = true;
	}
	return any;
}
