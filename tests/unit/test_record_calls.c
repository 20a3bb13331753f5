/* Every function of the table of calls, in C and in Fortran: each call reaches MPI once and is recorded once. */
#include "call_all.h"
#include "scenario.h"

#include <stdio.h>

MPI_Count rooms[16][64];

static void make_one(const struct one_call *one)
{
	unsigned long before = fake->calls[one->id];

	memset(rooms, 0, sizeof rooms);
	one->call();
	if (fake->calls[one->id] != before + 1)
		fprintf(stderr, "%s reached MPI %lu times\n", one->name, fake->calls[one->id] - before);
	assert(fake->calls[one->id] == before + 1);
}

/* Functions that begin and end MPI are tested elsewhere. */
static bool is_boundary(enum call_id id)
{
	return id == CALL_Init || id == CALL_Init_thread || id == CALL_Finalize || id == CALL_Abort;
}

static void make_all(const struct one_call *calls, enum call_id first)
{
	const enum call_id boundaries[] = {first, CALL_Finalize};

	fake->flag = 1;
	fake->topology = MPI_CART;
	fake->neighbours = 4;
	for (size_t step = 0; step < 2; step++) {
		for (const struct one_call *one = calls; one->name; one++)
			if (one->id == boundaries[step]) {
				make_one(one);
				break;
			}
		for (const struct one_call *one = calls; step == 0 && one->name; one++)
			if (!is_boundary(one->id))
				make_one(one);
	}
}

static void all_in_c(void)
{
	make_all(c_calls, CALL_Init);
}

static void all_in_c_with_threads(void)
{
	fake->thread_level = MPI_THREAD_MULTIPLE;
	make_all(c_calls, CALL_Init_thread);
}

static void all_in_fortran(void)
{
	make_all(fortran_calls, CALL_Init);
}

/* The name of an entry point's C function: they share their id. */
static const char *c_name(enum call_id id)
{
	return c_calls[id].name;
}

static void expect_all(const struct recording *r, const struct one_call *calls, enum call_id first)
{
	size_t at = 0;

	assert_string_equal(r->events[at++].call->outline->name, c_name(first));
	for (const struct one_call *one = calls; one->name; one++) {
		if (is_boundary(one->id))
			continue;
		assert_true(at < r->count);
		assert_string_equal(r->events[at++].call->outline->name, c_name(one->id));
	}
	assert_string_equal(r->events[at++].call->outline->name, "MPI_Finalize");
	assert_int_equal(at, r->count);
}

static void the_table_is_in_order(void **state)
{
	(void)state;
	for (size_t id = 0; id < MPI_CALLS; id++)
		assert_int_equal(c_calls[id].id, id);
	assert_null(c_calls[MPI_CALLS].name);
}

static void each_c_call_is_recorded_once(void **state)
{
	struct recording r;

	(void)state;
	record(all_in_c, &r);
	expect_all(&r, c_calls, CALL_Init);
	recording_release(&r);
	record(all_in_c_with_threads, &r);
	expect_all(&r, c_calls, CALL_Init_thread);
	recording_release(&r);
}

static void abort_in_c(void)
{
	make_one(&c_calls[CALL_Init]);
	make_one(&c_calls[CALL_Abort]);
}

static void abort_in_fortran(void)
{
	const struct one_call *one = fortran_calls;

	make_one(&c_calls[CALL_Init]);
	while (one->id != CALL_Abort)
		one++;
	make_one(one);
}

/* MPI_Abort does not return, so it is recorded before the call. */
static void an_abort_is_recorded_once(void **state)
{
	struct recording r;

	(void)state;
	record(abort_in_c, &r);
	assert_int_equal(r.count, 2);
	assert_string_equal(r.events[1].call->outline->name, "MPI_Abort");
	recording_release(&r);
	record(abort_in_fortran, &r);
	assert_int_equal(r.count, 2);
	recording_release(&r);
}

static void each_fortran_call_is_recorded_once(void **state)
{
	struct recording r;

	(void)state;
	record(all_in_fortran, &r);
	expect_all(&r, fortran_calls, CALL_Init);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_in_order),
		cmocka_unit_test(each_c_call_is_recorded_once),
		cmocka_unit_test(an_abort_is_recorded_once),
		cmocka_unit_test(each_fortran_call_is_recorded_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
