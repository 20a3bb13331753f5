#include "job/check/windows/window_memory.h"

#include "base/page_hooks.h"
#include "job/check/buffers/heap_blocks.h"
#include "job/check/buffers/program_memory.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/mapped_memory.h"
#include "job/check/wire/interrupt.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/program_signals.h"

#include <errno.h>

static next_window *next_of_all;

static void report_gone(struct finding_draft *draft, struct checked_window *window, const char *how)
{
	window->home.kind = WINDOW_HOME_UNKNOWN;
	finding_draft_value(draft, "how", "%s", how);
	finding_draft_call(draft, window->created.by, window->created.at, NOTE_CREATED);
	finding_report(draft);
}

/* Heap */

/* Called before a block that may contain a window is freed. */
static void freed(void *block, const void *site)
{
	const int saved = errno;
	struct checked_window *window;
	uint32_t position = 0;

	if (agent_is_off() || RELAXED_LOAD(checked.phase) != AGENT_IN_MPI)
		return;
	host_lock();
	while ((window = next_of_all(&position))) {
		struct interrupted_stack stack;

		if (window->home.kind != WINDOW_HOME_HEAP || window->home.block != (uintptr_t)block)
			continue;
		struct finding_draft draft = finding_draft(CHECK_WINDOW_MEMORY_GONE, NULL);
		interrupted_stack_take(&stack, (uintptr_t)site);
		finding_draft_call(&draft, window->created.by,
		                   place_of_addresses(stack.addresses, stack.count, stack.is_whole),
		                   NOTE_RELEASED);
		report_gone(&draft, window, "it was freed");
	}
	host_unlock();
	errno = saved;
}

static void watch_block(uintptr_t block)
{
	struct page_hooks *hooks = program_signal_hooks();

	if (!hooks)
		return;
	hooks->freed = freed;
	if (!hooks->block_low || block < hooks->block_low)
		RELAXED_STORE(hooks->block_low, block);
	if (block >= hooks->block_high)
		__atomic_store_n(&hooks->block_high, block + 1, __ATOMIC_RELEASE);
}

/* Stack */

static bool is_same_frame(const struct checked_window *window, const struct agent_call *call)
{
	const uintptr_t base = (uintptr_t)window->base;
	struct memory_extent extent;
	uintptr_t caller = 0;

	/* If the stack cannot be unwound, nothing is concluded. */
	return !frame_extent_find(base, call->site, &extent, &caller) ||
	       (base >= caller && extent.end == window->home.frame_end);
}

static bool is_left(const struct agent_call *call, struct checked_window *window)
{
	const uintptr_t site = (uintptr_t)call->site, frame = (uintptr_t)call->frame,
			slot = (site >> 2 ^ site >> 6 ^ frame >> 4) % WINDOW_CALLS;
	struct window_home *home = &window->home;

	if (home->thread != agent_self ||
	    (home->found[slot].site == call->site && home->found[slot].frame == call->frame))
		return false;
	home->found[slot].site = call->site;
	home->found[slot].frame = call->frame;
	return !is_same_frame(window, call);
}

void window_memory_begin(const struct agent_call *call, struct checked_window *window, next_window *next)
{
	const uintptr_t base = (uintptr_t)window->base;
	struct memory_extent extent;
	uintptr_t caller = 0;

	next_of_all = next;
	if (window->memory != WINDOW_MEMORY_PROGRAM || !base || window->own.bytes <= 0 || call->nested)
		return;
	if (is_own_stack(base, base + 1)) {
		if (!frame_extent_find(base, call->site, &extent, &caller) || base < caller)
			return;
		window->home = (struct window_home){
			.kind = WINDOW_HOME_STACK, .thread = agent_self, .frame_end = extent.end};
	} else if (heap_has(base)) {
		if (!heap_block_find(base, &extent) || extent.owner != OWNER_BLOCK)
			return;
		window->home = (struct window_home){.kind = WINDOW_HOME_HEAP, .block = extent.first};
		watch_block(extent.first);
	} else if (page_is_mapped((uint64_t)base)) {
		window->home.kind = WINDOW_HOME_MAPPED;
	}
}

void window_memory_check(struct agent_call *call, struct checked_window *window)
{
	const bool is_gone = window->home.kind == WINDOW_HOME_STACK ? is_left(call, window)
	                     : window->home.kind == WINDOW_HOME_MAPPED
	                             ? all_calls[call->id].rma != RMA_ACCESS &&
	                                       !page_is_mapped((uint64_t)window->base)
	                             : false;

	if (LIKELY(!is_gone))
		return;
	const char *how = window->home.kind == WINDOW_HOME_STACK ? "its function has returned"
	                                                         : "it was unmapped";
	struct finding_draft draft = finding_draft(CHECK_WINDOW_MEMORY_GONE, call);
	report_gone(&draft, window, how);
}
