/* Arguments of calls, their order and their threads: errors that are reported, and correct
 * calls that must not be. */
#include "check_calls.h"

#include "job/check/objects/objects.h"
#include "job/check/objects/threads.h"

#include <pthread.h>
#include <stdlib.h>

#define NOBODY ((void *)NULL)

static int data[64], other[64];

static void begin(void)
{
	check_arguments = true;
	DO(Init, NULL, NULL);
}

static MPI_Comm made_comm(void)
{
	MPI_Comm comm;

	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	return comm;
}

static void scenario_right_messages(void)
{
	begin();
	DO(Send, data, 10, MPI_INT, 3, 7, MPI_COMM_WORLD);
	DO(Send, NOBODY, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
	DO(Send, NOBODY, 10, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
	DO(Recv, data, 10, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	DO(Sendrecv, data, 4, MPI_INT, 1, 0, data + 4, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	DO(Sendrecv, data, 4, MPI_INT, MPI_PROC_NULL, 0, data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD,
	   MPI_STATUS_IGNORE);
	DO(Send_c, data, 10, MPI_INT, 3, 7, MPI_COMM_WORLD);
	expect_nothing();
}
SCENARIO(right_messages)

static void scenario_wrong_messages(void)
{
	begin();
	DO(Send, data, -1, MPI_INT, 3, 7, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	expect_text("parameter", "count");
	expect_text("value", "-1");
	DO(Send_c, data, -5000000000, MPI_INT, 3, 7, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	expect_text("value", "-5000000000");
	DO(Send, data, 1, MPI_INT, 4, 7, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_RANK_OUTSIDE, __LINE__ - 1);
	expect_text("size", "4");
	expect_text("comm", "MPI_COMM_WORLD");
	DO(Send, data, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_WILDCARD_IN_SEND, __LINE__ - 1);
	DO(Send, data, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_WILDCARD_IN_SEND, __LINE__ - 1);
	expect_text("value", "MPI_ANY_TAG");
	DO(Send, data, 1, MPI_INT, 1, -77, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_TAG_OUTSIDE, __LINE__ - 1);
	DO(Recv, data, 1, MPI_INT, MPI_ROOT, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(CHECK_ARGUMENT_RANK_OUTSIDE, __LINE__ - 1);
	expect_text("value", "MPI_ROOT");
	DO(Send, MPI_IN_PLACE, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_IN_PLACE, __LINE__ - 1);
	DO(Sendrecv, data, 4, MPI_INT, 1, 0, data + 3, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(CHECK_ARGUMENT_ALIASED_BUFFERS, __LINE__ - 1);
	expect_text("bytes", "4");
	expect_nothing();
}
SCENARIO(wrong_messages)

static void scenario_memory(void)
{
	begin();
	DO(Send, NOBODY, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_NULL_BUFFER, __LINE__ - 1);
	expect_text("bytes", "12");
	DO(Send, (void *)0x10000, 3, MPI_INT, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_UNMAPPED_BUFFER, __LINE__ - 1);
	expect_text("value", "0x10000");
	DO(Send, data, 1 << 30, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_UNMAPPED_BUFFER, __LINE__ - 1);
	DO(Comm_rank, MPI_COMM_WORLD, data);
	expect_nothing();
}
SCENARIO(memory)

static void scenario_handles(void)
{
	MPI_Datatype type, copy;
	MPI_Comm comm;

	begin();
	DO(Send, data, 1, MPI_DATATYPE_NULL, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_NULL_HANDLE, __LINE__ - 1);
	expect_text("value", "MPI_DATATYPE_NULL");
	DO(Send, data, 1, MPI_INT, 1, 1, MPI_COMM_NULL);
	expect(CHECK_ARGUMENT_NULL_HANDLE, __LINE__ - 1);
	DO(Type_contiguous, 2, MPI_INT, &type);
	DO(Send, data, 1, type, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_UNCOMMITTED_TYPE, __LINE__ - 1);
	expect_call(NOTE_CREATED, __LINE__ - 3);
	DO(Type_commit, &type);
	DO(Send, data, 1, type, 1, 1, MPI_COMM_WORLD);
	expect_nothing();
	copy = type;
	DO(Type_free, &type);
	DO(Send, data, 1, copy, 1, 1, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	expect_call(NOTE_FREED, __LINE__ - 3);
	comm = MPI_COMM_NULL;
	DO(Comm_free, &comm);
	expect(CHECK_ARGUMENT_NULL_HANDLE, __LINE__ - 1);
	DO(Comm_get_name, MPI_COMM_NULL, (char *)other, data);
	DO(Comm_set_info, MPI_COMM_WORLD, MPI_INFO_NULL);
	expect_nothing();
	DO(Info_set, MPI_INFO_NULL, "a", "b");
	expect(CHECK_ARGUMENT_NULL_HANDLE, __LINE__ - 1);
	expect_nothing();
}
SCENARIO(handles)

static void scenario_right_collectives(void)
{
	const int zeros[4] = {0}, counts[4] = {1, 1, 1, 1}, at[4] = {0, 1, 2, 3};

	begin(); /* rank 2 of 4 */
	DO(Bcast, data, 4, MPI_INT, 3, MPI_COMM_WORLD);
	DO(Allreduce, MPI_IN_PLACE, data, 4, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
	DO(Allreduce, data, other, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	/* What means nothing elsewhere than at the root */
	DO(Gather, data, 1, MPI_INT, NOBODY, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
	DO(Gatherv, data, 1, MPI_INT, data, NOBODY, NOBODY, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
	DO(Gather, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, other, 1, MPI_INT, 2, MPI_COMM_WORLD);
	DO(Scatter, NOBODY, -1, MPI_DATATYPE_NULL, data, 1, MPI_INT, 0, MPI_COMM_WORLD);
	DO(Scatter, data, 1, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 2, MPI_COMM_WORLD);
	DO(Reduce, data, data, 4, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
	DO(Alltoallv, NOBODY, zeros, zeros, MPI_INT, NOBODY, zeros, zeros, MPI_INT, MPI_COMM_WORLD);
	DO(Allgatherv, data, 1, MPI_INT, other, counts, at, MPI_INT, MPI_COMM_WORLD);
	DO(Reduce_scatter, data, other, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect_nothing();
}
SCENARIO(right_collectives)

static void scenario_wrong_collectives(void)
{
	const int counts[4] = {1, 1, -1, 1}, at[4] = {0, 1, 2, 3};
	MPI_Datatype type;

	begin(); /* rank 2 of 4 */
	DO(Bcast, data, 4, MPI_INT, 4, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_ROOT_OUTSIDE, __LINE__ - 1);
	DO(Bcast, data, 4, MPI_INT, MPI_PROC_NULL, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_ROOT_OUTSIDE, __LINE__ - 1);
	DO(Bcast, MPI_IN_PLACE, 4, MPI_INT, 0, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_IN_PLACE, __LINE__ - 1);
	DO(Gather, MPI_IN_PLACE, 1, MPI_INT, other, 1, MPI_INT, 0, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_IN_PLACE, __LINE__ - 1);
	DO(Allreduce, data, MPI_IN_PLACE, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_IN_PLACE, __LINE__ - 1);
	expect_text("parameter", "recvbuf");
	DO(Gather, data, 1, MPI_INT, other, -1, MPI_INT, 2, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	DO(Allgatherv, data, 1, MPI_INT, other, counts, at, MPI_INT, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	expect_text("parameter", "recvcounts[2]");
	DO(Allreduce, data, other, 4, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_OPERATION_TYPE, __LINE__ - 1);
	expect_text("operation", "MPI_BAND");
	expect_text("datatype", "MPI_DOUBLE");
	DO(Allreduce, data, other, 4, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_OPERATION_TYPE, __LINE__ - 1);
	DO(Allreduce, data, other, 4, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	fake->type_bytes = 8;
	DO(Type_contiguous, 2, MPI_INT, &type);
	DO(Type_commit, &type);
	DO(Allreduce, data, other, 4, type, MPI_SUM, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_OPERATION_TYPE, __LINE__ - 1);
	DO(Allgather, data, 1, MPI_INT, data, 1, MPI_INT, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_ALIASED_BUFFERS, __LINE__ - 1);
	DO(Neighbor_allgather, data, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
	expect(CHECK_ARGUMENT_COMMUNICATOR_KIND, __LINE__ - 1);
	expect_text("needed", "communicator with a topology");
	expect_nothing();
}
SCENARIO(wrong_collectives)

static void scenario_one_sided(void)
{
	MPI_Win win;

	begin();
	DO(Win_create, data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	DO(Win_fence, 0, win);
	DO(Put, data, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
	DO(Get_accumulate, NOBODY, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
	DO(Allreduce, NOBODY, NOBODY, 0, MPI_BYTE, MPI_SUM, MPI_COMM_WORLD);
	expect_nothing();
	DO(Get_accumulate, NOBODY, 0, MPI_DATATYPE_NULL, data, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
	expect(CHECK_ARGUMENT_NULL_HANDLE, __LINE__ - 1);
	expect_text("parameter", "origin_datatype");
	DO(Put, data, -1, MPI_INT, 0, 0, 1, MPI_INT, win);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	DO(Get, data, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win);
	expect(CHECK_ARGUMENT_NULL_HANDLE, __LINE__ - 1);
	DO(Win_create, data, -1, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 2);
	expect_text("parameter", "disp_unit");
	expect_nothing();
}
SCENARIO(one_sided)

static void scenario_intercommunicators(void)
{
	MPI_Comm inter;

	begin();
	fake->inter = 1;
	fake->remote_size = 2;
	inter = made_comm();
	DO(Send, data, 1, MPI_INT, 1, 0, inter);
	DO(Bcast, data, 1, MPI_INT, MPI_ROOT, inter);
	DO(Bcast, NOBODY, 1, MPI_INT, MPI_PROC_NULL, inter);
	DO(Gather, NOBODY, -1, MPI_DATATYPE_NULL, data, 1, MPI_INT, MPI_ROOT, inter);
	expect_nothing();
	DO(Send, data, 1, MPI_INT, 2, 0, inter);
	expect(CHECK_ARGUMENT_RANK_OUTSIDE, __LINE__ - 1);
	expect_text("comm", "made by MPI_Comm_dup");
	DO(Allreduce, MPI_IN_PLACE, data, 1, MPI_INT, MPI_SUM, inter);
	expect(CHECK_ARGUMENT_IN_PLACE, __LINE__ - 1);
	DO(Scan, data, other, 1, MPI_INT, MPI_SUM, inter);
	expect(CHECK_ARGUMENT_COMMUNICATOR_KIND, __LINE__ - 1);
	expect_text("kind", "intercommunicator");
	DO(Comm_remote_size, MPI_COMM_WORLD, data);
	expect(CHECK_ARGUMENT_COMMUNICATOR_KIND, __LINE__ - 1);
	expect_text("needed", "intercommunicator");
	expect_nothing();
}
SCENARIO(intercommunicators)

static void scenario_values(void)
{
	const int dims[2] = {4, 2}, small[2] = {2, 2}, ranks[2] = {1, 1}, sizes[1] = {4}, parts[1] = {3},
		  starts[1] = {2};
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Group group;

	begin();
	DO(Cart_create, MPI_COMM_WORLD, 2, small, small, 0, &comm);
	DO(Comm_split, MPI_COMM_WORLD, MPI_UNDEFINED, 0, &comm);
	expect_nothing();
	DO(Cart_create, MPI_COMM_WORLD, 2, dims, dims, 0, &comm);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	expect_text("value", "4 x 2");
	DO(Comm_split, MPI_COMM_WORLD, -3, 0, &comm);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	DO(Comm_group, MPI_COMM_WORLD, &group);
	DO(Group_incl, group, 2, ranks, &group);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	expect_text("parameter", "ranks[1]");
	DO(Type_create_subarray, 1, sizes, parts, starts, 0, MPI_INT, &type);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	expect_text("parameter", "array_of_starts[0]");
	DO(Type_contiguous, -2, MPI_INT, &type);
	expect(CHECK_ARGUMENT_NEGATIVE_COUNT, __LINE__ - 1);
	DO(Type_vector, 2, 1, -3, MPI_INT, &type);
	MPI_File file;
	DO(File_open, MPI_COMM_WORLD, "x", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	DO(File_set_size, file, 0);
	DO(File_seek, file, -4, 0);
	expect_nothing();
	DO(File_set_size, file, -1);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	DO(File_write_at, file, -4, data, 1, MPI_INT, MPI_STATUS_IGNORE);
	expect(CHECK_ARGUMENT_BAD_VALUE, __LINE__ - 1);
	expect_text("parameter", "offset");
	DO(Get_count, MPI_STATUS_IGNORE, MPI_INT, data);
	expect(CHECK_ARGUMENT_STATUS_IGNORE, __LINE__ - 1);
	expect_nothing();
}
SCENARIO(values)

static void scenario_order(void)
{
	check_arguments = true;
	DO(Initialized, data);
	DO(Get_version, data, other);
	expect_nothing();
	DO(Comm_rank, MPI_COMM_WORLD, data);
	expect(CHECK_ORDER_BEFORE_INIT, __LINE__ - 1);
	DO(Init, NULL, NULL);
	DO(Comm_rank, MPI_COMM_WORLD, data);
	expect_nothing();
	DO(Init, NULL, NULL);
	expect(CHECK_ORDER_INIT_TWICE, __LINE__ - 1);
	finalize();
	DO(Finalized, data);
	expect_nothing();
	DO(Comm_rank, MPI_COMM_WORLD, data);
	expect(CHECK_ORDER_AFTER_FINALIZE, __LINE__ - 1);
	expect_nothing();
}
SCENARIO(order)

static void *call_in_thread(void *function)
{
	((void (*)(void))(uintptr_t)function)();
	return NULL;
}

static void in_another_thread(void (*function)(void))
{
	pthread_t thread;

	require(pthread_create(&thread, NULL, call_in_thread, (void *)(uintptr_t)function) == 0);
	pthread_join(thread, NULL);
}

enum { ASKS_FOR_RANK = __LINE__ + 4 };

static void ask_for_rank(void)
{
	DO(Comm_rank, MPI_COMM_WORLD, data);
}

static void ask_for_level(void)
{
	DO(Query_thread, data);
	DO(Is_thread_main, data);
}

static void scenario_funneled(void)
{
	fake->thread_level = MPI_THREAD_FUNNELED;
	begin();
	ask_for_rank();
	in_another_thread(ask_for_level);
	expect_nothing();
	in_another_thread(ask_for_rank);
	expect(CHECK_THREAD_LEVEL, ASKS_FOR_RANK);
	expect_text("level", "MPI_THREAD_FUNNELED");
	expect_nothing();
}
SCENARIO(funneled)

static void scenario_provided(void)
{
	int provided, begins = __LINE__ + 4;

	fake->thread_level = MPI_THREAD_FUNNELED;
	check_arguments = true;
	DO(Init_thread, NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
	ask_for_rank();
	expect_nothing();
	in_another_thread(ask_for_rank);
	expect(CHECK_THREAD_PROVIDED, begins);
	expect_call(NOTE_OTHER, ASKS_FOR_RANK);
	expect_text("required", "MPI_THREAD_MULTIPLE");
	expect_text("level", "MPI_THREAD_FUNNELED");
	expect(CHECK_THREAD_LEVEL, ASKS_FOR_RANK);
	in_another_thread(ask_for_rank);
	expect(CHECK_THREAD_LEVEL, ASKS_FOR_RANK);
	expect_nothing();
}
SCENARIO(provided)

/* The fake library calls this inside of a call. */
static void meanwhile(enum call_id id)
{
	static bool begun;

	if (id == CALL_Barrier && !begun) {
		begun = true;
		in_another_thread(ask_for_rank);
	}
}

static void scenario_serialized(void)
{
	fake->thread_level = MPI_THREAD_SERIALIZED;
	begin();
	in_another_thread(ask_for_rank);
	expect_nothing();
	fake->inside = meanwhile;
	DO(Barrier, MPI_COMM_WORLD);
	expect(CHECK_THREAD_LEVEL, ASKS_FOR_RANK);
	expect_call(NOTE_OTHER, __LINE__ - 2);
	in_another_thread(ask_for_rank);
	expect_nothing();
}
SCENARIO(serialized)

enum { ENTERS_BARRIER = __LINE__ + 4 };

static void enter_barrier(void)
{
	DO(Barrier, MPI_COMM_WORLD);
}

static void second_barrier(enum call_id id)
{
	static bool begun;

	if (id == CALL_Barrier && !begun) {
		begun = true;
		in_another_thread(enter_barrier);
	}
}

static void scenario_multiple(void)
{
	MPI_Comm comm;

	fake->thread_level = MPI_THREAD_MULTIPLE;
	begin();
	comm = made_comm();
	fake->inside = second_barrier;
	DO(Barrier, comm);
	in_another_thread(enter_barrier);
	expect_nothing();
}
SCENARIO(multiple)

static void scenario_concurrent_collectives(void)
{
	fake->thread_level = MPI_THREAD_MULTIPLE;
	begin();
	fake->inside = second_barrier;
	DO(Barrier, MPI_COMM_WORLD);
	expect(CHECK_THREAD_CONCURRENT_COLLECTIVE, ENTERS_BARRIER);
	expect_call(NOTE_OTHER, __LINE__ - 2);
	expect_nothing();
}
SCENARIO(concurrent_collectives)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_messages),
		cmocka_unit_test(wrong_messages),
		cmocka_unit_test(memory),
		cmocka_unit_test(handles),
		cmocka_unit_test(right_collectives),
		cmocka_unit_test(wrong_collectives),
		cmocka_unit_test(one_sided),
		cmocka_unit_test(intercommunicators),
		cmocka_unit_test(values),
		cmocka_unit_test(order),
		cmocka_unit_test(funneled),
		cmocka_unit_test(provided),
		cmocka_unit_test(serialized),
		cmocka_unit_test(multiple),
		cmocka_unit_test(concurrent_collectives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
