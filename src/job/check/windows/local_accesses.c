#include "job/check/windows/local_accesses.h"

#include "base/notes.h"
#include "base/settings.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/wire/agent_call.h"
#include "job/mpi/flavour.h"
#include "job/mpi/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_wanted;
static int64_t page_bytes;

void local_accesses_init(void)
{
	const char *setting = setting_get(SETTING_BUFFERS);

	is_wanted = setting && strcmp(setting, BUFFERS_ALL) == 0;
	page_bytes = sysconf(_SC_PAGESIZE);
}

/* Watches single bytes of the first elements. */
static struct local_memory watched_bytes(int64_t base, const struct checked_window *window)
{
	const int64_t unit = window->own.unit;

	return (struct local_memory){
		.first = base,
		.end = base + window->own.bytes,
		.base = base,
		.part = unit >= WATCHED_EVERY && unit <= WATCHED_APART_MAX ? unit : WATCHED_EVERY,
		.count = WINDOW_WATCHPOINTS};
}

/* NOLINTBEGIN(performance-no-int-to-ptr): addresses of the program */

/* Maps the same pages a second time; MAP_FAILED: they are not shared memory. */
static void *map_again(int64_t first, int64_t bytes)
{
	const int saved = errno;
	void *again = mremap((void *)first, 0, (size_t)bytes, MREMAP_MAYMOVE);

	errno = saved;
	return again;
}

static void note_unseen(void)
{
	static bool noted;

	if (!noted)
		agent_note(UNCHECKED_NOTE
		           "%slocal loads and stores in windows (%scompile with 'tarry cc' to check %s)",
		           is_wanted ? "some " : "", is_wanted ? "" : "--buffers=all checks some; ",
		           is_wanted ? "all" : "them");
	noted = true;
}

void local_accesses_map(const struct agent_call *call, struct checked_window *window)
{
	const int at = call_parameter(call->id, KIND_pointer);
	int64_t *given = at < 0 ? NULL : (int64_t *)call->arguments[at];
	/* In a shared window, `base` of the window is not set, because other processes access the memory as well. */
	const int64_t base = window->memory == WINDOW_MEMORY_SHARED && given ? *given : window->base,
		      first = base / page_bytes * page_bytes,
		      end = (base + window->own.bytes + page_bytes - 1) / page_bytes * page_bytes;
	struct local_memory *local;
	void *again = MAP_FAILED;

	if (base && window->own.bytes > 0)
		note_unseen();
	if (!is_wanted || !base || window->own.bytes <= 0 || !(local = host_table(1, sizeof *local)))
		return;
	if (window->memory == WINDOW_MEMORY_ALLOCATED && given && *given == window->base)
		again = map_again(first, end - first);
	if (again == MAP_FAILED) {
		*local = watched_bytes(base, window);
	} else {
		local->first = (int64_t)(uintptr_t)again;
		local->end = local->first + end - first;
		local->base = local->first + base - first;
		local->part = ((end - first) / page_bytes + WINDOW_GUARDS - 1) / WINDOW_GUARDS * page_bytes;
		local->count = WINDOW_GUARDS;
		local->is_mapped = true;
		*given = local->base;
	}
	window->local = local;
	if (!guarded_windows++ || local->first < guarded_windows_first)
		guarded_windows_first = local->first;
	if (guarded_windows == 1 || local->end > guarded_windows_end)
		guarded_windows_end = local->end;
}

static void end_guards(struct local_memory *local)
{
	for (uint32_t i = 0; i < local->count; i++) {
		guard_end(local->guards[i], NULL);
		local->guards[i] = 0;
	}
}

void local_accesses_unmap(struct checked_window *window)
{
	struct local_memory *local = window->local;

	if (!local)
		return;
	end_guards(local);
	if (local->is_mapped)
		munmap((void *)local->first, (size_t)(local->end - local->first));
	free(local);
	window->local = NULL;
	guarded_windows--;
}

void local_accesses_attribute(const struct agent_call *call, const struct checked_window *window)
{
	const int flag = call_parameter(call->id, KIND_outtruth),
		  value = call_parameter(call->id, KIND_attribute);
	int64_t *given = value < 0 ? NULL : (int64_t *)call->arguments[value];

	/* The attribute is recognised by the address, because keys differ between C and Fortran, and the
	 * program cannot know this address otherwise. */
	if (window->local && flag >= 0 && given && *(const int *)call->arguments[flag] &&
	    *given == window->base)
		*given = window->local->base;
}

/* NOLINTEND(performance-no-int-to-ptr) */

static void guard_part(struct local_memory *local, uint32_t i)
{
	const int64_t first = local->first + i * local->part,
		      after = first + (local->is_mapped ? local->part : 1),
		      end = after < local->end ? after : local->end;

	local->guards[i] =
		first >= local->end || active_buffers_have(first, end)
			? 0
			: guard_begin(first, end,
	                              GUARD_ALL | GUARD_SHARED | (local->is_mapped ? 0 : GUARD_WORDS), 0);
}

void local_accesses_guard(struct checked_window *window)
{
	struct local_memory *local = window->local;
	const uint32_t opened = __atomic_load_n(&guards_opened, __ATOMIC_ACQUIRE);
	bool is_guarded = true;

	if (!local || (local->is_guarded && local->opened == opened))
		return;
	for (uint32_t i = 0; i < local->count; i++) {
		local->seen[i] = 0;
		if (guard_is_intact(local->guards[i]))
			continue; /* saves changing the page's protection, which takes a microsecond */
		guard_end(local->guards[i], NULL);
		guard_part(local, i);
		is_guarded &= local->guards[i] || local->first + i * local->part >= local->end;
	}
	local->is_guarded = is_guarded;
	local->opened = opened;
}

bool local_accesses_are_new(void)
{
	static uint32_t seen;
	const uint32_t touches = __atomic_load_n(&guards_touches, __ATOMIC_ACQUIRE);

	if (LIKELY(touches == RELAXED_LOAD(seen)))
		return false;
	RELAXED_STORE(seen, touches);
	return true;
}

bool local_accesses_next(struct checked_window *window, struct page_access *access)
{
	struct local_memory *local = window->local;
	bool is_seen;

	for (uint32_t i = 0; local && i < local->count; i++) {
		const uint32_t guard = local->guards[i];

		if (!guard || !guard_is_touched(guard))
			continue;
		local->guards[i] = 0;
		is_seen = guard_end(guard, access) && !access->in_call &&
		          (local->is_mapped || access->is_known_thread) && !access->is_repeated &&
		          (int64_t)access->address >= local->base &&
		          (int64_t)access->address < local->base + window->own.bytes;
		if (++local->seen[i] < WINDOW_ACCESSES)
			guard_part(local, i);
		if (is_seen)
			return true;
	}
	return false;
}
