/* The strict execution of courses, written as text: a line is a process, a thread if it is not the first, and what it does.
 *
 *	0: send 1 5            to rank 1 with tag 5; ssend, bsend; isend 1 5 a: the request a
 *	1: recv any any        a wildcard; irecv 0 5 b
 *	1: takes b 0 5         what it took; `takes last 0 5` of the last operation
 *	0: wait a b            waitany a b; completes a; drop a; void a
 *	1.2: probe 0 5         of thread 2; mprobe
 *	0: barrier             bcast, finalize, neighbours, ibarrier c; `on 1`: of another communicator
 *	0: post 1 2            start, complete, wwait, lock 1, slock 1, unlock 1
 *	0: end                 it has finalized
 *
 * Processes tell their lines in their order, and any order between them gives the same state at the end. */
#include "calls/ids.h"
#include "check/matching/analysis.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { RANKS = 6, COMMS = 3, LINES_MAX = 64, WORDS_MAX = 8, SEEDS = 60 };
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
	char matches[4096];
} test;

static void no_note(const char *sentence)
{
	fail_msg("%s", sentence);
}

static void say(uint32_t rank, enum message_kind kind, struct message_writer *body)
{
	struct cursor in = {.at = body->bytes, .end = body->bytes + body->size};

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
	{"recv", OPERATION_RECEIVE, 0, CALL_Recv, 0},
	{"irecv", OPERATION_RECEIVE, CHECK_CALL_NONBLOCKING, CALL_Irecv, 0},
	{"trecv", OPERATION_RECEIVE, CHECK_CALL_TOGETHER, CALL_Sendrecv, 0},
	{"probe", OPERATION_PROBE, 0, CALL_Probe, 0},
	{"iprobe", OPERATION_PROBE, CHECK_CALL_NONBLOCKING, CALL_Iprobe, 0},
	{"mprobe", OPERATION_MATCHED_PROBE, 0, CALL_Mprobe, 0},
	{"barrier", OPERATION_COLLECTIVE, 0, CALL_Barrier, 0},
	{"bcast", OPERATION_COLLECTIVE, 0, CALL_Bcast, 0},
	{"ibarrier", OPERATION_COLLECTIVE, CHECK_CALL_NONBLOCKING, CALL_Ibarrier, 0},
	{"ibcast", OPERATION_COLLECTIVE, CHECK_CALL_NONBLOCKING, CALL_Ibcast, 0},
	{"neighbours", OPERATION_COLLECTIVE, 0, CALL_Neighbor_allgather, 0},
	{"finalize", OPERATION_COLLECTIVE, 0, CALL_Finalize, 0},
	{"wait", OPERATION_WAIT, 0, CALL_Waitall, 0},
	{"waitany", OPERATION_WAIT, CHECK_CALL_ANY, CALL_Waitany, 0},
	{"post", OPERATION_WINDOW, 0, CALL_Win_post, WINDOW_POST},
	{"start", OPERATION_WINDOW, 0, CALL_Win_start, WINDOW_START},
	{"complete", OPERATION_WINDOW, 0, CALL_Win_complete, WINDOW_COMPLETE},
	{"wwait", OPERATION_WINDOW, 0, CALL_Win_wait, WINDOW_WAIT},
	{"lock", OPERATION_WINDOW, 0, CALL_Win_lock, WINDOW_LOCK},
	{"slock", OPERATION_WINDOW, CHECK_CALL_SHARED, CALL_Win_lock, WINDOW_LOCK},
	{"unlock", OPERATION_WINDOW, 0, CALL_Win_unlock, WINDOW_UNLOCK},
};

static int32_t number_of(const char *word)
{
	return strcmp(word, "any") == 0 ? -1 : (int32_t)strtol(word, NULL, 10);
}

/* The words behind "on" are taken away. */
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
	int64_t ranks[WORDS_MAX];
	struct message_writer body = {0};

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
	if (call.operation != OPERATION_SEND && (call.peer < 0 || call.tag < 0))
		call.flags |= CHECK_CALL_WILDCARD;
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

static void put_verb(struct message_writer *body, struct line *line, size_t verb)
{
	const uint32_t call = say_call(line, verb);
	const char *request = line->words[verbs[verb].operation == OPERATION_COLLECTIVE ? 1 : 3];

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
		put_change(body, CHANGE_BEGINS);
		put_number(body, call);
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
		course_process_ended(test.run->course, test.processes[line.rank], END_FINALIZED);
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

/* What came out of it */

static void on_matched(void *owner, struct course_operation *send, struct course_operation *receive)
{
	(void)owner;
	(void)send;
	(void)receive;
	test.matched++;
}

static uint32_t began, freed;

static void on_began(void *owner, struct course_operation *operation)
{
	(void)owner;
	assert_true(operation->state & OPERATION_BEGUN);
	began++;
}

static void on_freed(void *owner, struct course_operation *operation)
{
	(void)owner;
	(void)operation;
	freed++;
}

static void on_over(void *owner, struct course_operation *operation)
{
	(void)owner;
	if (operation->call->operation == OPERATION_RECEIVE && !(operation->state & OPERATION_BUFFERED))
		assert_true(operation->state & OPERATION_MATCHED);
}

static void set_up_run(void)
{
	const struct course_listener listener = {
		.began = on_began, .matched = on_matched, .over = on_over, .freed = on_freed};

	memset(test.calls, 0, sizeof test.calls);
	memset(test.operations, 0, sizeof test.operations);
	memset(test.requests, 0, sizeof test.requests);
	test.matched = 0;
	began = freed = 0;
	test.run = analysis_new(test.log);
	analysis_follow_courses(test.run);
	course_listen(test.run->course, &listener);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		test.processes[rank] = process_new(&test.run->known, 1, rank, RANKS);
		for (uint32_t comm = 0; comm < COMMS; comm++)
			say_comm(rank, comm);
	}
}

struct seen_wait {
	char *text;
	size_t used, room;
};

static void on_wait(void *owner, struct course_thread *thread, uint32_t group, bool is_one_of,
                    struct course_process *process, const struct analysed_comm *comm, const char *why,
                    struct course_operation *operation)
{
	struct seen_wait *seen = owner;

	(void)thread;
	(void)group;
	(void)why;
	(void)operation;
	if (process)
		seen->used += (size_t)snprintf(seen->text + seen->used, seen->room - seen->used, "%s%u",
		                               is_one_of ? "|" : "&", process->known->rank);
	else
		seen->used += (size_t)snprintf(seen->text + seen->used, seen->room - seen->used, "%s",
		                               comm ? "|any" : "?");
}

/* "0 waits&1 3.2 waits|any; 2 matched": blocked threads and whom they wait for; a star: the program has gone on. */
static void describe(char *text, size_t room)
{
	struct seen_wait seen = {.text = text, .room = room};

	text[0] = '\0';
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		const struct course_process *process = course_process_of(test.run->course,
		                                                         test.processes[rank]);
		for (size_t i = 0; process && i < process->threads.count; i++) {
			struct course_thread *thread = process->threads.items[i];
			if (!thread || thread->blocked == BLOCKED_NOT)
				continue;
			seen.used += (size_t)snprintf(text + seen.used, room - seen.used,
			                              thread->number ? "%s%u.%u%s" : "%s%u%.0u%s",
			                              seen.used ? " " : "", rank, thread->number,
			                              thread->has_more ? "*" : "");
			course_waits(test.run->course, thread, on_wait, &seen);
		}
	}
}

static void clean_up_run(void)
{
	analysis_free(test.run);
	assert_int_equal(began, freed);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 16;
}

/* In an order between processes that the seed decides; 0: as they stand. */
static void execute_shuffled(const struct line *lines, uint32_t count, uint32_t seed)
{
	uint32_t next[RANKS] = {0}, done = 0;

	for (uint32_t i = 0; i < count && !seed; i++)
		execute_line(&lines[i]);
	while (seed && done < count) {
		const uint32_t rank = next_random(&seed) % RANKS;
		while (next[rank] < count && lines[next[rank]].rank != rank)
			next[rank]++;
		if (next[rank] == count)
			continue;
		execute_line(&lines[next[rank]++]);
		done++;
	}
}

static void leads_to_with(uint32_t seeds, const char *program, const char *expected, uint32_t matched)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	for (uint32_t seed = 0; seed < seeds; seed++) {
		char state[512];
		set_up_run();
		execute_shuffled(lines, count, seed);
		describe(state, sizeof state);
		if (strcmp(state, expected) != 0 || test.matched != matched)
			fail_msg("seed %u: '%s', %u matched, instead of '%s', %u\n%s", seed, state,
			         test.matched, expected, matched, program);
		clean_up_run();
	}
}

/* Does any order lead to this state, with so many messages matched? */
static void leads_to(const char *program, const char *expected, uint32_t matched)
{
	leads_to_with(SEEDS, program, expected, matched);
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

static void sends_wait_for_receives(void **state)
{
	(void)state;
	leads_to("0: send 1 5", "0&1", 0);
	leads_to("0: ssend 1 5; 1: recv 0 5", "", 1);
	leads_to("0: bsend 1 5", "", 0);
	leads_to("0: bsend 1 5; 1: recv 0 5; 1: recv 0 5", "1&0", 1);
	leads_to("0: send 1 5; 1: recv 0 6", "0&1 1&0", 0);
	leads_to("0: send 1 5 on 1; 1: recv 0 5", "0&1 1&0", 0);
	leads_to("0: isend 1 5 a; 0: recv 1 5; 1: recv 0 5", "0&1", 1);
	leads_to("0: isend 1 5 a; 0: wait a; 1: irecv 0 5 b; 1: barrier", "1&0&2&3&4&5", 1);
	leads_to("0: send 1 5; 0: recv 1 5; 1: send 0 5; 1: recv 0 5", "0*&1 1*&0", 0);
	leads_to("0: send 0 5", "0&0", 0);
	leads_to("0: irecv 0 5 a; 0: send 0 5; 0: wait a", "", 1);
}

static void a_process_far_ahead_catches_up(void **state)
{
	(void)state;
	leads_to(
		"0: send 1 1; 0: send 1 2; 0: send 1 3; 0: barrier on 1; 1: irecv 0 3 a; 1: irecv 0 2 b; 1: irecv 0 1 c;"
		"1: wait a b c",
		"0&1&2&3&4&5", 3);
}

static void wildcards_take_what_they_took(void **state)
{
	(void)state;
	leads_to("0: recv any 5", "0|any", 0);
	leads_to("0: recv any 5; 1: send 0 5", "0? 1?", 0);
	leads_to("0: recv any 5; 0: takes last 1 5; 1: send 0 5; 2: send 0 5", "2&0", 1);
	leads_to("0: recv any any; 0: takes last 2 7; 1: send 0 5; 2: send 0 7; 0: recv 1 5", "", 2);
	leads_to("0: recv 1 any; 0: takes last 1 9; 1: send 0 9", "", 1);
	leads_to("0: recv 1 any; 2: send 0 9", "0&1 2&0", 0);
	/* It is a fact although its thread is blocked by something else. */
	leads_to("0: irecv any 5 a; 0: send 3 1; 0: wait a; 0: takes a 1 5; 1: send 0 5", "0*&3", 1);
	leads_to(
		"0: irecv any 5 a; 0: irecv any 5 b; 0: wait a b; 0: takes a 1 5; 0: takes b 2 5; 1: send 0 5; 2: send 0 5",
		"", 2);
}

/* Two sends, one receive with a wildcard: one of them may go on. */
static void one_receive_helps_one_send(void **state)
{
	(void)state;
	leads_to("0: irecv any 5 a; 0: barrier on 1; 1: ssend 0 5", "0&1&2&3&4&5 1?", 0);
	leads_to("0: irecv any 5 a; 0: recv 1 5; 1: ssend 0 5", "0|1|any 1?", 0);
	/* Nobody knows which of the two sends the wildcard took. */
	leads_to("0: irecv any any a; 0: recv 2 0; 1: send 0 0; 2: ssend 0 0", "0? 1? 2?", 0);
	leads_to(
		"0: irecv any any a; 0: irecv 2 0 b; 0: wait a; 0: takes a 2 0; 0: wait b; 1: send 0 0; 2: ssend 0 0;"
		"2: ssend 0 1",
		"0&2 1&0 2&0", 1);
	leads_to(
		"0: irecv any any a; 0: irecv 2 0 b; 0: wait a; 0: takes a 1 0; 0: wait b; 1: send 0 0; 2: ssend 0 0",
		"", 2);
	/* The program has left the receive, so that the wildcard took another. */
	leads_to("0: irecv any 5 a; 0: recv 1 5; 0: barrier on 1; 1: ssend 0 5", "0&1&2&3&4&5", 1);
	/* Rank 2 has gone on, rank 1 not. */
	leads_to("0: irecv any 5 a; 0: barrier on 1; 1: ssend 0 5; 2: ssend 0 5; 2: recv 0 6",
	         "0&1&2&3&4&5 1&0 2&0", 0);
}

static void waits_for_any(void **state)
{
	(void)state;
	leads_to("0: irecv 1 1 a; 0: irecv 2 1 b; 0: waitany a b", "0|1|2", 0);
	leads_to("0: irecv 1 1 a; 0: irecv 2 1 b; 0: waitany a b; 2: send 0 1", "", 1);
	leads_to("0: irecv 1 1 a; 0: irecv 2 1 b; 0: waitany a b; 0: completes b; 0: wait a; 2: send 0 1",
	         "0&1", 1);
	leads_to("0: isend 1 1 a; 0: irecv 2 1 b; 0: waitany a b; 0: completes a; 0: barrier on 1", "0*|1|2",
	         0);
	/* A test said so: it need not wait. */
	leads_to("0: isend 1 1 a; 0: completes a; 0: recv 2 1", "0&2", 0);
	leads_to("0: irecv 1 1 a; 0: completes a; 0: recv 2 1", "0*&1", 0);
	leads_to("0: waitany; 0: wait; 0: recv 1 1", "0&1", 0);
}

static void what_never_happened(void **state)
{
	(void)state;
	leads_to("0: irecv 1 5 a; 0: wait a; 0: void a; 0: recv 2 1", "0&2", 0);
	leads_to("0: send 1 5; 0: void last; 0: recv 2 1", "0&2", 0);
	leads_to("0: isend 1 5 a; 0: drop a; 0: recv 2 1", "0&2", 0);
	leads_to("0: isend 1 5 a; 0: drop a; 1: recv 0 5", "", 1);
	leads_to("0: irecv any 5 a; 0: void a; 1: send 0 5", "1&0", 0);
}

static void probes(void **state)
{
	(void)state;
	leads_to("0: probe 1 5", "0&1", 0);
	leads_to("0: probe any any; 0: takes last 1 5; 0: recv 1 5; 1: send 0 5", "", 1);
	leads_to("0: probe any 5; 1: send 0 5", "0? 1&0", 0);
	leads_to("0: probe 1 5; 1: send 0 5", "1&0", 0);
	leads_to("0: iprobe 1 5 a; 0: completes a; 0: recv 1 5; 1: send 0 5", "", 1);
	leads_to("0: mprobe any any; 0: takes last 1 5; 1: send 0 5", "", 1);
	leads_to("0: mprobe 1 5; 0: recv 1 5; 1: send 0 5", "0&1", 1);
	/* Another thread receives it. */
	leads_to("0: probe 1 5; 0.1: recv 1 5; 0: barrier on 1; 1: send 0 5", "0&1&2&3&4&5", 1);
}

static void two_at_a_time(void **state)
{
	(void)state;
	leads_to("0: tsend 1 5 a; 0: trecv 1 5 b; 0: wait a b; 1: tsend 0 5 a; 1: trecv 0 5 b; 1: wait a b",
	         "", 2);
	leads_to("0: tsend 1 5 a; 0: trecv 1 5 b; 0: wait a b; 1: recv 0 5", "0&1", 1);
}

static void collectives(void **state)
{
	(void)state;
	leads_to("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier", "0&5 1&5 2&5 3&5 4&5", 0);
	leads_to("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier", "", 0);
	leads_to("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier; 5: barrier",
	         "5&0&1&2&3&4", 0);
	leads_to("0: ibarrier c; 0: recv 1 5; 0: wait c; 1: send 0 5; 1: barrier on 1",
	         "0&1&2&3&4&5 1&0&2&3&4&5", 1);
	leads_to("0: ibcast c; 0: completes c; 0: recv 1 5", "0&1", 0);
	/* Different functions are never complete; whoever has gone on does. */
	leads_to("0: barrier; 1: bcast; 2: barrier; 3: barrier; 4: barrier; 5: barrier; 5: recv 0 1",
	         "0&1 1&0&2&3&4&5 2&1 3&1 4&1 5&0", 0);
	leads_to("0: finalize; 1: finalize; 1: end; 2: recv 0 1", "0&2&3&4&5 2&0", 0);
}

static void neighbourhoods(void **state)
{
	(void)state;
	leads_to("1: neighbours on 2", "1&0&2", 0);
	leads_to("0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2", "0&5 2&3", 0);
	leads_to("0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 1: neighbours on 2",
	         "0&5 1&0&2 2&3", 0);
	leads_to(
		"0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 4: neighbours on 2;"
		"5: neighbours on 2",
		"", 0);
}

static void windows(void **state)
{
	(void)state;
	leads_to("0: start 1 2 on 1; 1: post 0 on 1", "0&2", 0);
	leads_to(
		"0: start 1 2 on 1; 1: post 0 on 1; 2: post 0 on 1; 0: complete on 1; 1: wwait on 1; 2: wwait on 1",
		"", 0);
	leads_to("0: start 1 on 1; 1: post 0 on 1; 1: wwait on 1", "1&0", 0);
	leads_to("0: start 1 on 1; 0: complete on 1; 0: start 1 on 1; 1: post 0 on 1; 1: wwait on 1", "0&1",
	         0);
	leads_to("0: slock 1 on 1; 2: slock 1 on 1; 3: slock 1 on 1", "", 0);
	leads_to("0: lock 1 on 1; 0: unlock 1 on 1; 2: lock 1 on 1; 2: unlock 1 on 1", "", 0);
	/* Who comes first gets it; who has gone on has it. */
	leads_to_with(1, "0: lock 1 on 1; 2: lock 1 on 1; 3: lock 2 on 1", "2&0", 0);
	leads_to_with(1, "0: slock 1 on 1; 2: lock 1 on 1; 0: unlock 1 on 1", "", 0);
	leads_to_with(1, "0: lock 1 on 1; 2: lock 1 on 1; 2: recv 0 5", "2&0", 0);
	leads_to_with(1, "0: lock 1 on 1; 0: recv 2 5; 2: lock 1 on 1; 2: unlock 1 on 1", "0&2 2&0", 0);
}

static void threads(void **state)
{
	(void)state;
	leads_to("0: recv 1 5; 0.1: send 2 5; 2: recv 0 5", "0&1", 1);
	leads_to("0: recv 1 5; 0.1: send 2 5; 0.2: barrier on 1", "0&1 0.1&2 0.2&1&2&3&4&5", 0);
	leads_to("0: send 0 5; 0.1: recv 0 5", "", 1);
	/* A thread waits for what another one begins. */
	leads_to("0: send 1 1; 0: irecv 1 5 a; 0.1: wait a; 1: send 0 5", "0*&1 0.1? 1&0", 0);
	leads_to("0: send 1 1; 0: irecv 1 5 a; 0.1: wait a; 1: recv 0 1; 1: send 0 5", "", 2);
}

static void one_that_is_let_pass(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: send 1 5; 0: recv 1 5; 1: send 0 5; 1: recv 0 5", lines);
	char seen[512];

	(void)state;
	set_up_run();
	execute_shuffled(lines, count, 0);
	course_let_pass(test.run->course,
	                course_process_of(test.run->course, test.processes[0])->threads.items[0]);
	describe(seen, sizeof seen);
	assert_string_equal(seen, "");
	assert_int_equal(test.matched, 2);
	clean_up_run();
}

/* It costs a few bytes for each step, and nothing when all is done. */
static void memory_is_bounded(void **state)
{
	enum { STEPS = 300000 };
	struct line send, receive;
	struct message_writer body = {0};
	uint32_t number;

	(void)state;
	parse_line("0: send 1 5", 11, &send);
	parse_line("1: recv 0 5", 11, &receive);
	set_up_run();
	number = say_call(&send, 0);
	for (uint32_t i = 0; i < STEPS; i++) {
		put_change(&body, CHANGE_BEGINS);
		put_number(&body, number);
	}
	say(0, MESSAGE_EVENTS, &body);
	assert_int_equal(test.run->course->queued, STEPS - 1);
	assert_int_equal(test.run->course->operation_count, 1);
	assert_true(test.run->course->queued_bytes < 12 * STEPS);
	number = say_call(&receive, 5);
	for (uint32_t i = 0; i < STEPS; i++) {
		put_change(&body, CHANGE_BEGINS);
		put_number(&body, number);
	}
	say(1, MESSAGE_EVENTS, &body);
	assert_int_equal(test.matched, STEPS);
	assert_int_equal(test.run->course->queued, 0);
	assert_int_equal(test.run->course->operation_count, 0);
	clean_up_run();
}

static void what_breaks_rules(void **state)
{
	static const uint8_t wrong[][6] = {
		{0, CHANGE_BEGINS, 9},    {0, CHANGE_TAKES, 1, 0, 0},
		{0, CHANGE_WAITS, 1, 0},  {0, CHANGE_COMPLETES, 1, 1},
		{0, CHANGE_DROPS, 0, 0},  {0, CHANGE_THREAD, 0xff, 0xff, 0xff, 1},
		{0, CHANGE_WINDOW, 3, 0}, {0, CHANGE_ENDS + 1, 0, 0},
	};

	(void)state;
	set_up_run();
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct cursor in = {.at = wrong[i], .end = wrong[i] + sizeof wrong[i]};
		assert_false(analysis_frame(test.run, test.processes[0], MESSAGE_EVENTS, &in));
	}
	clean_up_run();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends_wait_for_receives),
		cmocka_unit_test(a_process_far_ahead_catches_up),
		cmocka_unit_test(wildcards_take_what_they_took),
		cmocka_unit_test(one_receive_helps_one_send),
		cmocka_unit_test(waits_for_any),
		cmocka_unit_test(what_never_happened),
		cmocka_unit_test(probes),
		cmocka_unit_test(two_at_a_time),
		cmocka_unit_test(collectives),
		cmocka_unit_test(neighbourhoods),
		cmocka_unit_test(windows),
		cmocka_unit_test(threads),
		cmocka_unit_test(one_that_is_let_pass),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(what_breaks_rules),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
