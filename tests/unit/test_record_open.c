/* The trace of a process that ends inside a call has that call: the function, its known arguments, the line. */
#include "scenario.h"

static struct {
	enum call_id id;
	unsigned long nth;
} last;

static char buffer[64];
static MPI_Request requests[3];

static void end_there(enum call_id id)
{
	if (id == last.id && fake->calls[id] == last.nth)
		_exit(0);
}

/* The process ends in the nth call of a function. */
static void end_in(enum call_id id, unsigned long nth)
{
	last.id = id;
	last.nth = nth;
	fake->inside = end_there;
	MPI_Init(NULL, NULL);
}

static const struct call *open_of(const struct recording *r, const char *name)
{
	const struct open_call *open = &r->process->streams[0].open;

	assert_non_null(open->call);
	assert_string_equal(open->call->outline->name, name);
	assert_true(open->call->outline->has_site);
	assert_true(open->start >= r->events[r->count - 1].end);
	return open->call;
}

static void first_send(void)
{
	end_in(CALL_Ssend, 1);
	MPI_Ssend(buffer, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
}

static void the_first_time(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(first_send, &r);
	call = open_of(&r, "MPI_Ssend");
	assert_int_equal(field(call, FIELD_PEER), 1);
	assert_int_equal(field(call, FIELD_TAG), 7);
	assert_int_equal(field(call, FIELD_SENT), 24);
	assert_true(field(call, FIELD_COMM) != 0);
	recording_release(&r);
}

/* The third call is predicted. A receive with changing results is recognised by its first words. */
static void repeated_receives(void)
{
	end_in(CALL_Recv, 9);
	for (int i = 0; i < 20; i++) {
		fake->statuses[0] = (MPI_Status){.MPI_SOURCE = i % 2, .MPI_TAG = 3, .bytes = i};
		MPI_Recv(buffer, 1, MPI_INT, i < 5 ? 1 : MPI_ANY_SOURCE, 3, MPI_COMM_WORLD,
		         MPI_STATUS_IGNORE);
	}
}

static void a_call_that_came_before(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(repeated_receives, &r);
	assert_int_equal(count_calls(&r, "MPI_Recv"), 8);
	call = open_of(&r, "MPI_Recv");
	assert_int_equal(field(call, FIELD_PEER), RANK_ANY);
	assert_int_equal(field(call, FIELD_ROOM), 4);
	recording_release(&r);
}

static void predicted_sends(void)
{
	end_in(CALL_Send, 30);
	for (int i = 0; i < 40; i++)
		MPI_Send(buffer, 1, MPI_INT, i % 2, 5, MPI_COMM_WORLD);
}

static void a_predicted_call(void **state)
{
	struct recording r;

	(void)state;
	record(predicted_sends, &r);
	assert_int_equal(count_calls(&r, "MPI_Send"), 29);
	assert_int_equal(field(open_of(&r, "MPI_Send"), FIELD_PEER), 1);
	recording_release(&r);
}

/* Each call is new. */
static void counting_sends(void)
{
	end_in(CALL_Send, 30);
	for (int i = 1; i < 40; i++)
		MPI_Send(buffer, 2 * i, MPI_INT, 1, i, MPI_COMM_WORLD);
}

static void a_call_unlike_all_others(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(counting_sends, &r);
	assert_int_equal(count_calls(&r, "MPI_Send"), 29);
	call = open_of(&r, "MPI_Send");
	assert_int_equal(field(call, FIELD_TAG), 30);
	assert_int_equal(field(call, FIELD_SENT), 240);
	assert_int_equal(field(call, FIELD_PEER), 1);
	recording_release(&r);
}

static void waiting_for_two(void)
{
	end_in(CALL_Waitall, 1);
	for (int i = 0; i < 3; i++)
		MPI_Irecv(buffer, 1, MPI_INT, i, 5, MPI_COMM_WORLD, &requests[i]);
	MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE);
}

static void predicted_wait(void)
{
	end_in(CALL_Wait, 5);
	for (int i = 0; i < 9; i++) {
		MPI_Isend(buffer, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &requests[1]);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
		MPI_Request_free(&requests[0]);
	}
}

static void waiting_for_any(void)
{
	int index;

	end_in(CALL_Waitany, 1);
	for (int i = 0; i < 3; i++)
		MPI_Irecv(buffer, 1, MPI_INT, i, 5, MPI_COMM_WORLD, &requests[i]);
	MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
}

static void requests_that_it_waits_for(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(waiting_for_two, &r);
	call = open_of(&r, "MPI_Waitall");
	assert_int_equal(nth_field(call, FIELD_REQUEST, 0), 1);
	assert_int_equal(nth_field(call, FIELD_REQUEST, 1), 2);
	assert_int_equal(nth_field(call, FIELD_REQUEST, 2), ABSENT_FIELD);
	recording_release(&r);
	record(predicted_wait, &r);
	assert_int_equal(nth_field(open_of(&r, "MPI_Wait"), FIELD_DONE, 0), 1);
	recording_release(&r);
	record(waiting_for_any, &r);
	call = open_of(&r, "MPI_Waitany");
	assert_int_equal(nth_field(call, FIELD_REQUEST, 2), 2);
	recording_release(&r);
}

static void in_a_collective(void)
{
	end_in(CALL_Bcast, 1);
	MPI_Bcast(buffer, 1, MPI_INT, 3, MPI_COMM_WORLD);
}

static void at_the_end(void)
{
	end_in(CALL_Finalize, 1);
	MPI_Finalize();
}

static void other_calls(void **state)
{
	struct recording r;

	(void)state;
	record(in_a_collective, &r);
	assert_int_equal(field(open_of(&r, "MPI_Bcast"), FIELD_ROOT), 3);
	recording_release(&r);
	record(at_the_end, &r);
	open_of(&r, "MPI_Finalize");
	recording_release(&r);
}

static void outside(void)
{
	MPI_Init(NULL, NULL);
	MPI_Ssend(buffer, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
	_exit(0);
}

static void ended_well(void)
{
	MPI_Init(NULL, NULL);
	MPI_Ssend(buffer, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
	MPI_Finalize();
}

static void none_between_calls(void **state)
{
	struct recording r;

	(void)state;
	record(outside, &r);
	assert_null(r.process->streams[0].open.call);
	recording_release(&r);
	record(ended_well, &r);
	assert_null(r.process->streams[0].open.call);
	recording_release(&r);
}

/* An invalid handle is not looked up before the call, because MPI would report an error. */
static void an_unknown_type(void)
{
	end_in(CALL_Send, 1);
	fake->codes[CALL_Type_size_x] = MPI_ERR_TYPE;
	MPI_Send(buffer, 1, 0x7777, 1, 7, MPI_COMM_WORLD);
}

static void handles_are_not_asked_about(void **state)
{
	struct recording r;

	(void)state;
	record(an_unknown_type, &r);
	assert_false(has_field(open_of(&r, "MPI_Send"), FIELD_SENT));
	assert_int_equal(fake->calls[CALL_Type_size_x], 0);
	recording_release(&r);
}

static void polls_for_ever(void)
{
	MPI_Init(NULL, NULL);
	fake->flag = 0;
	MPI_Irecv(buffer, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
	for (int i = 0; i < 10; i++) {
		int flag;
		MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
	}
	_exit(0);
}

static void polls_are_open_too(void **state)
{
	struct recording r;

	(void)state;
	record(polls_for_ever, &r);
	assert_int_equal(field(open_of(&r, "MPI_Test"), FIELD_REQUEST), 0);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_time),
		cmocka_unit_test(a_call_that_came_before),
		cmocka_unit_test(a_predicted_call),
		cmocka_unit_test(a_call_unlike_all_others),
		cmocka_unit_test(requests_that_it_waits_for),
		cmocka_unit_test(other_calls),
		cmocka_unit_test(none_between_calls),
		cmocka_unit_test(handles_are_not_asked_about),
		cmocka_unit_test(polls_are_open_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
