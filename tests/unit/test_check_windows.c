/* Epochs of windows: open ones, illegal nesting, missing ends; displacements and operations. */
#include "check_calls.h"
#include "job/check/lifetimes.h"

static int buffer[8];

static MPI_Win window_new(void)
{
	MPI_Win win;

	DO(Win_create, buffer, sizeof buffer, (int)sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	return win;
}

#define PUT(win, target, disp, count) DO(Put, buffer, count, MPI_INT, target, disp, count, MPI_INT, win)

static void scenario_right(void)
{
	MPI_Win win = window_new();

	DO(Win_fence, 0, win);
	PUT(win, 0, 0, 1);
	DO(Win_fence, MPI_MODE_NOSUCCEED, win);
	DO(Win_lock, MPI_LOCK_SHARED, 0, 0, win);
	PUT(win, 0, 0, 1);
	DO(Win_flush, 0, win);
	DO(Win_flush_local_all, win);
	DO(Win_unlock, 0, win);
	DO(Win_lock_all, 0, win);
	PUT(win, 0, 0, 8);
	DO(Win_flush_all, win);
	DO(Win_unlock_all, win);
	DO(Win_fence, MPI_MODE_NOPRECEDE, win);
	DO(Win_lock, MPI_LOCK_SHARED, 0, 0, win); /* the last fence opened nothing */
	DO(Win_unlock, 0, win);
	DO(Win_free, &win);
	finalize();
	expect_nothing();
}
SCENARIO(right)

static void scenario_no_epoch(void)
{
	MPI_Win win = window_new();

	PUT(win, 0, 0, 1);
	expect(CHECK_WINDOW_NO_EPOCH, __LINE__ - 1);
	expect_text("target", "0");
	PUT(win, MPI_PROC_NULL, 0, 1);
	DO(Win_flush, 0, win);
	expect(CHECK_WINDOW_FLUSH_WITHOUT_LOCK, __LINE__ - 1);
	DO(Win_unlock, 0, win);
	expect(CHECK_WINDOW_NOT_OPEN, __LINE__ - 1);
	expect_text("needed", "MPI_Win_lock");
	DO(Win_complete, win);
	expect(CHECK_WINDOW_NOT_OPEN, __LINE__ - 1);
	expect_text("needed", "MPI_Win_start");
	DO(Win_wait, win);
	expect(CHECK_WINDOW_NOT_OPEN, __LINE__ - 1);
	DO(Win_unlock_all, win);
	expect(CHECK_WINDOW_NOT_OPEN, __LINE__ - 1);
	DO(Win_free, &win);
	finalize();
	expect_nothing();
}
SCENARIO(no_epoch)

static void scenario_nested(void)
{
	MPI_Win win = window_new();
	int opened;

	DO(Win_lock_all, 0, win);
	opened = __LINE__ - 1;
	DO(Win_lock, MPI_LOCK_SHARED, 0, 0, win);
	expect(CHECK_WINDOW_NESTED_EPOCH, __LINE__ - 1);
	expect_call("earlier", opened);
	expect_text("epoch", "MPI_Win_lock_all");
	DO(Win_fence, 0, win); /* one mistake, one finding */
	DO(Win_free, &win);
	finalize();
	expect_nothing();
}
SCENARIO(nested)

static void scenario_fence(void)
{
	MPI_Win win = window_new();
	int accessed;

	DO(Win_fence, 0, win);
	PUT(win, 0, 0, 1);
	accessed = __LINE__ - 1;
	DO(Win_fence, MPI_MODE_NOPRECEDE, win);
	expect(CHECK_WINDOW_ASSERTION, __LINE__ - 1);
	expect_call("earlier", accessed);
	expect_text("assertion", "MPI_MODE_NOPRECEDE");
	DO(Win_fence, MPI_MODE_NOSUCCEED, win);
	PUT(win, 0, 0, 1);
	expect(CHECK_WINDOW_ASSERTION, __LINE__ - 1);
	expect_text("assertion", "MPI_MODE_NOSUCCEED");
	DO(Win_fence, 0, win);
	PUT(win, 0, 0, 1);
	DO(Win_free, &win);
	expect(CHECK_WINDOW_UNCLOSED_EPOCH, __LINE__ - 1);
	expect_text("epoch", "MPI_Put");
	finalize();
	expect_nothing();
}
SCENARIO(fence)

static void scenario_displacement(void)
{
	MPI_Win win = window_new();
	const int rank = 0; /* in the group of the fake library's windows */

	DO(Win_fence, 0, win);
	PUT(win, rank, 7, 1);
	PUT(win, rank, 7, 2);
	expect(CHECK_WINDOW_OUTSIDE, __LINE__ - 1);
	expect_text("first", "28");
	expect_text("end", "35");
	expect_text("bytes", "32");
	PUT(win, rank, -1, 1);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	expect_text("value", "-1");
	PUT(win, rank, 100, 0);
	DO(Win_fence, 0, win);
	DO(Win_free, &win);
	finalize();
	expect_nothing();
}
SCENARIO(displacement)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right), cmocka_unit_test(no_epoch),     cmocka_unit_test(nested),
		cmocka_unit_test(fence), cmocka_unit_test(displacement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
