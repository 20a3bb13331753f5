/* OpenMP: entry points of libgomp, which GCC calls, and OMPT, which LLVM's libomp offers to tools. Teams, barriers, critical sections and locks order threads. Programs
 * with explicit tasks are not followed in libgomp: their functions run wherever a thread waits. */
#include "job/thread_calls/thread_calls.h"

#include "base/access_hooks.h"

#include <stdlib.h>

/* One object for all barriers, and one for each kind of unnamed section. */
static const char barriers, criticals, atomics, ordered, copies;

/* Teams of libgomp */

typedef void team_function(void *data);

/* Its address represents the start of the team, that of `ended` the end: a member may end
 * before another one begins. */
struct gomp_team {
	team_function *function;
	void *data;
	char ended;
};

static void run_member(void *start)
{
	const struct gomp_team *team = start;

	learn(team, NULL);
	team->function(team->data);
	publish(&team->ended, NULL);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters of functions */
#define TEAM(type, name, result, more, arguments) \
	type name(team_function *function, void *data, unsigned threads more); \
	EXPORT type name(team_function *function, void *data, unsigned threads more) \
	{ \
		struct gomp_team team = {function, data, 0}; \
		publish(&team, HERE); \
		result NEXT(name)(run_member, &team, threads arguments); \
		learn(&team.ended, HERE); \
		RETURN_##type \
	}
#define RETURN_void
#define RETURN_unsigned return size;
#define COMMA ,

TEAM(void, GOMP_parallel, , COMMA unsigned flags, COMMA flags)
TEAM(unsigned, GOMP_parallel_reductions, unsigned size =, COMMA unsigned flags, COMMA flags)
TEAM(void, GOMP_parallel_sections, , COMMA unsigned count COMMA unsigned flags, COMMA count COMMA flags)

#define TEAM_WITH_CHUNK(name) \
	TEAM(void, name, , \
	     COMMA long start COMMA long end COMMA long step COMMA long chunk COMMA unsigned flags, \
	     COMMA start COMMA end COMMA step COMMA chunk COMMA flags)
#define TEAM_WITHOUT_CHUNK(name) \
	TEAM(void, name, , COMMA long start COMMA long end COMMA long step COMMA unsigned flags, \
	     COMMA start COMMA end COMMA step COMMA flags)

TEAM_WITH_CHUNK(GOMP_parallel_loop_static)
TEAM_WITH_CHUNK(GOMP_parallel_loop_dynamic)
TEAM_WITH_CHUNK(GOMP_parallel_loop_guided)
TEAM_WITH_CHUNK(GOMP_parallel_loop_nonmonotonic_dynamic)
TEAM_WITH_CHUNK(GOMP_parallel_loop_nonmonotonic_guided)
TEAM_WITHOUT_CHUNK(GOMP_parallel_loop_runtime)
TEAM_WITHOUT_CHUNK(GOMP_parallel_loop_nonmonotonic_runtime)
TEAM_WITHOUT_CHUNK(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Barriers and sections of libgomp */

#define MEETS(name) \
	void name(void); \
	EXPORT void name(void) \
	{ \
		publish(&barriers, HERE); \
		NEXT(name)(); \
		learn(&barriers, HERE); \
	}
#define MEETS_OR_NOT(name) \
	bool name(void); \
	EXPORT bool name(void) \
	{ \
		bool is_cancelled; \
		publish(&barriers, HERE); \
		is_cancelled = NEXT(name)(); \
		learn(&barriers, HERE); \
		return is_cancelled; \
	}
#define SECTION(enter, leave, object) \
	void enter(void); \
	EXPORT void enter(void) \
	{ \
		NEXT(enter)(); \
		learn(object, HERE); \
	} \
	void leave(void); \
	EXPORT void leave(void) \
	{ \
		publish(object, HERE); \
		NEXT(leave)(); \
	}

MEETS(GOMP_barrier)
MEETS(GOMP_loop_end)
MEETS(GOMP_sections_end)
MEETS_OR_NOT(GOMP_barrier_cancel)
MEETS_OR_NOT(GOMP_loop_end_cancel)
MEETS_OR_NOT(GOMP_sections_end_cancel)
SECTION(GOMP_critical_start, GOMP_critical_end, &criticals)
SECTION(GOMP_atomic_start, GOMP_atomic_end, &atomics)
SECTION(GOMP_ordered_start, GOMP_ordered_end, &ordered)

void GOMP_critical_name_start(void **name);
EXPORT void GOMP_critical_name_start(void **name)
{
	NEXT(GOMP_critical_name_start)(name);
	learn(name, HERE);
}

void GOMP_critical_name_end(void **name);
EXPORT void GOMP_critical_name_end(void **name)
{
	publish(name, HERE);
	NEXT(GOMP_critical_name_end)(name);
}

void *GOMP_single_copy_start(void);
EXPORT void *GOMP_single_copy_start(void)
{
	void *data = NEXT(GOMP_single_copy_start)();

	learn(&copies, HERE);
	return data;
}

void GOMP_single_copy_end(void *data);
EXPORT void GOMP_single_copy_end(void *data)
{
	publish(&copies, HERE);
	NEXT(GOMP_single_copy_end)(data);
}

/* Constructs that are not followed */

typedef void copy_function(void *to, void *from);

void GOMP_task(team_function *function, void *data, copy_function *copy, long bytes, long alignment,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach);
EXPORT void GOMP_task(team_function *function, void *data, copy_function *copy, long bytes, long alignment,
                      bool if_clause, unsigned flags, void **depend, int priority, void *detach)
{
	tarry_thread_hooks.is_unseen = true;
	NEXT(GOMP_task)(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
}

/* Locks of both */

#define OMP_LOCKS(set, unset, test) \
	void set(void *lock); \
	EXPORT void set(void *lock) \
	{ \
		NEXT(set)(lock); \
		learn(lock, HERE); \
	} \
	void unset(void *lock); \
	EXPORT void unset(void *lock) \
	{ \
		publish(lock, HERE); \
		NEXT(unset)(lock); \
	} \
	int test(void *lock); \
	EXPORT int test(void *lock) \
	{ \
		const int is_set = NEXT(test)(lock); \
		if (is_set) \
			learn(lock, HERE); \
		return is_set; \
	}

OMP_LOCKS(omp_set_lock, omp_unset_lock, omp_test_lock)
OMP_LOCKS(omp_set_nest_lock, omp_unset_nest_lock, omp_test_nest_lock)
OMP_LOCKS(omp_set_lock_, omp_unset_lock_, omp_test_lock_)
OMP_LOCKS(omp_set_nest_lock_, omp_unset_nest_lock_, omp_test_nest_lock_)

/* OMPT (OpenMP 5.0, 4.5 and 4.6): only the necessary parts */

enum {
	OMPT_PARALLEL_BEGIN = 3,
	OMPT_PARALLEL_END = 4,
	OMPT_TASK_CREATE = 5,
	OMPT_IMPLICIT_TASK = 7,
	OMPT_MUTEX_RELEASED = 17,
	OMPT_SYNC_REGION = 23,
	OMPT_MUTEX_ACQUIRED = 27,
	OMPT_SCOPE_BEGIN = 1,
	OMPT_TASK_EXPLICIT = 4,
};

union ompt_data {
	uint64_t value;
	void *pointer;
};

typedef void (*ompt_function)(void);
typedef ompt_function (*ompt_lookup)(const char *name);
typedef int (*ompt_set)(int event, ompt_function callback);

struct ompt_tool {
	int (*initialize)(ompt_lookup lookup, int device, union ompt_data *data);
	void (*finalize)(union ompt_data *data);
	union ompt_data data;
};

static void team_begins(union ompt_data *task, const void *frame, union ompt_data *team, unsigned size,
                        int flags, const void *site)
{
	(void)task, (void)frame, (void)size, (void)flags, (void)site;
	publish(team, NULL);
}

static void team_ends(union ompt_data *team, union ompt_data *task, int flags, const void *site)
{
	(void)task, (void)flags, (void)site;
	learn(team, NULL);
	learn(&barriers, NULL);
}

static void member(int scope, union ompt_data *team, union ompt_data *task, unsigned size, unsigned number,
                   int flags)
{
	(void)task, (void)size, (void)number, (void)flags;
	is_of_program = true;
	if (scope == OMPT_SCOPE_BEGIN && team)
		learn(team, NULL);
}

static void region(int kind, int scope, union ompt_data *team, union ompt_data *task, const void *site)
{
	(void)kind, (void)team, (void)task, (void)site;
	if (scope == OMPT_SCOPE_BEGIN)
		publish(&barriers, NULL);
	else
		learn(&barriers, NULL);
}

static void acquired(int kind, uint64_t lock, const void *site)
{
	(void)kind, (void)site;
	learn((const void *)(uintptr_t)lock, NULL); /* NOLINT(performance-no-int-to-ptr): its identity */
}

static void released(int kind, uint64_t lock, const void *site)
{
	(void)kind, (void)site;
	publish((const void *)(uintptr_t)lock, NULL); /* NOLINT(performance-no-int-to-ptr): its identity */
}

static void task_created(union ompt_data *creator, const void *frame, union ompt_data *task, int flags,
                         int depends, const void *site)
{
	(void)creator, (void)frame, (void)task, (void)depends, (void)site;
	if (flags & OMPT_TASK_EXPLICIT)
		tarry_thread_hooks.is_unseen = true;
}

static int initialize(ompt_lookup lookup, int device, union ompt_data *data)
{
	static const struct {
		int event;
		ompt_function function;
	} callbacks[] = {
		{OMPT_PARALLEL_BEGIN, (ompt_function)team_begins},
		{OMPT_PARALLEL_END, (ompt_function)team_ends},
		{OMPT_IMPLICIT_TASK, (ompt_function)member},
		{OMPT_SYNC_REGION, (ompt_function)region},
		{OMPT_MUTEX_ACQUIRED, (ompt_function)acquired},
		{OMPT_MUTEX_RELEASED, (ompt_function)released},
		{OMPT_TASK_CREATE, (ompt_function)task_created},
	};
	enum { SET_ALWAYS = 5 };
	ompt_set set = (ompt_set)lookup("ompt_set_callback");
	bool are_all = set != 0;

	(void)device, (void)data;
	for (size_t i = 0; are_all && i < sizeof callbacks / sizeof *callbacks; i++)
		are_all = set(callbacks[i].event, callbacks[i].function) == SET_ALWAYS;
	tarry_thread_hooks.sees_tasks = are_all;
	return are_all;
}

static void finalize(union ompt_data *data)
{
	(void)data;
}

/* libomp calls it at its start. Another tool of the user takes precedence. */
EXPORT struct ompt_tool *ompt_start_tool(unsigned version, const char *runtime);
EXPORT struct ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct ompt_tool tool = {.initialize = initialize, .finalize = finalize};

	(void)version, (void)runtime;
	return getenv("OMP_TOOL_LIBRARIES") || !access_hooks_are_there() ? NULL : &tool;
}
