#include "job/check/buffers/retired_buffers.h"

#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/watched_memory.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/wire/places.h"
#include "job/check/wire/thread_order.h"

/* LOOKS_MAX: checked accesses per buffer. */
enum { RETIRED_MAX = 32, LOOKS_MAX = 1 << 14 };

struct retired_call {
	enum call_id by;
	uint32_t at; /* place */
};

static struct retired_buffer {
	uintptr_t first, end; /* equal: none */
	struct thread_moment completed;
	bool receives;
	int8_t parameter;
	uint32_t looks;
	struct retired_call began, ended;
	bool is_touched;
	enum access_kind kind;
	struct interrupted_stack stack;
} retired[RETIRED_MAX];

static uint32_t next;
static uintptr_t low = UINTPTR_MAX, high; /* all buffers are between these addresses */
static bool has_touched;

static bool is_solid(const struct byte_pattern *pattern)
{
	return pattern->count == 1 && (pattern->times == 1 || pattern->stride == pattern->run[0].length);
}

static struct retired_call beginning_of(const struct active_buffer *buffer)
{
	const struct checked_request *request = buffer->request;

	if (request)
		return (struct retired_call){request->created_by, request->created_at};
	return (struct retired_call){buffer->by, buffer->call ? agent_place(buffer->call) : buffer->at};
}

void retired_buffer_add(const struct agent_call *call, const struct active_buffer *buffer)
{
	const uintptr_t first = (uintptr_t)buffer->interval.first, end = (uintptr_t)buffer->interval.end;
	struct retired_buffer one = {.first = first,
	                             .end = end,
	                             .completed = thread_order_now(),
	                             .receives = buffer->receives,
	                             .parameter = buffer->parameter,
	                             .began = beginning_of(buffer),
	                             .ended = {call->id, agent_place(call)}};
	uint32_t at = next;

	if (!is_solid(&buffer->pattern) || (buffer->window && buffer->target < 0))
		return;
	watch_lock();
	for (uint32_t i = 0; i < RETIRED_MAX; i++)
		if (retired[i].first == first && retired[i].end == end && retired[i].receives == one.receives)
			at = i;
	if (at == next)
		next = (next + 1) % RETIRED_MAX;
	if (!retired[at].is_touched) {
		retired[at] = one;
		low = first < low ? first : low;
		high = end > high ? end : high;
	}
	watch_unlock();
}

static void look(struct retired_buffer *one, bool is_write, const void *site)
{
	if (++one->looks > LOOKS_MAX) {
		one->end = one->first;
	} else if (!one->is_touched && !thread_order_knows(&one->completed)) {
		one->is_touched = true;
		one->kind = is_write ? ACCESS_WRITES : ACCESS_READS;
		interrupted_stack_take(&one->stack, (uintptr_t)site);
		__atomic_store_n(&has_touched, true, __ATOMIC_RELEASE);
	}
}

void retired_buffers_accessed(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	if (address >= RELAXED_LOAD(high) || address + bytes <= RELAXED_LOAD(low) || !thread_order_is_seen())
		return;
	watch_lock();
	for (uint32_t i = 0; i < RETIRED_MAX; i++)
		if (retired[i].first < address + bytes && retired[i].end > address &&
		    (retired[i].receives || is_write))
			look(&retired[i], is_write, site);
	watch_unlock();
}

void retired_buffers_forget(uintptr_t first, uintptr_t end)
{
	if (first >= RELAXED_LOAD(high) || end <= RELAXED_LOAD(low))
		return;
	watch_lock();
	for (uint32_t i = 0; i < RETIRED_MAX; i++)
		if (retired[i].first < end && retired[i].end > first && !retired[i].is_touched)
			retired[i].end = retired[i].first;
	watch_unlock();
}

static void report(const struct retired_buffer *one)
{
	const bool is_write = one->kind == ACCESS_WRITES;
	struct finding_draft draft = finding_draft(!one->receives ? CHECK_MEMORY_SEND_CHANGED
	                                           : is_write     ? CHECK_MEMORY_RECEIVE_WRITTEN
	                                                          : CHECK_MEMORY_RECEIVE_READ,
	                                           NULL);

	finding_draft_call(&draft, one->ended.by, one->ended.at, NOTE_HERE);
	finding_draft_value(&draft, "parameter", "%s",
	                    call_parameter_name(one->began.by, (uint32_t)one->parameter));
	finding_draft_value(&draft, "bytes", "%lld", (long long)(one->end - one->first));
	if (one->began.by != one->ended.by || one->began.at != one->ended.at)
		finding_draft_call(&draft, one->began.by, one->began.at, NOTE_EARLIER);
	finding_draft_call(&draft, one->ended.by,
	                   place_of_addresses(one->stack.addresses, one->stack.count, one->stack.is_whole),
	                   is_write ? NOTE_WRITTEN : NOTE_READ);
	finding_report(&draft);
}

void retired_buffers_report(void)
{
	struct retired_buffer found;

	if (LIKELY(!__atomic_load_n(&has_touched, __ATOMIC_ACQUIRE)))
		return;
	has_touched = false;
	for (uint32_t i = 0; i < RETIRED_MAX; i++) {
		watch_lock();
		found = retired[i];
		if (found.is_touched)
			retired[i] = (struct retired_buffer){0};
		watch_unlock();
		if (found.is_touched)
			report(&found);
	}
}
