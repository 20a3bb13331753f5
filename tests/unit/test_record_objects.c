/* MPI reuses handles of freed objects. The recorder must not use their old meaning. */
#include "calls/epochs.h"
#include "scenario.h"

enum { ROUNDS = 5, REUSED = 4321 };

static char buffer[64];

static void one_type_after_another(void)
{
	MPI_Datatype type;

	MPI_Init(NULL, NULL);
	fake->next_handle = REUSED;
	for (int i = 0; i < ROUNDS; i++) {
		fake->type_bytes = 8 * (i + 1);
		MPI_Type_contiguous(2 * (i + 1), MPI_INT, &type);
		for (int j = 0; j < 3; j++)
			MPI_Send(buffer, 10, type, 0, 0, MPI_COMM_WORLD);
		MPI_Bcast(buffer, 1, type, 2, MPI_COMM_WORLD);
		MPI_Type_free(&type);
	}
	MPI_Finalize();
}

static void sizes_of_ended_types_are_forgotten(void **state)
{
	struct recording r;

	(void)state;
	record(one_type_after_another, &r);
	for (size_t i = 0; i < ROUNDS; i++) {
		for (size_t j = 0; j < 3; j++)
			assert_int_equal(field(nth_call(&r, "MPI_Send", 3 * i + j), FIELD_SENT),
			                 80 * (i + 1));
		assert_int_equal(field(nth_call(&r, "MPI_Bcast", i), FIELD_SENT), 8 * (i + 1));
	}
	recording_release(&r);
}

static void one_communicator_after_another(void)
{
	MPI_Comm comm;

	MPI_Init(NULL, NULL);
	fake->next_handle = REUSED;
	for (int i = 0; i < ROUNDS; i++) {
		fake->other_size = fake->size - i % 2;
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		for (int j = 0; j < 3; j++)
			MPI_Send(buffer, 1, MPI_INT, 0, 0, comm);
		MPI_Allgather(buffer, 1, MPI_INT, buffer, 1, MPI_INT, comm);
		i % 2 ? MPI_Comm_free(&comm) : MPI_Comm_disconnect(&comm);
	}
	MPI_Finalize();
}

static void ended_communicators_are_forgotten(void **state)
{
	struct recording r;

	(void)state;
	record(one_communicator_after_another, &r);
	for (size_t i = 0; i < ROUNDS; i++) {
		int64_t identity = field(nth_call(&r, "MPI_Comm_dup", i), FIELD_NEWCOMM);
		const struct comm *comm = find_comm(r.process, (uint64_t)identity);

		assert_non_null(comm);
		assert_int_equal(comm->size, 4 - i % 2);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(identity, field(nth_call(&r, "MPI_Comm_dup", j), FIELD_NEWCOMM));
		for (size_t j = 0; j < 3; j++)
			assert_int_equal(field(nth_call(&r, "MPI_Send", 3 * i + j), FIELD_COMM), identity);
		assert_int_equal(field(nth_call(&r, "MPI_Allgather", i), FIELD_RECEIVED), 4 * (4 - i % 2));
		assert_int_equal(field(nth_call(&r, i % 2 ? "MPI_Comm_free" : "MPI_Comm_disconnect", i / 2),
		                       FIELD_COMM),
		                 identity);
	}
	recording_release(&r);
}

static void one_window_after_another(void)
{
	MPI_Win win;

	MPI_Init(NULL, NULL);
	fake->next_handle = REUSED;
	for (int i = 0; i < ROUNDS; i++) {
		MPI_Win_create(buffer, sizeof buffer, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
		MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
		MPI_Put(buffer, 2, MPI_INT, 1, 3, 2, MPI_INT, win);
		MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
		MPI_Put(buffer, 2, MPI_INT, 1, 3, 2, MPI_INT, win);
		MPI_Win_unlock(1, win);
		MPI_Win_free(&win);
	}
	MPI_Finalize();
}

static void windows_know_their_epochs(void **state)
{
	struct recording r;

	(void)state;
	record(one_window_after_another, &r);
	assert_int_equal(r.process->object_count, ROUNDS);
	for (size_t i = 0; i < ROUNDS; i++) {
		const struct call *fenced = nth_call(&r, "MPI_Put", 2 * i),
				  *locked = nth_call(&r, "MPI_Put", 2 * i + 1);
		int64_t identity = field(nth_call(&r, "MPI_Win_create", i), FIELD_WIN);

		assert_int_equal(r.process->objects[i].identity, identity);
		assert_int_equal(r.process->objects[i].unit, 4);
		assert_int_equal(field(fenced, FIELD_WIN), identity);
		assert_int_equal(field(fenced, FIELD_EPOCH), EPOCH_FENCE);
		assert_int_equal(field(fenced, FIELD_TARGET), 1);
		assert_int_equal(field(fenced, FIELD_DISP), 3);
		assert_int_equal(field(fenced, FIELD_SENT), 8);
		assert_int_equal(field(locked, FIELD_EPOCH), EPOCH_LOCK);
		assert_int_equal(field(nth_call(&r, "MPI_Win_lock", i), FIELD_LOCK), LOCK_EXCLUSIVE);
		assert_int_equal(field(nth_call(&r, "MPI_Win_free", i), FIELD_WIN), identity);
	}
	recording_release(&r);
}

static void one_file_after_another(void)
{
	MPI_File file;

	MPI_Init(NULL, NULL);
	fake->next_handle = REUSED;
	fake->statuses[0].bytes = 6;
	for (int i = 0; i < ROUNDS; i++) {
		MPI_File_open(MPI_COMM_WORLD, i % 2 ? "odd" : "even", 0, MPI_INFO_NULL, &file);
		MPI_File_read_at(file, 100, buffer, 3, MPI_INT, MPI_STATUS_IGNORE);
		MPI_File_close(&file);
	}
	MPI_Finalize();
}

static void files_know_their_names(void **state)
{
	struct recording r;

	(void)state;
	record(one_file_after_another, &r);
	assert_int_equal(r.process->object_count, ROUNDS);
	for (size_t i = 0; i < ROUNDS; i++) {
		const struct call *call = nth_call(&r, "MPI_File_read_at", i);

		assert_string_equal(r.process->objects[i].name, i % 2 ? "odd" : "even");
		assert_int_equal(field(call, FIELD_FILE), r.process->objects[i].identity);
		assert_int_equal(field(call, FIELD_OFFSET), 100);
		assert_int_equal(field(call, FIELD_ROOM), 12);
		assert_int_equal(field(call, FIELD_RECEIVED), 6);
		assert_int_equal(field(nth_call(&r, "MPI_File_close", i), FIELD_FILE),
		                 r.process->objects[i].identity);
	}
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_ended_types_are_forgotten),
		cmocka_unit_test(ended_communicators_are_forgotten),
		cmocka_unit_test(windows_know_their_epochs),
		cmocka_unit_test(files_know_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
