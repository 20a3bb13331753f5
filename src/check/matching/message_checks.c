#include "check/matching/analysis.h"

#include <inttypes.h>

static uint32_t report_types(struct checked_run *run, enum check check, const struct analysed_call *send,
                             const struct analysed_call *receive, const struct signature_comparison *compared)
{
	struct report_draft report;

	report_begin(&report, check);
	report_call(&report, send, NOTE_SENT);
	report_call(&report, receive, NOTE_RECEIVED);
	report_value(&report, "element", "%" PRIu64, compared->at);
	report_value(&report, "sent", "%s", basic_type_name(compared->sent));
	report_value(&report, "received", "%s", basic_type_name(compared->received));
	return report_end(&report, run->log);
}

uint64_t data_bytes(const struct known_data *data)
{
	uint64_t bytes;

	return __builtin_mul_overflow(signature_bytes(data->type->signature), data->count, &bytes)
	               ? UINT64_MAX
	               : bytes;
}

static uint32_t report_truncated(struct checked_run *run, const struct analysed_call *send,
                                 const struct analysed_call *receive)
{
	struct report_draft report;

	report_begin(&report, CHECK_MESSAGE_TRUNCATED);
	report_call(&report, send, NOTE_SENT);
	report_call(&report, receive, NOTE_RECEIVED);
	report_value(&report, "sent", "%" PRIu64, data_bytes(&send->send));
	report_value(&report, "room", "%" PRIu64, data_bytes(&receive->receive));
	return report_end(&report, run->log);
}

void check_message(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive,
                   bool is_certain)
{
	const struct known_data *sent = &send->send, *room = &receive->receive;
	struct signature_comparison compared = {.verdict = SIGNATURE_FITS};

	if (sent->type && room->type && (sent->type != room->type || sent->count > room->count))
		compared = signatures_compare(sent->type->signature, sent->count, room->type->signature,
		                              room->count);
	if (compared.verdict != SIGNATURE_FITS && !is_certain)
		return;
	send->partner = receive->serial;
	send->finding = FINDING_NONE;
	if (compared.verdict == SIGNATURE_SIMILAR)
		send->finding = report_types(run, CHECK_MESSAGE_SIMILAR_TYPE, send, receive, &compared);
	else if (compared.verdict == SIGNATURE_DIFFERS)
		send->finding = report_types(run, CHECK_MESSAGE_TYPE_MISMATCH, send, receive, &compared);
	else if (compared.verdict == SIGNATURE_TOO_LONG)
		send->finding = report_truncated(run, send, receive);
}

/* What is left at the end */

struct leftover {
	const struct analysed_call *call;
	const struct analysed_comm *comm;
	uint64_t count;
	uint32_t next; /* receive of the same pair; UINT32_MAX: none */
	bool is_paired;
};

struct leftovers {
	ARRAY(struct leftover) sends, receives, unresolved; /* unresolved: with wildcards, and got nothing */
	struct map receives_of_pair;                        /* to the first */
};

/* Source and destination in the world; both are of one world. */
static bool pair_key(const struct analysed_call *call, struct map_key *key)
{
	uint64_t own = call->process->rank, peer = (uint32_t)call->peer_in_world;
	bool sends = call->operation == OPERATION_SEND;

	*key = map_key(call->process->world, sends ? own << 32 | peer : peer << 32 | own);
	return call->peer_in_world >= 0;
}

/* Equal ones in a row are one. */
#define add_leftover(list, found) \
	({ \
		if ((list)->count && (list)->items[(list)->count - 1].call == (found)) \
			(list)->items[(list)->count - 1].count++; \
		else \
			array_add(list, \
			          ((struct leftover){found, (found)->member->comm, 1, UINT32_MAX, false})); \
	})

static void add_unmatched(void *owner, struct executed_operation *operation)
{
	struct leftovers *left = owner;
	const struct analysed_call *call = operation->call;

	if (!(operation->state & OPERATION_RESOLVED) && call->operation == OPERATION_RECEIVE)
		add_leftover(&left->unresolved, call);
	/* A receive with a wildcard whose message never became known may have taken the candidate. */
	else if (call->operation == OPERATION_SEND && !operation->candidate)
		add_leftover(&left->sends, call);
	/* The message of a wildcard is known to have come: the sender announced nothing of it. */
	else if (call->operation == OPERATION_RECEIVE && !(call->flags & CHECK_CALL_WILDCARD))
		add_leftover(&left->receives, call);
}

static void collect(struct checked_run *run, struct leftovers *left)
{
	execution_visit_unmatched(run->execution, add_unmatched, left);
	/* From the last to the first, so that each list begins with the first. */
	for (size_t i = left->receives.count; i-- > 0;) {
		struct map_key key;
		if (pair_key(left->receives.items[i].call, &key)) {
			uint32_t *first = map_put(&left->receives_of_pair, key);
			left->receives.items[i].next = *first;
			*first = (uint32_t)i;
		}
	}
}

static bool has_finalized(const struct process_ends *ends, const struct analysed_call *call, int32_t rank)
{
	return rank < 0 ? ends->all_finalized
	                : process_has_finalized(ends, call->process->world, (uint32_t)rank);
}

/* It does nothing more: it is at its end, or everybody waits for ever. */
static bool is_over(const struct process_ends *ends, const struct analysed_call *call, int32_t rank)
{
	return has_finalized(ends, call, rank) ||
	       (rank >= 0 && process_is_deadlocked(ends, call->process->world, (uint32_t)rank)) ||
	       (ends->nobody_moves && rank >= 0 &&
	        process_is_stuck(ends, call->process->world, (uint32_t)rank));
}

static void report_pair(struct checked_run *run, const struct leftover *send, const struct leftover *receive)
{
	bool is_tag = send->comm == receive->comm;
	struct report_draft report;

	report_begin(&report, is_tag ? CHECK_MESSAGE_TAG_MISMATCH : CHECK_MESSAGE_COMMUNICATOR_MISMATCH);
	report.finding.times = send->count < receive->count ? send->count : receive->count;
	report_call(&report, send->call, NOTE_SENT);
	report_call(&report, receive->call, NOTE_RECEIVED);
	if (is_tag) {
		report_value(&report, "sent_tag", "%d", send->call->tag);
		report_value(&report, "received_tag", "%d", receive->call->tag);
		report_value(&report, "comm", "%s", send->comm->name);
	} else {
		report_value(&report, "sent_comm", "%s", send->comm->name);
		report_value(&report, "received_comm", "%s", receive->comm->name);
	}
	report_end(&report, run->log);
}

/* A receive that differs in the tag only, or in the communicator only. */
static struct leftover *find_partner(struct leftovers *left, const struct leftover *send)
{
	struct map_key key;
	const uint32_t *first;

	if (!pair_key(send->call, &key) || !(first = map_find(&left->receives_of_pair, key)))
		return NULL;
	for (uint32_t i = *first, looked = 0; i < left->receives.count && looked < 1000;
	     i = left->receives.items[i].next, looked++) {
		struct leftover *receive = &left->receives.items[i];
		bool same_comm = receive->comm == send->comm;
		if (!receive->is_paired && same_comm != (receive->call->tag == send->call->tag))
			return receive;
	}
	return NULL;
}

static void pair_up(struct checked_run *run, struct leftovers *left, const struct process_ends *ends)
{
	for (size_t i = 0; i < left->sends.count; i++) {
		struct leftover *send = &left->sends.items[i], *receive;
		if (!is_over(ends, send->call, (int32_t)send->call->process->rank) ||
		    !is_over(ends, send->call, send->call->peer_in_world))
			continue;
		receive = find_partner(left, send);
		if (!receive)
			continue;
		report_pair(run, send, receive);
		send->is_paired = receive->is_paired = true;
	}
}

static void report_alone(struct checked_run *run, const struct leftover *left, enum check check)
{
	bool is_lost = check == CHECK_MESSAGE_LOST;
	struct report_draft report;

	report_begin(&report, check);
	report.finding.times = left->count;
	report_call(&report, left->call, is_lost ? NOTE_SENT : NOTE_RECEIVED);
	report_value(&report, is_lost ? "dest" : "source", "%d", left->call->peer);
	report_value(&report, "tag", "%d", left->call->tag);
	report_value(&report, "comm", "%s", left->comm->name);
	report_end(&report, run->log);
}

/* The other side has finalized without it, and this one will not take it back. If the run was ended because of that, it is reported already. */
static void report_those_alone(struct checked_run *run, const struct leftover *items, size_t count,
                               enum check check, const struct process_ends *ends)
{
	for (size_t i = 0; i < count; i++) {
		const struct analysed_call *call = items[i].call;
		if (process_was_stopped(ends, call->process->world, call->process->rank))
			continue;
		if (!items[i].is_paired && has_finalized(ends, call, call->peer_in_world) &&
		    is_over(ends, call, (int32_t)call->process->rank))
			report_alone(run, &items[i], check);
	}
}

static void report_selector(struct report_draft *report, const char *name, int32_t value,
                            const char *wildcard)
{
	if (value < 0)
		report_value(report, name, "%s", wildcard);
	else
		report_value(report, name, "%d", value);
}

/* Nobody is left who could have sent something to them. */
static void report_unresolved(struct checked_run *run, const struct leftovers *left,
                              const struct process_ends *ends)
{
	for (size_t i = 0; ends->all_finalized && i < left->unresolved.count; i++) {
		const struct analysed_call *call = left->unresolved.items[i].call;
		struct report_draft report;
		report_begin(&report, CHECK_MESSAGE_UNMATCHED_RECEIVE);
		report.finding.times = left->unresolved.items[i].count;
		report_call(&report, call, NOTE_RECEIVED);
		report_selector(&report, "source", call->peer, "MPI_ANY_SOURCE");
		report_selector(&report, "tag", call->tag, "MPI_ANY_TAG");
		report_value(&report, "comm", "%s", call->member->comm->name);
		report_end(&report, run->log);
	}
}

void check_leftover_messages(struct checked_run *run, const struct process_ends *ends)
{
	struct leftovers left = {0};

	collect(run, &left);
	pair_up(run, &left, ends);
	report_those_alone(run, left.sends.items, left.sends.count, CHECK_MESSAGE_LOST, ends);
	report_those_alone(run, left.receives.items, left.receives.count, CHECK_MESSAGE_UNMATCHED_RECEIVE,
	                   ends);
	report_unresolved(run, &left, ends);
	array_release(&left.sends);
	array_release(&left.receives);
	array_release(&left.unresolved);
	map_release(&left.receives_of_pair);
}
