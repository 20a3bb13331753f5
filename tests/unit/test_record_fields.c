/* The recorded fields of calls: peers, bytes, wildcards, errors, objects. */
#include "scenario.h"

static char buffer[64];

static int64_t world_identity(const struct recording *r)
{
	return (int64_t)r->process->comms[0].identity;
}

static void sends(void)
{
	MPI_Init(NULL, NULL);
	MPI_Send(buffer, 10, MPI_INT, 3, 7, MPI_COMM_WORLD);
	MPI_Send(buffer, 10, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
	MPI_Send_c(buffer, (MPI_Count)1 << 40, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void a_send_has_peer_tag_and_bytes(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(sends, &r);
	call = nth_call(&r, "MPI_Send", 0);
	assert_int_equal(field(call, FIELD_PEER), 3);
	assert_int_equal(field(call, FIELD_TAG), 7);
	assert_int_equal(field(call, FIELD_SENT), 40);
	assert_int_equal(field(call, FIELD_SIZE), 4);
	assert_int_equal(field(call, FIELD_COMM), world_identity(&r));
	assert_false(has_field(call, FIELD_RESULT));
	assert_int_equal(field(nth_call(&r, "MPI_Send", 1), FIELD_PEER), RANK_NULL);
	assert_int_equal(field(nth_call(&r, "MPI_Send_c", 0), FIELD_SENT), (int64_t)8 << 40);
	recording_release(&r);
}

static void receives(void)
{
	MPI_Status status;

	MPI_Init(NULL, NULL);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 1, .MPI_TAG = 9, .bytes = 12};
	MPI_Recv(buffer, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	assert(status.MPI_SOURCE == 1 && status.bytes == 12);
	MPI_Recv(buffer, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(buffer, 10, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
}

static void wildcards_tell_what_came(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(receives, &r);
	for (size_t i = 0; i < 2; i++) {
		call = nth_call(&r, "MPI_Recv", i);
		assert_int_equal(field(call, FIELD_PEER), RANK_ANY);
		assert_int_equal(field(call, FIELD_TAG), TAG_ANY);
		assert_int_equal(field(call, FIELD_SOURCE), 1);
		assert_int_equal(field(call, FIELD_SOURCE_TAG), 9);
		assert_int_equal(field(call, FIELD_ROOM), 40);
		assert_int_equal(field(call, FIELD_RECEIVED), 12);
	}
	call = nth_call(&r, "MPI_Recv", 2);
	assert_false(has_field(call, FIELD_SOURCE));
	assert_int_equal(field(call, FIELD_RECEIVED), 12);
	assert_int_equal(field(nth_call(&r, "MPI_Probe", 0), FIELD_SOURCE), 1);
	recording_release(&r);
}

/* The numbers of docs/trace-format.md. */
enum { RESULT_COMM = 5, RESULT_TRUNCATE = 15 };

static void errors(void)
{
	MPI_Request request;

	MPI_Init(NULL, NULL);
	fake->codes[CALL_Send] = 100 + MPI_ERR_COMM;
	fake->codes[CALL_Recv] = fake->codes[CALL_Irecv] = 100 + MPI_ERR_TRUNCATE;
	for (int i = 0; i < 3; i++)
		assert(MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == 100 + MPI_ERR_COMM);
	assert(MPI_Recv(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
	       100 + MPI_ERR_TRUNCATE);
	MPI_Irecv(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	fake->codes[CALL_Send] = MPI_SUCCESS;
	MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	MPI_Isend(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	MPI_Finalize();
}

static void errors_are_recorded_by_class(void **state)
{
	struct recording r;

	(void)state;
	record(errors, &r);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(field(nth_call(&r, "MPI_Send", i), FIELD_RESULT), RESULT_COMM);
	assert_false(has_field(nth_call(&r, "MPI_Send", 3), FIELD_RESULT));
	assert_int_equal(field(nth_call(&r, "MPI_Recv", 0), FIELD_RESULT), RESULT_TRUNCATE);
	assert_false(has_field(nth_call(&r, "MPI_Recv", 0), FIELD_SOURCE));
	assert_int_equal(field(nth_call(&r, "MPI_Irecv", 0), FIELD_RESULT), RESULT_TRUNCATE);
	assert_false(has_field(nth_call(&r, "MPI_Irecv", 0), FIELD_REQUEST));
	assert_int_equal(field(nth_call(&r, "MPI_Isend", 0), FIELD_REQUEST), 0);
	recording_release(&r);
}

static void send_inside(enum call_id id)
{
	if (id == CALL_Allreduce || id == CALL_Wait)
		MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void nests(void)
{
	MPI_Request request;

	MPI_Init(NULL, NULL);
	fake->inside = send_inside;
	for (int i = 0; i < 10; i++)
		MPI_Allreduce(buffer, buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Irecv(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
}

static void calls_inside_of_calls_are_not_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(nests, &r);
	assert_int_equal(fake->calls[CALL_Send], 11);
	assert_int_equal(count_calls(&r, "MPI_Send"), 0);
	assert_int_equal(count_calls(&r, "MPI_Allreduce"), 10);
	assert_int_equal(count_calls(&r, "MPI_Barrier"), 1);
	assert_int_equal(r.count, 15);
	recording_release(&r);
}

static void collectives(void)
{
	int counts[] = {1, 2, 3, 4}, places[] = {0, 0, 0, 0};

	MPI_Init(NULL, NULL);
	MPI_Bcast(buffer, 5, MPI_INT, 2, MPI_COMM_WORLD);
	MPI_Bcast(buffer, 5, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allreduce(MPI_IN_PLACE, buffer, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	MPI_Alltoallv(buffer, counts, places, MPI_INT, buffer, counts, places, MPI_BYTE, MPI_COMM_WORLD);
	MPI_Gather(buffer, 2, MPI_INT, buffer, 2, MPI_INT, 2, MPI_COMM_WORLD);
	MPI_Gather(buffer, 2, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void expect_traffic(const struct call *call, int64_t sent, int64_t received)
{
	assert_int_equal(field(call, FIELD_SENT), sent);
	assert_int_equal(field(call, FIELD_RECEIVED), received);
}

/* Checks the bytes of each peer. */
static void expect_blocks(const struct call *call, const int64_t *blocks, uint32_t count)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) == FIELD_BLOCK) {
			assert_true(found < count);
			assert_int_equal(field_value_at(call, i), blocks[found++]);
		}
	assert_int_equal(found, count);
}

static void collectives_tell_what_moves(void **state)
{
	struct recording r;

	(void)state;
	record(collectives, &r);
	expect_traffic(nth_call(&r, "MPI_Bcast", 0), 20, 0);
	expect_traffic(nth_call(&r, "MPI_Bcast", 1), 0, 20);
	expect_traffic(nth_call(&r, "MPI_Allreduce", 0), 24, 24);
	assert_int_equal(field(nth_call(&r, "MPI_Allreduce", 0), FIELD_OP), 1);
	assert_int_equal(field(nth_call(&r, "MPI_Allreduce", 0), FIELD_IN_PLACE), 1);
	assert_false(has_field(nth_call(&r, "MPI_Gather", 0), FIELD_IN_PLACE));
	expect_traffic(nth_call(&r, "MPI_Alltoallv", 0), 40, 10);
	expect_blocks(nth_call(&r, "MPI_Alltoallv", 0), (int64_t[]){4, 8, 12, 16}, 4);
	expect_blocks(nth_call(&r, "MPI_Gather", 0), NULL, 0);
	expect_traffic(nth_call(&r, "MPI_Gather", 0), 8, 32);
	expect_traffic(nth_call(&r, "MPI_Gather", 1), 8, 0);
	recording_release(&r);
}

static void nothing_much(void)
{
	fake->rank = 0;
	fake->size = 1;
	fake->thread_level = MPI_THREAD_SERIALIZED;
	MPI_Init(NULL, NULL);
	MPI_Barrier(MPI_COMM_SELF);
	MPI_Finalize();
	MPI_Wtime();
}

static void the_last_process_makes_the_trace(void **state)
{
	struct recording r;

	(void)state;
	record(nothing_much, &r);
	assert_false(r.reader->is_parts);
	assert_int_equal(r.count, 3);
	assert_int_equal(r.process->rank, 0);
	assert_int_equal(r.process->size, 1);
	assert_string_equal(process_property(r.process, "mpi"), "fake");
	assert_string_equal(process_property(r.process, "mpi_version"), "fake MPI 1.0");
	assert_string_equal(process_property(r.process, "mpi_standard"), "4.0");
	assert_string_equal(process_property(r.process, "thread_level"), "serialized");
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_send_has_peer_tag_and_bytes),
		cmocka_unit_test(wildcards_tell_what_came),
		cmocka_unit_test(errors_are_recorded_by_class),
		cmocka_unit_test(calls_inside_of_calls_are_not_recorded),
		cmocka_unit_test(collectives_tell_what_moves),
		cmocka_unit_test(the_last_process_makes_the_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
