/* Functions by their names. */
#include "calls/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_name_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < MPI_CALLS; i++)
		assert_ptr_equal(call_find(mpi_calls[i].name), &mpi_calls[i]);
}

static void other_names_are_not(void **state)
{
	static const char *const others[] = {"", "MPI_", "MPI_Sen", "MPI_Sends", "mpi_send", "A", "zz"};

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_null(call_find(others[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_found),
		cmocka_unit_test(other_names_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
