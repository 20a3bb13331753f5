#include "job/record/file_summaries.h"

#include "base/file_hooks.h"
#include "base/settings.h"
#include "calls/ids.h"
#include "job/mpi/nesting.h"
#include "job/mpi/sites.h"
#include "job/record/process.h"
#include "job/record/timer.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unwind.h>

static struct file_hooks *hooks; /* NULL: files are not counted */

/* MPI-IO opens files in MPI_File_open. Other files of the MPI library are not the program's. */
static enum file_caller caller(const void *site)
{
	const struct recording_stream *s = stream_self;
	uintptr_t limit;

	if (!call_is_inside_mpi(site))
		return FILE_CALLER_PROGRAM;
	if (!s)
		return FILE_CALLER_OTHER;
	limit = RELAXED_LOAD(s->limit);
	if (!limit) /* in a call that the user excluded */
		return FILE_CALLER_MPI;
	return limit != RELAXED_LOAD(s->idle_limit) && s->opened_function == CALL_File_open
	               ? FILE_CALLER_MPI
	               : FILE_CALLER_OTHER;
}

/* Libraries between a program and the C library: the program is their caller. */
static bool is_of_library(const char *path)
{
	static const char *const names[] = {"libc.",    "libgfortran.", "libstdc++.", "libc++.",
	                                    "libhdf5",  "libnetcdf",    "libpnetcdf", "libmpi",
	                                    "libopen-", "mca_",         "libtarry",   "libdarshan",
	                                    "libflang", "libgomp",      "libomp",     NULL};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (const char *const *known = names; *known; known++)
		if (strncmp(name, *known, strlen(*known)) == 0)
			return true;
	return false;
}

struct opener_search {
	uintptr_t found;
	int frames;
};

enum { FRAMES_MAX = 64 };

static _Unwind_Reason_Code look_at(struct _Unwind_Context *context, void *to)
{
	struct opener_search *search = to;
	const uintptr_t address = (uintptr_t)_Unwind_GetIP(context);

	if (!address || ++search->frames > FRAMES_MAX)
		return _URC_END_OF_STACK;
	if (segment_of(address, is_of_library).is_asked_for)
		return _URC_NO_REASON;
	search->found = address;
	return _URC_END_OF_STACK;
}

static const void *opener(const void *site, enum file_caller by)
{
	const struct recording_stream *s = stream_self;
	struct opener_search search = {0};
	stack_t stack;

	if (by == FILE_CALLER_MPI)
		return s && s->opened_function == CALL_File_open && s->opened_site > 0
		               ? (const void *)s->opened_site
		               : NULL;

	if (!segment_of((uintptr_t)site, is_of_library).is_asked_for)
		return site;
	/* A signal stack may be too small for the search. */
	if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK)
		return NULL;
	_Unwind_Backtrace(look_at, &search);
	return (const void *)search.found; /* NOLINT: an address of code */
}

__attribute__((constructor)) static void begin(void)
{
	const char *output = setting_get(SETTING_OUTPUT), *wanted = setting_get(SETTING_IO);
	struct file_hooks *found = output && *output && wanted && *wanted
	                                   ? dlsym(RTLD_DEFAULT, FILE_HOOKS_SYMBOL)
	                                   : NULL;

	if (!found || !found->begin())
		return;
	hooks = found;
	hooks->caller = caller;
	hooks->opener = opener;
	__atomic_store_n(&hooks->is_on, true, __ATOMIC_RELEASE);
}

void file_summaries_describe(void)
{
	const char *wanted = setting_get(SETTING_IO);

	if (hooks)
		process_property("io", "on");
	else if (wanted && *wanted)
		process_note("files of process %u are not counted: '%s' is not loaded, or there is no memory",
		             process.rank, FILE_HOOKS_LIBRARY);
}

void file_summaries_abandon(void)
{
	if (hooks)
		hooks->is_on = false;
	hooks = NULL;
}

/* Writing */

/* Two clocks at the same moment. */
struct moment_of_clocks {
	uint64_t tick, ns;
};

static struct moment_of_clocks moment_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (struct moment_of_clocks){timer_now(),
	                                 (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec};
}

static uint64_t ticks_of(uint64_t ns)
{
	return (uint64_t)((double)ns * (double)timer.rate / 1e9);
}

static uint64_t tick_at(const struct moment_of_clocks *now, uint64_t ns)
{
	const uint64_t ago = ns && ns < now->ns ? ticks_of(now->ns - ns) : 0;

	return !ns ? 0 : ago < now->tick ? now->tick - ago : 0;
}

static void write_accesses(const struct counted_file *file, uint64_t number, uint64_t direction,
                           uint64_t interface)
{
	const struct file_accesses *accesses = &file->accesses[direction][interface];

	for (uint64_t i = 0; i < FILE_SIZE_CLASSES; i++) {
		const struct file_sizes *sizes = &accesses->sizes[i];
		if (sizes->calls)
			process_write(RECORD_ACCESS,
			              &(struct access_record){.file = number,
			                                      .direction = direction,
			                                      .interface = interface,
			                                      .size_class = i,
			                                      .calls = sizes->calls,
			                                      .bytes = sizes->bytes,
			                                      .inside = ticks_of(sizes->ns),
			                                      .consecutive = sizes->consecutive,
			                                      .strided = sizes->strided});
	}
}

static void write_file(const struct counted_file *file, uint64_t number, const struct moment_of_clocks *now)
{
	const char *path = __atomic_load_n(&file->path, __ATOMIC_ACQUIRE);
	struct file_record record = {.number = number,
	                             .opens = file->opens,
	                             .seeks = file->seeks,
	                             .stats = file->stats,
	                             .syncs = file->syncs,
	                             .maps = file->maps,
	                             .mapped_bytes = file->mapped_bytes,
	                             .inside = ticks_of(file->other_ns),
	                             .first = tick_at(now, file->first_ns),
	                             .last = tick_at(now, file->last_ns),
	                             .begin = file->begin_and_1 ? file->begin_and_1 - 1 : 0,
	                             .end = file->end,
	                             .path = path ? path : ""};

	if (file->opener)
		site_locate((uint64_t)(uintptr_t)file->opener, &record.module, &record.offset);
	process_write(RECORD_FILE, &record);
	for (uint64_t direction = 0; direction < FILE_DIRECTIONS; direction++)
		for (uint64_t interface = 0; interface < FILE_INTERFACES; interface++)
			write_accesses(file, number, direction, interface);
}

/* The sum of all other files is last, also if it is empty: it shows that the list is complete. */
void file_summaries_write(void)
{
	const struct moment_of_clocks now = moment_now();
	uint64_t number = 0;

	if (!hooks)
		return;
	__atomic_store_n(&hooks->is_on, false, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < FILES_MAX; i++)
		if (hooks->files[i].key)
			write_file(&hooks->files[i], ++number, &now);
	write_file(&hooks->files[FILES_MAX], 0, &now);
	hooks = NULL;
}
