#include "job/check/windows/window_buffers.h"

#include "job/check/buffers/active_buffers.h"
#include "job/check/windows/local_accesses.h"
#include "job/check/windows/window_events.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

#include <stdlib.h>

enum { PENDING_MAX = 8 };

/* Memory of a window, in this process's addresses. */
struct window_part {
	struct interval interval; /* must be the first member */
	struct checked_window *window;
	int32_t rank;             /* the rank that owns the memory */
	int64_t start;            /* its offset in that memory */
	struct window_part *next; /* of the same window */
};

static struct interval_set parts;

/* Buffers that the thread's current call writes. */
static _Thread_local struct {
	const struct agent_call *call;
	int count;
	struct {
		struct announced_call *announced;
		uint64_t first;
		int64_t bytes; /* size of the whole buffer */
	} list[PENDING_MAX];
} pending __attribute__((tls_model("initial-exec")));

struct window_buffer_use {
	struct window_buffer buffer;
	struct byte_runs runs; /* addresses */
	uint64_t
		window; /* of a one-sided operation without a request, which the window's synchronisation completes; 0: none */
	int64_t target; /* the target of that operation */
	bool is_later;  /* reported after the call */
	int64_t bytes;
};

static bool observe_part(struct interval *interval, void *context)
{
	const struct window_part *part = (const struct window_part *)interval;
	struct window_buffer_use *use = context;
	struct byte_runs runs = {0};
	struct announced_call *announced;

	for (uint32_t i = 0; i < use->runs.count; i++) {
		const int64_t after = use->runs.run[i].offset + use->runs.run[i].length,
			      first = use->runs.run[i].offset > interval->first ? use->runs.run[i].offset
		                                                                : interval->first,
			      end = after < interval->end ? after : interval->end;

		if (first < end)
			byte_runs_add(&runs, part->start + first - interval->first, end - first);
	}
	use->buffer.runs = &runs;
	use->buffer.rank = part->rank;
	use->buffer.target = use->window == part->window->handle ? use->target : -1;
	if (runs.count && !runs.approximate &&
	    (announced = window_event_buffer(part->window, &use->buffer, !use->is_later)) && use->is_later &&
	    pending.count < PENDING_MAX) {
		announced->pins++;
		pending.list[pending.count].announced = announced;
		pending.list[pending.count].first = (uint64_t)runs.run[0].offset;
		pending.list[pending.count++].bytes = use->bytes;
	}
	byte_runs_release(&runs);
	return true;
}

static void observe(struct window_buffer_use *use, const struct byte_pattern *pattern)
{
	int64_t first, end;

	byte_runs_add_pattern(&use->runs, pattern);
	byte_runs_sort(&use->runs);
	if (!use->runs.approximate && byte_pattern_hull(pattern, &first, &end))
		interval_each(&parts, first, end, observe_part, use);
	byte_runs_release(&use->runs);
}

static void observe_buffer(const struct argument_check *check, const struct shaped_buffer *buffer,
                           const struct byte_range *range)
{
	const struct agent_call *call = check->call;
	const bool is_read = buffer->sends || (all_calls[call->id].moves == MOVES_BCAST && check->at_root),
		   has_request = call_parameter(call->id, KIND_newrequest) >= 0,
		   is_one_sided = check->shape->win >= 0;
	const struct byte_run all = {0, range->last + 1 - range->first};
	struct byte_pattern pattern = {.run = &all, .count = 1, .start = range->first, .times = 1};
	struct window_buffer_use use = {.buffer = {.call = call, .is_written = !is_read},
	                                .is_later = !is_read && !has_request && !is_one_sided,
	                                .bytes = range->bytes};
	const struct type_layout *layout;
	struct byte_runs list = {0};

	if (is_one_sided && !has_request) {
		use.window = (uint64_t)check->values[check->shape->win];
		use.target = call_argument(call, KIND_target);
	}
	if (range->solid || buffer_pattern(check, buffer, &list, &layout, &pattern))
		observe(&use, &pattern);
	byte_runs_release(&list);
}

static void observe_call(const struct argument_check *check, const struct byte_range *ranges)
{
	if (all_calls[check->call->id].persistent)
		return;
	lock_if_shared();
	pending.call = check->call;
	pending.count = 0;
	for (int i = 0; i < check->shape->buffer_count; i++)
		if (ranges[i].bytes > 0 && interval_set_has(&parts, ranges[i].first, ranges[i].last + 1))
			observe_buffer(check, &check->shape->buffers[i], &ranges[i]);
	unlock_if_shared();
}

static void observe_start(const struct agent_call *call, const struct active_buffer *buffer)
{
	struct window_buffer_use use = {.buffer = {.call = call, .is_written = buffer->receives}};

	if (interval_set_has(&parts, buffer->interval.first, buffer->interval.end))
		observe(&use, &buffer->pattern);
}

static void add_part(struct checked_window *window, int32_t rank, int64_t base, int64_t bytes, int64_t start)
{
	static const struct buffers_observer observer = {observe_call, observe_start};
	struct window_part *part = base && bytes > 0 ? host_table(1, sizeof *part) : NULL;

	if (!part)
		return;
	*part = (struct window_part){.interval = {.first = base, .end = base + bytes},
	                             .window = window,
	                             .rank = rank,
	                             .start = start,
	                             .next = window->parts};
	window->parts = part;
	interval_add(&parts, &part->interval);
	buffers_observer = &observer;
}

static void drop_part(struct window_part **link)
{
	struct window_part *part = *link;

	*link = part->next;
	interval_remove(&parts, &part->interval);
	free(part);
}

void window_buffers_begin(struct checked_window *window)
{
	const int64_t base = window->local ? window->local->base : window->base;

	if (window->memory != WINDOW_MEMORY_SHARED)
		add_part(window, window->rank, base, window->own.bytes, 0);
	for (int32_t i = 0; window->members && i < window->size; i++)
		add_part(window, i, window->members[i].base, window->members[i].bytes, 0);
}

/* In dynamic windows, displacements are addresses. */
void window_buffers_attach(const struct agent_call *call, struct checked_window *window)
{
	const int64_t base = call_argument_or(call, KIND_pointer, KIND_inpointer);
	struct window_part **link = &window->parts;

	if (call->id == CALL_Win_attach) {
		add_part(window, window->rank, base, call_argument(call, KIND_winsize), base);
		return;
	}
	while (*link && (*link)->interval.first != base)
		link = &(*link)->next;
	if (*link)
		drop_part(link);
}

void window_buffers_end(struct checked_window *window)
{
	while (window->parts)
		drop_part(&window->parts);
}

void window_buffers_after(const struct agent_call *call, int rc)
{
	if (LIKELY(!pending.count) || pending.call != call)
		return;
	lock_if_shared();
	for (int i = 0; i < pending.count; i++) {
		/* If the message was shorter, MPI has written only a part of the buffer. */
		const bool is_full = call_parameter(call->id, KIND_status) < 0 || !call->status ||
		                     status_bytes(call->status) >= pending.list[i].bytes;

		if (rc == MPI_SUCCESS && is_full)
			push_window_over(pending.list[i].announced, pending.list[i].first);
		pending.list[i].announced->pins--;
	}
	pending.count = 0;
	unlock_if_shared();
}
