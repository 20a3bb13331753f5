#include "analysis/model/remote_facts.h"

#include "analysis/model/operation.h"
#include "analysis/model/relations.h"
#include "base/memory.h"
#include "trace/call_copy.h"

#include <stdlib.h>

/* Telling */

enum { IS_CALL, IS_FACT };

static void define_call(struct remote_facts *facts, const struct process *process, uint32_t number,
                        uint32_t call, uint32_t peer)
{
	uint32_t *known = map_put(&facts->defined, map_key((uint64_t)peer << 32 | number, call));
	const uint8_t kind = IS_CALL;

	if (*known == 1)
		return;
	*known = 1;
	PACK(&facts->out[peer], kind);
	PACK(&facts->out[peer], number);
	call_pack(process, process->calls.items[call], &facts->out[peer]);
}

static void tell_peer(const struct replay *replay, const struct rank_fact *fact, uint32_t peer)
{
	const struct process *process = &replay->reader->processes[fact->process];
	struct remote_facts *facts = replay->session->facts;
	const uint8_t kind = IS_FACT;

	if (peer == replay->session->peers->own)
		return;
	define_call(facts, process, fact->process, fact->call, peer);
	if (fact->starter != NO_STARTER)
		define_call(facts, process, fact->process, fact->starter, peer);
	PACK(&facts->out[peer], kind);
	PACK(&facts->out[peer], *fact);
}

void remote_facts_tell(const struct replay *replay, enum remote_fact_kind kind, const struct occurrence *by,
                       uint32_t peer, struct rank_fact fact)
{
	const struct analysis_session *session = replay->session;

	if (!session->facts || session->facts->is_scan == (kind == REMOTE_LEFT) ||
	    !session_owns(session, fact.process) || (peer != NO_PROCESS && session_owns(session, peer)))
		return;
	fact.kind = kind;
	fact.thread = by->thread;
	fact.start = by->start + replay->origin;
	fact.end = by->end + replay->origin;
	fact.position = by->position;
	if (peer != NO_PROCESS) {
		tell_peer(replay, &fact, peers_owner(session->peers, replay->process_count, peer));
		return;
	}
	for (uint32_t i = 0; i < session->peers->count; i++)
		tell_peer(replay, &fact, i);
}

/* Taking */

static bool unpack_fact(struct reader *reader, struct cursor *in, struct rank_fact *fact)
{
	uint8_t kind = IS_CALL;
	uint32_t process;

	while (UNPACK(in, &kind) && kind == IS_CALL)
		if (!UNPACK(in, &process) || process >= reader->process_count ||
		    !call_unpack(&reader->processes[process], in))
			return false;
	return kind == IS_FACT && !in->bad && UNPACK(in, fact) && fact->process < reader->process_count;
}

static int by_moment(const void *left, const void *right)
{
	const struct rank_fact *a = left, *b = right;

	if (a->moment != b->moment)
		return a->moment < b->moment ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Exchanges what was told. */
static void exchange_facts(struct analysis_session *session, struct rank_facts *list)
{
	struct session_peers *peers = session->peers;
	struct text *in = peers_exchange(peers, session->facts->out);
	struct rank_fact fact;

	session->facts->out = peers_blocks(peers);
	list->count = 0;
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor at = unpack_begin(&in[i]);
		while (unpack_fact(session->reader, &at, &fact))
			array_add(list, fact);
	}
	peers_free_blocks(peers, in);
	peers->facts += list->count;
}

static void sort_facts(const struct analysis_session *session, struct rank_facts *list)
{
	int64_t *latest = memory_new(session->reader->process_count + 1, sizeof *latest);

	for (size_t i = 0; i < session->reader->process_count; i++)
		latest[i] = INT64_MIN;
	for (size_t i = 0; i < list->count; i++) {
		struct rank_fact *fact = &list->items[i];
		if (fact->start > latest[fact->process])
			latest[fact->process] = fact->start;
		fact->moment = latest[fact->process];
		fact->number = i;
	}
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_moment);
	free(latest);
}

static struct row_block *no_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	(void)context, (void)first;
	return block;
}

void remote_facts_gather(struct analysis_session *session)
{
	struct remote_facts *facts = memory_new(1, sizeof *facts);
	struct row_sink sink = {.rows = no_rows};
	struct replay_counts counts;

	facts->out = peers_blocks(session->peers);
	facts->is_scan = true;
	session->facts = facts;
	relate(session, &sink, &counts);
	session->origin = counts.events ? counts.start_ns : INT64_MAX;
	peers_combine(session->peers, PEERS_MIN, &session->origin, 1);
	session->has_origin = true;
	exchange_facts(session, &facts->known);
	sort_facts(session, &facts->known);
	facts->is_scan = false;
}

void remote_facts_free(struct remote_facts *facts, const struct session_peers *peers)
{
	if (!facts)
		return;
	peers_free_blocks(peers, facts->out);
	map_release(&facts->defined);
	array_release(&facts->known);
	array_release(&facts->left);
	free(facts);
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
                  const struct occurrence *by)
{
	struct replay_operation operation = {.semantics = semantics, .collective = NO_COLLECTIVE};

	if (semantics->does & CALL_PREPARES)
		operation.member = remote_operation(replay, fact)->member;
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

static struct call_semantics *semantics_at(struct replay *replay, uint32_t process, uint32_t call)
{
	return semantics_of(&replay->processes[process].semantics_table, replay->comms, process,
	                    replay->reader->processes[process].calls.items[call]);
}

/* What was prepared begins where it is started. */
static struct call_semantics *beginning(struct replay *replay, const struct rank_fact *fact,
                                        struct call_semantics *semantics)
{
	const struct call *const *calls = replay->reader->processes[fact->process].calls.items;

	if (fact->starter == NO_STARTER)
		return semantics;
	return started_semantics(replay, semantics, fact->starter,
	                         call_started(&replay->reader->processes[fact->process], semantics->call,
	                                      calls[fact->starter]));
}

static void take(struct replay *replay, const struct rank_fact *fact)
{
	struct replay_process *proc = &replay->processes[fact->process];
	struct call_semantics *semantics = semantics_at(replay, fact->process, fact->call);
	struct occurrence by = {.semantics = beginning(replay, fact, semantics),
	                        .start = fact->start - replay->origin,
	                        .end = fact->end - replay->origin,
	                        .position = fact->position,
	                        .thread = fact->thread};
	uint64_t unmatched = replay->counts->unmatched_sends;
	struct match *match;

	switch (fact->kind) {
	case REMOTE_SENT:
		match = send_message(replay, proc, semantics, &by);
		replay->counts->unmatched_sends = unmatched; /* its own session counts it */
		if (match)
			match_done(replay, match, MATCH_SEND_DONE);
		break;
	case REMOTE_POSTED:
		match = post_receive(replay, find_queue(replay, semantics, fact->source, fact->tag), &by);
		match_done(replay, match, MATCH_RECEIVE_DONE);
		break;
	case REMOTE_PREPARED:
		prepare(replay, fact, semantics);
		break;
	case REMOTE_ENTERED:
		enter(replay, fact, semantics, &by);
		break;
	case REMOTE_LEFT:
		leave(replay, fact, &by);
		break;
	}
}

/* Ranks of other sessions do nothing that this session does not know. */
static void end_remote_processes(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->process_count; i++)
		if (replay->processes[i].state == PROCESS_REMOTE)
			end_process(replay, &replay->processes[i]);
}

void remote_facts_begin(struct replay *replay)
{
	struct remote_facts *facts = replay->session->facts;

	if (!facts)
		return;
	facts->taken = 0;
	facts->is_over = facts->is_scan;
	if (facts->is_scan)
		end_remote_processes(replay);
}

/* All sessions come here once in a replay. */
static void take_last(struct replay *replay)
{
	struct remote_facts *facts = replay->session->facts;

	facts->is_over = true;
	end_remote_processes(replay);
	exchange_facts(replay->session, &facts->left);
	for (size_t i = 0; i < facts->left.count; i++)
		take(replay, &facts->left.items[i]);
}

bool remote_facts_take(struct replay *replay)
{
	struct remote_facts *facts = replay->session->facts;

	if (!facts || facts->is_over)
		return false;
	while (!replay->ready.count && facts->taken < facts->known.count)
		take(replay, &facts->known.items[facts->taken++]);
	if (!replay->ready.count)
		end_remote_processes(replay);
	if (!replay->ready.count)
		take_last(replay);
	return true;
}
