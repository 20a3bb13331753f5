#include "job/check/call_table.h"

#include "base/hash.h"
#include "job/check/argument_text.h"
#include "job/check/comms.h"
#include "job/check/kept.h"
#include "job/check/process_state.h"
#include "job/check/service.h"
#include "job/check/types.h"

#include <string.h>

enum { BUCKETS = 16384, NEW_CALLS_MAX = 8192, MANY_TYPES = KEPT_TYPES_MAX - 1024, LEAST_CALLS = 1024 };

static struct announced_call *buckets[BUCKETS];
static uint32_t call_total, call_pinned; /* pinned: when the table was forgotten last */

struct announced_call *announced_call_find(const int64_t *key, uint32_t words, uint64_t hash)
{
	struct announced_call *told = buckets[hash_fold(hash) % BUCKETS];

	for (; told; told = told->next)
		if (told->hash == hash && told->key_words == words &&
		    memcmp(told->key, key, words * sizeof *key) == 0)
			return told;
	return NULL;
}

static void count_data(const struct announced_data *data, uint32_t count, int32_t by)
{
	for (uint32_t i = 0; i < count; i++)
		if (data[i].type)
			data[i].type->refs += (uint32_t)by;
}

static void count_types(const struct announced_call *told, int32_t by)
{
	count_data(&told->send, 1, by);
	count_data(&told->receive, 1, by);
	count_data(told->send_list, told->call.send_list_count, by);
	count_data(told->receive_list, told->call.receive_list_count, by);
}

void announced_call_hold(struct announced_call *told)
{
	count_types(told, 1);
	if (told->comm)
		told->comm->refs++;
}

static void free_call(struct announced_call *told)
{
	count_types(told, -1);
	announced_comm_release(told->comm);
	free((char *)(uintptr_t)told->call.call.arguments);
	free((char *)(uintptr_t)told->call.detail);
	free(told->call.ranks);
	free(told->send_list);
	free(told->receive_list);
	free(told);
}

/* All calls without requests under way leave the table. */
static void free_unpinned(void)
{
	call_total = 0;
	for (uint32_t i = 0; i < BUCKETS; i++)
		for (struct announced_call **link = &buckets[i], *told; (told = *link);) {
			if (told->pins) {
				link = &told->next;
				call_total++;
				continue;
			}
			*link = told->next;
			free_call(told);
		}
	call_pinned = call_total;
	types_free_unused();
	comms_free_unused();
}

static void forget_calls(void)
{
	service_forget(free_unpinned);
	if (call_pinned > KEPT_CALLS_MAX - NEW_CALLS_MAX)
		agent_step_aside("it has too many different requests under way");
}

void announced_calls_make_room(void)
{
	if (!kept_has_room())
		forget_calls();
}

struct announced_call *announced_call_new(const struct agent_call *call, const int64_t *key, uint32_t words,
                                          uint64_t hash)
{
	struct announced_call *told, **bucket = &buckets[hash_fold(hash) % BUCKETS];
	const uint32_t fresh = call_total - call_pinned;

	if (fresh >= NEW_CALLS_MAX || (types_count() >= MANY_TYPES && fresh >= LEAST_CALLS) ||
	    (!kept_has_room() && fresh))
		forget_calls();
	told = host_table(1, sizeof *told + words * sizeof *key);
	if (!told)
		return NULL;
	told->hash = hash;
	told->key_words = words;
	memcpy(told->key, key, words * sizeof *key);
	told->place = agent_place(call);
	told->call.call.function = call->id;
	told->call.call.note = "";
	told->call.call.arguments = argument_text(call);
	told->call.detail = strdup("");
	told->call.root = -1;
	told->call.peer = told->call.peer_in_world = -1;
	told->next = *bucket;
	*bucket = told;
	call_total++;
	return told;
}
