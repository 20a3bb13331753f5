#include "job/check/windows/repeated_reads.h"

#include "base/hash.h"
#include "calls/parameters.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/unsent_events.h"

/* EVENT_PERIOD: one in this many repeated reads becomes an event, so that analysers see progress. */
enum { KNOWN_READS = 2048, HELD_MAX = 256, OPEN_MAX = 8, EVENT_PERIOD = 256 };
enum { TIMES_KNOWN = 2, SEVERAL_TARGETS = -1 };

/* A read. The struct is small, because programs have many reads. */
struct known_read {
	struct announced_call *call;
	uint64_t first;
	struct checked_window *window;
	struct announced_call *flush; /* of a held read: the call that completed it; NULL: none */
	uint32_t segment;             /* value of event_segment */
	uint32_t writes;              /* value of the window's counter */
	uint16_t times;               /* how often it became an event */
	bool is_held;
};

static struct known_read reads[KNOWN_READS];
static struct known_read *held[HELD_MAX], *open[OPEN_MAX]; /* open: the held reads that are not complete */
static uint32_t held_count, open_count, repeats;

/* Pushes an access and counts it, as analysers do. `is_over`: the thread has left the call. */
static bool push_access(struct checked_window *window, struct announced_call *call, uint64_t first,
                        bool is_over)
{
	const int32_t target = call->call.peer;

	if (!push_window_in_segment(call, first, is_over))
		return false;
	window->open_target = !window->has_open || window->open_target == target ? target : SEVERAL_TARGETS;
	window->has_open = true;
	window->accesses++;
	return true;
}

static void forget_held(void)
{
	for (uint32_t i = 0; i < held_count; i++) {
		held[i]->is_held = false;
		held[i]->call->pins--;
		if (held[i]->flush)
			held[i]->flush->pins--;
		held[i]->flush = NULL;
	}
	held_count = open_count = 0;
	held_events = NULL;
}

/* Pushes all held reads, before an event that may order the process before or after others. */
static void push_held(void)
{
	held_events = NULL;
	for (uint32_t i = 0; i < held_count; i++) {
		push_access(held[i]->window, held[i]->call, held[i]->first, true);
		if (held[i]->flush)
			push_window_in_segment(held[i]->flush, 0, true);
	}
	forget_held();
}

static void begin_holding(struct known_read *read)
{
	if (!read->is_held) {
		read->is_held = true;
		read->call->pins++;
		held[held_count++] = read;
		held_events = push_held;
	} else if (!read->flush) {
		return;
	} else {
		read->flush->pins--;
		read->flush = NULL;
	}
	open[open_count++] = read;
}

static bool is_known(const struct known_read *read, const struct checked_window *window,
                     const struct announced_call *call, uint64_t first)
{
	return read->call == call && read->first == first && read->segment == event_segment &&
	       read->writes == window->writes;
}

static bool push_get(struct checked_window *window, struct announced_call *call, uint64_t first)
{
	struct known_read *read =
		&reads[hash_fold(hash_word((uint64_t)(uintptr_t)call, first)) % KNOWN_READS];

	if (!is_known(read, window, call, first)) {
		if (!read->is_held)
			*read = (struct known_read){.call = call,
			                            .first = first,
			                            .segment = event_segment,
			                            .writes = window->writes,
			                            .times = 1,
			                            .window = window};
		return push_access(window, call, first, false);
	}
	if (read->times < TIMES_KNOWN || ++repeats % EVENT_PERIOD == 0 || open_count >= OPEN_MAX ||
	    held_count >= HELD_MAX) {
		read->times += read->times < TIMES_KNOWN;
		return push_access(window, call, first, false);
	}
	begin_holding(read);
	return false;
}

/* Closes held reads of this target, or of all if it is negative. False: there are none. */
static bool close_held(const struct checked_window *window, int32_t target, struct announced_call *flush)
{
	uint32_t kept = 0;
	const uint32_t before = open_count;

	for (uint32_t i = 0; i < before; i++) {
		struct known_read *read = open[i];

		if (read->window == window && (target < 0 || read->call->call.peer == target)) {
			read->flush = flush;
			flush->pins++;
		} else {
			open[kept++] = read;
		}
	}
	open_count = kept;
	return kept < before;
}

static bool push_flush(struct checked_window *window, struct announced_call *call)
{
	const int32_t target = call->call.peer;
	const bool has_open = window->has_open && (target < 0 || window->open_target == target ||
	                                           window->open_target == SEVERAL_TARGETS);

	if (close_held(window, target, call) && !has_open)
		return false;
	if (has_open && (target < 0 || window->open_target == target) &&
	    !(call->call.window == WINDOW_FLUSH_LOCAL && window->has_open_writes))
		window->has_open = window->has_open_writes = false;
	return push_window_in_segment(call, 0, false);
}

static bool push_write(struct checked_window *window, struct announced_call *call, uint64_t first)
{
	for (uint32_t i = 0; i < open_count; i++)
		push_access(open[i]->window, open[i]->call, open[i]->first, true);
	forget_held();
	window->writes++;
	window->has_open_writes = true;
	return push_access(window, call, first, false);
}

/* Accesses may be held if all their completions are events of the window, and no other window shares its memory. */
static bool may_repeat(const struct checked_window *window, const struct announced_call *call)
{
	return (window->memory == WINDOW_MEMORY_PROGRAM || window->memory == WINDOW_MEMORY_ALLOCATED) &&
	       !window->is_doubled && !checked.any_thread_calls &&
	       call_parameter(call->call.call.function, KIND_newrequest) < 0;
}

bool repeated_reads_push(struct checked_window *window, struct announced_call *call, uint64_t first)
{
	const enum window_operation operation = call->call.window;

	if (!may_repeat(window, call)) {
		window->accesses += operation >= WINDOW_GET && operation <= WINDOW_FETCH;
		return push_window(call, first);
	}
	switch (operation) {
	case WINDOW_GET:
		return push_get(window, call, first);
	case WINDOW_PUT:
	case WINDOW_ACCUMULATE:
	case WINDOW_FETCH:
		return push_write(window, call, first);
	case WINDOW_FLUSH:
	case WINDOW_FLUSH_LOCAL:
		return push_flush(window, call);
	default:
		return push_window(call, first);
	}
}
