/* Functions by their names. */
#include "calls/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_name_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ALL_CALLS; i++)
		assert_ptr_equal(call_find(all_calls[i].name), &all_calls[i]);
}

static void other_names_are_not(void **state)
{
	static const char *const others[] = {"",  "MPI_", "MPI_Sen", "MPI_Sends",   "mpi_send",
	                                     "A", "zz",   "upc_",    "UPC_barrier", "MPI_upc_barrier"};

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_null(call_find(others[i]));
}

static void pgas_is_told_from_mpi(void **state)
{
	(void)state;
	for (size_t i = 0; i < ALL_CALLS; i++)
		assert_int_equal(call_is_pgas(&all_calls[i]) + 2 * call_is_openmp(&all_calls[i]),
		                 i < MPI_CALLS        ? 0
		                 : i < PGAS_CALLS_END ? 1
		                                      : 2);
	assert_true(call_is_pgas(call_find("upc_all_broadcast")));
	assert_true(call_is_pgas(call_find("shmem_broadcast")));
	assert_false(call_is_pgas(call_find("MPI_Bcast")));
	assert_true(call_is_openmp(call_find("omp_barrier")));
}

static void who_needs_others_is_not_local(void **state)
{
	(void)state;
	assert_false(call_is_local(call_find("upc_barrier")));
	assert_false(call_is_local(call_find("upc_all_alloc")));
	assert_false(call_is_local(call_find("upc_fence")));
	assert_false(call_is_local(call_find("upc_start")));
	assert_true(call_is_local(call_find("upc_alloc")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_found),
		cmocka_unit_test(other_names_are_not),
		cmocka_unit_test(pgas_is_told_from_mpi),
		cmocka_unit_test(who_needs_others_is_not_local),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
