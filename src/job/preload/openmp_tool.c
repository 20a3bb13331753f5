/* OMPT, the tool interface of OpenMP 5.0, for LLVM's and Intel's runtimes. It reports the same events as openmp_calls.c does for GCC's
 * runtime, except critical sections and locks: openmp_calls.c records those of all runtimes. */
#include "job/preload/openmp_calls.h"

#include "base/access_hooks.h"
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
	MUTEX_RELEASED = 17,
	SYNC_REGION = 23,
	MUTEX_ACQUIRED = 27,
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

/* Regions that the thread has encountered, and regions that it executes, outermost first. Regions nested deeper than NESTING are not recorded. */
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

/* A pointer, because a preloaded library must use little static thread-local storage: an auditor (LD_AUDIT) leaves little. Mapped, because
 * a leak checker of the program would report allocated memory of threads that have ended. */
static _Thread_local struct nest *nest;

/* NULL: out of memory; the thread is not recorded. */
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
	openmp_publish(parallel, NULL);
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
	openmp_learn(parallel, NULL);
	openmp_learn(&openmp_barriers, NULL);
}

/* Workers end the implicit task of a region only when they begin the next region. */
static void member(int scope, union ompt_word *parallel, union ompt_word *task, unsigned threads,
                   unsigned number, int flags)
{
	struct openmp_region *region = parallel ? parallel->pointer : NULL;
	struct nest *own = nest_of_thread();
	uint32_t level;

	(void)task;
	if (threads_are_checked())
		tarry_thread_follow();
	if (scope == SCOPE_BEGIN && parallel)
		openmp_learn(parallel, NULL);
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

/* Implicit barriers have no call site of their own; the region's site is used. */
static void synchronise(int kind, int scope, union ompt_word *parallel, union ompt_word *task,
                        const void *site)
{
	const struct nest *own = nest;
	const uint32_t level = own ? own->entered_count - 1 : 0;

	(void)parallel, (void)task;
	if (scope == SCOPE_BEGIN)
		openmp_publish(&openmp_barriers, NULL);
	else
		openmp_learn(&openmp_barriers, NULL);
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
	if (flags & TASK_EXPLICIT)
		openmp_note_task(hooks);
}

static void acquired(int kind, uint64_t lock, const void *site)
{
	(void)kind, (void)site;
	openmp_learn((const void *)(uintptr_t)lock,
	             NULL); /* NOLINT(performance-no-int-to-ptr): its identity */
}

static void released(int kind, uint64_t lock, const void *site)
{
	(void)kind, (void)site;
	openmp_publish((const void *)(uintptr_t)lock,
	               NULL); /* NOLINT(performance-no-int-to-ptr): its identity */
}

static int initialize(lookup_function *lookup, int device, union ompt_word *data)
{
	static const struct {
		int event;
		any_function *function;
		bool only_checked;
	} callbacks[] = {
		{PARALLEL_BEGIN, (any_function *)begin_region, false},
		{PARALLEL_END, (any_function *)end_region, false},
		{IMPLICIT_TASK, (any_function *)member, false},
		{SYNC_REGION, (any_function *)synchronise, false},
		{TASK_CREATE, (any_function *)create_task, false},
		{THREAD_END, (any_function *)end_thread, false},
		{MUTEX_ACQUIRED, (any_function *)acquired, true},
		{MUTEX_RELEASED, (any_function *)released, true},
	};
	enum { SET_ALWAYS = 5 };
	set_function *set = (set_function *)lookup("ompt_set_callback");
	bool are_all = set != NULL;

	(void)device, (void)data;
	for (size_t i = 0; are_all && i < sizeof callbacks / sizeof *callbacks; i++)
		are_all = (callbacks[i].only_checked && !threads_are_checked()) ||
		          set(callbacks[i].event, callbacks[i].function) == SET_ALWAYS;
	if (threads_are_checked())
		tarry_thread_hooks.sees_tasks = are_all;
	return are_all;
}

static void finalize(union ompt_word *data)
{
	(void)data;
}

static bool has_listeners(void)
{
	const char *output = setting_get(SETTING_OUTPUT);

	return (output && *output) || (threads_are_checked() && access_hooks_are_there());
}

/* The runtime calls this when it starts. Tools of the user take precedence. */
EXPORT struct ompt_description *ompt_start_tool(unsigned version, const char *runtime);
EXPORT struct ompt_description *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct ompt_description tool = {.initialize = initialize, .finalize = finalize};
	struct ompt_description *(*next)(unsigned version, const char *runtime), *other;

	if (getenv("OMP_TOOL_LIBRARIES"))
		return NULL;
	*(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
	other = next ? next(version, runtime) : NULL;
	return other ? other : has_listeners() ? &tool : NULL;
}
