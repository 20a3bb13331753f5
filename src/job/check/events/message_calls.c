#include "job/check/events/message_calls.h"

#include "base/hash.h"
#include "job/check/events/call_table.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

uint32_t status_flags(const struct agent_call *call)
{
	const int at = call_parameter_or(call->id, KIND_status, KIND_statuses);
	const int64_t status = at < 0 ? 0 : call->arguments[at];

	/* Some of these are the same in one of the libraries. */
	/* NOLINTNEXTLINE(misc-redundant-expression) */
	return at >= 0 && (status == (int64_t)(uintptr_t)MPI_STATUS_IGNORE ||
	                   status == (int64_t)(uintptr_t)MPI_STATUSES_IGNORE)
	               ? CHECK_CALL_STATUS_IGNORED
	               : 0;
}

static void fill_message(struct announced_call *announced, const struct message_description *m)
{
	struct distinct_check_call *call = &announced->call;

	call->operation = m->operation;
	call->flags = m->flags | (m->peer == ANY || m->tag == ANY ? CHECK_CALL_WILDCARD : 0);
	call->comm = m->announced->comm.identity;
	call->peer = m->peer == ANY ? -1 : m->peer;
	call->peer_in_world = m->peer == ANY ? -1 : comm_peer(m->comm, m->peer);
	call->tag = m->tag == ANY ? -1 : m->tag;
	announced->comm = m->announced;
	if (m->buffer_needed && (call->ranks = host_table(2, sizeof *call->ranks))) {
		call->rank_count = 2;
		call->ranks[0] = (int64_t)m->buffer_needed;
		call->ranks[1] = (int64_t)m->buffer_size;
	}
	*(m->operation == OPERATION_SEND ? &announced->send : &announced->receive) = m->data;
	announced_call_hold(announced);
}

struct announced_call *message_call(const struct agent_call *call, const struct message_description *m)
{
	const int64_t key[] = {
		(int64_t)((uint64_t)call->id << 32 | m->flags << 4 | m->operation),
		(int64_t)agent_place(call),
		(int64_t)(uintptr_t)m->announced,
		(int64_t)((uint64_t)(uint32_t)m->peer << 32 | (uint32_t)m->tag),
		(int64_t)(uintptr_t)m->data.type,
		(int64_t)m->data.count,
		(int64_t)m->buffer_size,
	};
	const uint32_t words = sizeof key / sizeof *key - (m->flags & CHECK_CALL_BUFFERED ? 0 : 1);
	const uint64_t hash = hash_words(key, words, 0);
	struct announced_call *announced = announced_call_find(key, words, hash);

	if (LIKELY(announced))
		return announced;
	announced = announced_call_new(call, key, words, hash);
	if (announced)
		fill_message(announced, m);
	return announced;
}

struct announced_call *wait_call(const struct agent_call *call, uint32_t flags, const int64_t what[2])
{
	const int64_t key[] = {
		(int64_t)((uint64_t)call->id << 32 | flags << 4 | OPERATION_WAIT),
		(int64_t)agent_place(call),
		what[0],
		what[1],
	};
	const uint32_t words = sizeof key / sizeof *key;
	const uint64_t hash = hash_words(key, words, OPERATION_WAIT);
	struct announced_call *announced = announced_call_find(key, words, hash);

	if (LIKELY(announced))
		return announced;
	announced = announced_call_new(call, key, words, hash);
	if (!announced)
		return NULL;
	announced->call.operation = OPERATION_WAIT;
	announced->call.flags = flags;
	return announced;
}
