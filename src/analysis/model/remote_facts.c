#include "analysis/model/remote_facts.h"

#include "analysis/model/operation.h"
#include "analysis/model/relations.h"
#include "base/memory.h"
#include "base/sort_items.h"
#include "trace/call_copy.h"

#include <stdlib.h>
#include <string.h>

/* Sending */

enum { IS_CALL, IS_FACT };

/* All peers. */
#define EVERY_PEER UINT32_MAX

static void define_call(struct remote_facts *facts, const struct process *process, uint32_t number,
                        uint32_t call, uint32_t peer, struct text *out)
{
	uint32_t *known = map_put(&facts->defined, map_key((uint64_t)peer << 32 | number, call));
	const uint8_t kind = IS_CALL;

	if (*known == 1)
		return;
	*known = 1;
	PACK(out, kind);
	PACK(out, number);
	call_pack(NULL, process, process->calls.items[call], out);
}

/* Adds the facts for all peers that this peer does not have yet, so facts about a rank stay in their order. */
static void catch_up(struct remote_facts *facts, uint32_t peer)
{
	size_t copied = facts->copied[peer], length = facts->for_all.length;

	if (copied < length)
		text_add_bytes(&facts->out[peer], facts->for_all.bytes + copied, length - copied);
	facts->copied[peer] = length;
}

static void tell_peer(const struct replay *replay, const struct rank_fact *fact, uint32_t peer)
{
	const struct process *process = &replay->reader->processes[fact->process];
	struct remote_facts *facts = replay->session->facts;
	struct text *out = peer == EVERY_PEER ? &facts->for_all : &facts->out[peer];
	const uint8_t kind = IS_FACT;

	if (peer != EVERY_PEER)
		catch_up(facts, peer);
	define_call(facts, process, fact->process, fact->call, peer, out);
	if (fact->starter != NO_STARTER)
		define_call(facts, process, fact->process, fact->starter, peer, out);
	PACK(out, kind);
	PACK(out, *fact);
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
	tell_peer(replay, &fact,
	          peer == NO_PROCESS ? EVERY_PEER : peers_owner(session->peers, replay->process_count, peer));
}

/* Receiving */

static bool unpack_fact(struct reader *reader, struct cursor *in, struct rank_fact *fact)
{
	uint8_t kind = IS_CALL;
	uint32_t process;

	while (UNPACK(in, &kind) && kind == IS_CALL)
		if (!UNPACK(in, &process) || process >= reader->process_count ||
		    !call_unpack(NULL, &reader->processes[process], in))
			return false;
	return kind == IS_FACT && !in->bad && UNPACK(in, fact) && fact->process < reader->process_count;
}

/* Exchanges the collected facts. */
static void exchange_facts(struct analysis_session *session, struct rank_facts *list)
{
	struct session_peers *peers = session->peers;
	struct remote_facts *facts = session->facts;
	struct rank_fact fact;
	struct text *in;

	for (uint32_t i = 0; i < peers->count; i++)
		if (i != peers->own)
			catch_up(facts, i);
	in = peers_exchange(peers, facts->out);
	facts->out = peers_blocks(peers);
	text_release(&facts->for_all);
	memset(facts->copied, 0, peers->count * sizeof *facts->copied);
	list->count = 0;
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor at = unpack_begin(&in[i]);
		while (unpack_fact(session->reader, &at, &fact))
			array_add(list, fact);
	}
	peers_free_blocks(peers, in);
	peers->facts += list->count;
}

/* Facts are applied at about the time they are needed, and those of a rank in order. */
static void sort_facts(const struct analysis_session *session, struct rank_facts *list)
{
	const size_t count = list->count;
	struct sort_item *moments = memory_new(2 * count + 1, sizeof *moments);
	int64_t *latest = memory_new(session->reader->process_count + 1, sizeof *latest);
	struct rank_facts sorted = {0};

	for (size_t i = 0; i < session->reader->process_count; i++)
		latest[i] = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		const struct rank_fact *fact = &list->items[i];
		if (fact->start > latest[fact->process])
			latest[fact->process] = fact->start;
		moments[i] = (struct sort_item){sort_number_of_integer(latest[fact->process]), i};
	}
	sort_items(moments, moments + count, count);
	array_extend(&sorted, count);
	for (size_t i = 0; i < count; i++)
		sorted.items[i] = list->items[moments[i].what];
	array_release(list);
	*list = sorted;
	free(latest);
	free(moments);
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
	facts->copied = memory_new(session->peers->count, sizeof *facts->copied);
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
	text_release(&facts->for_all);
	free(facts->copied);
	map_release(&facts->defined);
	array_release(&facts->known);
	array_release(&facts->left);
	free(facts);
}

/* A collective call with a request, of another session's process. */
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

/* A prepared operation begins at its start. */
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

/* Ranks of other sessions do nothing beyond the known facts. */
static void end_remote_processes(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->process_count; i++)
		if (replay->processes[i].state == PROCESS_REMOTE)
			end_process(replay, &replay->processes[i]);
}

bool remote_facts_need(const struct analysis_session *session, const struct call_semantics *semantics)
{
	return session->facts && session->facts->is_scan && semantics->act != ACT_NONE &&
	       semantics->act != ACT_COMPLETE &&
	       (is_open(semantics) || semantics->does & CALL_IS_COLLECTIVE ||
	        (semantics->does & CALL_SENDS && !session_owns(session, semantics->dest_process)) ||
	        (semantics->does & CALL_RECEIVES && !session_owns(session, semantics->source_process)));
}

/* The operation that it begins follows from the call itself. */
static bool tells_all(const struct call_semantics *semantics)
{
	return !(semantics->does & (CALL_IS_OPEN | CALL_PREPARES | CALL_STARTS | CALL_PROBES |
	                            CALL_BY_NUMBER | CALL_PASSED_OVER));
}

/* Most programs make calls of which each tells all by itself. Then a scan does nothing but to look for calls that concern other sessions. */
static void look_at_calls_alone(struct replay *replay)
{
	const struct rank_range owned = replay->session->owned;

	for (uint32_t i = owned.first; i < owned.end; i++) {
		if (replay->processes[i].thread_count > 1)
			return;
		for (uint32_t id = 0; id < replay->reader->processes[i].calls.count; id++)
			if (!tells_all(semantics_at(replay, i, id)))
				return;
	}
	for (uint32_t i = owned.first; i < owned.end; i++)
		for (uint32_t id = 0; id < replay->reader->processes[i].calls.count; id++) {
			struct call_semantics *semantics = semantics_at(replay, i, id);
			semantics->act = remote_facts_need(replay->session, semantics) ? ACT_TELL : ACT_NONE;
		}
	replay->quantum = UINT32_MAX;
}

void remote_facts_begin(struct replay *replay)
{
	struct remote_facts *facts = replay->session->facts;

	if (!facts)
		return;
	facts->taken = 0;
	facts->is_over = facts->is_scan;
	if (facts->is_scan) {
		end_remote_processes(replay);
		look_at_calls_alone(replay);
	}
}

/* All sessions call this once per replay. */
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
	enum { FACTS_OF_PROCESS = 16 };
	struct remote_facts *facts = replay->session->facts;
	size_t most;

	if (!facts || facts->is_over)
		return false;
	/* Several at once, so that each process that they concern goes on for a while. */
	most = facts->taken + session_owned_count(replay->session) * FACTS_OF_PROCESS;
	while (facts->taken < facts->known.count && (!replay->ready.count || facts->taken < most))
		take(replay, &facts->known.items[facts->taken++]);
	if (!replay->ready.count)
		end_remote_processes(replay);
	if (!replay->ready.count)
		take_last(replay);
	return true;
}
