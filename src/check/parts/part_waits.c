/* Who waits for whom, for the hub. */
#include "check/execution/execution_parts.h"
#include "check/parts/part.h"

enum { SUSPICION_MS = 20 };

static const struct executed_thread *blocked_thread(const struct check_part *part,
                                                    const struct part_process *process)
{
	const struct executed_process *executed = process->is_own ? process->known->execution : NULL;
	const struct executed_thread *thread = executed ? executed->current : NULL;

	return thread && thread->blocked == BLOCKED_OPERATIONS && !thread->is_ready &&
	                       thread->blocked_since <= part->seen
	               ? thread
	               : NULL;
}

static bool has_ended(const struct part_process *process)
{
	return process->is_own && process->has_ended;
}

/* Which threads are blocked, and where; 0: none is. */
static uint64_t blocked_hash(const struct check_part *part)
{
	uint64_t hash = 0, ended = 1;

	for (size_t i = 0; i < part->processes.count; i++) {
		const struct executed_thread *thread = blocked_thread(part, part->processes.items[i]);

		ended += has_ended(part->processes.items[i]);
		if (thread)
			hash += hash_word(hash_word(i, thread->step_count), thread->has_more);
	}
	return hash ? hash_word(hash, ended) : 0;
}

void part_tick(struct check_part *part, uint64_t now_ms)
{
	struct message_writer body = {0};
	uint64_t hash;

	if (part->is_frozen || now_ms - part->looked_ms < SUSPICION_MS)
		return;
	part->looked_ms = now_ms;
	hash = blocked_hash(part);
	part->seen = part->run->execution->now;
	if (!hash || hash == part->suspected)
		return;
	part->suspected = hash;
	put_number(&body, 0);
	frame_put(&part->frames, MESSAGE_WAITS, &body);
	writer_release(&body);
}

static uint32_t source_place(const struct executed_operation *operation)
{
	const struct comm_member *member = operation->call->member;
	const bool is_other_first = comm_is_inter(member->comm) && member->side;

	return (comm_is_inter(member->comm) && !is_other_first ? member->comm->size[0] : 0) +
	       (uint32_t)operation->source;
}

static void put_operation(struct message_writer *out, const struct executed_operation *operation)
{
	const struct analysed_call *call = operation->call;

	if (call->operation == OPERATION_COLLECTIVE) {
		put_number(out, PART_WAITS_COLLECTIVE);
		put_word(out, call->member->comm->identity);
		put_number(out, operation->sequence);
	} else if (call->operation != OPERATION_SEND && message_is_undecided(operation)) {
		put_number(out, PART_WAITS_NOT);
	} else if (call->operation != OPERATION_SEND && operation->source < 0) {
		put_number(out, PART_WAITS_MEMBERS);
		put_word(out, call->member->comm->identity);
	} else if (call->peer < 0) { /* the message that a probe found */
		put_number(out, PART_WAITS_MEMBER);
		put_word(out, call->member->comm->identity);
		put_number(out, source_place(operation));
	} else {
		put_number(out, PART_WAITS_PROCESS);
		put_number(out, (uint32_t)call->peer_in_world);
	}
}

static void put_thread(struct message_writer *out, const struct executed_thread *thread)
{
	uint32_t count = 0;

	for (size_t i = 0; i < thread->waits.count; i++)
		count += !operation_is_done(thread->waits.items[i]);
	put_number(out, PART_WAITS);
	put_number(out, thread->step_count);
	put_number(out, thread->is_any);
	put_number(out, count);
	for (size_t i = 0; i < thread->waits.count; i++)
		if (!operation_is_done(thread->waits.items[i]))
			put_operation(out, thread->waits.items[i]);
}

/* How many collective calls the process has made. */
static void put_memberships(struct message_writer *out, const struct analysed_process *process)
{
	for (size_t i = 0; i < process->memberships.count; i++) {
		const struct comm_member *member = process->memberships.items[i];

		if (!member)
			continue;
		put_word(out, member->comm->identity);
		put_number(out, process->rank);
		put_number(out, place_of(member));
		put_number(out, member->next_collective);
	}
}

bool part_tell_waits(struct check_part *part, struct cursor *in)
{
	const uint64_t question = take_varint(in), wants_waits = take_varint(in);
	struct message_writer body = {0};

	part_frame_facts(part); /* that precede the answer */
	put_number(&body, question);
	put_number(&body, part->run->event_count);
	put_number(&body, wants_waits);
	put_word(&body, part->processes.count ? part->processes.items[0]->known->world : 0);
	for (size_t i = 0; wants_waits && i < part->processes.count; i++) {
		const struct part_process *process = part->processes.items[i];
		const struct executed_thread *thread = blocked_thread(part, process);

		if (!has_ended(process) && !thread)
			continue;
		put_number(&body, process->known->rank + 1u);
		if (has_ended(process))
			put_number(&body, PART_ENDED);
		else
			put_thread(&body, thread);
	}
	put_number(&body, 0);
	for (size_t i = 0; wants_waits && i < part->processes.count; i++)
		if (part->processes.items[i]->is_own)
			put_memberships(&body, part->processes.items[i]->known);
	frame_put(&part->frames, MESSAGE_WAITS, &body);
	writer_release(&body);
	return !in->bad;
}
