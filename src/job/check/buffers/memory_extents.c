#include "job/check/buffers/memory_extents.h"

#include "base/clock.h"
#include "job/check/buffers/heap_blocks.h"
#include "job/check/buffers/program_memory.h"
#include "job/check/buffers/variable_extents.h"
#include "job/mpi/host.h"

#include <errno.h>
#include <time.h>
#include <unwind.h>

/* SHARE: searches may take 1/SHARE of the run's time, after the first FREE_NS. */
enum { FITTING = 1024, FREE_NS = 50000000, SHARE = 100 };

/* Buffers that fit, or whose memory is unknown, by a hash of address and site. Threads may mix up two entries:
 * then a buffer is searched again, or not searched at all. */
static struct fitting_buffer {
	uintptr_t first, end;
	const void *site;
} fitting[FITTING];

static uint64_t began_ns, spent_ns;

static struct fitting_buffer *slot_of(uintptr_t first, const void *site)
{
	const uint64_t mixed = (first ^ (uintptr_t)site << 7) * UINT64_C(0x9e3779b97f4a7c15);

	return &fitting[mixed >> 54];
}

_Static_assert(FITTING == 1 << 10, "slot_of() takes the upper ten bits");

/* Frames */

struct frame_search {
	uintptr_t address;
	uintptr_t below; /* start of the previous frame; 0: none */
	uintptr_t site;
	uintptr_t caller;
	struct memory_extent *extent;
	bool found;
};

/* The unwinder gives the stack pointer of each function. A frame ends where the caller's begins. */
static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *argument)
{
	struct frame_search *search = argument;
	const uintptr_t stack = (uintptr_t)_Unwind_GetCFA(context);

	if (stack < search->below)
		return _URC_END_OF_STACK;
	if ((uintptr_t)_Unwind_GetIP(context) == search->site && !search->caller)
		search->caller = stack;
	if (search->below && search->address >= search->below && search->address < stack && !search->found) {
		*search->extent = (struct memory_extent){search->below, stack, OWNER_FRAME};
		search->found = true;
	}
	search->below = stack;
	return search->found && search->caller ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool frame_extent_find(uintptr_t address, const void *site, struct memory_extent *extent, uintptr_t *caller)
{
	struct frame_search search = {.address = address, .site = (uintptr_t)site, .extent = extent};

	_Unwind_Backtrace(look_at_frame, &search);
	*caller = search.caller;
	return search.found && search.caller;
}

/* The search */

static bool find_extent(uintptr_t first, const void *site, struct memory_extent *extent)
{
	uintptr_t caller;

	if (is_own_stack(first, first + 1))
		return frame_extent_find(first, site, extent, &caller) && first >= caller;
	if (heap_has(first))
		return heap_block_find(first, extent);
	return variable_extent_find(first, extent);
}

static bool has_time(uint64_t now_ns)
{
	uint64_t begun_ns = RELAXED_LOAD(began_ns);

	if (!begun_ns)
		RELAXED_STORE(began_ns, begun_ns = now_ns);
	return RELAXED_LOAD(spent_ns) < FREE_NS + (now_ns - begun_ns) / SHARE;
}

/* True: the buffer fits, or its memory is unknown. */
static bool search(uintptr_t first, uintptr_t end, const void *site, struct memory_extent *extent)
{
	const uint64_t before_ns = clock_system_ns(CLOCK_MONOTONIC);
	const int saved = errno;
	bool fits;

	if (!has_time(before_ns)) {
		extent->owner = OWNER_UNKNOWN;
		return false;
	}
	fits = !find_extent(first, site, extent) || (extent->owner != OWNER_NOBODY && end <= extent->end);
	__atomic_fetch_add(&spent_ns, clock_system_ns(CLOCK_MONOTONIC) - before_ns, __ATOMIC_RELAXED);
	errno = saved;
	return fits;
}

bool memory_is_exceeded(uintptr_t first, uintptr_t end, const void *site, struct memory_extent *extent)
{
	struct fitting_buffer *slot = slot_of(first, site);

	if (LIKELY(RELAXED_LOAD(slot->first) == first && RELAXED_LOAD(slot->site) == site &&
	           end <= RELAXED_LOAD(slot->end)))
		return false;
	if (!(heap_has(first) && heap_block_seems_to_fit(first, end)) && !search(first, end, site, extent))
		return extent->owner != OWNER_UNKNOWN;
	RELAXED_STORE(slot->first, first);
	RELAXED_STORE(slot->end, end);
	RELAXED_STORE(slot->site, site);
	return false;
}
