/* What an analyser keeps: as much as is in flight, and nothing when all is matched and forgotten. */
#include "calls/ids.h"
#include "check/execution/windows.h"
#include "check/matching/analysis.h"
#include "sanitized.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANKS = 2, COMM_IDENTITY = 77, TYPE_NUMBER = 1 };

static struct {
	char folder[64];
	int descriptor;
	struct findings_log *log;
	struct checked_run *run;
	struct analysed_process *processes[RANKS];
} state_of;

static uint64_t named_comm = COMM_IDENTITY; /* by calls */
static uint32_t call_flags;                 /* of calls */
static int32_t call_root = -1;
static uint32_t call_type = TYPE_NUMBER; /* of the sent data */
static enum window_operation call_window;

static void no_note(const char *sentence)
{
	fail_msg("%s", sentence);
}

static void send_frame(uint32_t rank, enum message_kind kind, struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	assert_true(analysis_frame(state_of.run, state_of.processes[rank], kind, &in));
	writer_release(body);
}

static void send_basics(uint32_t rank)
{
	struct checked_comm comm = {
		.identity = COMM_IDENTITY, .rank = rank, .size = RANKS, .name = "MPI_COMM_WORLD"};
	struct checked_type type = {.number = TYPE_NUMBER, .basic = BASIC_INT, .bytes = 4};
	struct message_writer body = {0};

	comm_put(&body, &comm);
	send_frame(rank, MESSAGE_COMM, &body);
	type_put(&body, &type);
	send_frame(rank, MESSAGE_TYPE, &body);
}

static void send_call(uint32_t rank, uint32_t number, enum check_operation operation, int32_t tag)
{
	int64_t group[] = {!rank};
	struct distinct_check_call call = {
		.number = number,
		.flags = call_flags,
		.operation = operation,
		.call = {.world = 1,
	                 .rank = rank,
	                 .function = operation == OPERATION_COLLECTIVE ? CALL_Barrier : CALL_Send,
	                 .note = "",
	                 .arguments = ""},
		.comm = named_comm,
		.peer = !rank,
		.peer_in_world = !rank,
		.tag = tag,
		.root = call_root,
		.send = {call_type, 1},
		.receive = {TYPE_NUMBER, 1},
		.window = call_window,
		.rank_count = call_window == WINDOW_START,
		.ranks = group,
		.detail = ""};
	struct message_writer body = {0};

	distinct_call_put(&body, &call);
	send_frame(rank, MESSAGE_CALL, &body);
}

static void send_events(uint32_t rank, uint32_t number, uint32_t times)
{
	struct message_writer body = {0};

	for (uint32_t i = 0; i < times; i++)
		put_number(&body, number);
	send_frame(rank, MESSAGE_EVENTS, &body);
}

static void forget(uint32_t rank)
{
	struct message_writer nothing = {0};

	send_frame(rank, MESSAGE_FORGET, &nothing);
}

static int set_up(void **state)
{
	(void)state;
	snprintf(state_of.folder, sizeof state_of.folder, "/tmp/tarry-unit-XXXXXX");
	assert_non_null(mkdtemp(state_of.folder));
	state_of.descriptor = open(state_of.folder, O_RDONLY | O_DIRECTORY);
	state_of.log = findings_log_open(state_of.descriptor, "log", no_note);
	assert_non_null(state_of.log);
	state_of.run = analysis_new(state_of.log);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		state_of.processes[rank] = process_new(&state_of.run->known, 1, rank, RANKS);
		send_basics(rank);
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	analysis_free(state_of.run);
	findings_log_end(state_of.log);
	unlinkat(state_of.descriptor, "log", 0);
	close(state_of.descriptor);
	rmdir(state_of.folder);
	return 0;
}

/* Operations that have begun, and operations that wait for their threads. */
static uint64_t in_flight(void)
{
	return state_of.run->execution->operation_count + state_of.run->execution->queued;
}

static void matched_messages_leave_nothing(void **state)
{
	enum { TAGS = 1000 };

	(void)state;
	for (uint32_t tag = 1; tag <= TAGS; tag++) {
		send_call(0, tag, OPERATION_SEND, (int32_t)tag);
		send_call(1, tag, OPERATION_RECEIVE, (int32_t)tag);
		send_events(0, tag, 3);
		assert_int_equal(in_flight(), 3);
		send_events(1, tag, 3);
		assert_int_equal(in_flight(), 0);
	}
	forget(0);
	forget(1);
	/* Each thread keeps its last call. */
	assert_int_equal(state_of.run->known.call_count, 2);
	analysis_process_gone(state_of.run, state_of.processes[0], END_FINALIZED);
	assert_int_equal(state_of.run->known.texts.by_hash.count, 1);
	assert_int_equal(state_of.run->known.types.by_hash.count, 1);
}

/* Each takes a few bytes. */
static void what_is_in_flight_outlives_its_process(void **state)
{
	(void)state;
	send_call(0, 1, OPERATION_SEND, 5);
	send_events(0, 1, 100000);
	analysis_process_gone(state_of.run, state_of.processes[0], END_FINALIZED);
	assert_int_equal(in_flight(), 100000);
	assert_int_equal(state_of.run->known.call_count, 1);
	assert_true(state_of.run->execution->queued_bytes < 1300000);
	send_call(1, 1, OPERATION_RECEIVE, 5);
	send_events(1, 1, 100000);
	forget(1);
	assert_int_equal(in_flight(), 0);
}

static void complete_collectives_leave_nothing(void **state)
{
	(void)state;
	send_call(0, 1, OPERATION_COLLECTIVE, 0);
	send_call(1, 1, OPERATION_COLLECTIVE, 0);
	send_events(0, 1, 1000);
	assert_int_equal(in_flight(), 1000);
	send_events(1, 1, 1000);
	assert_null(execution_open_collective(state_of.run->known.comms.items[0], 0));
	assert_int_equal(in_flight(), 0);
}

/* Both tell the same: texts and types exist once. */
static void equal_calls_share_their_texts(void **state)
{
	(void)state;
	send_call(0, 1, OPERATION_COLLECTIVE, 0);
	send_call(1, 1, OPERATION_COLLECTIVE, 0);
	assert_int_equal(state_of.run->known.call_count, 2);
	assert_int_equal(state_of.run->known.texts.by_hash.count, 1);
	assert_int_equal(state_of.run->known.types.by_hash.count, 1);
}

static void send_comm(uint32_t rank, uint64_t identity)
{
	struct checked_comm comm = {.identity = identity, .rank = rank, .size = RANKS, .name = "made"};
	struct message_writer body = {0};

	comm_put(&body, &comm);
	send_frame(rank, MESSAGE_COMM, &body);
}

static void send_end(uint32_t rank, uint64_t identity)
{
	struct message_writer body = {0};

	put_number(&body, 0);
	put_number(&body, CHANGE_ENDS);
	put_number(&body, identity);
	send_frame(rank, MESSAGE_EVENTS, &body);
}

/* A communicator is kept until all have freed it, and no call names it. */
static void freed_communicators_leave_nothing(void **state)
{
	enum { MANY = SANITIZED ? 50000 : 1000000, WITH_CALLS = 64, BETWEEN = 4096 };
	const struct known *known = &state_of.run->known;

	(void)state;
	for (uint64_t i = 1; i <= MANY; i++) {
		const uint32_t number = (uint32_t)(i % BETWEEN / WITH_CALLS + 1);

		named_comm = COMM_IDENTITY + i;
		for (uint32_t rank = 0; rank < RANKS; rank++)
			send_comm(rank, named_comm);
		for (uint32_t rank = 0; i % WITH_CALLS == 0 && rank < RANKS; rank++) {
			send_call(rank, number, OPERATION_COLLECTIVE, 0);
			send_events(rank, number, 2);
		}
		send_end(0, named_comm);
		assert_int_equal(known->comms.count - known->free_comms.count >= 2, 1);
		send_end(1, named_comm);
		send_end(1, named_comm); /* no process refers to it any more */
		if (i % BETWEEN == 0) {
			named_comm = COMM_IDENTITY;
			for (uint32_t rank = 0; rank < RANKS; rank++) {
				forget(rank);
				send_basics(rank);
			}
			/* The last call of a thread is kept. */
			assert_true(known->comms.count - known->free_comms.count <= 2);
		}
	}
	assert_true(known->comms.count <= BETWEEN);
	assert_true(state_of.processes[0]->memberships.count <= BETWEEN);
	assert_true(known->comm_slots.slot_count <= 4 * BETWEEN);
	named_comm = COMM_IDENTITY;
}

/* Its message is on its way when the sender has freed the communicator. */
static void a_freed_communicator_outlives_its_messages(void **state)
{
	const struct known *known = &state_of.run->known;

	(void)state;
	named_comm = COMM_IDENTITY + 1;
	for (uint32_t rank = 0; rank < RANKS; rank++)
		send_comm(rank, named_comm);
	send_call(0, 1, OPERATION_SEND, 5);
	send_events(0, 1, 1);
	send_end(0, named_comm);
	forget(0);
	assert_int_equal(known->comms.count - known->free_comms.count, 2);
	send_call(1, 1, OPERATION_COLLECTIVE, 0);
	send_end(1, named_comm);
	forget(1);
	assert_int_equal(state_of.run->execution->operation_count, 1);
	assert_int_equal(known->comms.count - known->free_comms.count, 2);
	named_comm = COMM_IDENTITY;
}

/* Numbers of an EVENTS frame. */
static void send_numbers(uint32_t rank, const uint64_t *numbers, size_t count)
{
	struct message_writer body = {0};

	for (size_t i = 0; i < count; i++)
		put_number(&body, numbers[i]);
	send_frame(rank, MESSAGE_EVENTS, &body);
}

#define SEND_NUMBERS(rank, ...) \
	send_numbers(rank, (const uint64_t[]){__VA_ARGS__}, \
	             sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))
#define WINDOW_CALL(number) 0, CHANGE_WINDOW, number, 0
#define REJECTED 0, CHANGE_REJECTED, 1
#define CONTENT(number, bytes, hash) 0, CHANGE_CONTENT, 1, number, bytes, hash

/* Each rank locks the memory of the other in it, and unlocks it, by call `number` and the next one. */
static const struct analysed_comm *send_window(uint64_t identity, uint32_t number)
{
	named_comm = identity;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		send_comm(rank, identity);
		call_window = WINDOW_LOCK;
		send_call(rank, number, OPERATION_WINDOW, 0);
		call_window = WINDOW_UNLOCK;
		send_call(rank, number + 1, OPERATION_WINDOW, 0);
		SEND_NUMBERS(rank, WINDOW_CALL(number), WINDOW_CALL(number + 1));
	}
	call_window = WINDOW_NONE;
	named_comm = COMM_IDENTITY;
	return process_call(state_of.processes[0], number)->member->comm;
}

/* Rank 0 waits in the strict execution. The program does not: it continues to free its windows. */
static void windows_that_are_freed_ahead_of_the_execution_leave_nothing(void **state)
{
	enum { WINDOWS = 50 };
	const struct known *known = &state_of.run->known;

	(void)state;
	send_call(0, 1, OPERATION_SEND, 5);
	send_call(1, 1, OPERATION_RECEIVE, 5);
	for (uint32_t i = 1; i <= WINDOWS; i++) {
		send_events(0, 1, 1);
		send_window(COMM_IDENTITY + i, 2 * i);
		for (uint32_t rank = 0; rank < RANKS; rank++)
			send_end(rank, COMM_IDENTITY + i);
		assert_int_equal(state_of.run->execution->windows.count, 1);
		send_events(1, 1, 1);
		assert_int_equal(state_of.run->execution->windows.count, 0);
	}
	for (uint32_t rank = 0; rank < RANKS; rank++)
		forget(rank);
	/* Each thread keeps its last call. */
	assert_int_equal(known->call_count, 2);
	assert_true(known->comms.count - known->free_comms.count <= 2);
}

static void a_window_that_one_member_frees_twice_stays(void **state)
{
	const struct analysed_comm *window = send_window(COMM_IDENTITY + 1, 1);

	(void)state;
	for (int i = 0; i < 4; i++)
		send_end(1, COMM_IDENTITY + 1);
	assert_non_null(executed_window_find(window));
	send_end(0, COMM_IDENTITY + 1);
	assert_null(executed_window_find(window));
}

/* A second thread of rank 0 is in the window, which all have freed. */
static void a_window_that_a_thread_waits_in_stays(void **state)
{
	const struct analysed_comm *window;

	(void)state;
	window = send_window(COMM_IDENTITY + 1, 1);
	named_comm = COMM_IDENTITY + 1;
	call_window = WINDOW_START;
	send_call(0, 3, OPERATION_WINDOW, 0);
	named_comm = COMM_IDENTITY;
	call_window = WINDOW_NONE;
	SEND_NUMBERS(0, 0, CHANGE_THREAD, 1, WINDOW_CALL(3), 0, CHANGE_THREAD, 0);
	for (uint32_t rank = 0; rank < RANKS; rank++)
		send_end(rank, COMM_IDENTITY + 1);
	assert_non_null(executed_window_find(window));
}

/* It is freed when the execution is finished, without reports. */
static void a_window_that_is_freed_at_the_end_leaves_nothing(void **state)
{
	const struct process_ends ends = {0};

	(void)state;
	send_call(0, 1, OPERATION_SEND, 5);
	send_events(0, 1, 1);
	send_window(COMM_IDENTITY + 1, 2);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		send_end(rank, COMM_IDENTITY + 1);
		forget(rank);
	}
	analysis_end(state_of.run, &ends);
	assert_int_equal(state_of.run->execution->windows.count, 0);
	/* The last call of each thread, and the message. */
	assert_int_equal(state_of.run->known.call_count, 3);
}

/* All members of a communicator make calls that MPI rejects, or some do. Rank 0 is ahead. */
static void rejected_calls_are_compared_at_their_places(void **state)
{
	const struct analysed_comm *comm = state_of.run->known.comms.items[0];

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++)
		send_call(rank, 1, OPERATION_COLLECTIVE, 0);
	SEND_NUMBERS(0, 1, REJECTED, REJECTED, 1, 1, REJECTED, 1);
	SEND_NUMBERS(1, 1, REJECTED, REJECTED, 1);
	assert_false(comm->is_broken);
	SEND_NUMBERS(1, 1);
	assert_false(comm->is_broken);
	SEND_NUMBERS(1, 1);
	assert_true(comm->is_broken);
	assert_int_equal(comm->broken_at, 3);
}

static void expect_changed(uint64_t times)
{
	const struct data_contents *contents = &state_of.run->contents;

	assert_int_equal(contents->messages.numbers.count, 0);
	assert_int_equal(contents->changed.count, times ? 1 : 0);
	if (times)
		assert_int_equal(contents->changed.items[0].times, times);
}

static void start_contents(void)
{
	call_flags = CHECK_CALL_CONTENT | CHECK_CALL_NONBLOCKING;
	send_call(0, 1, OPERATION_SEND, 5);
	send_call(1, 1, OPERATION_RECEIVE, 5);
	call_flags = 0;
}

/* The sides may arrive in any order, and receives may complete in any order. They are
 * identified by their distance. */
static void equal_contents_are_nothing(void **state)
{
	(void)state;
	start_contents();
	SEND_NUMBERS(0, 1, 111, 1, 222);
	SEND_NUMBERS(1, 1, 1, CONTENT(1, 4, 222), CONTENT(2, 4, 111));
	expect_changed(0);
	SEND_NUMBERS(1, 1, CONTENT(1, 4, 333));
	SEND_NUMBERS(0, 1, 333);
	expect_changed(0);
	/* one that is not known */
	SEND_NUMBERS(0, 1, 0, 1, 444);
	SEND_NUMBERS(1, 1, CONTENT(1, 4, 1), 1, CONTENT(1, 0, 0));
	expect_changed(0);
}

/* A process that has too many types announces none. */
static void data_of_no_type_is_not_compared(void **state)
{
	(void)state;
	call_type = 0;
	start_contents();
	call_type = TYPE_NUMBER;
	SEND_NUMBERS(0, 1, 111);
	SEND_NUMBERS(1, 1, CONTENT(1, 4, 112));
	expect_changed(0);
}

static void other_contents_are_counted(void **state)
{
	(void)state;
	start_contents();
	SEND_NUMBERS(0, 1, 111, 1, 222, 1, 333);
	SEND_NUMBERS(1, 1, 1, 1, CONTENT(2, 4, 222), CONTENT(3, 4, 112), CONTENT(1, 3, 333));
	expect_changed(2);
	assert_int_equal(state_of.run->contents.changed.items[0].number, 1);
	forget(0);
	forget(1);
	assert_false(state_of.run->contents.changed.items[0].send->is_uncompared);
}

/* The sender changed its buffer, or a matched message was cancelled: nothing is concluded. */
static void spoilt_messages_are_not_compared(void **state)
{
	(void)state;
	start_contents();
	SEND_NUMBERS(0, 1, 111);
	SEND_NUMBERS(1, 1, CONTENT(1, 4, 112));
	SEND_NUMBERS(0, CONTENT(0, 0, 0));
	assert_true(state_of.run->contents.changed.items[0].send->is_uncompared);
	SEND_NUMBERS(1, 1, 0, CHANGE_DROPS, 1, 1);
	assert_int_equal(state_of.run->contents.unordered.count, 0);
	SEND_NUMBERS(1, 1);
	SEND_NUMBERS(0, 1, 222, 0, CHANGE_DROPS, 1, 1);
	assert_int_equal(state_of.run->contents.unordered.count, 1);
	assert_int_equal(state_of.run->contents.messages.numbers.count, 1);
	SEND_NUMBERS(0, 1, 333);
	SEND_NUMBERS(1, CONTENT(1, 4, 333));
	expect_changed(1);
}

static off_t log_bytes(void)
{
	struct stat status;

	assert_int_equal(fstatat(state_of.descriptor, "log", &status, 0), 0);
	return status.st_size;
}

/* A cancelled message hides differences of its channel: of a message with another tag, a difference is reported. */
static void a_cancelled_message_spoils_its_channel_only(void **state)
{
	const struct process_ends ends = {0};
	const int32_t cancelled_tag = *state ? 5 : 6;
	const off_t before = log_bytes();

	start_contents();
	call_flags = CHECK_CALL_NONBLOCKING;
	send_call(0, 2, OPERATION_SEND, cancelled_tag);
	send_call(1, 2, OPERATION_RECEIVE, cancelled_tag);
	call_flags = 0;
	SEND_NUMBERS(0, 1, 111);
	SEND_NUMBERS(1, 1, CONTENT(1, 4, 112));
	SEND_NUMBERS(0, 2);
	SEND_NUMBERS(1, 2);
	SEND_NUMBERS(0, 0, CHANGE_DROPS, 1, 1);
	expect_changed(1);
	analysis_end(state_of.run, &ends);
	assert_int_equal(log_bytes() > before, cancelled_tag == 6);
}

/* The message of a matched probe is compared with the call that receives it, in any order of events. */
static void probed_messages_are_compared(void **state)
{
	(void)state;
	start_contents();
	call_flags = CHECK_CALL_NONBLOCKING;
	send_call(1, 2, OPERATION_MATCHED_PROBE, 5);
	call_flags = 0;
	SEND_NUMBERS(1, 2, 0, CHANGE_RECEIVES, 1, 1, CONTENT(1, 4, 111));
	SEND_NUMBERS(0, 1, 111, 1, 222);
	SEND_NUMBERS(1, 2);
	assert_int_equal(state_of.run->contents.messages.numbers.count, 1);
	SEND_NUMBERS(1, 0, CHANGE_RECEIVES, 1, 1, CONTENT(1, 4, 223));
	expect_changed(1);
}

/* The root is rank 0; members report their data in any order. */
static void broadcasts_are_compared_with_the_root(void **state)
{
	const struct data_contents *contents = &state_of.run->contents;

	(void)state;
	call_root = 0;
	send_call(0, 1, OPERATION_COLLECTIVE, 0);
	send_call(1, 1, OPERATION_COLLECTIVE, 0);
	call_root = -1;
	SEND_NUMBERS(0, 1, CONTENT(1, 4, 111), 1, CONTENT(2, 4, 222));
	SEND_NUMBERS(1, 1, CONTENT(1, 4, 111), 1, CONTENT(2, 4, 222), 1, CONTENT(3, 4, 333), 1,
	             CONTENT(4, 4, 1), 1, CONTENT(5, 4, 1), 1, CONTENT(6, 0, 0), 1, CONTENT(7, 8, 555));
	assert_int_equal(contents->broadcasts.numbers.count, 5);
	/* equal, other, not known on either side, and of another length, which the calls tell */
	SEND_NUMBERS(0, 1, CONTENT(3, 4, 333), 1, CONTENT(4, 4, 444), 1, CONTENT(5, 0, 0), 1,
	             CONTENT(6, 4, 666), 1, CONTENT(7, 4, 777));
	assert_int_equal(contents->broadcasts.numbers.count, 0);
	assert_int_equal(contents->changed.count, 1);
	assert_int_equal(contents->changed.items[0].number, 4);
	SEND_NUMBERS(0, 1, CONTENT(8, 4, 888));
	SEND_NUMBERS(1, 1, CONTENT(8, 4, 889));
	assert_int_equal(contents->changed.items[0].times, 2);
	SEND_NUMBERS(1, 1, CONTENT(9, 4, 999)); /* the root never tells */
	forget(0);
	forget(1);
}

static void expect_no_findings(void)
{
	for (uint32_t rank = 0; rank < RANKS; rank++)
		for (uint32_t i = 0; i < state_of.processes[rank]->calls.count; i++) {
			const struct analysed_call *call = process_call(state_of.processes[rank], i);
			assert_true(!call || call->finding == FINDING_NONE);
		}
}

/* The strict execution makes the first thread wait: the second one overtakes it there, but not in MPI. */
static void collectives_of_threads_are_numbered_as_they_were_called(void **state)
{
	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		send_call(rank, 1, rank ? OPERATION_RECEIVE : OPERATION_SEND, 5);
		for (int32_t root = 0; root < 2; root++) {
			call_root = root;
			send_call(rank, 2 + (uint32_t)root, OPERATION_COLLECTIVE, 0);
		}
	}
	call_root = -1;
	SEND_NUMBERS(0, 1, 2, 0, CHANGE_THREAD, 1, 3);
	SEND_NUMBERS(1, 1, 2, 3);
	expect_no_findings();
	assert_int_equal(in_flight(), 0);
}

/* It is not known which message of two threads a receive got. */
static void overtaken_messages_are_not_compared(void **state)
{
	(void)state;
	send_call(0, 1, OPERATION_SEND, 5);
	send_call(0, 2, OPERATION_SEND, 6);
	call_type = 0;
	send_call(0, 3, OPERATION_SEND, 6);
	call_type = TYPE_NUMBER;
	send_call(1, 1, OPERATION_RECEIVE, 5);
	send_call(1, 2, OPERATION_RECEIVE, 6);
	process_call(state_of.processes[0], 3)->send.type = process_call(state_of.processes[0], 2)->send.type;
	process_call(state_of.processes[0], 3)->send.count = 2; /* too long for the receive */
	SEND_NUMBERS(0, 1, 2, 0, CHANGE_THREAD, 1, 3);
	SEND_NUMBERS(1, 2, 1);
	assert_int_equal(in_flight(), 1);
	expect_no_findings();
	process_call(state_of.processes[0], 3)->send.type = NULL;
}

/* One thread overtakes another with a message of another channel. */
static void overtaking_messages_of_other_channels_are_compared(void **state)
{
	const struct analysed_call *send;

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++)
		for (uint32_t i = 1; i <= 3; i++)
			send_call(rank, i, rank ? OPERATION_RECEIVE : OPERATION_SEND, (int32_t)i);
	process_call(state_of.processes[0], 3)->send.count = 2; /* too long for the receive */
	SEND_NUMBERS(0, 1, 2, 0, CHANGE_THREAD, 1, 3);
	SEND_NUMBERS(1, 3, 1, 2);
	assert_int_equal(in_flight(), 0);
	send = process_call(state_of.processes[0], 3);
	/* Events of other threads may be under way: reported at the end. */
	assert_int_equal(send->finding, FINDING_NONE);
	check_changed_data(state_of.run);
	assert_int_not_equal(send->finding, FINDING_NONE);
}

/* A thread calls a barrier after another thread has received: a collective call does not overtake messages. */
static void messages_before_a_collective_are_compared(void **state)
{
	const struct analysed_call *send;

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		send_call(rank, 1, rank ? OPERATION_RECEIVE : OPERATION_SEND, 5);
		send_call(rank, 2, OPERATION_COLLECTIVE, -1);
	}
	send = process_call(state_of.processes[0], 1);
	process_call(state_of.processes[0], 1)->send.count = 2; /* too long for the receive */
	/* All receives arrive before the first send. */
	SEND_NUMBERS(1, 0, CHANGE_THREAD, 1, 1, 1, 1, 0, CHANGE_LEFT, 1, 0, CHANGE_THREAD, 0, 2);
	SEND_NUMBERS(0, 1, 1, 1, 2);
	assert_int_equal(in_flight(), 0);
	check_changed_data(state_of.run);
	assert_int_not_equal(send->finding, FINDING_NONE);
}

/* Two threads send on one channel at the same time, or one after the other. The receive is for the second message. */
static void concurrent_messages_are_not_compared(void **state)
{
	const struct analysed_call *send;

	(void)state;
	for (uint32_t rank = 0; rank < RANKS; rank++)
		for (uint32_t i = 1; i <= 2; i++)
			send_call(rank, i, rank ? OPERATION_RECEIVE : OPERATION_SEND, 5);
	send = process_call(state_of.processes[0], 1);
	process_call(state_of.processes[0], 1)->send.count = 2; /* too long for the receive */
	SEND_NUMBERS(0, 0, CHANGE_THREAD, 1, 1);
	SEND_NUMBERS(1, 1);
	SEND_NUMBERS(0, 0, CHANGE_LEFT, 1, 0, CHANGE_THREAD, 2, 2);
	SEND_NUMBERS(1, 2);
	assert_int_equal(state_of.run->contents.unordered.count, 0);
	SEND_NUMBERS(0, 0, CHANGE_THREAD, 1, 1, 0, CHANGE_THREAD, 2, 2);
	assert_int_equal(state_of.run->contents.unordered.count, 1);
	check_changed_data(state_of.run);
	assert_int_equal(send->finding, FINDING_NONE);
}

/* The same with a matched probe. */
static void overtaken_messages_of_probes_are_not_compared(void **state)
{
	(void)state;
	send_call(0, 1, OPERATION_SEND, 5);
	send_call(0, 2, OPERATION_SEND, 6);
	send_call(0, 3, OPERATION_SEND, 6);
	send_call(1, 1, OPERATION_RECEIVE, 5);
	send_call(1, 2, OPERATION_MATCHED_PROBE, 6);
	send_call(1, 3, OPERATION_RECEIVE, 6);
	process_call(state_of.processes[0], 3)->send.count = 2; /* too long for the receive */
	SEND_NUMBERS(0, 1, 2, 0, CHANGE_THREAD, 1, 3);
	SEND_NUMBERS(1, 2, 0, CHANGE_RECEIVES, 3, 1);
	assert_int_equal(state_of.run->contents.messages.numbers.count, 0);
	expect_no_findings();
}

/* The second of two receives with a wildcard is complete before the messages arrive here. The first receive took the first message. */
static void messages_of_wildcards_are_not_exchanged(void **state)
{
	enum { SOURCE = 0, TAG = 5, SIGNED_TAG = 2 * TAG };

	(void)state;
	send_call(0, 1, OPERATION_SEND, TAG);
	send_call(0, 2, OPERATION_SEND, TAG);
	call_flags = CHECK_CALL_WILDCARD | CHECK_CALL_NONBLOCKING;
	send_call(1, 1, OPERATION_RECEIVE, -1);
	send_call(1, 2, OPERATION_RECEIVE, -1);
	call_flags = 0;
	send_call(1, 3, OPERATION_WAIT, 0);
	process_call(state_of.processes[0], 2)->send.count = 2;
	process_call(state_of.processes[1], 2)->receive.count = 2;
	SEND_NUMBERS(1, 1, 2, 0, CHANGE_WAITS, 3, 1, 1, 0, CHANGE_TAKES, 1, SOURCE, SIGNED_TAG, 0,
	             CHANGE_WAITS, 3, 1, 2);
	SEND_NUMBERS(0, 1, 2);
	SEND_NUMBERS(1, 0, CHANGE_TAKES, 2, SOURCE, SIGNED_TAG);
	assert_int_equal(in_flight(), 0);
	expect_no_findings();
}

/* What breaks off, and contents of calls that have none. */
static void broken_contents_are_refused(void **state)
{
	const uint64_t none[] = {0, CHANGE_CONTENT, 2, 1, 4, 5}, unknown[] = {0, CHANGE_CONTENT, 9, 1, 4, 5},
		       short_one[] = {0, CHANGE_CONTENT, 1, 1, 4};
	const struct {
		const uint64_t *numbers;
		size_t count;
	} wrong[] = {{none, 6}, {unknown, 6}, {short_one, 5}};

	(void)state;
	start_contents();
	send_call(1, 2, OPERATION_RECEIVE, 6);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct message_writer body = {0};
		struct cursor in;

		for (size_t j = 0; j < wrong[i].count; j++)
			put_number(&body, wrong[i].numbers[j]);
		in = writer_cursor(&body);
		assert_false(analysis_frame(state_of.run, state_of.processes[1], MESSAGE_EVENTS, &in));
		writer_release(&body);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(matched_messages_leave_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_in_flight_outlives_its_process, set_up, tear_down),
		cmocka_unit_test_setup_teardown(complete_collectives_leave_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(equal_calls_share_their_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(freed_communicators_leave_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_freed_communicator_outlives_its_messages, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(equal_contents_are_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_contents_are_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(data_of_no_type_is_not_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(spoilt_messages_are_not_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cancelled_message_spoils_its_channel_only, set_up,
	                                        tear_down),
		cmocka_unit_test_prestate_setup_teardown(a_cancelled_message_spoils_its_channel_only, set_up,
	                                                 tear_down, &state_of),
		cmocka_unit_test_setup_teardown(probed_messages_are_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(broadcasts_are_compared_with_the_root, set_up, tear_down),
		cmocka_unit_test_setup_teardown(broken_contents_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(collectives_of_threads_are_numbered_as_they_were_called,
	                                        set_up, tear_down),
		cmocka_unit_test_setup_teardown(overtaken_messages_are_not_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(overtaking_messages_of_other_channels_are_compared, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(messages_before_a_collective_are_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(concurrent_messages_are_not_compared, set_up, tear_down),
		cmocka_unit_test_setup_teardown(overtaken_messages_of_probes_are_not_compared, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(windows_that_are_freed_ahead_of_the_execution_leave_nothing,
	                                        set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_window_that_one_member_frees_twice_stays, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(a_window_that_a_thread_waits_in_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_window_that_is_freed_at_the_end_leaves_nothing, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(rejected_calls_are_compared_at_their_places, set_up,
	                                        tear_down),
		cmocka_unit_test_setup_teardown(messages_of_wildcards_are_not_exchanged, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
