#include "check/parts/part.h"

#include "calls/calls.h"
#include "calls/ids.h"
#include "check/execution/clock_changes.h"
#include "check/execution/execution_parts.h"
#include "check/execution/facts.h"

enum { FACTS_BYTES = 1 << 18 /* of a frame */ };

/* Processes */

struct part_process *part_find(const struct check_part *part, uint64_t world, uint32_t rank)
{
	const uint32_t *number = map_find(&part->numbers, map_key(world, rank));

	return number ? part->processes.items[*number] : NULL;
}

static struct part_process *process_add(struct check_part *part, uint64_t world, uint32_t rank, uint32_t size)
{
	struct part_process *process = memory_new(1, sizeof *process);

	process->known = process_new(&part->run->known, world, rank, size);
	process->known->part = process;
	*map_put(&part->numbers, map_key(world, rank)) = (uint32_t)part->processes.count;
	array_add(&part->processes, process);
	return process;
}

struct part_process *part_image(struct check_part *part, uint64_t world, uint32_t rank, uint32_t size)
{
	struct part_process *process = part_find(part, world, rank);

	if (process)
		return process;
	process = process_add(part, world, rank, size);
	process->known->is_image = true;
	execution_add_image(part->run->execution, process->known);
	return process;
}

struct analysed_process *part_process(struct check_part *part, uint64_t world, uint32_t rank, uint32_t size)
{
	struct part_process *process = part_find(part, world, rank);

	if (process && process->is_own) { /* another connection of it, or its rank was given again */
		process = process_add(part, world, rank, size);
		process->is_held = true;
		part_ask_to_gather(part);
	} else if (process) { /* others have sent messages to it: those are on their way over the hub */
		process->known->is_image = process->known->execution->is_image = false;
		process->known->execution->is_routed = true;
	} else {
		process = process_add(part, world, rank, size);
	}
	process->is_own = true;
	return process->known;
}

/* Telling */

void part_frame_facts(struct check_part *part)
{
	if (part->facts.size)
		frame_put(&part->frames, MESSAGE_FACTS, &part->facts);
	part->facts.size = 0;
}

void part_flush(struct check_part *part)
{
	part_frame_facts(part);
	if (part->frames.size) {
		struct message_writer frames = part->frames;

		part->frames = (struct message_writer){0};
		part->tell(part->owner, &frames);
		writer_release(&frames);
	}
}

void part_ask_to_gather(struct check_part *part)
{
	struct message_writer body = {0};

	if (part->has_asked || part->is_frozen)
		return;
	part->has_asked = true;
	put_number(&body, 0);
	frame_put(&part->frames, MESSAGE_GATHER, &body);
	writer_release(&body);
}

void part_step_aside(struct check_part *part)
{
	part->is_aside = part->is_frozen = true;
	if (part->run->execution)
		part->run->execution->is_stopped = true;
	for (size_t i = 0; i < part->processes.count; i++) {
		writer_release(&part->processes.items[i]->held);
		part->processes.items[i]->held = (struct message_writer){0};
	}
	part->held_bytes = 0;
}

struct message_writer *part_fact_begin(struct check_part *part, uint64_t world, uint32_t rank,
                                       enum part_fact_kind kind)
{
	if (part->facts_world != world || part->facts.size > FACTS_BYTES)
		part_frame_facts(part);
	if (!part->facts.size)
		put_word(&part->facts, world);
	part->facts_world = world;
	part->facts_sent++;
	put_number(&part->facts, rank);
	put_number(&part->facts, kind);
	return &part->facts;
}

/* Of the definitions of a call, to the part of its receiver. */
struct definition_target {
	struct check_part *part;
	const struct analysed_process *source;
	uint32_t rank;
};

static void put_definition(void *owner, enum message_kind kind, const struct message_writer *body)
{
	const struct definition_target *target = owner;
	struct message_writer *out = part_fact_begin(target->part, target->source->world, target->rank,
	                                             PART_DEFINED);

	put_number(out, target->source->rank);
	put_number(out, target->source->size);
	put_number(out, kind);
	put_number(out, body->size);
	put_raw(out, body->bytes, body->size);
}

static void tell_call(struct check_part *part, struct analysed_call *call, uint32_t rank)
{
	struct part_process *own = call->process->part;
	struct definition_target target = {part, call->process, rank};
	const struct announcer announcer = {&own->sent_types, &own->sent_type_count, put_definition, &target};

	/* Each receiver may be in another part: types that another one knows are sent again. */
	map_release(&own->sent_types);
	own->sent_types = (struct map){0};
	call->is_announced = true;
	announce_comm(&announcer, call->member);
	announce_call(&announcer, call, call->number);
}

static void carry(void *owner, struct executed_process *to, const struct carried_fact *fact)
{
	struct check_part *part = owner;
	struct message_writer *out;

	if (fact->kind == FACT_SENT) {
		if (!fact->call->is_announced)
			tell_call(part, fact->call, to->known->rank);
		part_tell_order(part, to, fact);
		out = part_fact_begin(part, to->known->world, to->known->rank,
		                      fact->hash ? PART_SENT_DATA : PART_SENT);
		put_number(out, fact->process->rank);
		put_number(out, fact->call->number);
		put_number(out, fact->number);
		if (fact->hash)
			put_word(out, fact->hash);
	} else if (fact->kind == FACT_MATCHED) {
		part_tell_order(part, to, fact);
		out = part_fact_begin(part, to->known->world, to->known->rank, PART_MATCHED);
		put_number(out, fact->number);
	} else if (fact->kind == FACT_LEFT) {
		out = part_fact_begin(part, to->known->world, to->known->rank, PART_LEFT);
		put_number(out, fact->process->rank);
		put_number(out, fact->number);
	} else if (fact->kind == FACT_RELEASED && !(fact->call->flags & CHECK_CALL_SYNCHRONOUS)) {
		out = part_fact_begin(part, to->known->world, to->known->rank, PART_RELEASED);
		put_number(out, fact->number);
	} else {
		part_ask_to_gather(part);
	}
}

static struct executed_process *receiver(void *owner, struct analysed_call *send)
{
	struct check_part *part = owner;

	if (!send->receiver)
		send->receiver = part_image(part, send->process->world, (uint32_t)send->peer_in_world,
		                            send->process->size)
		                         ->known->execution;
	return send->receiver ? send->receiver : &part->silent;
}

/* Collective calls */

static void tell_reached(struct check_part *part, struct executed_collective *collective)
{
	const struct collective_summary *summary = &collective->summary;
	struct message_writer body = {0};
	bool right;

	part_frame_facts(part);
	put_word(&body, collective->comm->identity);
	put_number(&body, collective->sequence);
	put_number(&body, comm_places(collective->comm));
	put_number(&body, collective->unsent);
	put_word(&body, summary->form);
	put_word(&body, summary->data);
	put_number(&body, summary->root);
	put_word(&body, summary->balance);
	right = part_put_sum(part, collective, &body);
	if (right)
		frame_put(&part->frames, MESSAGE_REACHED, &body);
	else
		part_ask_to_gather(part);
	writer_release(&body);
	if (!right)
		return;
	part->facts_sent++;
	collective->unsent = 0;
	collective->summary = (struct collective_summary){0};
}

static void complete_here(struct check_part *part, struct executed_collective *collective)
{
	ordering_all_here(part->run->ordering, collective);
	execution_complete(part->run->execution, collective->comm, collective->sequence);
}

static void joined(void *owner, struct executed_collective *collective, struct executed_operation *operation)
{
	struct check_part *part = owner;
	const struct analysed_comm *comm = collective->comm;

	collective_summary_add(&collective->summary, collective_summary_of(operation->call));
	collective->unsent++;
	if (collective->summary.is_wrong)
		part_ask_to_gather(part);
	if (collective->arrived < comm->member_count || part->has_asked)
		return;
	if (collective->unsent < comm_places(comm))
		tell_reached(part, collective);
	else if (collective_summary_agrees(&collective->summary))
		complete_here(part, collective);
	else
		part_ask_to_gather(part);
}

static bool hear_reached(struct check_part *part, struct cursor *in)
{
	const uint64_t identity = take_u64(in), sequence = take_varint(in);
	struct vector_clock *sum = part_take_sum(part, in);
	const uint32_t *slot = map_find(&part->run->known.comm_slots, map_key(identity, 0));
	const struct analysed_comm *comm = slot ? part->run->known.comms.items[*slot] : NULL;
	const struct executed_collective *collective = comm ? execution_open_collective(comm, 0) : NULL;

	part->facts_received++;
	if (!in->bad && part_contents_agree(part, identity, sequence))
		return true;
	/* All members of this part have reported it. */
	if (in->bad || !collective || collective->sequence != sequence ||
	    collective->arrived != comm->member_count || collective->unsent)
		return false;
	ordering_members_there(part->run->ordering, collective, sum);
	return execution_complete(part->run->execution, comm, sequence);
}

/* Hearing */

/* The numbers that follow, and then perhaps a clock. */
static void take_order(struct cursor *in, struct part_fact *fact, int numbers, bool has_clock)
{
	const uint8_t *at = in->at;

	for (int i = 0; i < numbers; i++)
		take_varint(in);
	if (has_clock)
		clock_skip_changes(in);
	fact->body = (struct cursor){.at = at, .end = in->at};
}

bool part_fact_take(struct cursor *in, struct part_fact *fact)
{
	uint64_t length;

	if (!cursor_left(in))
		return false;
	*fact = (struct part_fact){.rank = take_u32(in), .kind = (enum part_fact_kind)take_varint(in)};
	switch (fact->kind) {
	case PART_SENT:
	case PART_SENT_DATA:
		fact->source = take_u32(in);
		fact->call = take_varint(in);
		fact->number = take_varint(in);
		fact->hash = fact->kind == PART_SENT_DATA ? take_u64(in) : 0;
		break;
	case PART_LEFT:
		fact->source = take_u32(in);
		fact->number = take_varint(in);
		break;
	case PART_MATCHED:
	case PART_RELEASED:
		fact->number = take_varint(in);
		break;
	case PART_KNOWS:
		fact->source = take_u32(in);
		take_order(in, fact, 1, true);
		break;
	case PART_ORDERED:
		fact->number = take_varint(in);
		take_order(in, fact, 3, true);
		break;
	case PART_SEND_OVER:
		fact->source = take_u32(in);
		take_order(in, fact, 6, false);
		break;
	case PART_DEFINED:
		fact->source = take_u32(in);
		fact->size = take_u32(in);
		fact->message = (enum message_kind)take_varint(in);
		length = take_varint(in);
		if (in->bad || length > cursor_left(in))
			in->bad = true;
		else
			fact->body = (struct cursor){.at = in->at, .end = in->at + length};
		in->at += in->bad ? 0 : length;
		break;
	default:
		in->bad = true;
	}
	return !in->bad;
}

static bool hear_definition(struct check_part *part, uint64_t world, const struct part_fact *fact)
{
	struct analysed_process *image;
	struct cursor body = fact->body;

	if (fact->source >= fact->size)
		return false;
	image = part_image(part, world, fact->source, fact->size)->known;
	/* Of this part, over the hub: it is known. */
	if (!image->is_image)
		return true;
	return image->size == fact->size &&
	       (fact->message == MESSAGE_COMM || fact->message == MESSAGE_TYPE ||
	        fact->message == MESSAGE_CALL) &&
	       analysis_frame(part->run, image, fact->message, &body);
}

/* While a wildcard is unresolved, a ready send and a receive may both lack a partner. The leader must know which of them began first. This part
 * stops at once, so all receives began before the send. */
static void ready_sent(struct check_part *part, struct part_process *receiver)
{
	receiver->gets_ready = true;
	if (!receiver->has_wildcards)
		return;
	part_ask_to_gather(part);
	part->is_frozen = part->run->execution->is_stopped = true;
}

/* Its frames are kept for the leader, for example because another process had its rank: facts for that one may still come. */
static bool is_unknown(const struct part_process *own)
{
	return own->is_held && !own->known->execution;
}

const struct executed_operation *part_find_send(const struct part_process *sender, uint64_t number)
{
	const struct executed_process *process = sender->known->execution;
	const struct executed_operation *send = process ? operation_find(process, number) : NULL;

	return send && send->state & OPERATION_BEGUN && send->call->operation == OPERATION_SEND &&
	                       !(send->state & OPERATION_MATCHED)
	               ? send
	               : NULL;
}

/* Could `receiver` get this message of another part, which it has not got yet? */
static bool could_be_sent(const struct check_part *part, const struct analysed_call *send, uint64_t number,
                          const struct analysed_process *receiver)
{
	return send && send->operation == OPERATION_SEND && send->member && send->peer >= 0 &&
	       send->peer_in_world == (int32_t)receiver->rank &&
	       message_is_new(part->run->execution, send, number);
}

/* FACT_MATCHED or FACT_RELEASED */
static bool hear_taken(struct check_part *part, struct part_process *sender, enum fact_kind kind,
                       uint64_t number)
{
	if (!part_find_send(sender, number))
		return false;
	execution_learn(part->run->execution,
	                &(struct carried_fact){.kind = kind, .process = sender->known, .number = number});
	return true;
}

/* It may have been received meanwhile. */
static bool hear_left(struct check_part *part, const struct part_process *sender, uint64_t number)
{
	const struct executed_process *process = sender->known->execution;
	const struct executed_operation *send = process ? operation_find(process, number) : NULL;

	if (send && (!send->call || send->call->operation != OPERATION_SEND))
		return false;
	if (send && send->sequence)
		execution_learn(part->run->execution, &(struct carried_fact){.kind = FACT_LEFT,
		                                                             .process = sender->known,
		                                                             .number = number});
	return true;
}

static bool hear_sent(struct check_part *part, struct part_process *sender, struct part_process *receiver,
                      const struct part_fact *fact)
{
	struct carried_fact carried = {
		.kind = FACT_SENT, .process = sender->known, .number = fact->number, .hash = fact->hash};

	if (sender->is_own) { /* it came over the hub, and has its operation here */
		const struct executed_operation *send = is_unknown(sender)
		                                                ? NULL
		                                                : part_find_send(sender, fact->number);

		if (!send || send->sequence || send->call->peer_in_world != (int32_t)fact->rank)
			return is_unknown(sender);
	} else {
		carried.call = process_call(sender->known, fact->call);
		if (!could_be_sent(part, carried.call, fact->number, receiver->known))
			return false;
		if (carried.call->flags & CHECK_CALL_READY)
			ready_sent(part, receiver);
		ordering_at_send(part->run->ordering,
		                 executed_process_get(part->run->execution, sender->known),
		                 executed_process_get(part->run->execution, receiver->known));
	}
	part->run->compares_data |= fact->kind == PART_SENT_DATA;
	execution_learn(part->run->execution, &carried);
	return true;
}

static bool hear_fact(struct check_part *part, uint64_t world, struct part_fact *fact)
{
	struct part_process *whose = part_find(part, world, fact->rank), *source;

	part->facts_received++;
	if (!whose || !whose->is_own)
		return false;
	if (fact->kind == PART_DEFINED)
		return hear_definition(part, world, fact);
	if (is_unknown(whose))
		return true;
	if (fact->kind == PART_KNOWS || fact->kind == PART_ORDERED || fact->kind == PART_SEND_OVER)
		return part_hear_order(part, whose, fact);
	if (fact->kind == PART_MATCHED || fact->kind == PART_RELEASED)
		return hear_taken(part, whose, fact->kind == PART_MATCHED ? FACT_MATCHED : FACT_RELEASED,
		                  fact->number);
	source = part_find(part, world, fact->source);
	if (source && fact->kind == PART_LEFT)
		return hear_left(part, source, fact->number);
	return source && hear_sent(part, source, whose, fact);
}

static bool hear_facts(struct check_part *part, struct cursor *in)
{
	const uint64_t world = take_u64(in);
	struct part_fact fact;

	while (part_fact_take(in, &fact))
		if (!hear_fact(part, world, &fact))
			return false;
	return !in->bad;
}

static bool hear_round(struct check_part *part, struct cursor *in)
{
	const uint64_t round = take_varint(in);
	struct message_writer body = {0};

	part->is_frozen = true;
	if (part->run->execution)
		part->run->execution->is_stopped = true;
	part_frame_facts(part);
	put_number(&body, round);
	frame_put(&part->frames, MESSAGE_GATHER, &body);
	writer_release(&body);
	return !in->bad;
}

static bool hear_uses(struct check_part *part, struct cursor *in)
{
	const uint64_t uses = take_varint(in);

	if (uses & PART_USES_TAKERS && part->run->execution && !part->is_frozen)
		execution_has_takers(part->run->execution);
	return !in->bad;
}

bool part_hear(struct check_part *part, enum message_kind kind, struct cursor *in)
{
	const bool is_fact = kind == MESSAGE_FACTS || kind == MESSAGE_REACHED;
	bool right;

	if (is_fact && part->is_aside)
		return true;
	right = is_fact && !part->run->execution ? false /* it has handed over: no facts are left */
	        : kind == MESSAGE_FACTS          ? hear_facts(part, in)
	        : kind == MESSAGE_REACHED        ? hear_reached(part, in)
	        : kind == MESSAGE_GATHER         ? hear_round(part, in)
	        : kind == MESSAGE_WAITS          ? part_tell_waits(part, in)
	        : kind == MESSAGE_USES           ? hear_uses(part, in)
	                                         : false;
	if (!right)
		part_step_aside(part);
	else if (part->run->execution)
		execution_run(part->run->execution);
	return right;
}

/* Frames of agents */

/* Can this part alone say what the call does? */
static bool is_plain(const struct analysed_call *call)
{
	const struct call_info *info = &all_calls[call->function];

	if (call->operation == OPERATION_NONE || call->operation == OPERATION_WAIT)
		return true;
	if (call->operation > OPERATION_MATCHED_PROBE || call->flags & CHECK_CALL_REJECTED || !call->member)
		return false;
	if (call->operation == OPERATION_COLLECTIVE)
		return collective_has_summary(call) && !info->window_memory &&
		       info->new_comm != NEW_COMM_OTHER_WORLD;
	/* Those of MPI_Intercomm_create use no attached buffer. */
	if (call->flags & CHECK_CALL_BUFFERED && call->function != CALL_Intercomm_create)
		return false;
	return call->peer < 0 || call->peer_in_world >= 0;
}

/* Ready sends to a process that uses wildcards: see ready_sent(). */
static bool may_be_unready(struct check_part *part, const struct analysed_call *call)
{
	const struct analysed_process *process = call->process;
	struct part_process *own = process->part, *receiver;

	if (call->flags & CHECK_CALL_WILDCARD) {
		own->has_wildcards = true;
		return own->gets_ready;
	}
	if (!(call->flags & CHECK_CALL_READY) || call->peer < 0)
		return false;
	receiver = part_image(part, process->world, (uint32_t)call->peer_in_world, process->size);
	receiver->gets_ready = true;
	return receiver->has_wildcards;
}

static void hold(struct check_part *part, struct part_process *own, enum message_kind kind,
                 const struct cursor *in)
{
	const struct message_writer body = cursor_rest(in);

	own->is_held = true;
	if (part->is_aside)
		return;
	frame_put(&own->held, kind, &body);
	part->held_bytes += FRAME_HEADER_BYTES + body.size;
}

static void note_use(struct check_part *part, const struct analysed_call *call)
{
	uint32_t uses = part->uses;
	struct message_writer body = {0};

	uses |= call->flags & CHECK_CALL_READY ? PART_USES_READY : 0;
	uses |= all_calls[call->function].class == CLASS_NEIGHBOURHOOD ? PART_USES_NEIGHBOURS : 0;
	uses |= call->flags & CHECK_CALL_WILDCARD && call->peer < 0 && call->operation != OPERATION_PROBE
	                ? PART_USES_TAKERS
	                : 0;
	if (uses == part->uses)
		return;
	part->uses = uses;
	put_number(&body, uses);
	frame_put(&part->frames, MESSAGE_USES, &body);
	writer_release(&body);
}

static bool take_call(struct check_part *part, struct analysed_process *process, struct cursor *in)
{
	struct cursor copy = *in;
	const uint64_t number = take_varint(&copy);
	const bool right = analysis_frame(part->run, process, MESSAGE_CALL, in);
	const struct analysed_call *call = right ? process_call(process, number) : NULL;

	if (call)
		note_use(part, call);
	part->run->compares_data |= call && call->flags & CHECK_CALL_CONTENT;
	if (part->uses & PART_USES_TAKERS && !part->choices)
		part->choices = wildcard_choices_new(part->run->execution, part->run->log,
		                                     part->run->ordering);
	if (call && (!is_plain(call) || may_be_unready(part, call))) {
		process->part->is_held = true;
		part_ask_to_gather(part);
	}
	return right;
}

static bool take_state(struct analysed_process *process, struct cursor *in)
{
	struct analysed_call *call = process_call(process, take_varint(in));

	process->last = call ? call : process->last;
	return !cursor_left(in) || process_crashed(process, in);
}

bool part_frame(struct check_part *part, struct analysed_process *process, enum message_kind kind,
                struct cursor *in)
{
	struct part_process *own = process->part;
	bool right;

	if (own->is_held || part->is_frozen) {
		hold(part, own, kind, in);
		return true;
	}
	switch (kind) {
	case MESSAGE_CALL:
		return take_call(part, process, in);
	case MESSAGE_STATE:
		return take_state(process, in);
	case MESSAGE_ANSWER: /* to a question of the leader, which it has forgotten */
	case MESSAGE_STACK:
		return true;
	case MESSAGE_FORGET: /* numbers that others know would have another meaning */
		hold(part, own, kind, in);
		part_ask_to_gather(part);
		return true;
	default:
		part->run->is_stopped = false;
		right = analysis_frame(part->run, process, kind, in);
		part_take_contents(part);
		if (part->run->is_stopped)
			hold(part, own, kind, in);
		if (part->run->is_stopped || part->run->execution->queued_bytes > EXECUTION_BYTES_QUEUED)
			part_ask_to_gather(part);
		return right;
	}
}

void part_process_gone(struct check_part *part, struct analysed_process *process, enum process_end end)
{
	struct part_process *own = process->part;

	if (own->has_ended)
		return;
	own->has_ended = true;
	own->end = end;
	if (end != END_FINALIZED)
		part_ask_to_gather(part);
	else if (!own->is_held && !part->is_frozen)
		analysis_process_gone(part->run, process, end);
}

/* Beginning and end */

struct check_part *part_new(struct findings_log *log, part_tell *tell, void *owner)
{
	struct check_part *part = memory_new(1, sizeof *part);

	part->run = analysis_new(log);
	part->run->is_part = part->run->known.is_part = true;
	part->tell = tell;
	part->owner = owner;
	part->asks = (struct execution_part){.owner = part, .receiver = receiver, .joined = joined};
	part->run->execution->part = &part->asks;
	execution_set_carrier(part->run->execution, carry, part);
	part_order_begin(part);
	return part;
}

void part_free(struct check_part *part)
{
	part_contents_free(part);
	part_order_end(part);
	analysis_free(part->run);
	wildcard_choices_free(part->choices);
	for (size_t i = 0; i < part->processes.count; i++) {
		writer_release(&part->processes.items[i]->held);
		map_release(&part->processes.items[i]->sent_types);
		array_release(&part->processes.items[i]->contents);
		free(part->processes.items[i]);
	}
	array_release(&part->processes);
	map_release(&part->numbers);
	writer_release(&part->facts);
	writer_release(&part->frames);
	free(part);
}
