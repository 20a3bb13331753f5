#include "job/preload/openmp_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

struct openmp_link openmp_link;
uint32_t openmp_unloads;
const char openmp_barriers;

typedef void any_function(void);

/* A function of the runtime; `found` is set when it is found in the program's scope. */
struct runtime_function {
	const char *name;
	any_function *found;
};

/* The caller, such as a Python module, has its own copy of the runtime, which is not in the program's scope. */
static any_function *find_by_caller(const char *name, const void *site)
{
	struct link_map *map = NULL;
	any_function *found = NULL;
	Dl_info info;
	static _Thread_local struct {
		const char *name;
		const void *site;
		uint32_t unloads;
		any_function *found;
	} known[4]; /* few, because each thread has its own */
	const size_t slot = ((uintptr_t)site >> 2) % (sizeof known / sizeof *known);
	const uint32_t unloads = __atomic_load_n(&openmp_unloads, __ATOMIC_ACQUIRE);

	if (known[slot].name == name && known[slot].site == site && known[slot].unloads == unloads)
		return known[slot].found;
	if (!dladdr1(site, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return NULL;
	*(void **)&found = dlsym(map, name); /* the C library's handles are its link maps */
	known[slot].name = name;
	known[slot].site = site;
	known[slot].unloads = unloads;
	known[slot].found = found;
	return found;
}

static any_function *find_function(struct runtime_function *function, const void *site)
{
	any_function *found = NULL;

	*(void **)&found = dlsym(RTLD_NEXT, function->name);
	if (!found)
		return find_by_caller(function->name, site);
	__atomic_store_n(&function->found, found, __ATOMIC_RELEASE);
	return found;
}

static inline any_function *runtime_function(struct runtime_function *function, const void *site)
{
	any_function *found = __atomic_load_n(&function->found, __ATOMIC_ACQUIRE);

	return LIKELY(found) ? found : find_function(function, site);
}

/* The runtime's function, with its type. It exists, because the caller was linked with it. */
#define NEXT(function) \
	({ \
		static struct runtime_function wanted = {#function, NULL}; \
		any_function *next_ = runtime_function(&wanted, HERE); \
		if (!next_) \
			__builtin_unreachable(); \
		(__typeof__(&(function)))next_; \
	})

/* Of the program's runtime, the only one that is recorded. */
static int (*number_of_thread)(void), (*number_of_threads)(void);
static enum { UNKNOWN, RECORDED, NOT_RECORDED } runtime;

static bool look_at_runtime(void)
{
	void *parallel = dlsym(RTLD_NEXT, "GOMP_parallel");
	Dl_info info;
	bool is_recorded;

	*(void **)&number_of_thread = dlsym(RTLD_NEXT, "omp_get_thread_num");
	*(void **)&number_of_threads = dlsym(RTLD_NEXT, "omp_get_num_threads");
	is_recorded = parallel && number_of_thread && number_of_threads && dladdr(parallel, &info) &&
	              info.dli_fname && strstr(info.dli_fname, "libgomp");
	__atomic_store_n(&runtime, is_recorded ? RECORDED : NOT_RECORDED, __ATOMIC_RELEASE);
	return is_recorded;
}

/* NULL: nothing is recorded. */
static inline const struct openmp_hooks *hooks_now(void)
{
	const struct openmp_hooks *hooks = __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);

	if (LIKELY(!hooks || __atomic_load_n(&runtime, __ATOMIC_ACQUIRE) == RECORDED))
		return hooks;
	return runtime == UNKNOWN && look_at_runtime() ? hooks : NULL;
}

/* Parallel regions */

/* The compiler turns the body into a function whose first instruction has the line of the region; the call has another line. Sites are
 * return addresses: they stand for the instruction before them. */
#define PLACE_OF(function) ((const void *)((uintptr_t)(function) + 1))

/* For the checker, the address of this struct represents the start of the team, and the address of `ended` its end: a member may end
 * before another one begins. */
struct gomp_team {
	struct openmp_region region;
	bool is_loop; /* the body begins with a loop */
	char ended;
};

static void run_member(void *start)
{
	struct gomp_team *team = start;
	struct openmp_region *region = &team->region;
	const struct openmp_hooks *hooks = region->hooks;
	struct openmp_around around;

	openmp_learn(team, NULL);
	if (hooks)
		hooks->enter(region, number_of_thread(), number_of_threads(), &around);
	if (hooks && team->is_loop)
		hooks->begin_loop(region->site);
	region->function(region->data);
	if (hooks) {
		hooks->wait(region->site);
		hooks->leave(&around);
	}
	openmp_publish(&team->ended, NULL);
}

typedef void body(void *data);

/* Without listeners, a call is a jump to the runtime. A function with its own variables on the stack could not jump. */
#define JUMP_WITHOUT(listeners, call) \
	const struct openmp_hooks *hooks = listeners; \
	if (!hooks && !threads_are_checked()) \
	return call
#define JUMP_WITHOUT_LISTENERS(call) JUMP_WITHOUT(hooks_now(), call)
#define JUMP_WITHOUT_RECORDER(call) \
	const struct openmp_hooks *hooks = hooks_now(); \
	if (!hooks) \
	return call

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters of functions */
#define PARALLEL(type, name, result, loop, more, arguments) \
	type name(body *function, void *data, unsigned threads more); \
	static __attribute__((noinline)) \
	type report_##name(const struct openmp_hooks *hooks, __typeof__(&(name)) next, const void *site, \
	                   body *function, void *data, unsigned threads more) \
	{ \
		struct gomp_team team = {.region = {.function = function, \
		                                    .data = data, \
		                                    .site = PLACE_OF(function), \
		                                    .hooks = hooks}, \
		                         .is_loop = loop}; \
		openmp_publish(&team, site); \
		if (hooks) \
			hooks->fork(&team.region); \
		result next(run_member, &team, threads arguments); \
		if (hooks) \
			hooks->join(&team.region); \
		openmp_learn(&team.ended, site); \
		RETURN_##type \
	} \
	EXPORT type name(body *function, void *data, unsigned threads more) \
	{ \
		__typeof__(&(name)) next = NEXT(name); \
		JUMP_WITHOUT_LISTENERS(next(function, data, threads arguments)); \
		return report_##name(hooks, next, HERE, function, data, threads arguments); \
	}
#define RETURN_void
#define RETURN_unsigned return size;
#define COMMA ,

PARALLEL(void, GOMP_parallel, , false, COMMA unsigned flags, COMMA flags)
PARALLEL(unsigned, GOMP_parallel_reductions, unsigned size =, false, COMMA unsigned flags, COMMA flags)
PARALLEL(void, GOMP_parallel_sections, , false, COMMA unsigned count COMMA unsigned flags,
         COMMA count COMMA flags)

#define LOOP_WITH_CHUNK(name) \
	PARALLEL(void, name, , true, \
	         COMMA long start COMMA long end COMMA long step COMMA long chunk COMMA unsigned flags, \
	         COMMA start COMMA end COMMA step COMMA chunk COMMA flags)
#define LOOP_WITHOUT_CHUNK(name) \
	PARALLEL(void, name, , true, COMMA long start COMMA long end COMMA long step COMMA unsigned flags, \
	         COMMA start COMMA end COMMA step COMMA flags)

LOOP_WITH_CHUNK(GOMP_parallel_loop_static)
LOOP_WITH_CHUNK(GOMP_parallel_loop_dynamic)
LOOP_WITH_CHUNK(GOMP_parallel_loop_guided)
LOOP_WITH_CHUNK(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP_WITH_CHUNK(GOMP_parallel_loop_nonmonotonic_guided)
LOOP_WITHOUT_CHUNK(GOMP_parallel_loop_runtime)
LOOP_WITHOUT_CHUNK(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP_WITHOUT_CHUNK(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Barriers. Barriers of cancellable constructs are not recorded, because members may pass different numbers of them. */

#define BARRIER(name, is_end_of_loop) \
	void name(void); \
	EXPORT void name(void) \
	{ \
		__typeof__(&(name)) next = NEXT(name); \
		JUMP_WITHOUT_LISTENERS(next()); \
		openmp_publish(&openmp_barriers, HERE); \
		if (hooks && (is_end_of_loop)) \
			hooks->end_loop(HERE); \
		if (hooks) \
			hooks->wait(HERE); \
		next(); \
		if (hooks) \
			hooks->go(); \
		openmp_learn(&openmp_barriers, HERE); \
	}
#define CANCELLABLE_BARRIER(name, is_end_of_loop) \
	bool name(void); \
	EXPORT bool name(void) \
	{ \
		const struct openmp_hooks *hooks = hooks_now(); \
		bool is_cancelled; \
		if (hooks && (is_end_of_loop)) \
			hooks->end_loop(HERE); \
		openmp_publish(&openmp_barriers, HERE); \
		is_cancelled = NEXT(name)(); \
		openmp_learn(&openmp_barriers, HERE); \
		return is_cancelled; \
	}

BARRIER(GOMP_barrier, false)
BARRIER(GOMP_loop_end, true)
BARRIER(GOMP_sections_end, false)
CANCELLABLE_BARRIER(GOMP_barrier_cancel, false)
CANCELLABLE_BARRIER(GOMP_loop_end_cancel, true)
CANCELLABLE_BARRIER(GOMP_sections_end_cancel, false)

/* Loops in regions. Those with schedule(static) call no function of the runtime, except a barrier. */

void GOMP_loop_end_nowait(void);
EXPORT void GOMP_loop_end_nowait(void)
{
	JUMP_WITHOUT_RECORDER(NEXT(GOMP_loop_end_nowait)());
	hooks->end_loop(HERE);
	NEXT(GOMP_loop_end_nowait)();
}

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters of functions */
#define LOOP(name, parameters, arguments) \
	bool name parameters; \
	EXPORT bool name parameters \
	{ \
		JUMP_WITHOUT_RECORDER(NEXT(name) arguments); \
		hooks->begin_loop(HERE); \
		return NEXT(name) arguments; \
	}

typedef unsigned long long natural;

#define LOOPS(kind) \
	LOOP(GOMP_loop_##kind##_start, (long start, long end, long step, long chunk, long *from, long *to), \
	     (start, end, step, chunk, from, to)) \
	LOOP(GOMP_loop_ull_##kind##_start, \
	     (bool up, natural start, natural end, natural step, natural chunk, natural *from, natural *to), \
	     (up, start, end, step, chunk, from, to))
#define LOOPS_WITHOUT_CHUNK(kind) \
	LOOP(GOMP_loop_##kind##_start, (long start, long end, long step, long *from, long *to), \
	     (start, end, step, from, to)) \
	LOOP(GOMP_loop_ull_##kind##_start, \
	     (bool up, natural start, natural end, natural step, natural *from, natural *to), \
	     (up, start, end, step, from, to))

LOOPS(static)
LOOPS(dynamic)
LOOPS(guided)
LOOPS(nonmonotonic_dynamic)
LOOPS(nonmonotonic_guided)
LOOPS(ordered_static)
LOOPS(ordered_dynamic)
LOOPS(ordered_guided)
LOOPS_WITHOUT_CHUNK(runtime)
LOOPS_WITHOUT_CHUNK(nonmonotonic_runtime)
LOOPS_WITHOUT_CHUNK(maybe_nonmonotonic_runtime)
LOOPS_WITHOUT_CHUNK(ordered_runtime)

/* With reductions of tasks. */
#define LOOPS_WITH_TASKS(name) \
	LOOP(GOMP_loop_##name, \
	     (long start, long end, long step, long schedule, long chunk, long *from, long *to, \
	      uintptr_t *reductions, void **memory), \
	     (start, end, step, schedule, chunk, from, to, reductions, memory)) \
	LOOP(GOMP_loop_ull_##name, \
	     (bool up, natural start, natural end, natural step, long schedule, natural chunk, \
	      natural *from, natural *to, uintptr_t *reductions, void **memory), \
	     (up, start, end, step, schedule, chunk, from, to, reductions, memory))

LOOPS_WITH_TASKS(start)
LOOPS_WITH_TASKS(ordered_start)

/* With iterations that depend on each other. */
#define DEPENDENT_LOOPS(prefix, number) \
	DEPENDENT_LOOP(prefix##_static_start, number) \
	DEPENDENT_LOOP(prefix##_dynamic_start, number) \
	DEPENDENT_LOOP(prefix##_guided_start, number) \
	LOOP(prefix##_runtime_start, (unsigned depth, number *counts, number *from, number *to), \
	     (depth, counts, from, to)) \
	LOOP(prefix##_start, \
	     (unsigned depth, number *counts, long schedule, number chunk, number *from, number *to, \
	      uintptr_t *reductions, void **memory), \
	     (depth, counts, schedule, chunk, from, to, reductions, memory))
#define DEPENDENT_LOOP(name, number) \
	LOOP(name, (unsigned depth, number *counts, number chunk, number *from, number *to), \
	     (depth, counts, chunk, from, to))

DEPENDENT_LOOPS(GOMP_loop_doacross, long)
DEPENDENT_LOOPS(GOMP_loop_ull_doacross, natural)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Critical sections and locks, also those of LLVM's runtime. OMPT reports them too, but it reports a release only when another thread may
 * already have the lock. */

static inline const struct openmp_hooks *hooks_of_mutexes(void)
{
	return __atomic_load_n(&openmp_link.hooks, __ATOMIC_ACQUIRE);
}

#define TAKE(listeners, mutex, is_critical, call) \
	JUMP_WITHOUT(listeners, call); \
	uint64_t asked = hooks ? hooks->ask(mutex) : 0; \
	call; \
	openmp_learn(mutex, HERE); \
	if (asked) \
	hooks->take(asked, mutex, HERE, is_critical)
#define RELEASE(listeners, mutex, call) \
	JUMP_WITHOUT(listeners, call); \
	uint64_t when; \
	openmp_publish(mutex, HERE); \
	when = hooks ? hooks->before_release(mutex) : 0; \
	call; \
	if (when) \
	hooks->release(when, mutex, HERE)

/* Represents all critical sections without a name, which exclude each other. */
static const char unnamed;

void GOMP_critical_start(void);
EXPORT void GOMP_critical_start(void)
{
	TAKE(hooks_now(), &unnamed, true, NEXT(GOMP_critical_start)());
}

void GOMP_critical_end(void);
EXPORT void GOMP_critical_end(void)
{
	RELEASE(hooks_now(), &unnamed, NEXT(GOMP_critical_end)());
}

void GOMP_critical_name_start(void **name);
EXPORT void GOMP_critical_name_start(void **name)
{
	TAKE(hooks_now(), name, true, NEXT(GOMP_critical_name_start)(name));
}

void GOMP_critical_name_end(void **name);
EXPORT void GOMP_critical_name_end(void **name)
{
	RELEASE(hooks_now(), name, NEXT(GOMP_critical_name_end)(name));
}

/* Called by code of LLVM's compilers. */
void __kmpc_critical(void *where, int thread, void *name);
EXPORT void __kmpc_critical(void *where, int thread, void *name)
{
	TAKE(hooks_of_mutexes(), name, true, NEXT(__kmpc_critical)(where, thread, name));
}

void __kmpc_critical_with_hint(void *where, int thread, void *name, unsigned hint);
EXPORT void __kmpc_critical_with_hint(void *where, int thread, void *name, unsigned hint)
{
	TAKE(hooks_of_mutexes(), name, true, NEXT(__kmpc_critical_with_hint)(where, thread, name, hint));
}

void __kmpc_end_critical(void *where, int thread, void *name);
EXPORT void __kmpc_end_critical(void *where, int thread, void *name)
{
	RELEASE(hooks_of_mutexes(), name, NEXT(__kmpc_end_critical)(where, thread, name));
}

#define LOCK(set, unset) \
	void set(void *lock); \
	EXPORT void set(void *lock) \
	{ \
		TAKE(hooks_of_mutexes(), lock, false, NEXT(set)(lock)); \
	} \
	void unset(void *lock); \
	EXPORT void unset(void *lock) \
	{ \
		RELEASE(hooks_of_mutexes(), lock, NEXT(unset)(lock)); \
	}

LOCK(omp_set_lock, omp_unset_lock)
LOCK(omp_set_nest_lock, omp_unset_nest_lock)
LOCK(omp_set_lock_, omp_unset_lock_)
LOCK(omp_set_nest_lock_, omp_unset_nest_lock_)

/* Not recorded, because they do not wait, or rarely. */

#define TEST_LOCK(test) \
	int test(void *lock); \
	EXPORT int test(void *lock) \
	{ \
		const int is_set = NEXT(test)(lock); \
		const struct openmp_hooks *hooks = hooks_of_mutexes(); \
		if (is_set && hooks) \
			(void)hooks->ask(lock); \
		if (is_set) \
			openmp_learn(lock, HERE); \
		return is_set; \
	}
#define SECTION(enter, leave, object) \
	void enter(void); \
	EXPORT void enter(void) \
	{ \
		NEXT(enter)(); \
		openmp_learn(object, HERE); \
	} \
	void leave(void); \
	EXPORT void leave(void) \
	{ \
		openmp_publish(object, HERE); \
		NEXT(leave)(); \
	}

static const char atomics, ordered, copies;

TEST_LOCK(omp_test_lock)
TEST_LOCK(omp_test_nest_lock)
TEST_LOCK(omp_test_lock_)
TEST_LOCK(omp_test_nest_lock_)
SECTION(GOMP_atomic_start, GOMP_atomic_end, &atomics)
SECTION(GOMP_ordered_start, GOMP_ordered_end, &ordered)

void *GOMP_single_copy_start(void);
EXPORT void *GOMP_single_copy_start(void)
{
	void *data = NEXT(GOMP_single_copy_start)();

	openmp_learn(&copies, HERE);
	return data;
}

void GOMP_single_copy_end(void *data);
EXPORT void GOMP_single_copy_end(void *data)
{
	openmp_publish(&copies, HERE);
	NEXT(GOMP_single_copy_end)(data);
}

/* Explicit tasks. The runtime copies the data of a task and calls its function later. Both are replaced: the data of the program follows ours. */

typedef void copy_function(void *to, void *from);

struct gomp_task {
	uint64_t bounds[2]; /* the runtime writes those of a task of a loop to the start of its data */
	body *function;
	copy_function *copy; /* of the program; NULL: the bytes are copied */
	void *data;          /* of the program, until it is copied */
	size_t bytes, offset;
	bool is_loop;
};

static void copy_task(void *to, void *from)
{
	const struct gomp_task *task = from;
	void *data = (char *)to + task->offset;

	*(struct gomp_task *)to = *task;
	if (task->copy)
		task->copy(data, task->data);
	else
		memcpy(data, task->data, task->bytes);
}

static void run_task(void *copied)
{
	struct gomp_task *task = copied;
	void *data = (char *)copied + task->offset;
	const struct openmp_hooks *hooks = hooks_now();

	if (task->is_loop)
		memcpy(data, task->bounds, sizeof task->bounds);
	if (hooks)
		hooks->begin_task(PLACE_OF(task->function));
	task->function(data);
	if (hooks)
		hooks->end_task();
}

/* Returns the alignment of both. */
static long wrap_task(struct gomp_task *task, body *function, void *data, copy_function *copy, long bytes,
                      long alignment)
{
	const size_t own = _Alignof(struct gomp_task), needed = alignment > 0 ? (size_t)alignment : 1;
	const size_t both = needed > own ? needed : own;

	*task = (struct gomp_task){.function = function,
	                           .copy = copy,
	                           .data = data,
	                           .bytes = (size_t)bytes,
	                           .offset = (sizeof *task + both - 1) / both * both};
	return (long)both;
}

enum { TASK_WITHOUT_GROUP = 1 << 11, TASK_WITH_REDUCTIONS = 1 << 12, TASK_DETACHED = 1 << 13 };

void GOMP_task(body *function, void *data, copy_function *copy, long bytes, long alignment, bool condition,
               unsigned flags, void **depend, int priority, void *detach);
EXPORT void GOMP_task(body *function, void *data, copy_function *copy, long bytes, long alignment,
                      bool condition, unsigned flags, void **depend, int priority, void *detach)
{
	const struct openmp_hooks *hooks = hooks_now();
	struct gomp_task task;

	openmp_note_task();
	/* The runtime writes the event of a detached task to the start of its data. */
	if (hooks && flags & TASK_DETACHED)
		hooks->unseen_task();
	if (!hooks || flags & TASK_DETACHED) {
		NEXT(GOMP_task)
		(function, data, copy, bytes, alignment, condition, flags, depend, priority, detach);
		return;
	}
	alignment = wrap_task(&task, function, data, copy, bytes, alignment);
	NEXT(GOMP_task)
	(run_task, &task, copy_task, bytes + (long)task.offset, alignment, condition, flags, depend, priority,
	 detach);
}

void GOMP_taskgroup_start(void);
EXPORT void GOMP_taskgroup_start(void)
{
	NEXT(GOMP_taskgroup_start)();
}

#define WAIT_FOR_TASKS(call) \
	hooks->wait_for_tasks(HERE); \
	call; \
	hooks->end_wait_for_tasks()

void GOMP_taskgroup_end(void);
EXPORT void GOMP_taskgroup_end(void)
{
	JUMP_WITHOUT_RECORDER(NEXT(GOMP_taskgroup_end)());
	WAIT_FOR_TASKS(NEXT(GOMP_taskgroup_end)());
}

void GOMP_taskwait(void);
EXPORT void GOMP_taskwait(void)
{
	JUMP_WITHOUT_RECORDER(NEXT(GOMP_taskwait)());
	WAIT_FOR_TASKS(NEXT(GOMP_taskwait)());
}

void GOMP_taskwait_depend(void **depend);
EXPORT void GOMP_taskwait_depend(void **depend)
{
	JUMP_WITHOUT_RECORDER(NEXT(GOMP_taskwait_depend)(depend));
	WAIT_FOR_TASKS(NEXT(GOMP_taskwait_depend)(depend));
}

/* As the runtime sees the data of a loop. */
struct loop_data {
	uint64_t bounds[2];
	uintptr_t *reductions;
};

void GOMP_taskgroup_reduction_register(uintptr_t *reductions);

/* Unless it is told not to, the runtime waits inside for the tasks of the loop. A group around the call makes this wait visible. */
#define TASKLOOP(name, number) \
	void name(body *function, void *data, copy_function *copy, long bytes, long alignment, \
	          unsigned flags, unsigned long tasks, int priority, number start, number end, number step); \
	EXPORT void name(body *function, void *data, copy_function *copy, long bytes, long alignment, \
	                 unsigned flags, unsigned long tasks, int priority, number start, number end, \
	                 number step) \
	{ \
		const struct openmp_hooks *hooks = hooks_now(); \
		struct gomp_task task; \
		openmp_note_task(); \
		if (!hooks) { \
			NEXT(name) \
			(function, data, copy, bytes, alignment, flags, tasks, priority, start, end, step); \
			return; \
		} \
		alignment = wrap_task(&task, function, data, copy, bytes, alignment); \
		task.is_loop = true; \
		if (!(flags & TASK_WITHOUT_GROUP)) \
			NEXT(GOMP_taskgroup_start)(); \
		if (!(flags & TASK_WITHOUT_GROUP) && flags & TASK_WITH_REDUCTIONS) \
			NEXT(GOMP_taskgroup_reduction_register) \
		(((struct loop_data *)data)->reductions); \
		NEXT(name) \
		(run_task, &task, copy_task, bytes + (long)task.offset, alignment, \
		 flags | TASK_WITHOUT_GROUP, tasks, priority, start, end, step); \
		if (flags & TASK_WITHOUT_GROUP) \
			return; \
		WAIT_FOR_TASKS(NEXT(GOMP_taskgroup_end)()); \
	}

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
