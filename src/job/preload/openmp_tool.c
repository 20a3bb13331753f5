/* OMPT, the tool interface of OpenMP 5.0 that LLVM's and Intel's runtimes offer: the same events as those of GCC's runtime (openmp_calls.c),
 * but for locks, whose release these runtimes report only when another thread may have got them. */
#include "job/preload/openmp_calls.h"

#include "base/settings.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

enum {
	THREAD_END = 2,
	PARALLEL_BEGIN = 3,
	PARALLEL_END = 4,
	TASK_CREATE = 5,
	IMPLICIT_TASK = 7,
	SYNC_REGION = 23,
	SCOPE_BEGIN = 1,
	TASK_INITIAL = 1,
	TASK_EXPLICIT = 4,
	SYNC_TASKWAIT = 5,
	SYNC_TASKGROUP = 6,
	SYNC_REDUCTION = 7,
	NESTING = 16,
};

union ompt_word {
	uint64_t value;
	void *pointer;
};

typedef void any_function(void);
typedef any_function *lookup_function(const char *name);
typedef int set_function(int event, any_function *callback);

struct ompt_description {
	int (*initialize)(lookup_function *lookup, int device, union ompt_word *data);
	void (*finalize)(union ompt_word *data);
	union ompt_word data;
};

/* Regions that the thread encountered, and regions that it executes, deeper ones last. Those beyond NESTING are not recorded. */
struct nest {
	struct openmp_region regions[NESTING];
	uint32_t region_count;
	struct {
		const struct openmp_hooks *hooks; /* NULL: not recorded */
		struct openmp_around around;
		const void *site;
	} entered[NESTING];
	uint32_t entered_count;
};

/* A preloaded library must not need much of the memory that threads have from their start: an auditor leaves little of it. Mapped, because a
 * program that looks for leaks would find allocated memory of threads that have ended. */
static _Thread_local struct nest *nest;

/* NULL: there is no memory, and the thread is not recorded. */
static struct nest *nest_of_thread(void)
{
	void *memory;

	if (!nest) {
		memory = mmap(NULL, sizeof *nest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		nest = memory == MAP_FAILED ? NULL : memory;
	}
	return nest;
}

static void end_thread(union ompt_word *thread)
{
	(void)thread;
	if (nest)
		munmap(nest, sizeof *nest);
	nest = NULL;
}

static void begin_region(union ompt_word *task, const void *frame, union ompt_word *parallel,
                         unsigned requested, int flags, const void *site)
{
	const struct openmp_hooks *hooks = __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);
	struct nest *own = nest_of_thread();
	struct openmp_region *region;

	(void)task, (void)frame, (void)requested, (void)flags;
	parallel->pointer = NULL;
	if (!own || own->region_count++ >= NESTING || !hooks)
		return;
	region = &own->regions[own->region_count - 1];
	*region = (struct openmp_region){.site = site, .hooks = hooks};
	hooks->fork(region);
	parallel->pointer = region;
}

static void end_region(union ompt_word *parallel, union ompt_word *task, int flags, const void *site)
{
	struct openmp_region *region = parallel->pointer;

	(void)task, (void)flags, (void)site;
	if (nest && nest->region_count)
		nest->region_count--;
	if (region)
		region->hooks->join(region);
}

/* Workers end the task of a region when they begin the next one. */
static void member(int scope, union ompt_word *parallel, union ompt_word *task, unsigned threads,
                   unsigned number, int flags)
{
	struct openmp_region *region = parallel ? parallel->pointer : NULL;
	struct nest *own = nest_of_thread();
	uint32_t level;

	(void)task;
	if (flags & TASK_INITIAL || !own)
		return;
	if (scope == SCOPE_BEGIN) {
		level = own->entered_count++;
		if (level >= NESTING)
			return;
		own->entered[level].hooks = region ? region->hooks : NULL;
		if (!region)
			return;
		own->entered[level].site = region->site;
		region->hooks->enter(region, (int)number, (int)threads, &own->entered[level].around);
	} else if (own->entered_count) {
		level = --own->entered_count;
		if (level < NESTING && own->entered[level].hooks)
			own->entered[level].hooks->leave(&own->entered[level].around);
	}
}

/* Implicit barriers have no place of their own: it is that of the region. */
static void synchronise(int kind, int scope, union ompt_word *parallel, union ompt_word *task,
                        const void *site)
{
	const struct nest *own = nest;
	const uint32_t level = own ? own->entered_count - 1 : 0;

	(void)parallel, (void)task;
	if (!own || !own->entered_count || level >= NESTING || !own->entered[level].hooks ||
	    kind == SYNC_TASKWAIT || kind == SYNC_TASKGROUP || kind == SYNC_REDUCTION)
		return;
	if (scope == SCOPE_BEGIN)
		own->entered[level].hooks->wait(site ? site : own->entered[level].site);
	else
		own->entered[level].hooks->go();
}

static void create_task(union ompt_word *creator, const void *frame, union ompt_word *task, int flags,
                        int depends, const void *site)
{
	const struct openmp_hooks *hooks = __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);

	(void)creator, (void)frame, (void)task, (void)depends, (void)site;
	if (hooks && flags & TASK_EXPLICIT)
		hooks->task();
}

static int initialize(lookup_function *lookup, int device, union ompt_word *data)
{
	static const struct {
		int event;
		any_function *function;
	} callbacks[] = {
		{PARALLEL_BEGIN, (any_function *)begin_region}, {PARALLEL_END, (any_function *)end_region},
		{IMPLICIT_TASK, (any_function *)member},        {SYNC_REGION, (any_function *)synchronise},
		{TASK_CREATE, (any_function *)create_task},     {THREAD_END, (any_function *)end_thread},
	};
	enum { SET_ALWAYS = 5 };
	set_function *set = (set_function *)lookup("ompt_set_callback");
	bool are_all = set != NULL;

	(void)device, (void)data;
	for (size_t i = 0; are_all && i < sizeof callbacks / sizeof *callbacks; i++)
		are_all = set(callbacks[i].event, callbacks[i].function) == SET_ALWAYS;
	return are_all;
}

static void finalize(union ompt_word *data)
{
	(void)data;
}

/* The runtime calls it at its start. Other tools take precedence: of the user, and the checker, if nothing is recorded. */
EXPORT struct ompt_description *ompt_start_tool(unsigned version, const char *runtime);
EXPORT struct ompt_description *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct ompt_description tool = {.initialize = initialize, .finalize = finalize};
	struct ompt_description *(*next)(unsigned version, const char *runtime);
	const char *output = setting_get(SETTING_OUTPUT);

	*(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
	if (getenv("OMP_TOOL_LIBRARIES"))
		return NULL;
	if (next && next(version, runtime))
		return next(version, runtime);
	return output && *output ? &tool : NULL;
}
