/* OMPT, the tool interface of OpenMP 5.0, for LLVM's and Intel's runtimes. It reports the same events as openmp_calls.c does for GCC's
 * runtime, except critical sections and locks: openmp_calls.c records those of all runtimes. */
#include "job/preload/openmp_calls.h"

#include "base/access_hooks.h"
#include "base/settings.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

enum {
	THREAD_END = 2,
	PARALLEL_BEGIN = 3,
	PARALLEL_END = 4,
	TASK_CREATE = 5,
	TASK_SCHEDULE = 6,
	IMPLICIT_TASK = 7,
	SYNC_REGION_WAIT = 16,
	MUTEX_RELEASED = 17,
	WORK = 20,
	SYNC_REGION = 23,
	MUTEX_ACQUIRED = 27,
	SCOPE_BEGIN = 1,
	WORK_LOOP = 1,
	WORK_LOOP_STATIC = 10, /* and others, one after the other, in newer versions */
	WORK_LOOP_OTHER = 13,
	TASK_INITIAL = 1,
	TASK_EXPLICIT = 4,
	SYNC_TASKWAIT = 5,
	SYNC_TASKGROUP = 6,
	SYNC_REDUCTION = 7,
	TASK_COMPLETE = 1,
	TASK_CANCEL = 3,
	TASK_DETACH = 4,
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
	const void *group; /* site of the last taskgroup or taskloop */
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
	struct nest *own = nest;
	const uint32_t level = own ? own->entered_count - 1 : 0;

	(void)parallel, (void)task;
	if (scope == SCOPE_BEGIN)
		openmp_publish(&openmp_barriers, NULL);
	else
		openmp_learn(&openmp_barriers, NULL);
	if (own && kind == SYNC_TASKGROUP && scope == SCOPE_BEGIN)
		own->group = site;
	if (!own || !own->entered_count || level >= NESTING || !own->entered[level].hooks ||
	    kind == SYNC_TASKWAIT || kind == SYNC_TASKGROUP || kind == SYNC_REDUCTION)
		return;
	if (scope == SCOPE_BEGIN)
		own->entered[level].hooks->wait(site ? site : own->entered[level].site);
	else
		own->entered[level].hooks->go();
}

static void work(int kind, int scope, union ompt_word *parallel, union ompt_word *task, uint64_t count,
                 const void *site)
{
	const struct openmp_hooks *hooks = __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);

	(void)parallel, (void)task, (void)count;
	if (!hooks || (kind != WORK_LOOP && (kind < WORK_LOOP_STATIC || kind > WORK_LOOP_OTHER)))
		return;
	if (scope == SCOPE_BEGIN)
		hooks->begin_loop(site);
	else
		hooks->end_loop(site);
}

/* Waits for tasks. Those at barriers are barriers. */
static void wait_for_tasks(int kind, int scope, union ompt_word *parallel, union ompt_word *task,
                           const void *site)
{
	const struct openmp_hooks *hooks = __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);

	(void)parallel, (void)task;
	if (!hooks || (kind != SYNC_TASKWAIT && kind != SYNC_TASKGROUP))
		return;
	if (scope == SCOPE_BEGIN)
		hooks->wait_for_tasks(site);
	else
		hooks->end_wait_for_tasks();
}

/* The data of an explicit task is its site, shifted; the lowest bit is set when a thread has begun it. Other tasks have none. */
enum { TASK_BEGUN = 1 };

/* The code of the runtime. It creates the tasks of a taskloop itself. */
static struct {
	uintptr_t first, end;
} runtime_code;

static int find_runtime(struct dl_phdr_info *info, size_t size, void *address)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		const uintptr_t end = first + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type != PT_LOAD || (uintptr_t)address < first ||
		    (uintptr_t)address >= end)
			continue;
		runtime_code.first = first;
		runtime_code.end = end;
		return 1;
	}
	return 0;
}

/* Of a task of a taskloop: that of the loop, or of the task that divides it. */
static const void *task_site(const union ompt_word *creator, const void *site)
{
	if ((uintptr_t)site < runtime_code.first || (uintptr_t)site >= runtime_code.end)
		return site;
	if (creator && creator->value)
		return (const void *)(uintptr_t)(creator->value >>
		                                 1); /* NOLINT(performance-no-int-to-ptr): an address */
	return nest && nest->group ? nest->group : site;
}

static void create_task(union ompt_word *creator, const void *frame, union ompt_word *task, int flags,
                        int depends, const void *site)
{
	(void)frame, (void)depends;
	if (!(flags & TASK_EXPLICIT))
		return;
	openmp_note_task();
	task->value = (uint64_t)(uintptr_t)task_site(creator, site) << 1;
}

static void schedule_task(union ompt_word *before, int status, union ompt_word *next)
{
	const struct openmp_hooks *hooks = __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);

	if (!hooks)
		return;
	if (before && before->value & TASK_BEGUN &&
	    (status == TASK_COMPLETE || status == TASK_CANCEL || status == TASK_DETACH))
		hooks->end_task();
	if (!next || !next->value || next->value & TASK_BEGUN)
		return;
	hooks->begin_task((const void *)(uintptr_t)(next->value >>
	                                            1)); /* NOLINT(performance-no-int-to-ptr): an address */
	next->value |= TASK_BEGUN;
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
		{WORK, (any_function *)work, false},
		{TASK_CREATE, (any_function *)create_task, false},
		{TASK_SCHEDULE, (any_function *)schedule_task, false},
		{SYNC_REGION_WAIT, (any_function *)wait_for_tasks, false},
		{THREAD_END, (any_function *)end_thread, false},
		{MUTEX_ACQUIRED, (any_function *)acquired, true},
		{MUTEX_RELEASED, (any_function *)released, true},
	};
	enum { SET_ALWAYS = 5 };
	set_function *set = (set_function *)lookup("ompt_set_callback");
	bool are_all = set != NULL;

	(void)device, (void)data;
	(void)dl_iterate_phdr(find_runtime, (void *)(uintptr_t)lookup);
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
