#include "job/mpi/nesting.h"

#include "base/loaded_mpi.h"
#include "job/mpi/sites.h"

#include <string.h>
#include <unwind.h>

enum { LIBRARIES = 8 };

struct range {
	uintptr_t start, end;
};

/* Ranges of MPI's own code that have called MPI functions. Entries are only added; an entry with end 0 is
 * free or incomplete. */
static struct range libraries[LIBRARIES];

/* Components that Open MPI itself loads. */
static bool is_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strncmp(slash ? slash + 1 : path, "mca_", 4) == 0;
}

static bool is_mpi(const char *path)
{
	return is_component(path) || loaded_file_is_part_of_mpi(loaded_file_find(path));
}

static void remember(const struct load_segment *library)
{
	static uint32_t taken;
	const uint32_t place = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);

	if (place >= LIBRARIES)
		return;
	libraries[place].start = library->start;
	__atomic_store_n(&libraries[place].end, library->end, __ATOMIC_RELEASE);
}

static bool called_by_mpi(uintptr_t address)
{
	struct load_segment segment;

	for (int i = 0; i < LIBRARIES; i++)
		if (address < __atomic_load_n(&libraries[i].end, __ATOMIC_ACQUIRE) &&
		    address >= libraries[i].start)
			return true;
	segment = segment_of(address, is_mpi);
	if (!segment.is_asked_for)
		return false;
	remember(&segment);
	return true;
}

static bool is_inside(const char *path)
{
	return is_component(path) || loaded_file_is_mpi(loaded_file_find(path));
}

enum { CALLERS = 64 };

/* Ranges of loaded files from which calls came. Entries are only added; an entry with end 0 is free or
 * incomplete. Entries from before an unload are invalid. */
static struct calling_segment {
	uintptr_t start, end;
	uint32_t unloads;
	bool is_inside;
} callers[CALLERS];

bool call_is_inside_mpi(const void *site)
{
	static uint32_t taken;
	const uintptr_t address = (uintptr_t)site;
	const uint32_t unloads = __atomic_load_n(&site_dlcloses, __ATOMIC_RELAXED);
	struct load_segment segment;
	uint32_t place;

	for (int i = 0; i < CALLERS; i++) {
		const uintptr_t end = __atomic_load_n(&callers[i].end, __ATOMIC_ACQUIRE);

		if (address < end && address >= callers[i].start && callers[i].unloads == unloads)
			return callers[i].is_inside;
		if (!end)
			break;
	}
	segment = segment_of(address, is_inside);
	place = segment.end && __atomic_load_n(&taken, __ATOMIC_RELAXED) < CALLERS
	                ? __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED)
	                : CALLERS;
	if (place < CALLERS) {
		callers[place].start = segment.start;
		callers[place].unloads = unloads;
		callers[place].is_inside = segment.is_asked_for;
		__atomic_store_n(&callers[place].end, segment.end, __ATOMIC_RELEASE);
	}
	return segment.is_asked_for;
}

/* The range of this library. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static bool is_ours(uintptr_t address)
{
	return address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end;
}

struct stack_walk {
	uintptr_t frame; /* of the unfinished call */
	bool on_top;     /* still in our functions of the newest call */
	bool found;      /* the frame of the unfinished call was found */
	bool past;       /* all frames up to its position were seen */
};

static _Unwind_Reason_Code look_at(struct _Unwind_Context *context, void *argument)
{
	struct stack_walk *walk = argument;

	/* The "frame address" here is the stack pointer at the call. */
	if (_Unwind_GetCFA(context) > walk->frame) {
		walk->past = true;
		return _URC_END_OF_STACK;
	}
	if (!is_ours(_Unwind_GetIP(context)))
		walk->on_top = false;
	else if (!walk->on_top)
		walk->found = true;
	return walk->found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

enum call_nesting call_nesting(uintptr_t limit, const void *frame)
{
	const uintptr_t return_address = ((const uintptr_t *)frame)[1];
	struct stack_walk walk = {.frame = limit, .on_top = true};

	/* If an MPI function tail-calls another, the caller seems to be our wrapper. */
	if (is_ours(return_address) || called_by_mpi(return_address))
		return NESTED_IN_MPI;
	_Unwind_Backtrace(look_at, &walk);
	return walk.found || !walk.past ? NESTED_IN_CALLBACK : NOT_NESTED;
}
