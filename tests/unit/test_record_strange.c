/* Rare but legal programs: insignificant parameters, failing calls, objects that end unnoticed. */
#define _GNU_SOURCE
#include "base/settings.h"
#include "scenario.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>

enum { REUSED = 4321, UNKNOWN = 987654, MANY = 30000, DISTINCT = 20000 };

static char buffer[64];

/* In process 2 of 4 the port and the program are not significant. */
static void roots_alone_name_things(void)
{
	MPI_Comm comm;

	MPI_Init(NULL, NULL);
	MPI_Comm_accept(NULL, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm);
	MPI_Comm_connect("port", MPI_INFO_NULL, 2, MPI_COMM_WORLD, &comm);
	MPI_Comm_spawn(NULL, NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &comm, NULL);
	MPI_Comm_spawn("program", NULL, 1, MPI_INFO_NULL, 2, MPI_COMM_WORLD, &comm, NULL);
	MPI_Finalize();
}

static void names_are_asked_of_the_root_alone(void **state)
{
	struct recording r;

	(void)state;
	record(roots_alone_name_things, &r);
	assert_false(has_field(nth_call(&r, "MPI_Comm_accept", 0), FIELD_PORT));
	assert_true(has_field(nth_call(&r, "MPI_Comm_connect", 0), FIELD_PORT));
	assert_false(has_field(nth_call(&r, "MPI_Comm_spawn", 0), FIELD_PROGRAM));
	assert_true(has_field(nth_call(&r, "MPI_Comm_spawn", 1), FIELD_PROGRAM));
	recording_release(&r);
}

static void scatter_between_groups(void)
{
	const int counts[] = {1, 2, 1000, 1000}; /* two of them are valid */
	MPI_Comm comm;

	fake->inter = 1;
	fake->other_rank = 1;
	fake->other_size = 2;
	fake->remote_size = 4;
	MPI_Init(NULL, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Reduce_scatter(buffer, buffer, counts, MPI_INT, MPI_SUM, comm);
	MPI_Finalize();
}

static void counts_of_a_reduce_scatter_are_those_of_the_own_group(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(scatter_between_groups, &r);
	call = nth_call(&r, "MPI_Reduce_scatter", 0);
	assert_int_equal(field(call, FIELD_SENT), 12);
	assert_int_equal(field(call, FIELD_RECEIVED), 8);
	recording_release(&r);
}

static jmp_buf way_back;

static void jump_out(enum call_id id)
{
	if (id == CALL_Allreduce)
		longjmp(way_back, 1);
}

/* Deeper in the stack than the call that ended by a jump. Without a call above, all following calls would seem nested in it. */
static __attribute__((noinline)) void send_from_below(int frames)
{
	volatile char room[500] = {0};

	if (frames > 0)
		send_from_below(frames - 1);
	else
		MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	(void)room[frames];
}

static void send_inside_allgather(enum call_id id)
{
	if (id == CALL_Allgather)
		send_from_below(3);
}

static void leaves_a_call(void)
{
	MPI_Init(NULL, NULL);
	fake->inside = jump_out;
	if (setjmp(way_back) == 0)
		MPI_Allreduce(buffer, buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	for (int i = 0; i < 3; i++)
		send_from_below(3);
	fake->inside = send_inside_allgather;
	MPI_Allgather(buffer, 1, MPI_INT, buffer, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void calls_after_one_that_was_left_are_recorded(void **state)
{
	struct recording r;

	(void)state;
	record(leaves_a_call, &r);
	assert_int_equal(fake->calls[CALL_Send], 4);
	assert_int_equal(count_calls(&r, "MPI_Send"), 3);
	assert_int_equal(count_calls(&r, "MPI_Allgather"), 1);
	assert_int_equal(count_calls(&r, "MPI_Finalize"), 1);
	recording_release(&r);
}

static void fails_with_strange_handles(void)
{
	unsigned long types, comms, groups;

	MPI_Init(NULL, NULL);
	types = fake->calls[CALL_Type_size_x];
	comms = fake->calls[CALL_Comm_test_inter];
	groups = fake->calls[CALL_Group_translate_ranks];
	fake->codes[CALL_Send] = fake->codes[CALL_Bcast] = MPI_ERR_COMM;
	MPI_Send(buffer, 1, UNKNOWN, 0, 0, UNKNOWN);
	MPI_Bcast(buffer, 1, UNKNOWN, 0, UNKNOWN);
	fake->codes[CALL_Win_post] = MPI_ERR_GROUP;
	MPI_Win_post(UNKNOWN, 0, UNKNOWN);
	MPI_Win_start(UNKNOWN, 0, UNKNOWN);
	/* An additional MPI call could end the program, because errors on MPI_COMM_WORLD are fatal. */
	assert(fake->calls[CALL_Type_size_x] == types);
	assert(fake->calls[CALL_Comm_test_inter] == comms);
	assert(fake->calls[CALL_Group_translate_ranks] == groups);
	fake->codes[CALL_Send] = MPI_SUCCESS;
	MPI_Send(buffer, 1, MPI_INT, 0, 0, UNKNOWN);
	fake->codes[CALL_Recv] = MPI_ERR_TRUNCATE; /* its handles are valid */
	MPI_Recv(buffer, 1, MPI_DOUBLE, 0, 0, UNKNOWN, MPI_STATUS_IGNORE);
	MPI_Finalize();
}

static void mpi_is_not_asked_about_handles_that_failed(void **state)
{
	struct recording r;

	(void)state;
	record(fails_with_strange_handles, &r);
	assert_true(has_field(nth_call(&r, "MPI_Send", 0), FIELD_RESULT));
	assert_int_equal(field(nth_call(&r, "MPI_Send", 0), FIELD_COMM), 0);
	assert_int_not_equal(field(nth_call(&r, "MPI_Send", 1), FIELD_COMM), 0);
	assert_int_equal(field(nth_call(&r, "MPI_Send", 1), FIELD_SENT), 4);
	assert_int_equal(field(nth_call(&r, "MPI_Recv", 0), FIELD_ROOM), 8);
	assert_int_equal(count_calls(&r, "MPI_Win_start"), 1);
	recording_release(&r);
}

static void fails_with_a_strange_count(void)
{
	MPI_Request requests[8] = {0};
	int count, indices[8];

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 2; i++)
		MPI_Isend(buffer, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
	fake->codes[CALL_Testsome] = MPI_ERR_ARG;
	fake->outcount = 3;
	fake->indices[0] = fake->indices[1] = 7;
	fake->indices[2] = 1;
	MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
	MPI_Finalize();
}

static void no_more_complete_than_there_are(void **state)
{
	struct recording r;

	(void)state;
	record(fails_with_a_strange_count, &r);
	assert_false(has_field(nth_call(&r, "MPI_Testsome", 0), FIELD_DONE));
	recording_release(&r);
}

static MPI_Datatype type;
static MPI_Comm comm;

/* Like the deletion of an attribute. */
static void end_them_inside(enum call_id id)
{
	if (id == CALL_Barrier) {
		MPI_Type_free(&type);
		MPI_Comm_free(&comm);
	}
}

static void ends_inside_of_a_call(void)
{
	MPI_Init(NULL, NULL);
	fake->next_handle = REUSED;
	for (int i = 0; i < 2; i++) {
		fake->type_bytes = i ? 24 : 8;
		fake->other_size = i ? 3 : 4;
		MPI_Type_contiguous(i ? 6 : 2, MPI_INT, &type);
		MPI_Comm_dup(MPI_COMM_WORLD, &comm);
		MPI_Allgather(buffer, 1, type, buffer, 1, type, comm);
		fake->inside = end_them_inside;
		MPI_Barrier(MPI_COMM_WORLD);
		fake->inside = NULL;
	}
	MPI_Finalize();
}

static void what_ends_inside_of_a_call_is_forgotten(void **state)
{
	struct recording r;

	(void)state;
	record(ends_inside_of_a_call, &r);
	for (size_t i = 0; i < 2; i++) {
		const struct call *call = nth_call(&r, "MPI_Allgather", i);

		assert_int_equal(field(call, FIELD_SENT), i ? 24 : 8);
		assert_int_equal(field(call, FIELD_RECEIVED), i ? 3 * 24 : 4 * 8);
		assert_int_equal(field(call, FIELD_COMM),
		                 field(nth_call(&r, "MPI_Comm_dup", i), FIELD_NEWCOMM));
	}
	recording_release(&r);
}

static void duplicate_two(bool in_order)
{
	MPI_Comm comms[2];
	MPI_Request requests[2], swapped[2];

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 2; i++)
		MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &requests[i]);
	for (int i = 0; i < 2; i++)
		swapped[i] = requests[in_order ? i : 1 - i];
	MPI_Waitall(2, swapped, MPI_STATUSES_IGNORE);
	MPI_Finalize();
}

static void duplicate_in_order(void)
{
	duplicate_two(true);
}

static void duplicate_out_of_order(void)
{
	duplicate_two(false);
}

static void communicators_are_numbered_when_they_are_begun(void **state)
{
	struct recording one, other;

	(void)state;
	record(duplicate_in_order, &one);
	record(duplicate_out_of_order, &other);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(nth_field(nth_call(&one, "MPI_Waitall", 0), FIELD_NEWCOMM, i),
		                 nth_field(nth_call(&other, "MPI_Waitall", 0), FIELD_NEWCOMM, 1 - i));
	recording_release(&one);
	recording_release(&other);
}

static void too_many_at_once(void)
{
	static MPI_Request requests[MANY];

	setenv(SETTING_BUFFER, "1048576", 1);
	MPI_Init(NULL, NULL);
	for (int i = 0; i < MANY; i++)
		MPI_Isend(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[i]);
	MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
	MPI_Isend(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Finalize();
}

static void requests_that_cannot_be_followed_are_dropped(void **state)
{
	struct recording r;

	(void)state;
	record(too_many_at_once, &r);
	assert_false(has_field(nth_call(&r, "MPI_Waitall", 0), FIELD_DONE));
	assert_int_equal(field(r.events[r.count - 2].call, FIELD_REQUEST), 0);
	recording_release(&r);
}

static volatile sig_atomic_t interruptible, interrupted;

static void interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* Replaces the C library's, like a file system in memory whose allocation signals can interrupt. */
__attribute__((visibility("default"))) int posix_fallocate(int fd, off_t offset, off_t length)
{
	interrupted = 0;
	if (interruptible)
		raise(SIGUSR1);
	if (interrupted)
		return EINTR;
	return fallocate(fd, 0, offset, length) ? errno : 0;
}

static void interrupted_by_signals(void)
{
	setenv(SETTING_BUFFER, "1048576", 1);
	signal(SIGUSR1, interrupt);
	interruptible = 1;
	MPI_Init(NULL, NULL);
	for (int tag = 0; tag < DISTINCT; tag++)
		MPI_Send(buffer, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
	MPI_Finalize();
	assert(interrupted); /* a signal may be late, but is not lost */
}

static void signals_do_not_end_the_recording(void **state)
{
	struct recording r;

	(void)state;
	record(interrupted_by_signals, &r);
	assert_int_equal(r.process->streams[0].loss_count, 0);
	assert_int_equal(r.count, DISTINCT + 2);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_asked_of_the_root_alone),
		cmocka_unit_test(counts_of_a_reduce_scatter_are_those_of_the_own_group),
		cmocka_unit_test(mpi_is_not_asked_about_handles_that_failed),
		cmocka_unit_test(no_more_complete_than_there_are),
		cmocka_unit_test(what_ends_inside_of_a_call_is_forgotten),
		cmocka_unit_test(calls_after_one_that_was_left_are_recorded),
		cmocka_unit_test(communicators_are_numbered_when_they_are_begun),
		cmocka_unit_test(requests_that_cannot_be_followed_are_dropped),
		cmocka_unit_test(signals_do_not_end_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
