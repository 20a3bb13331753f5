#include "job/check/buffers/watched_memory.h"

#include "base/access_hooks.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/retired_buffers.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/thread_order.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

/* MARKED_RUNS_MAX: buffers with more pieces are not watched. TOUCHES_MAX: accesses that are
 * kept at a time, for all buffers together. */
enum { MARKED_RUNS_MAX = 1 << 16, TOUCHES_MAX = 64 };

bool watched_memory_wanted;

static bool is_locked;
static const struct watched_windows *all_windows;
static struct page_access touches[TOUCHES_MAX];
static bool is_taken[TOUCHES_MAX];

/* This thread is reporting an access; meanwhile, a signal handler of the program may make another one. */
static _Thread_local bool is_reporting __attribute__((tls_model("initial-exec")));

void watch_lock(void)
{
	while (__atomic_test_and_set(&is_locked, __ATOMIC_ACQUIRE))
		sched_yield();
}

void watch_unlock(void)
{
	__atomic_clear(&is_locked, __ATOMIC_RELEASE);
}

void watched_memory_has_windows(const struct watched_windows *windows)
{
	all_windows = windows;
}

void watch_mark(int64_t first, int64_t end, uint8_t value)
{
	uint8_t *from = shadow_of((uintptr_t)first), *last = shadow_of((uintptr_t)end - 1);

	if (first >= 0 && first < end && end <= (int64_t)1 << SHADOW_ADDRESS_BITS)
		memset(from, value, (size_t)(last - from) + 1);
}

static void mark_pattern(const struct byte_pattern *pattern, uint8_t value)
{
	int64_t first, end;

	if (pattern->count == 1 && (pattern->times == 1 || pattern->stride == pattern->run[0].length)) {
		if (byte_pattern_hull(pattern, &first, &end))
			watch_mark(first, end, value);
		return;
	}
	if (!pattern->count || pattern->times > MARKED_RUNS_MAX / pattern->count)
		return;
	for (int64_t i = 0; i < pattern->times; i++)
		for (uint32_t j = 0; j < pattern->count; j++) {
			first = pattern->start + i * pattern->stride + pattern->run[j].offset;
			watch_mark(first, first + pattern->run[j].length, value);
		}
}

void watch_buffer(const struct active_buffer *buffer)
{
	mark_pattern(&buffer->pattern, SHADOW_WATCHED);
}

static bool mark_again(struct interval *interval, void *unused)
{
	(void)unused;
	watch_buffer((const struct active_buffer *)interval);
	return true;
}

void watch_again(int64_t first, int64_t end)
{
	active_buffers_visit(first, end, true, mark_again, NULL);
	if (all_windows)
		all_windows->mark(first, end);
}

void unwatch_buffer(const struct active_buffer *buffer)
{
	/* Other buffers may use some of the same eight bytes. */
	const int64_t first = buffer->interval.first & -SHADOW_GRANULE,
		      end = (buffer->interval.end + SHADOW_GRANULE - 1) & -SHADOW_GRANULE;

	mark_pattern(&buffer->pattern, SHADOW_CLEAR);
	watch_again(first, end);
}

/* Accesses */

struct watched_access {
	struct byte_run run;
	struct byte_pattern pattern;
	uintptr_t address;
	enum access_kind kind;
	const void *site;
	bool has_buffer; /* a buffer has bytes in the same granules */
};

static struct page_access *take_touch(uintptr_t address, enum access_kind kind)
{
	for (int i = 0; i < TOUCHES_MAX; i++)
		if (!is_taken[i]) {
			is_taken[i] = true;
			touches[i] = (struct page_access){.address = address, .kind = kind};
			return &touches[i];
		}
	return NULL;
}

/* Finds an access of another thread before the operation began that nothing orders before it. If the buffer has
 * several pieces, only the first is checked. */
void watch_earlier(struct active_buffer *buffer)
{
	const struct byte_pattern *pattern = &buffer->pattern;
	const int64_t first = pattern->start + pattern->run[0].offset;
	struct recent_access earlier;
	struct page_access *touch;
	enum access_kind kind;

	if ((buffer->window && buffer->target < 0) || pattern->times < 1 || !pattern->count ||
	    !thread_order_find((uintptr_t)first, (uintptr_t)(first + pattern->run[0].length),
	                       !buffer->receives, &earlier))
		return;
	kind = earlier.is_write ? ACCESS_WRITES : ACCESS_READS;
	if (buffer->touched[kind] || !(touch = take_touch(earlier.first, kind)))
		return;
	touch->stack.addresses[0] = (uintptr_t)earlier.site;
	touch->stack.count = 1;
	buffer->touched[kind] = touch;
}

static bool touch(struct interval *interval, void *context)
{
	struct watched_access *access = context;
	struct active_buffer *buffer = (struct active_buffer *)interval;
	int64_t at;

	access->has_buffer = true;
	/* A one-sided operation on MPI_PROC_NULL does nothing. */
	if (buffer->window && buffer->target < 0)
		return true;
	if (!buffer->touched[access->kind] && (buffer->receives || access->kind == ACCESS_WRITES) &&
	    byte_patterns_overlap(&access->pattern, &buffer->pattern, &at) == BYTES_OVERLAP &&
	    (buffer->touched[access->kind] = take_touch(access->address, access->kind)))
		interrupted_stack_take(&buffer->touched[access->kind]->stack, (uintptr_t)access->site);
	return true;
}

/* Called before a load or store. A mark may have neither a buffer nor a window: compilers set marks around
 * variables on the stack, which stay if a jump leaves the function. */
static void accessed(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	const struct agent_thread *thread = agent_self;
	const int64_t first = (int64_t)address & -SHADOW_GRANULE,
		      end = (int64_t)(address + bytes + SHADOW_GRANULE - 1) & -SHADOW_GRANULE;
	struct watched_access access = {
		.run = {0, (int64_t)bytes},
		.pattern = {.run = &access.run, .count = 1, .start = (int64_t)address, .times = 1},
		.address = address,
		.kind = is_write ? ACCESS_WRITES : ACCESS_READS,
		.site = site};
	const int saved = errno;

	if (is_reporting || RELAXED_LOAD(checked.phase) != AGENT_IN_MPI || (thread && thread->current))
		return;
	is_reporting = true;
	watch_lock();
	active_buffers_visit(first, end, true, touch, &access);
	if (!(all_windows && all_windows->access(address, bytes, is_write, site, access.has_buffer)) &&
	    !access.has_buffer)
		watch_mark(first, end, SHADOW_CLEAR);
	watch_unlock();
	is_reporting = false;
	errno = saved;
}

/* Called before every load and store of a program with threads. */
static void thread_accessed(uintptr_t address, size_t bytes, bool is_write, const void *site)
{
	const struct agent_thread *thread = agent_self;
	const int saved = errno;

	if (is_reporting || RELAXED_LOAD(checked.phase) != AGENT_IN_MPI || (thread && thread->current))
		return;
	is_reporting = true;
	thread_order_accesses(address, bytes, is_write, site);
	retired_buffers_accessed(address, bytes, is_write, site);
	is_reporting = false;
	errno = saved;
}

static void synchronise(uintptr_t address, bool may_write)
{
	thread_order_synchronises(address, may_write);
	if (all_windows && !is_reporting) {
		is_reporting = true;
		watch_lock();
		all_windows->synchronise(address);
		watch_unlock();
		is_reporting = false;
	}
}

static void freed(uintptr_t first, uintptr_t end)
{
	if (is_reporting || !thread_order_has_threads)
		return;
	is_reporting = true;
	thread_order_forget(first, end);
	retired_buffers_forget(first, end);
	is_reporting = false;
}

void watched_memory_start(void)
{
	struct access_hooks *hooks = access_hooks_place();

	watched_memory_wanted = access_hooks_are_there();
	if (!watched_memory_wanted)
		return;
	interrupted_stack_prepare();
	thread_order_start(thread_accessed);
	hooks->synchronise = synchronise;
	hooks->freed = freed;
	hooks->access = accessed;
}

/* Findings */

static void give_back(struct active_buffer *buffer, enum access_kind kind)
{
	if (buffer->touched[kind])
		is_taken[buffer->touched[kind] - touches] = false;
	buffer->touched[kind] = NULL;
}

void watched_buffer_forget(struct active_buffer *buffer)
{
	watch_lock();
	give_back(buffer, ACCESS_READS);
	give_back(buffer, ACCESS_WRITES);
	watch_unlock();
}

bool watched_buffer_report(struct agent_call *call, struct active_buffer *buffer)
{
	const bool was_written = buffer->touched[ACCESS_WRITES] != NULL;

	if (!buffer->overlaps && !call->nested) {
		if (buffer->touched[ACCESS_READS])
			active_buffer_report(call, buffer, CHECK_MEMORY_RECEIVE_READ,
			                     buffer->touched[ACCESS_READS]);
		if (was_written)
			active_buffer_report(call, buffer,
			                     buffer->receives ? CHECK_MEMORY_RECEIVE_WRITTEN
			                                      : CHECK_MEMORY_SEND_CHANGED,
			                     buffer->touched[ACCESS_WRITES]);
	}
	watched_buffer_forget(buffer);
	return was_written;
}
