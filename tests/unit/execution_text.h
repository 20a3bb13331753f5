/* Executions of processes written as text, for tests: a line has a process, a thread if it is not the first, and an action.
 *
 *	0: send 1 5            to rank 1 with tag 5; ssend, bsend, rsend; isend 1 5 a, irsend 1 5 a: the request a
 *	1: recv any any        a wildcard; irecv 0 5 b; srecv: with a status
 *	1: takes b 0 5         the message it took; `takes last 0 5`: for the last operation
 *	0: wait a b            swait: with statuses; waitany a b; completes a; drop a; void a
 *	1.2: probe 0 5         of thread 2; mprobe 0 5 a, mrecv 0 5 a: receives the message of a
 *	0: barrier             bcast, finalize, neighbours, ibarrier c; `on 1`: of another communicator
 *	0: post 1 2            start, complete, wwait, lock 1, slock 1, unlock 1, lockall any, flush 1, flushlocal 1
 *	0: ends 1              it has freed communicator 1
 *	0.1: left              the thread has left its last call
 *	0: end                 it has finalized
 *
 * Processes tell their lines in their order, and any order between them gives the same state at the end. */
#ifndef TARRY_TESTS_EXECUTION_TEXT_H
#define TARRY_TESTS_EXECUTION_TEXT_H

#include "calls/ids.h"
#include "check/matching/analysis.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANKS = 6, COMMS = 3, LINES_MAX = 64, WORDS_MAX = 8 };
enum { OPERATIONS_MAX = 256 };
enum { RING = 2 }; /* this communicator has a topology */

static struct {
	char folder[64];
	int descriptor;
	struct findings_log *log;
	struct checked_run *run;
	struct analysed_process *processes[RANKS];
	uint32_t calls[RANKS];        /* numbers given */
	uint64_t operations[RANKS];   /* begun */
	uint64_t requests[RANKS][26]; /* by letter */
	uint32_t matched;
	bool has_types; /* messages and broadcasts have data: integers; sends with tag 9 doubles */
	/* Data of messages and broadcasts is compared: data with tag 8, and that of the second broadcast at rank 4, changes on its way. */
	bool has_contents;
	bool has_wildcards; /* programs at random have receives with MPI_ANY_SOURCE */
	bool has_places;    /* each line is a place of the program */
	uint32_t content_calls[RANKS]
			      [OPERATIONS_MAX]; /* of receives that have not told their data; 0: none */
	uint32_t broadcasts[RANKS][COMMS];
	void (*say_elsewhere)(uint32_t rank, enum message_kind kind,
	                      struct cursor in); /* instead of to `run` */
} test;

static void no_note(const char *sentence)
{
	fail_msg("%s", sentence);
}

static void say(uint32_t rank, enum message_kind kind, struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	if (test.say_elsewhere)
		test.say_elsewhere(rank, kind, in);
	else
		assert_true(analysis_frame(test.run, test.processes[rank], kind, &in));
	writer_release(body);
}

static void say_comm(uint32_t rank, uint32_t comm)
{
	int32_t left = (int32_t)((rank + RANKS - 1) % RANKS), right = (int32_t)((rank + 1) % RANKS);
	struct checked_comm told = {
		.identity = 1 + comm, .rank = rank, .size = RANKS, .name = "MPI_COMM_WORLD"};
	struct message_writer body = {0};

	if (comm == RING) {
		told.source_count = told.dest_count = 1;
		told.sources = &left;
		told.dests = &right;
	}
	comm_put(&body, &told);
	say(rank, MESSAGE_COMM, &body);
}

/* A line of the text */
struct line {
	uint32_t rank, thread;
	uint32_t count;
	char words[WORDS_MAX][16];
};

static const struct {
	const char *word;
	enum check_operation operation;
	uint32_t flags;
	uint32_t function;
	enum window_operation window;
} verbs[] = {
	{"send", OPERATION_SEND, 0, CALL_Send, 0},
	{"ssend", OPERATION_SEND, CHECK_CALL_SYNCHRONOUS, CALL_Ssend, 0},
	{"bsend", OPERATION_SEND, CHECK_CALL_BUFFERED, CALL_Bsend, 0},
	{"isend", OPERATION_SEND, CHECK_CALL_NONBLOCKING, CALL_Isend, 0},
	{"tsend", OPERATION_SEND, CHECK_CALL_TOGETHER, CALL_Sendrecv, 0},
	{"recv", OPERATION_RECEIVE, CHECK_CALL_STATUS_IGNORED, CALL_Recv, 0},
	{"srecv", OPERATION_RECEIVE, 0, CALL_Recv, 0},
	{"irecv", OPERATION_RECEIVE, CHECK_CALL_NONBLOCKING, CALL_Irecv, 0},
	{"trecv", OPERATION_RECEIVE, CHECK_CALL_TOGETHER, CALL_Sendrecv, 0},
	{"probe", OPERATION_PROBE, 0, CALL_Probe, 0},
	{"iprobe", OPERATION_PROBE, CHECK_CALL_NONBLOCKING, CALL_Iprobe, 0},
	{"mprobe", OPERATION_MATCHED_PROBE, 0, CALL_Mprobe, 0},
	{"mrecv", OPERATION_RECEIVE, 0, CALL_Mrecv, 0},
	{"barrier", OPERATION_COLLECTIVE, 0, CALL_Barrier, 0},
	{"bcast", OPERATION_COLLECTIVE, 0, CALL_Bcast, 0},
	{"ibarrier", OPERATION_COLLECTIVE, CHECK_CALL_NONBLOCKING, CALL_Ibarrier, 0},
	{"ibcast", OPERATION_COLLECTIVE, CHECK_CALL_NONBLOCKING, CALL_Ibcast, 0},
	{"neighbours", OPERATION_COLLECTIVE, 0, CALL_Neighbor_allgather, 0},
	{"finalize", OPERATION_COLLECTIVE, 0, CALL_Finalize, 0},
	{"wait", OPERATION_WAIT, CHECK_CALL_STATUS_IGNORED, CALL_Waitall, 0},
	{"swait", OPERATION_WAIT, 0, CALL_Waitall, 0},
	{"waitany", OPERATION_WAIT, CHECK_CALL_ANY, CALL_Waitany, 0},
	{"post", OPERATION_WINDOW, 0, CALL_Win_post, WINDOW_POST},
	{"start", OPERATION_WINDOW, 0, CALL_Win_start, WINDOW_START},
	{"complete", OPERATION_WINDOW, 0, CALL_Win_complete, WINDOW_COMPLETE},
	{"wwait", OPERATION_WINDOW, 0, CALL_Win_wait, WINDOW_WAIT},
	{"lock", OPERATION_WINDOW, 0, CALL_Win_lock, WINDOW_LOCK},
	{"slock", OPERATION_WINDOW, CHECK_CALL_SHARED, CALL_Win_lock, WINDOW_LOCK},
	{"unlock", OPERATION_WINDOW, 0, CALL_Win_unlock, WINDOW_UNLOCK},
	{"lockall", OPERATION_WINDOW, CHECK_CALL_SHARED, CALL_Win_lock_all, WINDOW_LOCK_ALL},
	{"flush", OPERATION_WINDOW, 0, CALL_Win_flush, WINDOW_FLUSH},
	{"flushlocal", OPERATION_WINDOW, 0, CALL_Win_flush_local, WINDOW_FLUSH_LOCAL},
	{"rsend", OPERATION_SEND, CHECK_CALL_READY, CALL_Rsend, 0},
	{"irsend", OPERATION_SEND, CHECK_CALL_READY | CHECK_CALL_NONBLOCKING, CALL_Irsend, 0},
};

static int32_t number_of(const char *word)
{
	return strcmp(word, "any") == 0 ? -1 : (int32_t)strtol(word, NULL, 10);
}

/* Removes the words after "on". */
static uint32_t take_comm_word(struct line *line)
{
	for (uint32_t i = 1; i + 1 < line->count; i++)
		if (strcmp(line->words[i], "on") == 0) {
			line->count = i;
			return (uint32_t)number_of(line->words[i + 1]);
		}
	return 0;
}

static uint32_t say_call(struct line *line, size_t verb)
{
	struct distinct_check_call call = {.number = ++test.calls[line->rank],
	                                   .operation = verbs[verb].operation,
	                                   .flags = verbs[verb].flags,
	                                   .call = {.world = 1,
	                                            .rank = line->rank,
	                                            .function = verbs[verb].function,
	                                            .note = "",
	                                            .arguments = ""},
	                                   .comm = 1 + take_comm_word(line),
	                                   .root = -1,
	                                   .window = verbs[verb].window,
	                                   .detail = ""};
	struct check_place place = {.module = "program", .offset = line->rank * 1000u + call.number};
	int64_t ranks[WORDS_MAX];
	struct message_writer body = {0};

	if (test.has_places) {
		call.call.stack = &place;
		call.call.stack_count = 1;
	}
	if (call.operation == OPERATION_WINDOW) {
		call.rank_count = line->count - 1;
		call.ranks = ranks;
		for (uint32_t i = 1; i < line->count; i++)
			ranks[i - 1] = number_of(line->words[i]);
	}
	if (line->count > 1 && call.operation != OPERATION_WAIT && call.operation != OPERATION_COLLECTIVE)
		call.peer = call.peer_in_world = number_of(line->words[1]);
	if (line->count > 2 && call.operation <= OPERATION_MATCHED_PROBE)
		call.tag = number_of(line->words[2]);
	if (test.has_types && call.operation == OPERATION_SEND)
		call.send = (struct check_data){call.tag == 9 ? 2 : 1, 1};
	if (test.has_types && call.operation == OPERATION_RECEIVE)
		call.receive = (struct check_data){1, 1};
	if (call.operation != OPERATION_SEND && (call.peer < 0 || call.tag < 0))
		call.flags |= CHECK_CALL_WILDCARD;
	if (test.has_contents && (call.operation == OPERATION_SEND || call.operation == OPERATION_RECEIVE))
		call.flags |= CHECK_CALL_CONTENT;
	if (test.has_contents && call.call.function == CALL_Bcast) {
		call.root = 0;
		call.send = (struct check_data){1, 1};
	}
	distinct_call_put(&body, &call);
	say(line->rank, MESSAGE_CALL, &body);
	return call.number;
}

static uint64_t distance(const struct line *line, const char *word)
{
	return strcmp(word, "last") == 0
	               ? 1
	               : test.operations[line->rank] - test.requests[line->rank][word[0] - 'a'];
}

static void put_change(struct message_writer *body, enum event_change change)
{
	put_number(body, 0);
	put_number(body, change);
}

static void put_requests(struct message_writer *body, const struct line *line)
{
	put_number(body, line->count - 1);
	for (uint32_t i = 1; i < line->count; i++)
		put_number(body, distance(line, line->words[i]));
}

static uint64_t sent_hash(int32_t tag)
{
	return tag == 8 ? 99 : 7;
}

static void say_content(uint32_t rank, uint32_t call, uint64_t number, uint64_t hash)
{
	struct message_writer body = {0};

	put_change(&body, CHANGE_CONTENT);
	put_number(&body, call);
	put_number(&body, number);
	put_number(&body, 4);
	put_number(&body, hash);
	say(rank, MESSAGE_EVENTS, &body);
}

static void say_received(uint32_t rank, uint64_t operation)
{
	const uint32_t call = operation < OPERATIONS_MAX ? test.content_calls[rank][operation] : 0;

	if (!call)
		return;
	test.content_calls[rank][operation] = 0;
	say_content(rank, call, test.operations[rank] - operation, 7);
}

/* Data that the line shows to be there. */
static void say_contents(const struct line *line)
{
	const char *word = line->words[0];
	const uint32_t rank = line->rank;

	if (strcmp(word, "recv") == 0 && strcmp(line->words[1], "any") != 0 &&
	    strcmp(line->words[2], "any") != 0)
		say_received(rank, test.operations[rank] - 1);
	if (strcmp(word, "mrecv") == 0)
		say_content(rank, test.calls[rank], distance(line, line->words[3]), 7);
	if (strcmp(word, "takes") == 0 && strcmp(line->words[1], "last") == 0)
		say_received(rank, test.operations[rank] - 1);
	for (uint32_t i = 1; i < line->count && (strcmp(word, "wait") == 0 || strcmp(word, "completes") == 0);
	     i++)
		say_received(rank, test.requests[rank][line->words[i][0] - 'a']);
	if (strcmp(word, "bcast") == 0) {
		const uint32_t comm = line->count > 2 ? (uint32_t)number_of(line->words[2]) : 0;
		const uint32_t number = ++test.broadcasts[rank][comm];

		say_content(rank, test.calls[rank], number, number == 2 && rank == 4 ? 8 : 7);
	}
}

static void put_verb(struct message_writer *body, struct line *line, size_t verb)
{
	const uint32_t call = say_call(line, verb);
	const char *request = line->words[verbs[verb].operation == OPERATION_COLLECTIVE ? 1 : 3];

	if (verbs[verb].function == CALL_Mrecv) {
		put_change(body, CHANGE_RECEIVES);
		put_number(body, call);
		put_number(body, distance(line, request));
		return;
	}
	switch (verbs[verb].operation) {
	case OPERATION_WAIT:
		put_change(body, CHANGE_WAITS);
		put_number(body, call);
		put_requests(body, line);
		break;
	case OPERATION_WINDOW:
		put_change(body, CHANGE_WINDOW);
		put_number(body, call);
		put_number(body, 0);
		break;
	default:
		put_number(body, call);
		if (test.has_contents && verbs[verb].operation == OPERATION_SEND)
			put_number(body, sent_hash(number_of(line->words[2])));
		if (test.has_contents && verbs[verb].operation == OPERATION_RECEIVE &&
		    test.operations[line->rank] < OPERATIONS_MAX)
			test.content_calls[line->rank][test.operations[line->rank]] = call;
		if (request[0])
			test.requests[line->rank][request[0] - 'a'] = test.operations[line->rank];
		test.operations[line->rank]++;
		break;
	}
}

static void put_fact(struct message_writer *body, const struct line *line)
{
	const char *word = line->words[0];

	if (strcmp(word, "takes") == 0) {
		put_change(body, CHANGE_TAKES);
		put_number(body, distance(line, line->words[1]));
		put_integer(body, number_of(line->words[2]));
		put_integer(body, number_of(line->words[3]));
	} else if (strcmp(word, "completes") == 0) {
		put_change(body, CHANGE_COMPLETES);
		put_requests(body, line);
	} else if (strcmp(word, "drop") == 0 || strcmp(word, "void") == 0) {
		put_change(body, CHANGE_DROPS);
		put_number(body, distance(line, line->words[1]));
		put_number(body, word[0] == 'v');
	} else if (strcmp(word, "ends") == 0) {
		put_change(body, CHANGE_ENDS);
		put_number(body, 1 + (uint64_t)number_of(line->words[1]));
	} else if (strcmp(word, "left") == 0) {
		put_change(body, CHANGE_LEFT);
		put_number(body, line->thread);
	} else {
		fail_msg("what is '%s'?", word);
	}
}

static void execute_line(const struct line *told)
{
	struct line line = *told;
	struct message_writer body = {0};
	size_t verb = 0;

	if (strcmp(line.words[0], "end") == 0) {
		executed_process_ended(test.run->execution, test.processes[line.rank], END_FINALIZED);
		return;
	}
	while (verb < sizeof verbs / sizeof *verbs && strcmp(verbs[verb].word, line.words[0]) != 0)
		verb++;
	put_change(&body, CHANGE_THREAD);
	put_number(&body, line.thread);
	if (verb < sizeof verbs / sizeof *verbs)
		put_verb(&body, &line, verb);
	else
		put_fact(&body, &line);
	say(line.rank, MESSAGE_EVENTS, &body);
	if (test.has_contents)
		say_contents(told);
}

static bool parse_line(const char *text, size_t length, struct line *line)
{
	char copy[128], *at = copy, *save = NULL;

	memset(line, 0, sizeof *line);
	assert_true(length < sizeof copy);
	memcpy(copy, text, length);
	copy[length] = '\0';
	while (*at == ' ' || *at == '\t')
		at++;
	if (!*at)
		return false;
	line->rank = (uint32_t)strtoul(at, &at, 10);
	if (*at == '.')
		line->thread = (uint32_t)strtoul(at + 1, &at, 10);
	assert_int_equal(*at, ':');
	for (char *word = strtok_r(at + 1, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		assert_true(line->count < WORDS_MAX);
		snprintf(line->words[line->count++], sizeof line->words[0], "%s", word);
	}
	return line->count;
}

static uint32_t parse(const char *text, struct line *lines)
{
	uint32_t count = 0;

	while (*text) {
		const size_t length = strcspn(text, "\n;");
		assert_true(count < LINES_MAX);
		count += parse_line(text, length, &lines[count]);
		text += length + (text[length] != '\0');
	}
	return count;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

static inline void set_up_processes(void)
{
	memset(test.calls, 0, sizeof test.calls);
	memset(test.operations, 0, sizeof test.operations);
	memset(test.requests, 0, sizeof test.requests);
	test.run = analysis_new(test.log);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		test.processes[rank] = process_new(&test.run->known, 1, rank, RANKS);
		for (uint32_t comm = 0; comm < COMMS; comm++)
			say_comm(rank, comm);
	}
}

static int set_up(void **state)
{
	(void)state;
	snprintf(test.folder, sizeof test.folder, "/tmp/tarry-unit-XXXXXX");
	assert_non_null(mkdtemp(test.folder));
	test.descriptor = open(test.folder, O_RDONLY | O_DIRECTORY);
	test.log = findings_log_open(test.descriptor, "log", no_note);
	assert_non_null(test.log);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	findings_log_end(test.log);
	unlinkat(test.descriptor, "log", 0);
	close(test.descriptor);
	rmdir(test.folder);
	return 0;
}

#endif
