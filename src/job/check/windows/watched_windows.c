#include "job/check/windows/watched_windows.h"

#include "base/access_hooks.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/watched_memory.h"
#include "job/check/windows/window_events.h"
#include "job/check/wire/process_state.h"

#include <stdlib.h>

/* SITES: a power of two. */
enum { RUNS_MAX = 2048, SITES = 128, SITE_LOOKS = 8, FLUSHES_MAX = 64, POLLS = 1 };

/* Memory of a window in this process, or in one that shares its memory with it. */
struct watched_window {
	struct interval interval; /* must be the first member */
	struct checked_window *window;
	struct watched_window *next; /* of the same window */
	int64_t base;                /* address of the window's byte 0; in a dynamic window, 0 */
	int32_t target;              /* the rank that owns the memory */
};

/* Bytes that one source line has read or written. */
struct access_run {
	struct watched_window *window;
	int64_t first, end;
	struct access_site *site;
};

/* A source line that has made accesses since the last call. */
struct access_site {
	const void *address; /* return address; NULL: free */
	bool is_write;
	struct access_run *last;
	uintptr_t last_address;
	uint32_t repeats; /* of the same load in a row; from POLLS on, the program is waiting for a store */
	struct interrupted_stack stack;
};

static struct interval_set watched;
static struct access_run runs[RUNS_MAX];
static uint32_t run_count;
static struct access_site sites[SITES];
static uint32_t flushes;      /* since the last synchronisation */
static bool is_forgotten;     /* marks were cleared without adding a run */
static uint32_t shared_count; /* windows with memory of other processes */
static struct checked_window
	*synchronised; /* one of them, in which there was an atomic operation since the last call */

/* The shadow of eight watched bytes: which halves of them were accessed. */
enum { HALF = SHADOW_GRANULE / 2, READ_LOW = 1, WRITTEN_LOW = 4, WRITTEN_BOTH = 12 };

/* Bits of the halves of `granule` that the access covers completely; 0: neither half. */
static uint8_t halves(uintptr_t granule, uintptr_t first, uintptr_t end)
{
	const bool low = first <= granule && end >= granule + HALF,
		   high = first <= granule + HALF && end >= granule + SHADOW_GRANULE;

	return (uint8_t)((low ? 1 : 0) | (high ? 2 : 0));
}

/* True if all bytes of the access were already seen. */
static bool is_seen(uintptr_t first, uintptr_t end, bool is_write)
{
	for (uintptr_t granule = first & -(uintptr_t)SHADOW_GRANULE; granule < end;
	     granule += SHADOW_GRANULE) {
		const uint8_t value = *shadow_of(granule), part = halves(granule, first, end);
		const uint8_t written = value / WRITTEN_LOW & 3,
			      known = is_write ? written : written | (value & 3);

		if (value != SHADOW_CLEAR && (!part || (known & part) != part))
			return false;
	}
	return true;
}

static void set_seen(uintptr_t first, uintptr_t end, bool is_write)
{
	for (uintptr_t granule = first & -(uintptr_t)SHADOW_GRANULE; granule < end;
	     granule += SHADOW_GRANULE) {
		uint8_t *value = shadow_of(granule);

		if (*value < SHADOW_WATCHED)
			continue;
		*value |= (uint8_t)(halves(granule, first, end) * (is_write ? WRITTEN_LOW : READ_LOW));
		if ((*value & WRITTEN_BOTH) == WRITTEN_BOTH)
			*value = SHADOW_CLEAR;
	}
}

/* Finds or adds a site; a new one has no stack yet. NULL: there are too many. */
static struct access_site *find_site(const void *address, bool is_write)
{
	const uintptr_t start = (uintptr_t)address / 4 * 2 + is_write;

	for (uint32_t i = 0; i < SITE_LOOKS; i++) {
		struct access_site *site = &sites[(start + i) % SITES];

		if (site->address == address && site->is_write == is_write)
			return site;
		if (!site->address) {
			site->address = address;
			site->is_write = is_write;
			site->last = NULL;
			site->last_address = 0;
			site->repeats = site->stack.count = 0;
			return site;
		}
	}
	return NULL;
}

/* False: there is no room. */
static bool add_run(struct watched_window *window, int64_t first, int64_t end, struct access_site *site)
{
	struct access_run *run = site ? site->last : NULL;

	if (run && run->window == window && first <= run->end && end >= run->first) {
		run->first = first < run->first ? first : run->first;
		run->end = end > run->end ? end : run->end;
		return true;
	}
	if (!site || run_count == RUNS_MAX)
		return false;
	runs[run_count] = (struct access_run){window, first, end, site};
	site->last = &runs[run_count];
	__atomic_store_n(&run_count, run_count + 1, __ATOMIC_RELEASE);
	return true;
}

struct window_access_seen {
	int64_t first, end;
	struct access_site *site;
	bool is_lost;
};

static bool add_access(struct interval *interval, void *context)
{
	struct window_access_seen *seen = context;

	seen->is_lost |= !add_run((struct watched_window *)interval,
	                          seen->first > interval->first ? seen->first : interval->first,
	                          seen->end < interval->end ? seen->end : interval->end, seen->site);
	return true;
}

static void count_repeats(struct access_site *site, uintptr_t address)
{
	site->repeats += site->last_address == address;
	site->last_address = address;
}

static bool accessed(uintptr_t address, size_t bytes, bool is_write, const void *site, bool is_kept)
{
	struct window_access_seen seen = {.first = (int64_t)address, .end = (int64_t)(address + bytes)};

	if (interval_set_is_empty(&watched))
		return false;
	if (is_seen(address, address + bytes, is_write)) {
		if (!is_write && (seen.site = find_site(site, false)))
			count_repeats(seen.site, address);
		return true;
	}
	if (!interval_set_has(&watched, seen.first & -SHADOW_GRANULE,
	                      (seen.end + SHADOW_GRANULE - 1) & -SHADOW_GRANULE))
		return false;
	seen.site = find_site(site, is_write);
	if (seen.site && !seen.site->last)
		interrupted_stack_take(&seen.site->stack, (uintptr_t)site);
	interval_each(&watched, seen.first, seen.end, add_access, &seen);
	is_forgotten |= seen.is_lost;
	if (!is_kept)
		set_seen(address, address + bytes, is_write);
	return true;
}

static bool mark_window(struct interval *interval, void *unused)
{
	(void)unused;
	watch_mark(interval->first, interval->end, SHADOW_WATCHED);
	return true;
}

/* Marks whole windows: the first access clears superfluous marks. */
static void mark(int64_t first, int64_t end)
{
	interval_each(&watched, first, end, mark_window, NULL);
}

static bool is_shared(struct interval *interval, void *context)
{
	struct checked_window *window = ((struct watched_window *)interval)->window;

	if (window->memory == WINDOW_MEMORY_SHARED)
		*(struct checked_window **)context = window;
	return true;
}

static void synchronise(uintptr_t address)
{
	if (shared_count)
		interval_each(&watched, (int64_t)address, (int64_t)address + 1, is_shared, &synchronised);
}

void watched_windows_init(void)
{
	static const struct watched_windows functions = {accessed, mark, synchronise};

	watched_memory_has_windows(&functions);
}

static void watch(struct checked_window *window, int64_t first, int64_t bytes, int64_t base, int32_t target)
{
	struct watched_window *one = first && bytes > 0 ? host_table(1, sizeof *one) : NULL;

	if (!one)
		return;
	*one = (struct watched_window){.interval = {.first = first, .end = first + bytes},
	                               .window = window,
	                               .next = window->watched,
	                               .base = base,
	                               .target = target};
	window->watched = one;
	watch_lock();
	interval_add(&watched, &one->interval);
	mark_window(&one->interval, NULL);
	watch_unlock();
}

/* Loads and stores in other processes' memory are checked only if atomic operations are reported, because
 * processes may synchronize by them. */
static void watch_shared(struct checked_window *window)
{
	const bool is_all = !access_hooks_place()->has_inline;

	for (int32_t i = 0; window->members && i < window->size; i++)
		if (is_all || i == window->rank)
			watch(window, window->members[i].base, window->members[i].bytes,
			      window->members[i].base, i);
	shared_count += window->watched != NULL;
}

bool watched_window_begin(struct checked_window *window)
{
	if (!watched_memory_wanted)
		return false;
	if (window->memory == WINDOW_MEMORY_SHARED)
		watch_shared(window);
	else
		watch(window, window->base, window->own.bytes, window->base, window->rank);
	return window->watched || window->memory == WINDOW_MEMORY_DYNAMIC;
}

void watched_window_attach(struct checked_window *window, int64_t first, int64_t bytes)
{
	if (watched_memory_wanted)
		watch(window, first, bytes, 0, window->rank);
}

static void unwatch(struct watched_window *one)
{
	watch_lock();
	interval_remove(&watched, &one->interval);
	watch_mark(one->interval.first, one->interval.end, SHADOW_CLEAR);
	watch_again(one->interval.first, one->interval.end);
	for (uint32_t i = 0; i < run_count; i++)
		if (runs[i].window == one)
			runs[i].window = NULL;
	watch_unlock();
	free(one);
}

void watched_window_detach(struct checked_window *window, int64_t first)
{
	for (struct watched_window **link = &window->watched, *one; (one = *link); link = &one->next)
		if (one->interval.first == first) {
			*link = one->next;
			unwatch(one);
			return;
		}
}

void watched_window_end(struct checked_window *window)
{
	shared_count -= window->watched && window->memory == WINDOW_MEMORY_SHARED;
	if (synchronised == window)
		synchronised = NULL;
	for (struct watched_window *one = window->watched, *next; one; one = next) {
		next = one->next;
		unwatch(one);
	}
	window->watched = NULL;
}

void watched_windows_again(void)
{
	if (!watched_memory_wanted)
		return;
	watch_lock();
	if (is_forgotten || flushes > FLUSHES_MAX)
		mark(INT64_MIN, INT64_MAX);
	is_forgotten = false;
	flushes = 0;
	watch_unlock();
}

void watched_windows_flush(void)
{
	if (LIKELY(!__atomic_load_n(&run_count, __ATOMIC_ACQUIRE)) && !synchronised)
		return;
	lock_if_shared();
	watch_lock();
	if (synchronised)
		window_event_synchronised(synchronised);
	synchronised = NULL;
	flushes++;
	for (uint32_t i = 0; i < run_count; i++) {
		const struct access_run *run = &runs[i];

		if (!run->window)
			continue;
		if (run->site->repeats < POLLS)
			window_event_local(run->window->window,
			                   &(struct local_access){.stack = &run->site->stack,
			                                          .is_write = run->site->is_write,
			                                          .is_watched = true,
			                                          .target = run->window->target,
			                                          .first = run->first - run->window->base,
			                                          .bytes = run->end - run->first});
		if (flushes <= FLUSHES_MAX)
			watch_mark(run->first, run->end, SHADOW_WATCHED);
	}
	run_count = 0;
	for (uint32_t i = 0; i < SITES; i++)
		sites[i].address = NULL;
	watch_unlock();
	unlock_if_shared();
}
