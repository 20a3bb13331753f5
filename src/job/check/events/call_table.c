#include "job/check/events/call_table.h"

#include "base/hash.h"
#include "job/check/events/comms.h"
#include "job/check/objects/argument_text.h"
#include "job/check/objects/types.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/service.h"
#include "job/check/wire/unsent_events.h"

#include <string.h>

enum { BUCKETS = 16384, NEW_CALLS_MAX = 8192, MANY_TYPES = NUMBERED_TYPES_MAX - 1024, LEAST_CALLS = 1024 };

static struct announced_call *buckets[BUCKETS];
static uint32_t call_total, call_pinned; /* pinned: when the table was forgotten last */

struct announced_call *announced_call_find(const int64_t *key, uint32_t words, uint64_t hash)
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

/* All calls without requests under way leave the table. */
static void free_unpinned(void)
{
	call_total = 0;
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

	if (fresh >= NEW_CALLS_MAX || (types_count() >= MANY_TYPES && fresh >= LEAST_CALLS) ||
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
	announced->call.call.arguments = argument_text(call);
	announced->call.detail = strdup("");
	announced->call.root = -1;
	announced->call.peer = announced->call.peer_in_world = -1;
	announced->next = *bucket;
	*bucket = announced;
	call_total++;
	return announced;
}
