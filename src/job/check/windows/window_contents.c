#include "job/check/windows/window_contents.h"

#include "job/check/buffers/buffer_contents.h"
#include "job/mpi/flavour.h"

enum { ALWAYS_BYTES = 64 << 10 };

#define WIN_OF(window) ((MPI_Win)(uintptr_t)(window)->handle)

void window_contents_find(struct checked_window *window)
{
	void *base = NULL;
	int found = 0;

	if (window->memory == WINDOW_MEMORY_DYNAMIC || window->memory == WINDOW_MEMORY_SHARED ||
	    window->own.bytes <= 0)
		return;
	if (PMPI_Win_get_attr(WIN_OF(window), MPI_WIN_BASE, (void *)&base, &found) == MPI_SUCCESS && found)
		window->base = (int64_t)(uintptr_t)base;
}

bool window_contents_overlap(const struct checked_window *window, const struct checked_window *other)
{
	return window != other && window->base && other->base &&
	       window->base < other->base + other->own.bytes &&
	       other->base < window->base + window->own.bytes;
}

static uint64_t hash_window(const struct checked_window *window)
{
	const struct byte_run all = {0, window->own.bytes};
	const struct byte_pattern pattern = {.run = &all, .count = 1, .start = window->base, .times = 1};

	return byte_pattern_hash(&pattern);
}

void window_contents_before(struct agent_call *call, struct checked_window *window)
{
	const int at = call_parameter(call->id, KIND_assert);

	if (!buffer_contents_wanted || at < 0 || !(call->arguments[at] & MPI_MODE_NOSTORE) || !window->base)
		return;
	window->wants_content = true;
	call->window_changed = window->has_content && hash_window(window) != window->content;
}

/* A successful MPI_Win_test has closed the post. */
static bool is_synchronised(const struct agent_call *call, const struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;

	return action == RMA_FENCE || (action == RMA_WAIT && !epoch_is_open(&window->epochs, EPOCH_POST));
}

void window_contents_after(const struct agent_call *call, struct checked_window *window)
{
	if (!buffer_contents_wanted || !window->base || window->is_doubled ||
	    !is_synchronised(call, window) || (window->own.bytes > ALWAYS_BYTES && !window->wants_content))
		return;
	window->has_content = true;
	window->content = hash_window(window);
}
