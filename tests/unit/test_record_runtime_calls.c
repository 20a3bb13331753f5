/* MPI calls of a UPC runtime are left out. Those of the program are recorded. */
#include "ammpi_network.h"
#include "base/upc_program.h"
#include "scenario.h"

UPC_PROGRAM_NOTE

enum { STEPS = 5 };

static void steps(void)
{
	int value = 0;

	AMMPI_Start();
	for (int i = 0; i < STEPS; i++) {
		AMMPI_Poll(MPI_COMM_WORLD);
		MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
		if (i % 2)
			MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Finalize();
}

static void only_the_programs_calls_are_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(steps, &r);
	assert_int_equal(count_calls(&r, "MPI_Send"), STEPS);
	assert_int_equal(count_calls(&r, "MPI_Barrier"), STEPS / 2);
	assert_int_equal(count_calls(&r, "MPI_Isend"), 0);
	assert_int_equal(count_calls(&r, "MPI_Test"), 0);
	assert_int_equal(count_calls(&r, "MPI_Wait"), 0);
	/* A trace always begins and ends with these, also if the runtime makes them. */
	assert_int_equal(count_calls(&r, "MPI_Init"), 1);
	assert_int_equal(count_calls(&r, "MPI_Finalize"), 1);
	recording_release(&r);
}

static void pauses(void)
{
	int value = 0;

	MPI_Init(NULL, NULL);
	MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
	MPI_Pcontrol(0);
	AMMPI_Poll(MPI_COMM_WORLD);
	MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
	MPI_Pcontrol(1);
	AMMPI_Poll(MPI_COMM_WORLD);
	MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void the_program_may_still_pause(void **state)
{
	struct recording r;

	(void)state;
	record(pauses, &r);
	assert_int_equal(count_calls(&r, "MPI_Send"), 2);
	assert_int_equal(count_calls(&r, "MPI_Isend"), 0);
	recording_release(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_programs_calls_are_recorded),
		cmocka_unit_test(the_program_may_still_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
