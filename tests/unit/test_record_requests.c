/* Requests: their numbers, completions and results. */
#include "scenario.h"

enum { MANY = 1000, RESULT_IN_STATUS = 18 };

static char buffer[64];

static MPI_Request *isend(MPI_Request *request)
{
	MPI_Isend(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, request);
	return request;
}

static MPI_Request *irecv(MPI_Request *request)
{
	MPI_Irecv(buffer, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request);
	return request;
}

static void plant_statuses(int count)
{
	for (int i = 0; i < count; i++)
		fake->statuses[i] = (MPI_Status){.MPI_SOURCE = i % 4, .MPI_TAG = 10 + i, .bytes = 100 + i};
}

static void numbers(void)
{
	MPI_Request requests[3];

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 3; i++)
		isend(&requests[i]);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	assert(requests[1] == MPI_REQUEST_NULL);
	isend(&requests[1]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
	isend(&requests[0]);
	MPI_Request_free(&requests[0]);
	isend(&requests[0]);
	MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	MPI_Finalize();
}

static void expect_done(const struct call *call, const int64_t *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(nth_field(call, FIELD_DONE, i), wanted[i]);
	assert_int_equal(nth_field(call, FIELD_DONE, count), ABSENT_FIELD);
}

static void expect_started(const struct recording *r, const int64_t *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(field(nth_call(r, "MPI_Isend", i), FIELD_REQUEST), wanted[i]);
}

static void the_lowest_free_number_is_taken(void **state)
{
	struct recording r;

	(void)state;
	record(numbers, &r);
	expect_started(&r, (const int64_t[]){0, 1, 2, 1, 0, 0}, 6);
	expect_done(nth_call(&r, "MPI_Wait", 0), (const int64_t[]){1}, 1);
	expect_done(nth_call(&r, "MPI_Waitall", 0), (const int64_t[]){0, 1, 2}, 3);
	assert_int_equal(field(nth_call(&r, "MPI_Request_free", 0), FIELD_REQUEST), 0);
	expect_done(nth_call(&r, "MPI_Wait", 1), NULL, 0);
	recording_release(&r);
}

/* MPICH does this for sends that complete at once. */
static void one_handle_for_all(void)
{
	MPI_Request a, b, moved;

	MPI_Init(NULL, NULL);
	fake->next_handle = 777;
	isend(&a);
	isend(&b);
	MPI_Wait(&b, MPI_STATUS_IGNORE);
	MPI_Wait(&a, MPI_STATUS_IGNORE);
	isend(&a);
	isend(&b);
	moved = b;
	MPI_Waitall(2, (MPI_Request[]){moved, moved}, MPI_STATUSES_IGNORE);
	isend(&a);
	MPI_Finalize();
}

static void equal_handles_are_told_apart_by_their_place(void **state)
{
	struct recording r;

	(void)state;
	record(one_handle_for_all, &r);
	expect_started(&r, (const int64_t[]){0, 1, 0, 1, 0}, 5);
	expect_done(nth_call(&r, "MPI_Wait", 0), (const int64_t[]){1}, 1);
	expect_done(nth_call(&r, "MPI_Wait", 1), (const int64_t[]){0}, 1);
	expect_done(nth_call(&r, "MPI_Waitall", 0), (const int64_t[]){0, 1}, 2);
	recording_release(&r);
}

static void persistent(void)
{
	MPI_Request requests[2], other;

	MPI_Init(NULL, NULL);
	MPI_Send_init(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Start(&requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Startall(2, requests);
	isend(&other);
	plant_statuses(2);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Wait(&other, MPI_STATUS_IGNORE);
	isend(&other);
	MPI_Finalize();
}

static void persistent_requests_outlive_their_completion(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(persistent, &r);
	assert_int_equal(field(nth_call(&r, "MPI_Send_init", 0), FIELD_PERSISTENT), 1);
	assert_int_equal(field(nth_call(&r, "MPI_Recv_init", 0), FIELD_REQUEST), 1);
	assert_int_equal(field(nth_call(&r, "MPI_Start", 0), FIELD_REQUEST), 0);
	expect_done(nth_call(&r, "MPI_Wait", 0), NULL, 0);
	expect_done(nth_call(&r, "MPI_Wait", 1), (const int64_t[]){0}, 1);
	expect_done(nth_call(&r, "MPI_Wait", 2), NULL, 0);
	call = nth_call(&r, "MPI_Startall", 0);
	assert_int_equal(nth_field(call, FIELD_REQUEST, 0), 0);
	assert_int_equal(nth_field(call, FIELD_REQUEST, 1), 1);
	call = nth_call(&r, "MPI_Waitall", 0);
	expect_done(call, (const int64_t[]){0, 1}, 2);
	assert_int_equal(field(call, FIELD_RECEIVED), 101);
	expect_started(&r, (const int64_t[]){2, 0}, 2);
	recording_release(&r);
}

static void some_and_any(void)
{
	MPI_Request requests[4];
	int index, count, flag, indices[4];

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 4; i++)
		i % 2 ? isend(&requests[i]) : irecv(&requests[i]);
	plant_statuses(2);
	fake->outcount = 2;
	fake->indices[0] = 2;
	fake->indices[1] = 1;
	MPI_Waitsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
	assert(count == 2 && indices[0] == 2 && requests[2] == MPI_REQUEST_NULL &&
	       requests[0] != MPI_REQUEST_NULL);
	fake->flag = 1;
	fake->index = 0;
	MPI_Testany(4, requests, &index, &flag, MPI_STATUS_IGNORE);
	fake->index = 3;
	MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
	fake->index = MPI_UNDEFINED;
	MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
	fake->outcount = MPI_UNDEFINED;
	MPI_Testsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
	isend(&requests[0]);
	MPI_Finalize();
}

static void indices_name_what_completed(void **state)
{
	const struct call *call;
	struct recording r;

	(void)state;
	record(some_and_any, &r);
	call = nth_call(&r, "MPI_Waitsome", 0);
	expect_done(call, (const int64_t[]){2, 1}, 2);
	assert_int_equal(field(call, FIELD_SOURCE), 0);
	assert_int_equal(field(call, FIELD_SOURCE_TAG), 10);
	assert_int_equal(nth_field(call, FIELD_RECEIVED, 0), 100);
	assert_int_equal(nth_field(call, FIELD_RECEIVED, 1), ABSENT_FIELD);
	expect_done(nth_call(&r, "MPI_Testany", 0), (const int64_t[]){0}, 1);
	expect_done(nth_call(&r, "MPI_Waitany", 0), (const int64_t[]){3}, 1);
	expect_done(nth_call(&r, "MPI_Waitany", 1), NULL, 0);
	expect_done(nth_call(&r, "MPI_Testsome", 0), NULL, 0);
	assert_int_equal(field(nth_call(&r, "MPI_Isend", 2), FIELD_REQUEST), 0);
	recording_release(&r);
}

static void polls(void)
{
	MPI_Request requests[2];
	int flag, index, count, indices[2];

	MPI_Init(NULL, NULL);
	irecv(&requests[0]);
	isend(&requests[1]);
	for (int i = 0; i <= 100; i++) {
		fake->flag = i == 100;
		MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
	}
	fake->flag = 0;
	MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
	for (int i = 0; i < 50; i++)
		MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
	for (int i = 0; i < 30; i++)
		MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	MPI_Finalize();
}

/* Of MPI 4.1. */
static void inquiries(void)
{
	MPI_Request requests[2];
	int flag, index, count, indices[2];

	MPI_Init(NULL, NULL);
	irecv(&requests[0]);
	isend(&requests[1]);
	for (int i = 0; i <= 20; i++) {
		fake->flag = i == 20;
		MPI_Request_get_status_any(2, requests, &index, &flag, MPI_STATUS_IGNORE);
	}
	for (int i = 0; i <= 10; i++) {
		fake->outcount = i == 10;
		MPI_Request_get_status_some(2, requests, &count, indices, MPI_STATUSES_IGNORE);
	}
	MPI_Request_get_status_all(2, requests, &flag, MPI_STATUSES_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Finalize();
}

static void inquiries_are_tests_that_end_no_request(void **state)
{
	static const struct {
		const char *name;
		uint64_t polls;
		int64_t flag;
	} wanted[] = {{"MPI_Request_get_status_any", 20, 0},
	              {"MPI_Request_get_status_any", 0, 1},
	              {"MPI_Request_get_status_some", 10, 0},
	              {"MPI_Request_get_status_some", 0, 1},
	              {"MPI_Request_get_status_all", 0, 1}};
	const size_t first = 3, count = sizeof wanted / sizeof *wanted;
	struct recording r;

	(void)state;
	record(inquiries, &r);
	assert_int_equal(r.count, first + count + 2);
	for (size_t i = 0; i < count; i++) {
		const struct event *event = &r.events[first + i];
		assert_string_equal(event->call->outline->name, wanted[i].name);
		assert_int_equal(event->polls, wanted[i].polls);
		assert_int_equal(field(event->call, FIELD_FLAG), wanted[i].flag);
		assert_int_equal(field(event->call, FIELD_COUNT), 2);
		assert_false(has_field(event->call, FIELD_DONE));
	}
	expect_done(nth_call(&r, "MPI_Waitall", 0), (const int64_t[]){0, 1}, 2);
	recording_release(&r);
}

/* Of MPI 4.1. */
static void flushes(void)
{
	MPI_Request requests[2];
	char room[64];

	MPI_Init(NULL, NULL);
	MPI_Comm_attach_buffer(MPI_COMM_WORLD, room, sizeof room);
	MPI_Comm_iflush_buffer(MPI_COMM_WORLD, &requests[0]);
	MPI_Buffer_iflush(&requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Finalize();
}

static void flushes_have_requests(void **state)
{
	struct recording r;

	(void)state;
	record(flushes, &r);
	assert_int_equal(r.count, 6);
	assert_true(has_field(nth_call(&r, "MPI_Comm_attach_buffer", 0), FIELD_COMM));
	assert_int_equal(field(nth_call(&r, "MPI_Comm_iflush_buffer", 0), FIELD_REQUEST), 0);
	assert_int_equal(field(nth_call(&r, "MPI_Buffer_iflush", 0), FIELD_REQUEST), 1);
	expect_done(nth_call(&r, "MPI_Waitall", 0), (const int64_t[]){0, 1}, 2);
	recording_release(&r);
}

static void a_run_of_fruitless_tests_is_one_event(void **state)
{
	static const struct {
		const char *name;
		uint64_t polls;
	} wanted[] = {{"MPI_Init", 0},      {"MPI_Irecv", 0},   {"MPI_Isend", 0},
	              {"MPI_Test", 100},    {"MPI_Test", 0},    {"MPI_Testany", 0},
	              {"MPI_Testsome", 50}, {"MPI_Iprobe", 30}, {"MPI_Finalize", 0}};
	struct recording r;

	(void)state;
	record(polls, &r);
	assert_int_equal(r.count, sizeof wanted / sizeof *wanted);
	for (size_t i = 0; i < r.count; i++) {
		assert_string_equal(r.events[i].call->outline->name, wanted[i].name);
		assert_int_equal(r.events[i].polls, wanted[i].polls);
	}
	assert_int_equal(field(r.events[3].call, FIELD_FLAG), 0);
	assert_int_equal(field(r.events[4].call, FIELD_FLAG), 1);
	expect_done(r.events[4].call, (const int64_t[]){0}, 1);
	expect_done(r.events[5].call, NULL, 0);
	recording_release(&r);
}

static void many(void)
{
	static MPI_Request requests[MANY];

	MPI_Init(NULL, NULL);
	plant_statuses(MANY);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < MANY; i++)
			irecv(&requests[i]);
		MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
	}
	MPI_Finalize();
}

static void all_completions_of_a_large_array_are_there(void **state)
{
	struct recording r;

	(void)state;
	record(many, &r);
	for (size_t round = 0; round < 2; round++) {
		const struct call *call = nth_call(&r, "MPI_Waitall", round);
		for (size_t i = 0; i < MANY; i++) {
			assert_int_equal(nth_field(call, FIELD_DONE, i), i);
			assert_int_equal(nth_field(call, FIELD_SOURCE, i), i % 4);
			assert_int_equal(nth_field(call, FIELD_SOURCE_TAG, i), 10 + i);
			assert_int_equal(nth_field(call, FIELD_RECEIVED, i), 100 + i);
		}
	}
	recording_release(&r);
}

/* The library gives other handles each time. Most rounds complete the same numbers as the previous one, some search one by one. Other requests
 * stay active, so that the numbers are at the start of the table, on both sides of a word of its bits, or after the table has grown twice. */
enum { ROUNDS = 40, FEW = 4, HELD_MAX = 2110 };

static int held;

static void handles_that_change(void)
{
	static MPI_Request holding[HELD_MAX];
	MPI_Request requests[FEW];

	MPI_Init(NULL, NULL);
	plant_statuses(FEW);
	for (int i = 0; i < held; i++)
		isend(&holding[i]);
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < FEW; i++)
			i % 2 ? isend(&requests[i]) : irecv(&requests[i]);
		if (round % 10 != 9)
			MPI_Waitall(FEW, requests, MPI_STATUSES_IGNORE);
		for (int i = FEW; round % 10 == 9 && i-- > 0;)
			MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
	}
	for (int i = 0; i < held; i++)
		MPI_Wait(&holding[i], MPI_STATUS_IGNORE);
	MPI_Finalize();
}

static void expect_numbers_behind(int64_t first)
{
	struct recording r;
	size_t all = 0, single = 0;

	held = (int)first;
	record(handles_that_change, &r);
	for (size_t i = 0; i < (size_t)ROUNDS * FEW / 2; i++) {
		int64_t number = first + 2 * (int64_t)(i % 2);
		assert_int_equal(field(nth_call(&r, "MPI_Irecv", i), FIELD_REQUEST), number);
		assert_int_equal(field(nth_call(&r, "MPI_Isend", (size_t)first + i), FIELD_REQUEST),
		                 number + 1);
	}
	for (; all < ROUNDS - ROUNDS / 10; all++)
		expect_done(nth_call(&r, "MPI_Waitall", all),
		            (const int64_t[]){first, first + 1, first + 2, first + 3}, FEW);
	for (; single < (size_t)ROUNDS / 10 * FEW; single++)
		expect_done(nth_call(&r, "MPI_Wait", single),
		            (const int64_t[]){first + FEW - 1 - (int64_t)(single % FEW)}, 1);
	recording_release(&r);
}

static void requests_keep_their_numbers_when_handles_change(void **state)
{
	(void)state;
	expect_numbers_behind(0);
	expect_numbers_behind(62);
	expect_numbers_behind(HELD_MAX);
}

static void partly_failed(void)
{
	MPI_Request requests[3];
	MPI_Status statuses[3];

	MPI_Init(NULL, NULL);
	for (int i = 0; i < 3; i++)
		irecv(&requests[i]);
	fake->codes[CALL_Waitall] = MPI_ERR_IN_STATUS;
	fake->statuses[1].MPI_ERROR = MPI_ERR_PENDING;
	MPI_Waitall(3, requests, statuses);
	irecv(&requests[0]);
	MPI_Finalize();
}

static void pending_requests_stay(void **state)
{
	struct recording r;

	(void)state;
	record(partly_failed, &r);
	expect_done(nth_call(&r, "MPI_Waitall", 0), (const int64_t[]){0, 2}, 2);
	assert_int_equal(field(nth_call(&r, "MPI_Waitall", 0), FIELD_RESULT), RESULT_IN_STATUS);
	assert_int_equal(field(nth_call(&r, "MPI_Irecv", 3), FIELD_REQUEST), 0);
	recording_release(&r);
}

static void special(void)
{
	MPI_Message message;
	MPI_Request request;
	MPI_Comm comm;

	MPI_Init(NULL, NULL);
	irecv(&request);
	MPI_Cancel(&request);
	fake->statuses[0].cancelled = 1;
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	plant_statuses(1);
	MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(comm);
	isend(&request);
	MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Mrecv(buffer, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Finalize();
}

static void cancelled_duplicated_and_matched(void **state)
{
	struct recording r;

	(void)state;
	record(special, &r);
	assert_int_equal(field(nth_call(&r, "MPI_Cancel", 0), FIELD_REQUEST), 0);
	assert_int_equal(field(nth_call(&r, "MPI_Wait", 0), FIELD_CANCELLED), 1);
	assert_int_equal(field(nth_call(&r, "MPI_Wait", 1), FIELD_NEWCOMM),
	                 field(nth_call(&r, "MPI_Barrier", 0), FIELD_COMM));
	assert_int_equal(field(nth_call(&r, "MPI_Mprobe", 0), FIELD_MESSAGE),
	                 field(nth_call(&r, "MPI_Mrecv", 0), FIELD_MESSAGE));
	assert_int_equal(field(nth_call(&r, "MPI_Mrecv", 0), FIELD_RECEIVED), 100);
	recording_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_free_number_is_taken),
		cmocka_unit_test(equal_handles_are_told_apart_by_their_place),
		cmocka_unit_test(persistent_requests_outlive_their_completion),
		cmocka_unit_test(indices_name_what_completed),
		cmocka_unit_test(a_run_of_fruitless_tests_is_one_event),
		cmocka_unit_test(inquiries_are_tests_that_end_no_request),
		cmocka_unit_test(flushes_have_requests),
		cmocka_unit_test(all_completions_of_a_large_array_are_there),
		cmocka_unit_test(requests_keep_their_numbers_when_handles_change),
		cmocka_unit_test(pending_requests_stay),
		cmocka_unit_test(cancelled_duplicated_and_matched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
