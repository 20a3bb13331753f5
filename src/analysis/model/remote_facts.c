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

/* A collective call of another session's process that has a request. */
static struct replay_operation *remote_operation(struct replay *replay, const struct rank_fact *fact)
{
	uint32_t *number = map_put(&replay->remote_numbers, map_key(fact->process, (uint32_t)fact->request));

	if (*number == MAP_NONE) {
		*number = (uint32_t)replay->remote.count;
		array_add(&replay->remote, ((struct replay_operation){.collective = NO_COLLECTIVE}));
	}
	return &replay->remote.items[*number];
}

static void prepare(struct replay *replay, const struct rank_fact *fact, struct call_semantics *semantics)
{
	*remote_operation(replay, fact) = (struct replay_operation){
		.semantics = semantics,
		.collective = NO_COLLECTIVE,
		.member = collective_prepare(&replay->collectives, semantics->kind->own_comm, fact->process)};
}

static void enter(struct replay *replay, const struct rank_fact *fact, struct call_semantics *semantics,
                  struct occurrence *by)
{
	struct replay_operation operation = {.semantics = semantics, .collective = NO_COLLECTIVE};

	if (semantics->does & CALL_PREPARES)
		operation.member = remote_operation(replay, fact)->member;
	if (fact->started)
		by->semantics = started_semantics(replay, semantics, fact->started->id, fact->started);
	meet(replay, &operation, by);
	if (fact->request >= 0)
		*remote_operation(replay, fact) = operation;
	else if (operation.collective != NO_COLLECTIVE)
		collective_leave(&replay->collectives, operation.collective);
}

static void leave(struct replay *replay, const struct rank_fact *fact, const struct occurrence *wait)
{
	struct replay_operation *operation = remote_operation(replay, fact);
	struct collective *collective;

	if (operation->collective == NO_COLLECTIVE)
		return;
	collective = &replay->collectives.items[operation->collective];
	if (replay->collectives.over) {
		collective->participants[operation->participant].wait = *wait;
		collective->participants[operation->participant].since = fact->since - replay->origin;
	}
	collective_leave(&replay->collectives, operation->collective);
	operation->collective = NO_COLLECTIVE;
}

static void take(struct replay *replay, const struct rank_fact *fact)
{
	struct replay_process *proc = &replay->processes[fact->process];
	struct call_semantics *semantics;
	struct occurrence by = {.start = fact->start - replay->origin,
	                        .end = fact->end - replay->origin,
	                        .position = fact->position,
	                        .thread = fact->thread};
	struct match *match;

	if (fact->kind == REMOTE_ENDED) {
		end_process(replay, proc);
		return;
	}
	semantics = semantics_of(&proc->semantics_table, replay->comms, fact->process, fact->call);
	by.semantics = semantics;
	if (fact->kind == REMOTE_SENT) {
		match = send_message(replay, proc, semantics, &by);
		if (match)
			match_done(replay, match, MATCH_SEND_DONE);
	} else if (fact->kind == REMOTE_POSTED) {
		match = post_receive(replay, find_queue(replay, semantics, fact->source, fact->tag), &by);
		match_done(replay, match, MATCH_RECEIVE_DONE);
	} else if (fact->kind == REMOTE_PREPARED) {
		prepare(replay, fact, semantics);
	} else if (fact->kind == REMOTE_ENTERED) {
		enter(replay, fact, semantics, &by);
	} else {
		leave(replay, fact, &by);
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
