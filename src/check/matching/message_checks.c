#include "check/matching/analysis.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t data_bytes(const struct known_data *data)
{
	uint64_t bytes;

	return __builtin_mul_overflow(signature_bytes(data->type->signature), data->count, &bytes)
	               ? UINT64_MAX
	               : bytes;
}

static struct signature_comparison compare(const struct known_data *sent, const struct known_data *room)
{
	if (sent->type && room->type && (sent->type != room->type || sent->count > room->count))
		return signatures_compare(sent->type->signature, sent->count, room->type->signature,
		                          room->count);
	return (struct signature_comparison){.verdict = SIGNATURE_FITS};
}

void report_message(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive,
                    uint64_t times)
{
	const struct known_data *sent = &send->send, *room = &receive->receive;
	const struct signature_comparison compared = compare(sent, room);

	send->partner = receive->serial;
	send->finding = FINDING_NONE;
	if (compared.verdict == SIGNATURE_TOO_LONG)
		send->finding = report_finding(run->log, CHECK_MESSAGE_TRUNCATED, times,
		                               CALLS({send, NOTE_SENT}, {receive, NOTE_RECEIVED}),
		                               "sent=%" PRIu64 AND "room=%" PRIu64, data_bytes(sent),
		                               data_bytes(room));
	else if (compared.verdict != SIGNATURE_FITS)
		send->finding = report_finding(
			run->log,
			compared.verdict == SIGNATURE_SIMILAR ? CHECK_MESSAGE_SIMILAR_TYPE
							      : CHECK_MESSAGE_TYPE_MISMATCH,
			times, CALLS({send, NOTE_SENT}, {receive, NOTE_RECEIVED}),
			"element=%" PRIu64 AND "sent=%s" AND "received=%s", compared.at,
			basic_type_name(compared.sent), basic_type_name(compared.received));
}

static bool has_threads(const struct analysed_call *call)
{
	return call->process->execution && call->process->execution->is_threaded;
}

void check_message(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive,
                   bool is_certain)
{
	const bool fits = compare(&send->send, &receive->receive).verdict == SIGNATURE_FITS;

	if (!fits && is_certain && (has_threads(send) || has_threads(receive)))
		message_suspected(run, send, receive);
	else if (fits || is_certain)
		report_message(run, send, receive, 1);
}

/* Operations left at the end */

struct leftover {
	const struct analysed_call *call;
	const struct analysed_comm *comm;
	uint64_t count;
	uint32_t next; /* next receive of the same pair; UINT32_MAX: none */
	bool is_paired;
};

struct leftovers {
	ARRAY(struct leftover) sends, receives, unresolved; /* unresolved: wildcards without a message */
	struct map receives_of_pair;                        /* to the first of a pair */
};

/* World ranks of source and destination, which are in one world. */
static bool pair_key(const struct analysed_call *call, struct map_key *key)
{
	uint64_t own = call->process->rank, peer = (uint32_t)call->peer_in_world;
	bool sends = call->operation == OPERATION_SEND;

	*key = map_key(call->process->world, sends ? own << 32 | peer : peer << 32 | own);
	return call->peer_in_world >= 0;
}

/* Consecutive equal ones are merged. */
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
	/* A receive with a wildcard whose message stayed unknown may have taken the candidate. */
	else if (call->operation == OPERATION_SEND && !operation->candidate)
		add_leftover(&left->sends, call);
	/* The message of a resolved wildcard has certainly arrived: its sender did not announce it. */
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

/* The process begins no more operations: it has ended, or waits for ever. */
static bool is_over(const struct process_ends *ends, const struct analysed_call *call, int32_t rank)
{
	return has_finalized(ends, call, rank) ||
	       (rank >= 0 && process_is_deadlocked(ends, call->process->world, (uint32_t)rank)) ||
	       (ends->nobody_moves && rank >= 0 &&
	        process_is_stuck(ends, call->process->world, (uint32_t)rank));
}

static void report_pair(struct checked_run *run, const struct leftover *send, const struct leftover *receive)
{
	const uint64_t times = send->count < receive->count ? send->count : receive->count;
	const struct reported_call *calls = CALLS({send->call, NOTE_SENT}, {receive->call, NOTE_RECEIVED});

	if (send->comm == receive->comm)
		report_finding(run->log, CHECK_MESSAGE_TAG_MISMATCH, times, calls,
		               "sent_tag=%d" AND "received_tag=%d" AND "comm=%s", send->call->tag,
		               receive->call->tag, send->comm->name);
	else
		report_finding(run->log, CHECK_MESSAGE_COMMUNICATOR_MISMATCH, times, calls,
		               "sent_comm=%s" AND "received_comm=%s", send->comm->name, receive->comm->name);
}

/* A receive that differs only in the tag, or only in the communicator. */
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

/* The other side has finalized without it, and this side will not cancel it. If the run was ended for this
 * reason, it is already reported. */
static void report_those_alone(struct checked_run *run, const struct leftover *items, size_t count,
                               enum check check, const struct process_ends *ends)
{
	const bool is_lost = check == CHECK_MESSAGE_LOST;

	for (size_t i = 0; i < count; i++) {
		const struct analysed_call *call = items[i].call;
		if (process_was_stopped(ends, call->process->world, call->process->rank))
			continue;
		if (!items[i].is_paired && has_finalized(ends, call, call->peer_in_world) &&
		    is_over(ends, call, (int32_t)call->process->rank))
			report_finding(run->log, check, items[i].count,
			               CALLS({call, is_lost ? NOTE_SENT : NOTE_RECEIVED}),
			               is_lost ? "dest=%d" AND "tag=%d" AND "comm=%s"
			                       : "source=%d" AND "tag=%d" AND "comm=%s",
			               call->peer, call->tag, items[i].comm->name);
	}
}

/* No process is left that could have sent a message to them. */
static void report_unresolved(struct checked_run *run, const struct leftovers *left,
                              const struct process_ends *ends)
{
	for (size_t i = 0; ends->all_finalized && i < left->unresolved.count; i++) {
		const struct analysed_call *call = left->unresolved.items[i].call;
		char source[16], tag[16];

		snprintf(source, sizeof source, call->peer < 0 ? "MPI_ANY_SOURCE" : "%d", call->peer);
		snprintf(tag, sizeof tag, call->tag < 0 ? "MPI_ANY_TAG" : "%d", call->tag);
		report_finding(run->log, CHECK_MESSAGE_UNMATCHED_RECEIVE, left->unresolved.items[i].count,
		               CALLS({call, NOTE_RECEIVED}), "source=%s" AND "tag=%s" AND "comm=%s", source,
		               tag, call->member->comm->name);
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
