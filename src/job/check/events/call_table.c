#include "job/check/events/call_table.h"

#include "base/hash.h"
#include "job/check/events/comms.h"
#include "job/check/objects/argument_text.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/service.h"
#include "job/check/wire/unsent_events.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

#include <string.h>

enum {
	BUCKETS = 16384,
	NEW_CALLS_MAX = 8192,
	MANY_TYPES = NUMBERED_TYPES_MAX - 1024,
	FRESH_CALLS_MIN = 1024
};

static struct announced_call *buckets[BUCKETS];
static uint32_t call_total, call_pinned; /* pinned: when the table was last cleared */

static struct announced_call *find(const int64_t *key, uint32_t words, uint64_t hash)
{
	struct announced_call *announced = buckets[hash_fold(hash) % BUCKETS];

	for (; announced; announced = announced->next)
		if (announced->hash == hash && announced->key_words == words &&
		    memcmp(announced->key, key, words * sizeof *key) == 0)
			return announced;
	return NULL;
}

static void count_data(const struct announced_data *data, uint32_t count, int32_t by)
{
	for (uint32_t i = 0; i < count; i++)
		if (data[i].type)
			data[i].type->refs += (uint32_t)by;
}

static void count_types(const struct announced_call *announced, int32_t by)
{
	count_data(&announced->send, 1, by);
	count_data(&announced->receive, 1, by);
	count_data(announced->send_list, announced->call.send_list_count, by);
	count_data(announced->receive_list, announced->call.receive_list_count, by);
}

void announced_call_hold(struct announced_call *announced)
{
	count_types(announced, 1);
	if (announced->comm)
		announced->comm->refs++;
}

static void free_call(struct announced_call *announced)
{
	count_types(announced, -1);
	announced_comm_release(announced->comm);
	free((char *)(uintptr_t)announced->call.call.arguments);
	free((char *)(uintptr_t)announced->call.detail);
	free(announced->call.ranks);
	free(announced->send_list);
	free(announced->receive_list);
	free(announced);
}

/* Removes all calls without pending requests from the table. */
static void free_unpinned(void)
{
	call_total = 0;
	__atomic_add_fetch(&checked.generation, 1, __ATOMIC_RELAXED);
	event_segment++;
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct announced_call **link = &buckets[i], *announced; (announced = *link);) {
			if (announced->pins) {
				link = &announced->next;
				call_total++;
				continue;
			}
			*link = announced->next;
			free_call(announced);
		}
	call_pinned = call_total;
	types_free_unused();
	comms_free_unused();
}

static void forget_calls(void)
{
	service_forget(free_unpinned);
	if (call_pinned > NUMBERED_CALLS_MAX - NEW_CALLS_MAX)
		agent_step_aside("it has too many different requests under way");
}

void announced_calls_make_room(void)
{
	if (!definitions_have_room())
		forget_calls();
}

struct announced_call *announced_call_new(const struct agent_call *call, const int64_t *key, uint32_t words,
                                          uint64_t hash)
{
	struct announced_call *announced, **bucket = &buckets[hash_fold(hash) % BUCKETS];
	const uint32_t fresh = call_total - call_pinned;

	if (fresh >= NEW_CALLS_MAX || (types_count() >= MANY_TYPES && fresh >= FRESH_CALLS_MIN) ||
	    (!definitions_have_room() && fresh))
		forget_calls();
	announced = host_table(1, sizeof *announced + words * sizeof *key);
	if (!announced)
		return NULL;
	announced->hash = hash;
	announced->key_words = words;
	memcpy(announced->key, key, words * sizeof *key);
	announced->place = agent_place(call);
	announced->call.call.function = call->id;
	announced->call.call.note = "";
	announced->call.call.arguments = argument_text(call, true);
	announced->call.detail = strdup("");
	announced->call.root = -1;
	announced->call.peer = announced->call.peer_in_world = -1;
	announced->next = *bucket;
	*bucket = announced;
	call_total++;
	return announced;
}

struct announced_call *announced_call_get(const struct agent_call *call, const int64_t *key, uint32_t words,
                                          uint64_t seed, bool *is_new)
{
	const uint64_t hash = hash_words(key, words, seed);
	struct announced_call *announced = find(key, words, hash);

	*is_new = !announced;
	return LIKELY(announced) ? announced : announced_call_new(call, key, words, hash);
}

uint32_t status_flags(const struct agent_call *call)
{
	const int at = call_parameter_or(call->id, KIND_status, KIND_statuses);
	const int64_t status = at < 0 ? 0 : call->arguments[at];

	/* Some of these are equal in one of the libraries. */
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
	bool is_new;
	struct announced_call *announced = announced_call_get(call, key, words, 0, &is_new);

	if (UNLIKELY(is_new) && announced)
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
	bool is_new;
	struct announced_call *announced = announced_call_get(call, key, sizeof key / sizeof *key,
	                                                      OPERATION_WAIT, &is_new);

	if (UNLIKELY(is_new) && announced) {
		announced->call.operation = OPERATION_WAIT;
		announced->call.flags = flags;
	}
	return announced;
}
