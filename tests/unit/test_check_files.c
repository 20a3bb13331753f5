/* Files: modes, split collective accesses, types and views, operations under way. */
#include "check_calls.h"
#include "job/check/lifetimes.h"

static char buffer[64], other[64];

static MPI_File file_open(int mode)
{
	MPI_File file;

	DO(File_open, MPI_COMM_WORLD, "data", mode, MPI_INFO_NULL, &file);
	return file;
}

#define READ(file) DO(File_read, file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE)
#define WRITE_AT_ALL(file) DO(File_write_at_all, file, 0, buffer, 1, MPI_INT, MPI_STATUS_IGNORE)

static void scenario_modes(void)
{
	MPI_File file = file_open(MPI_MODE_RDWR | MPI_MODE_CREATE);

	READ(file);
	WRITE_AT_ALL(file);
	DO(File_set_size, file, 100);
	DO(File_close, &file);
	file = file_open(MPI_MODE_RDONLY);
	READ(file);
	DO(File_close, &file);
	file = file_open(MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
	DO(File_write_shared, file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
	DO(File_write_ordered, file, buffer, 1, MPI_INT, MPI_STATUS_IGNORE);
	DO(File_set_view, file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	DO(File_close, &file);
	finalize();
	expect_nothing();
}
SCENARIO(modes)

static void scenario_wrong_modes(void)
{
	MPI_File file;
	MPI_Request request;

	file = file_open(MPI_MODE_RDONLY);
	WRITE_AT_ALL(file);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	expect_text("mode", "MPI_MODE_RDONLY");
	DO(File_preallocate, file, 1000);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(File_close, &file);
	file = file_open(MPI_MODE_WRONLY);
	DO(File_iread, file, buffer, 1, MPI_INT, &request);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(Wait, &request, MPI_STATUS_IGNORE);
	DO(File_close, &file);
	file = file_open(MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
	READ(file);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	expect_text("mode", "MPI_MODE_SEQUENTIAL");
	DO(File_seek, file, 0, 0);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(File_seek_shared, file, 0, 0);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(File_close, &file);
	finalize();
	expect_nothing();
}
SCENARIO(wrong_modes)

static void scenario_opened_wrongly(void)
{
	MPI_File file;

	DO(File_open, MPI_COMM_WORLD, "x", MPI_MODE_CREATE, MPI_INFO_NULL, &file);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(File_close, &file);
	DO(File_open, MPI_COMM_WORLD, "x", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	expect_text("mode", "MPI_MODE_RDONLY | MPI_MODE_CREATE");
	DO(File_close, &file);
	DO(File_open, MPI_COMM_WORLD, "x", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &file);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(File_close, &file);
	finalize();
	expect_nothing();
}
SCENARIO(opened_wrongly)

static void scenario_split(void)
{
	MPI_File file = file_open(MPI_MODE_RDWR), second = file_open(MPI_MODE_RDWR);

	DO(File_read_all_begin, file, buffer, 1, MPI_INT);
	DO(File_write_at_all_begin_c, second, 0, other, 1, MPI_INT);
	READ(file); /* not collective */
	DO(File_read_all_end, file, buffer, MPI_STATUS_IGNORE);
	DO(File_write_at_all_end, second, other, MPI_STATUS_IGNORE);
	WRITE_AT_ALL(file);
	DO(File_close, &file);
	DO(File_close, &second);
	finalize();
	expect_nothing();
}
SCENARIO(split)

static void scenario_wrong_split(void)
{
	MPI_File file = file_open(MPI_MODE_RDWR);

	DO(File_read_all_end, file, buffer, MPI_STATUS_IGNORE);
	expect(CHECK_FILE_SPLIT_COLLECTIVE, __LINE__ - 1);
	DO(File_read_all_begin, file, buffer, 1, MPI_INT);
	WRITE_AT_ALL(file);
	expect(CHECK_FILE_SPLIT_COLLECTIVE, __LINE__ - 1);
	expect_call(NOTE_EARLIER, __LINE__ - 3);
	DO(File_write_all_end, file, buffer, MPI_STATUS_IGNORE);
	expect(CHECK_FILE_SPLIT_COLLECTIVE, __LINE__ - 1);
	DO(File_write_ordered_begin, file, buffer, 1, MPI_INT);
	DO(File_read_all_begin, file, other, 1, MPI_INT);
	expect(CHECK_FILE_SPLIT_COLLECTIVE, __LINE__ - 1);
	DO(File_read_all_end, file, buffer, MPI_STATUS_IGNORE);
	expect(CHECK_FILE_SPLIT_COLLECTIVE, __LINE__ - 1); /* another buffer */
	DO(File_read_all_begin, file, other, 1, MPI_INT);
	DO(File_close, &file);
	expect(CHECK_FILE_SPLIT_COLLECTIVE, __LINE__ - 1);
	finalize();
	expect_nothing();
}
SCENARIO(wrong_split)

static void scenario_types_and_views(void)
{
	MPI_File file = file_open(MPI_MODE_RDWR);

	DO(File_set_view, file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
	READ(file);
	DO(File_write, file, buffer, 1, MPI_DOUBLE,
	   MPI_STATUS_IGNORE); /* two elements by size: nothing is certain */
	expect_nothing();
	DO(File_write, file, buffer, 4, MPI_SHORT, MPI_STATUS_IGNORE);
	expect(CHECK_FILE_TYPE_MISMATCH, __LINE__ - 1);
	expect_text("etype", "MPI_INT");
	expect_text("datatype", "MPI_SHORT");
	DO(File_set_view, file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL);
	expect(CHECK_FILE_TYPE_MISMATCH, __LINE__ - 1);
	DO(File_set_view, file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	READ(file);
	DO(File_set_view, file, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
	expect(CHECK_FILE_ACCESS_MODE, __LINE__ - 1);
	DO(File_close, &file);
	finalize();
	expect_nothing();
}
SCENARIO(types_and_views)

static void scenario_closed_too_early(void)
{
	MPI_File file = file_open(MPI_MODE_RDWR);
	MPI_Request request;

	DO(File_iwrite, file, buffer, 1, MPI_INT, &request);
	DO(File_close, &file);
	expect(CHECK_FILE_CLOSED_ACTIVE, __LINE__ - 1);
	expect_call(NOTE_EARLIER, __LINE__ - 3);
	DO(Wait, &request, MPI_STATUS_IGNORE);
	file = file_open(MPI_MODE_RDWR);
	DO(File_iwrite, file, buffer, 1, MPI_INT, &request);
	DO(Wait, &request, MPI_STATUS_IGNORE);
	DO(File_close, &file);
	finalize();
	expect_nothing();
}
SCENARIO(closed_too_early)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(modes),
		cmocka_unit_test(wrong_modes),
		cmocka_unit_test(opened_wrongly),
		cmocka_unit_test(split),
		cmocka_unit_test(wrong_split),
		cmocka_unit_test(types_and_views),
		cmocka_unit_test(closed_too_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
