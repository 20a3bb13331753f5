/* Calls as the checker's agent sees them, on the fake MPI library, with a test in place of the agent: it has the findings. Each scenario
 * runs in a process of its own, because what is followed is the process's.
 *
 *	static void freed_twice(void)
 *	{
 *		MPI_Datatype type, copy;
 *
 *		DO(Type_contiguous, 2, MPI_INT, &type);
 *		copy = type;
 *		DO(Type_free, &type);
 *		DO(Type_free, &copy);
 *		expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
 *		expect_nothing();
 *	} */
#ifndef TESTS_UNIT_CHECK_CALLS_H
#define TESTS_UNIT_CHECK_CALLS_H

#include "job/check/objects/finding_draft.h"
#include "job/mpi/flavour.h"

#include "fake_control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* (int64_t) of each argument, whether number or address. */
#define AS_NUMBER(x) (int64_t)(x)
#define COUNTED(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, N, ...) N
#define NUMBERS_1(x) AS_NUMBER(x)
#define NUMBERS_2(x, ...) AS_NUMBER(x), NUMBERS_1(__VA_ARGS__)
#define NUMBERS_3(x, ...) AS_NUMBER(x), NUMBERS_2(__VA_ARGS__)
#define NUMBERS_4(x, ...) AS_NUMBER(x), NUMBERS_3(__VA_ARGS__)
#define NUMBERS_5(x, ...) AS_NUMBER(x), NUMBERS_4(__VA_ARGS__)
#define NUMBERS_6(x, ...) AS_NUMBER(x), NUMBERS_5(__VA_ARGS__)
#define NUMBERS_7(x, ...) AS_NUMBER(x), NUMBERS_6(__VA_ARGS__)
#define NUMBERS_8(x, ...) AS_NUMBER(x), NUMBERS_7(__VA_ARGS__)
#define NUMBERS_9(x, ...) AS_NUMBER(x), NUMBERS_8(__VA_ARGS__)
#define NUMBERS_10(x, ...) AS_NUMBER(x), NUMBERS_9(__VA_ARGS__)
#define NUMBERS_11(x, ...) AS_NUMBER(x), NUMBERS_10(__VA_ARGS__)
#define NUMBERS_12(x, ...) AS_NUMBER(x), NUMBERS_11(__VA_ARGS__)
#define NUMBERS_13(x, ...) AS_NUMBER(x), NUMBERS_12(__VA_ARGS__)
#define NUMBERS_N(n, ...) NUMBERS_##n(__VA_ARGS__)
#define NUMBERS_OF(n, ...) NUMBERS_N(n, __VA_ARGS__)
#define NUMBERS(...) NUMBERS_OF(COUNTED(__VA_ARGS__, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), __VA_ARGS__)

/* An MPI call at this line; returns its result. */
#define DO(name, ...) \
	({ \
		const int64_t do_arguments[] = {NUMBERS(__VA_ARGS__)}; \
		struct agent_call do_call = { \
			.id = CALL_##name, .arguments = do_arguments, .nested = check_nested}; \
		check_enter(&do_call, __LINE__); \
		const int do_result = PMPI_##name(__VA_ARGS__); \
		check_leave(&do_call, do_result); \
		do_result; \
	})

extern bool check_nested; /* calls are made from a callback */
extern bool check_fortran;
extern bool check_arguments; /* arguments, order and threads are looked at, too */

void check_enter(struct agent_call *call, int line);
void check_leave(struct agent_call *call, int result);

/* The next finding is this one, and its first call was made at this line. Others in it: "freed 12, created 10" of its further calls, in
 * their order, and values: "count 3, type MPI_Info". */
void expect(enum check check, int line);
void expect_call(const char *note, int line);
void expect_text(const char *name, const char *text);
void expect_nothing(void);
/* Ends MPI: findings of the end follow. */
void finalize(void);
/* A condition that has to hold. */
#define require(condition) check_require(condition, #condition, __LINE__)
void check_require(bool holds, const char *condition, int line);

/* The input of events. */
struct seen_completion {
	enum call_id by;
	int source, tag;
	bool cancelled, has_status;
};
extern struct seen_completion completions[64];
extern uint32_t completion_count, started_count, ended_count;

/* Runs it in a process of its own, after MPI_Init; fails if it does. */
void run_scenario(void (*scenario)(void));

#define SCENARIO(name) \
	static void name(void **state) \
	{ \
		(void)state; \
		run_scenario(scenario_##name); \
	}

#endif
