/* Requests: their states, what completes them, partitions, buffered sends. */
#include "check_calls.h"
#include "job/check/lifetimes.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/request_table.h"

#include <pthread.h>

static char buffer[64];

#define ISEND(request) DO(Isend, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, request)
#define IRECV(request) DO(Irecv, buffer, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request)
#define SEND_INIT(request) DO(Send_init, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, request)
#define RECV_INIT(request) DO(Recv_init, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, request)
#define WAIT(request) DO(Wait, request, MPI_STATUS_IGNORE)

static void scenario_all_are_completed(void)
{
	MPI_Request requests[6];
	int index, count, indices[6], flag;

	for (int i = 0; i < 6; i++)
		ISEND(&requests[i]);
	WAIT(&requests[0]);
	fake->index = 1;
	DO(Waitany, 6, requests, &index, MPI_STATUS_IGNORE);
	fake->outcount = 2;
	fake->indices[0] = 4;
	fake->indices[1] = 2;
	DO(Waitsome, 6, requests, &count, indices, MPI_STATUSES_IGNORE);
	fake->flag = 0;
	DO(Test, &requests[3], &flag, MPI_STATUS_IGNORE);
	DO(Testall, 6, requests, &flag, MPI_STATUSES_IGNORE);
	require(request_look_up(HANDLE(requests[3]), &requests[3], 0));
	fake->flag = 1;
	DO(Test, &requests[3], &flag, MPI_STATUS_IGNORE);
	DO(Waitall, 6, requests, MPI_STATUSES_IGNORE);
	require(completion_count == 6 && ended_count == 6);
	finalize();
	expect_nothing();
}
SCENARIO(all_are_completed)

static void scenario_one_is_left(void)
{
	MPI_Request requests[3];

	for (int i = 0; i < 3; i++)
		IRECV(&requests[i]);
	WAIT(&requests[1]);
	finalize();
	expect(CHECK_LEAK_REQUEST, __LINE__ - 3);
	expect_text("count", "2");
	expect_nothing();
}
SCENARIO(one_is_left)

static void scenario_overwritten(void)
{
	MPI_Request request;

	ISEND(&request);
	IRECV(&request);
	WAIT(&request);
	expect_nothing(); /* not certain before the end */
	finalize();
	expect(CHECK_REQUEST_OVERWRITTEN, __LINE__ - 4);
	expect_call(NOTE_EARLIER, __LINE__ - 6);
	expect_nothing();
}
SCENARIO(overwritten)

static void scenario_copies_of_handles(void)
{
	MPI_Request request, requests[8];

	for (int i = 0; i < 8; i++) {
		ISEND(&request);
		requests[i] = request;
	}
	DO(Waitall, 8, requests, MPI_STATUSES_IGNORE);
	finalize();
	expect_nothing();
}
SCENARIO(copies_of_handles)

/* As MPICH does for sends that are complete at once. */
static void scenario_one_handle_for_many(void)
{
	MPI_Request request, requests[8];

	fake->next_handle = 0x6c01;
	for (int i = 0; i < 8; i++)
		ISEND(&requests[i]);
	DO(Waitall, 8, requests, MPI_STATUSES_IGNORE);
	expect_nothing();
	for (int i = 0; i < 2; i++)
		ISEND(&request);
	WAIT(&request);
	finalize();
	expect(CHECK_REQUEST_OVERWRITTEN, __LINE__ - 3);
	expect_nothing();
}
SCENARIO(one_handle_for_many)

static void scenario_stale_handle(void)
{
	MPI_Request request, copy;

	ISEND(&request);
	copy = request;
	WAIT(&request);
	WAIT(&copy);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	expect_text("type", "MPI_Request");
	expect_call(NOTE_CREATED, __LINE__ - 6);
	WAIT(&request); /* MPI_REQUEST_NULL is allowed */
	copy = 0x5a5a5a;
	WAIT(&copy); /* unknown */
	copy = -5;   /* can be no request */
	WAIT(&copy);
	expect(CHECK_ARGUMENT_INVALID_HANDLE, __LINE__ - 1);
	expect_text("parameter", "request");
	DO(Cancel, &copy);
	expect(CHECK_ARGUMENT_INVALID_HANDLE, __LINE__ - 1);
	finalize();
	expect_nothing();
}
SCENARIO(stale_handle)

static void scenario_given_twice(void)
{
	MPI_Request requests[3];

	ISEND(&requests[0]);
	ISEND(&requests[1]);
	requests[2] = requests[0];
	DO(Waitall, 3, requests, MPI_STATUSES_IGNORE);
	expect(CHECK_ARGUMENT_DUPLICATE_REQUEST, __LINE__ - 1);
	expect_text("first", "0");
	expect_text("second", "2");
	finalize();
	expect_nothing();
}
SCENARIO(given_twice)

/* An exception leaves MPI_Wait, as those of C++ error handlers do. */
static void scenario_calls_that_never_return(void)
{
	MPI_Request request;
	struct agent_call call = {.id = CALL_Wait, .arguments = (int64_t[]){(int64_t)&request, 0}};

	IRECV(&request);
	check_enter(&call, __LINE__);
	WAIT(&request);
	finalize();
	expect_nothing();
}
SCENARIO(calls_that_never_return)

static void scenario_persistent(void)
{
	MPI_Request requests[2];

	SEND_INIT(&requests[0]);
	RECV_INIT(&requests[1]);
	for (int i = 0; i < 3; i++) {
		DO(Startall, 2, requests);
		DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
	}
	WAIT(&requests[0]); /* inactive: complete at once */
	require(started_count == 6 && completion_count == 6);
	DO(Request_free, &requests[0]);
	DO(Request_free, &requests[1]);
	require(ended_count == 2);
	finalize();
	expect_nothing();
}
SCENARIO(persistent)

static void scenario_started_twice(void)
{
	MPI_Request request;

	SEND_INIT(&request);
	DO(Start, &request);
	DO(Start, &request);
	expect(CHECK_REQUEST_STARTED_ACTIVE, __LINE__ - 1);
	expect_call(NOTE_EARLIER, __LINE__ - 3);
	expect_call(NOTE_CREATED, __LINE__ - 5);
	WAIT(&request);
	DO(Start, &request);
	WAIT(&request);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(started_twice)

static void scenario_start_of_others(void)
{
	MPI_Request request, none = MPI_REQUEST_NULL;

	ISEND(&request);
	DO(Start, &request);
	expect(CHECK_REQUEST_NOT_PERSISTENT, __LINE__ - 1);
	DO(Start, &none); /* the check of arguments tells */
	WAIT(&request);
	finalize();
	expect_nothing();
}
SCENARIO(start_of_others)

static void scenario_start_that_fails(void)
{
	MPI_Request request;

	SEND_INIT(&request);
	fake->codes[CALL_Start] = MPI_ERR_OTHER;
	DO(Start, &request);
	fake->codes[CALL_Start] = MPI_SUCCESS;
	DO(Start, &request);
	WAIT(&request);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(start_that_fails)

static void scenario_persistent_is_left(void)
{
	MPI_Request requests[2];

	for (int i = 0; i < 2; i++) {
		RECV_INIT(&requests[i]);
		DO(Start, &requests[i]);
	}
	WAIT(&requests[0]);
	finalize();
	expect(CHECK_LEAK_PERSISTENT_REQUEST, __LINE__ - 5);
	expect_text("count", "1");
	expect(CHECK_LEAK_REQUEST, __LINE__ - 7); /* still active */
	expect_nothing();
}
SCENARIO(persistent_is_left)

static void scenario_never_started(void)
{
	MPI_Request request, several[2];

	SEND_INIT(&request);
	DO(Request_free, &request);
	for (int i = 0; i < 2; i++)
		RECV_INIT(&several[i]);
	DO(Start, &several[1]); /* the other one had nothing to do, which is not an error */
	WAIT(&several[1]);
	for (int i = 0; i < 2; i++)
		DO(Request_free, &several[i]);
	finalize();
	expect(CHECK_REQUEST_NEVER_STARTED, __LINE__ - 9);
	expect_nothing();
}
SCENARIO(never_started)

static void scenario_freed_while_active(void)
{
	MPI_Request request;
	int flag;

	ISEND(&request);
	DO(Request_free, &request); /* allowed: a note */
	expect(CHECK_REQUEST_FREED_SEND, __LINE__ - 1);
	IRECV(&request);
	DO(Request_free, &request);
	expect(CHECK_REQUEST_FREED_ACTIVE, __LINE__ - 1);
	DO(Ibarrier, MPI_COMM_WORLD, &request);
	DO(Request_free, &request);
	expect(CHECK_REQUEST_FREED_ACTIVE, __LINE__ - 1);
	IRECV(&request);
	DO(Cancel, &request);
	DO(Request_free, &request);
	IRECV(&request);
	fake->flag = 1;
	DO(Request_get_status, request, &flag, MPI_STATUS_IGNORE);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(freed_while_active)

/* Of MPI 4.1. What is found complete may be freed; the request is there until then. */
static void scenario_several_seen_complete(void)
{
	MPI_Request requests[4], copy;
	int flag, index, count, indices[4];

	for (int i = 0; i < 4; i++)
		IRECV(&requests[i]);
	fake->flag = 0;
	DO(Request_get_status_all, 4, requests, &flag, MPI_STATUSES_IGNORE);
	require(!(request_look_up(HANDLE(requests[1]), &requests[1], 0)->flags & REQUEST_SEEN_COMPLETE));
	fake->flag = 1;
	fake->index = 1;
	DO(Request_get_status_any, 4, requests, &index, &flag, MPI_STATUS_IGNORE);
	require(request_look_up(HANDLE(requests[1]), &requests[1], 0)->flags & REQUEST_SEEN_COMPLETE);
	fake->outcount = 2;
	fake->indices[0] = 0;
	fake->indices[1] = 3;
	DO(Request_get_status_some, 4, requests, &count, indices, MPI_STATUSES_IGNORE);
	require(!(request_look_up(HANDLE(requests[2]), &requests[2], 0)->flags & REQUEST_SEEN_COMPLETE));
	require(completion_count == 0 && ended_count == 0);
	copy = requests[0];
	DO(Request_free, &requests[0]);
	DO(Request_free, &requests[1]);
	DO(Request_free, &requests[3]);
	DO(Request_get_status_all, 1, &copy, &flag, MPI_STATUSES_IGNORE);
	expect(CHECK_ARGUMENT_FREED_HANDLE, __LINE__ - 1);
	DO(Request_free, &requests[2]);
	expect(CHECK_REQUEST_FREED_ACTIVE, __LINE__ - 1);
	finalize();
	expect_nothing();
}
SCENARIO(several_seen_complete)

static void scenario_statuses_reach_events(void)
{
	MPI_Request requests[3];
	int index;

	for (int i = 0; i < 3; i++)
		IRECV(&requests[i]);
	fake->statuses[0] = (MPI_Status){.MPI_SOURCE = 3, .MPI_TAG = 7};
	fake->index = 2;
	DO(Waitany, 3, requests, &index, MPI_STATUS_IGNORE);
	require(completion_count == 1 && completions[0].source == 3 && completions[0].tag == 7);
	fake->statuses[1] = (MPI_Status){.MPI_SOURCE = 2, .MPI_TAG = 8, .cancelled = 1};
	DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
	require(completion_count == 3 && completions[1].source == 3 && completions[2].source == 2 &&
	        completions[2].cancelled);
	finalize();
	expect_nothing();
}
SCENARIO(statuses_reach_events)

/* Of three receives one got an error, one is pending and one is complete; then a persistent one fails. */
static void scenario_errors_in_status(void)
{
	MPI_Request requests[4];
	MPI_Status statuses[4] = {{.MPI_ERROR = MPI_ERR_TRUNCATE},
	                          {.MPI_ERROR = MPI_ERR_PENDING},
	                          {.MPI_ERROR = MPI_SUCCESS},
	                          {.MPI_ERROR = MPI_ERR_PENDING}};
	const int64_t arguments[] = {4, (int64_t)requests, (int64_t)statuses};
	struct agent_call call = {.id = CALL_Waitall, .arguments = arguments};

	for (int i = 0; i < 3; i++)
		IRECV(&requests[i]);
	RECV_INIT(&requests[3]);
	DO(Start, &requests[3]);
	check_enter(&call, __LINE__);
	requests[0] = requests[2] = MPI_REQUEST_NULL;
	check_leave(&call, MPI_ERR_IN_STATUS);
	require(completion_count == 2);
	require(request_look_up(HANDLE(requests[1]), NULL, 0)->flags & REQUEST_ACTIVE);
	require(request_look_up(HANDLE(requests[3]), NULL, 0)->flags & REQUEST_ACTIVE);
	fake->codes[CALL_Wait] = MPI_ERR_TRUNCATE;
	WAIT(&requests[3]);
	require(!(request_look_up(HANDLE(requests[3]), NULL, 0)->flags & REQUEST_ACTIVE));
	fake->codes[CALL_Wait] = MPI_SUCCESS;
	WAIT(&requests[1]);
	DO(Request_free, &requests[3]);
	finalize();
	expect_nothing();
}
SCENARIO(errors_in_status)

static void scenario_fortran_indices(void)
{
	MPI_Fint requests[2];
	int index;

	check_fortran = true;
	ISEND(&requests[0]);
	ISEND(&requests[1]);
	MPI_Fint second = requests[1];
	fake->index = 0;
	/* The fake C function counts from 0, Fortran from 1: the wrapper's caller sees 1. */
	struct agent_call call = {.id = CALL_Waitany,
	                          .arguments = (int64_t[]){2, (int64_t)requests, (int64_t)&index, 0},
	                          .fortran = true};
	check_enter(&call, __LINE__);
	index = 1;
	requests[0] = MPI_REQUEST_NULL;
	check_leave(&call, MPI_SUCCESS);
	require(completion_count == 1);
	require(request_look_up(HANDLE(second), &requests[1], 0));
	WAIT(&requests[1]);
	finalize();
	expect_nothing();
}
SCENARIO(fortran_indices)

static void scenario_thousands(void)
{
	enum { MANY = 2000 };
	static MPI_Request requests[MANY];

	for (int round = 0; round < 3; round++) {
		fake->next_handle = round == 1 ? 0x6c01 : 0;
		for (int i = 0; i < MANY; i++)
			ISEND(&requests[i]);
		DO(Waitall, MANY, requests, MPI_STATUSES_IGNORE);
	}
	require(completion_count == 3 * MANY);
	finalize();
	expect_nothing();
}
SCENARIO(thousands)

static void psend(MPI_Request *request)
{
	DO(Psend_init, buffer, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request);
}

static void scenario_partitions(void)
{
	MPI_Request request;

	psend(&request);
	for (int i = 0; i < 2; i++) {
		DO(Start, &request);
		DO(Pready, 3, request);
		DO(Pready_range, 0, 1, request);
		DO(Pready_list, 1, (int[]){2}, request);
		WAIT(&request);
	}
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(partitions)

static void scenario_wrong_partitions(void)
{
	MPI_Request request;

	psend(&request);
	DO(Pready, 0, request);
	expect(CHECK_REQUEST_PARTITION_INACTIVE, __LINE__ - 1);
	DO(Start, &request);
	DO(Pready, 4, request);
	expect(CHECK_REQUEST_PARTITION_OUTSIDE, __LINE__ - 1);
	expect_text("partitions", "4");
	DO(Pready_range, 0, 1, request);
	DO(Pready, 1, request);
	expect(CHECK_REQUEST_PARTITION_TWICE, __LINE__ - 1);
	expect_text("partition", "1");
	DO(Parrived, request, 1, (int[1]){0});
	expect(CHECK_REQUEST_PARTITION_DIRECTION, __LINE__ - 1);
	WAIT(&request);
	expect(CHECK_REQUEST_PARTITION_MISSING, __LINE__ - 1);
	expect_text("missing", "2, 3");
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(wrong_partitions)

/* What else a call names is marked all the same. */
static void scenario_partly_wrong_partitions(void)
{
	int list[] = {2, 9, 2, 3};
	MPI_Request request;

	psend(&request);
	DO(Start, &request);
	DO(Pready, 0, request);
	DO(Pready_range, 0, 1, request);
	expect(CHECK_REQUEST_PARTITION_TWICE, __LINE__ - 1);
	expect_text("partition", "0");
	DO(Pready_range, -2, -1, request);
	expect(CHECK_REQUEST_PARTITION_OUTSIDE, __LINE__ - 1);
	expect_text("partition", "-2");
	DO(Pready_range, 6, 2000000000, request);
	expect(CHECK_REQUEST_PARTITION_OUTSIDE, __LINE__ - 1);
	expect_text("partition", "6");
	DO(Pready_list, 4, list, request);
	expect(CHECK_REQUEST_PARTITION_OUTSIDE, __LINE__ - 1);
	expect_text("partition", "9");
	WAIT(&request);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(partly_wrong_partitions)

static void scenario_arrived(void)
{
	MPI_Request request, plain;
	int flag;

	DO(Precv_init, buffer, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	DO(Start, &request);
	DO(Parrived, request, 3, &flag);
	expect_nothing();
	DO(Parrived, request, 4, &flag);
	expect(CHECK_REQUEST_PARTITION_OUTSIDE, __LINE__ - 1);
	DO(Pready, 0, request);
	expect(CHECK_REQUEST_PARTITION_DIRECTION, __LINE__ - 1);
	ISEND(&plain);
	DO(Pready, 0, plain);
	expect(CHECK_REQUEST_PARTITION_DIRECTION, __LINE__ - 1);
	WAIT(&request);
	WAIT(&plain);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(arrived)

/* With more threads another one may mark the missing partitions. */
static void scenario_partitions_of_threads(void)
{
	MPI_Request request;

	checked.shared = true;
	psend(&request);
	DO(Start, &request);
	WAIT(&request);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(partitions_of_threads)

#define BSEND(count, dest) DO(Bsend, buffer, count, MPI_INT, dest, 0, MPI_COMM_WORLD)

static void scenario_buffer_is_enough(void)
{
	static char room[2 * (16 + MPI_BSEND_OVERHEAD)];
	MPI_Request request;
	void *address;
	int bytes;

	DO(Buffer_attach, room, sizeof room);
	for (int i = 0; i < 10; i++)
		BSEND(4, 1); /* analysers know delivered messages */
	DO(Bsend_init, buffer, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
	DO(Start, &request);
	WAIT(&request);
	DO(Request_free, &request);
	DO(Buffer_detach, &address, &bytes);
	BSEND(4, MPI_PROC_NULL);
	finalize();
	expect_nothing();
}
SCENARIO(buffer_is_enough)

static void scenario_buffer_is_missing(void)
{
	MPI_Request request;

	BSEND(1, 1);
	expect(CHECK_BUFFER_NOT_ATTACHED, __LINE__ - 1);
	expect_text("bytes", "60");
	DO(Bsend_init, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
	expect_nothing();
	DO(Start, &request);
	expect(CHECK_BUFFER_NOT_ATTACHED, __LINE__ - 1);
	WAIT(&request);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(buffer_is_missing)

static void scenario_buffer_is_small(void)
{
	static char room[2 * (16 + MPI_BSEND_OVERHEAD)];

	DO(Buffer_attach, room, sizeof room);
	BSEND(64, 1);
	expect(CHECK_BUFFER_TOO_SMALL, __LINE__ - 1);
	expect_text("needed", "312");
	expect_text("size", "144");
	BSEND(4, 2);
	expect_nothing();
	DO(Buffer_attach, room, sizeof room);
	expect(CHECK_BUFFER_ATTACHED_TWICE, __LINE__ - 1);
	finalize();
	expect(CHECK_LEAK_BUFFER, __LINE__ - 3);
	expect_nothing();
}
SCENARIO(buffer_is_small)

/* Its buffer comes before that of the process, which other communicators use. */
static void scenario_buffer_of_communicator(void)
{
	static char room[16 + MPI_BSEND_OVERHEAD], common[16 + MPI_BSEND_OVERHEAD];
	MPI_Comm comm;

	DO(Comm_dup, MPI_COMM_WORLD, &comm);
	DO(Comm_attach_buffer, comm, room, sizeof room);
	DO(Bsend, buffer, 4, MPI_INT, 1, 0, comm);
	expect_nothing();
	DO(Bsend, buffer, 64, MPI_INT, 1, 0, comm);
	expect(CHECK_BUFFER_TOO_SMALL, __LINE__ - 1);
	expect_text("size", "72");
	BSEND(1, 1);
	expect(CHECK_BUFFER_NOT_ATTACHED, __LINE__ - 1);
	DO(Buffer_attach, common, sizeof common);
	BSEND(4, 1);
	expect_nothing();
	DO(Comm_attach_buffer_c, comm, room, sizeof room);
	expect(CHECK_BUFFER_ATTACHED_TWICE, __LINE__ - 1);
	DO(Comm_free, &comm);
	finalize();
	expect(CHECK_LEAK_BUFFER, __LINE__ - 7);
	expect_nothing();
}
SCENARIO(buffer_of_communicator)

/* Its communicators are not known, so sends without a buffer of their own are not checked. */
static void scenario_buffer_of_session(void)
{
	static char room[16 + MPI_BSEND_OVERHEAD];
	MPI_Session session;
	void *address;
	int bytes;

	DO(Session_init, MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &session);
	DO(Session_attach_buffer, session, room, sizeof room);
	BSEND(64, 1);
	expect_nothing();
	DO(Session_attach_buffer, session, room, sizeof room);
	expect(CHECK_BUFFER_ATTACHED_TWICE, __LINE__ - 1);
	DO(Session_detach_buffer, session, &address, &bytes);
	BSEND(64, 1);
	expect(CHECK_BUFFER_NOT_ATTACHED, __LINE__ - 1);
	DO(Session_finalize, &session);
	finalize();
	expect_nothing();
}
SCENARIO(buffer_of_session)

static void scenario_flushes_are_requests(void)
{
	MPI_Request requests[3];

	DO(Comm_flush_buffer, MPI_COMM_WORLD);
	DO(Buffer_iflush, &requests[0]);
	DO(Comm_iflush_buffer, MPI_COMM_WORLD, &requests[1]);
	DO(Comm_iflush_buffer, MPI_COMM_WORLD, &requests[2]);
	DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
	finalize();
	expect(CHECK_LEAK_REQUEST, __LINE__ - 3);
	expect_nothing();
}
SCENARIO(flushes_are_requests)

/* A request of MPI_Psend_init_c is one of MPI_Psend_init. */
static void scenario_partitions_of_large_counts(void)
{
	MPI_Request request;

	DO(Psend_init_c, buffer, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	DO(Start, &request);
	DO(Pready, 0, request);
	DO(Pready, 0, request);
	expect(CHECK_REQUEST_PARTITION_TWICE, __LINE__ - 1);
	DO(Pready, 1, request);
	WAIT(&request);
	DO(Request_free, &request);
	finalize();
	expect_nothing();
}
SCENARIO(partitions_of_large_counts)

/* Handles released by one thread are reused by another at once. */
static void *work(void *argument)
{
	MPI_Request requests[2];
	MPI_Datatype type;
	MPI_Comm comm;

	for (int i = 0; i < 500; i++) {
		ISEND(&requests[0]);
		IRECV(&requests[1]);
		DO(Type_contiguous, 2, MPI_INT, &type);
		DO(Type_commit, &type);
		DO(Comm_dup, MPI_COMM_WORLD, &comm);
		DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
		DO(Comm_free, &comm);
		DO(Type_free, &type);
	}
	return argument;
}

static void scenario_threads(void)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];

	checked.shared = true;
	for (int i = 0; i < THREADS; i++)
		require(pthread_create(&threads[i], NULL, work, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	require(completion_count == 2 * 500 * THREADS && ended_count == completion_count);
	require(object_count(OBJECT_COMM) == 0 && object_count(OBJECT_TYPE) == 0);
	finalize();
	expect_nothing();
}
SCENARIO(threads)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_completed),
		cmocka_unit_test(one_is_left),
		cmocka_unit_test(overwritten),
		cmocka_unit_test(copies_of_handles),
		cmocka_unit_test(one_handle_for_many),
		cmocka_unit_test(stale_handle),
		cmocka_unit_test(given_twice),
		cmocka_unit_test(calls_that_never_return),
		cmocka_unit_test(persistent),
		cmocka_unit_test(started_twice),
		cmocka_unit_test(start_of_others),
		cmocka_unit_test(start_that_fails),
		cmocka_unit_test(persistent_is_left),
		cmocka_unit_test(never_started),
		cmocka_unit_test(freed_while_active),
		cmocka_unit_test(several_seen_complete),
		cmocka_unit_test(statuses_reach_events),
		cmocka_unit_test(errors_in_status),
		cmocka_unit_test(fortran_indices),
		cmocka_unit_test(thousands),
		cmocka_unit_test(threads),
		cmocka_unit_test(partitions),
		cmocka_unit_test(wrong_partitions),
		cmocka_unit_test(partly_wrong_partitions),
		cmocka_unit_test(arrived),
		cmocka_unit_test(partitions_of_threads),
		cmocka_unit_test(buffer_is_enough),
		cmocka_unit_test(buffer_is_missing),
		cmocka_unit_test(buffer_is_small),
		cmocka_unit_test(buffer_of_communicator),
		cmocka_unit_test(buffer_of_session),
		cmocka_unit_test(flushes_are_requests),
		cmocka_unit_test(partitions_of_large_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
