/* What the recorder itself does in the user's job: no message of its own, and what it asks the library for it gives back. */
#include "scenario.h"

#include "trace/reader.h"

static void a_job_of_four(void)
{
	fake->rank = 0;
	fake->eager_limit = 4096;
	MPI_Init(NULL, NULL);
	MPI_Finalize();
}

static void the_library_tells_the_eager_limit(void **state)
{
	struct recording r;

	(void)state;
	record(a_job_of_four, &r);
	assert_int_equal(r.process->eager_count, 1);
	assert_string_equal(r.process->eagers[0].distance, "node");
	assert_int_equal(r.process->eagers[0].bytes, 4096 - 8);
	assert_string_equal(process_property(r.process, "eager"), "node: fake_eager_limit = 4096");
	assert_int_equal(fake->tool_uses, 0);
	recording_release(&r);
}

static void a_silent_library(void)
{
	fake->rank = 0;
	MPI_Init(NULL, NULL);
	MPI_Finalize();
}

static void a_limit_that_nobody_tells_is_not_made_up(void **state)
{
	static const enum call_id talk[] = {CALL_Send, CALL_Isend, CALL_Recv, CALL_Comm_create_group};
	struct recording r;

	(void)state;
	record(a_silent_library, &r);
	assert_int_equal(r.process->eager_count, 0);
	assert_string_equal(process_property(r.process, "eager"), "node: not told");
	for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
		assert_int_equal(fake->calls[talk[i]], 0);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_library_tells_the_eager_limit),
		cmocka_unit_test(a_limit_that_nobody_tells_is_not_made_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
