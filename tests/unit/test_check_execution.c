/* The strict execution of calls that are written as text (execution_text.h). Processes tell their lines in their order, and any order between them
 * gives the same state at the end. */
#include "execution_text.h"
#include "sanitized.h"

enum { SEEDS = SANITIZED ? 10 : 60 };

/* What came out of it */

static void on_matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	(void)owner;
	(void)send;
	(void)receive;
	test.matched++;
}

static uint32_t began, freed;

static void on_began(void *owner, struct executed_operation *operation)
{
	(void)owner;
	assert_true(operation->state & OPERATION_BEGUN);
	began++;
}

static void on_freed(void *owner, struct executed_operation *operation)
{
	(void)owner;
	(void)operation;
	freed++;
}

static void on_over(void *owner, struct executed_operation *operation)
{
	(void)owner;
	if (operation->call->operation == OPERATION_RECEIVE && !(operation->state & OPERATION_BUFFERED))
		assert_true(operation->state & OPERATION_MATCHED);
}

static void set_up_run(void)
{
	const struct execution_listener listener = {
		.began = on_began, .matched = on_matched, .over = on_over, .freed = on_freed};

	test.matched = 0;
	began = freed = 0;
	set_up_processes();
	execution_listen(test.run->execution, &listener);
}

struct seen_wait {
	char *text;
	size_t used, room;
};

static void on_wait(void *owner, struct executed_thread *thread, uint32_t group, bool is_one_of,
                    struct executed_process *process, const struct analysed_comm *comm, const char *why,
                    struct executed_operation *operation)
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

/* "0 waits&1 3.2 waits|any; 2 matched": blocked threads and those for which they wait; a star: the program has continued. */
static void describe(char *text, size_t room)
{
	struct seen_wait seen = {.text = text, .room = room};

	text[0] = '\0';
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		const struct executed_process *process = executed_process_of(test.run->execution,
		                                                             test.processes[rank]);
		for (size_t i = 0; process && i < process->threads.count; i++) {
			struct executed_thread *thread = process->threads.items[i];
			if (!thread || thread->blocked == BLOCKED_NOT)
				continue;
			seen.used += (size_t)snprintf(text + seen.used, room - seen.used,
			                              thread->number ? "%s%u.%u%s" : "%s%u%.0u%s",
			                              seen.used ? " " : "", rank, thread->number,
			                              thread->has_more ? "*" : "");
			execution_waits(test.run->execution, thread, on_wait, &seen);
		}
	}
}

static void clean_up_run(void)
{
	analysis_free(test.run);
	assert_int_equal(began, freed);
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

/* Does any order lead to this state, with this many messages matched? */
static void leads_to(const char *program, const char *expected, uint32_t matched)
{
	leads_to_with(SEEDS, program, expected, matched);
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

/* Two sends, one receive with a wildcard: one of them may continue. */
static void one_receive_helps_one_send(void **state)
{
	(void)state;
	leads_to("0: irecv any 5 a; 0: barrier on 1; 1: ssend 0 5", "0&1&2&3&4&5 1?", 0);
	leads_to("0: irecv any 5 a; 0: recv 1 5; 1: ssend 0 5", "0|1|any 1?", 0);
	/* It is unknown which of the two sends the wildcard took. */
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
	leads_to("2: irecv any 1 a; 2: recv 1 9; 0: ssend 2 1; 0: barrier; 1: barrier",
	         "0&2&3&4&5 1&2&3&4&5 2&1", 0);
	leads_to("2: irecv any 1 a; 2: recv 1 9; 0: isend 2 1 a; 0: wait a; 0: barrier; 1: barrier",
	         "0&2&3&4&5 1&2&3&4&5 2&1", 0);
	leads_to(
		"2: irecv any 1 a; 2: recv 1 9; 0: isend 2 1 a; 0: irecv 4 1 b; 0: waitany a b; 0: completes a; 0: barrier; 1: barrier",
		"0&2&3&4&5 1&2&3&4&5 2&1", 0);
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
	leads_to("0: irecv 1 1 a; 0: completes a; 0: recv 2 1", "0*?", 0);
	leads_to("0: waitany; 0: wait; 0: recv 1 1", "0&1", 0);
}

/* A completed operation does not end a wait for the others; a wait for any needs no other. */
static void waits_for_what_is_over(void **state)
{
	(void)state;
	leads_to("0: irecv 1 1 a; 0: irecv 2 1 b; 0: wait a; 0: wait a b; 0: recv 3 1; 1: send 0 1", "0*&2",
	         1);
	leads_to("0: irecv 1 1 a; 0: irecv 2 1 b; 0: drop a; 0: wait b a; 1: send 0 1; 2: send 0 1", "", 2);
	leads_to("0: isend 1 1 a; 0: irecv 2 1 b; 0: drop a; 0: wait a b; 1: recv 0 1", "0&2", 1);
	leads_to("0: irecv 1 1 a; 0: irecv 2 1 b; 0: wait a; 0: waitany a b; 1: send 0 1", "", 1);
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
	/* Different functions are never complete; processes whose program continued do so. */
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
	/* The first one gets it; a process whose program continued has it. */
	leads_to_with(1, "0: lock 1 on 1; 2: lock 1 on 1; 3: lock 2 on 1", "2&0", 0);
	leads_to_with(1, "0: slock 1 on 1; 2: lock 1 on 1; 0: unlock 1 on 1", "", 0);
	leads_to_with(1, "0: lock 1 on 1; 2: lock 1 on 1; 2: recv 0 5", "2&0", 0);
	leads_to_with(1, "0: lock 1 on 1; 0: recv 2 5; 2: lock 1 on 1; 2: unlock 1 on 1", "0&2 2&0", 0);
	leads_to_with(1, "0: lock 1 on 1; 2: lockall any on 1", "2&0", 0);
	/* Libraries may take a lock only when it is needed. */
	leads_to_with(1, "0: lock 1 on 1; 2: lock 1 on 1; 2: flush 1 on 1", "2&0", 0);
	leads_to_with(1, "0: lock 1 on 1; 2: lock 1 on 1; 2: flushlocal 1 on 1", "2&0", 0);
	leads_to_with(1, "0: lock 1 on 1; 2: lockall any on 1; 2: flush 1 on 1", "2&0", 0);
	leads_to_with(1, "0: lock 1 on 1; 2: lockall any on 1; 2: flush 3 on 1", "", 0);
}

/* A thread that is freed in a lock wakes no other: threads that were woken before are freed, too. */
static void the_end_in_locks(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(
		"5: slock 3; 0: lock 3; 0: unlock 3; 1: slock 3; 1: unlock 3\n"
		"5: slock 3 on 1; 2: lock 3 on 1; 2: unlock 3 on 1; 4: slock 3 on 1; 4: unlock 3 on 1",
		lines);
	char text[256];

	(void)state;
	set_up_run();
	execute_shuffled(lines, count, 0);
	describe(text, sizeof text);
	assert_string_equal(text, "0&5 1&0 2&5 4&2");
	clean_up_run();
}

/* A thread is blocked in a window that all processes have freed. Its end, and its going on, use the window. */
static void the_end_in_a_freed_window(void **state)
{
	static const char *const starts[] = {"0: start 1 on 1;", "0: post 1 on 1; 0: wwait on 1;",
	                                     "1: lock 2 on 1; 0: lock 2 on 1;"};
	static const char rest[] = "0.1: ends 1; 1: ends 1; 2: ends 1; 3: ends 1; 4: ends 1; 5: ends 1";
	char program[256], seen[64];

	(void)state;
	for (size_t i = 0; i < 2 * sizeof starts / sizeof *starts; i++) {
		struct message_writer nothing = {0};
		struct line lines[LINES_MAX];

		set_up_run();
		snprintf(program, sizeof program, "%s %s", starts[i / 2], rest);
		execute_shuffled(lines, parse(program, lines), 0);
		for (uint32_t rank = 0; rank < RANKS; rank++)
			say(rank, MESSAGE_FORGET, &nothing);
		describe(seen, sizeof seen);
		assert_string_equal(seen, "0&1");
		if (i % 2)
			execution_let_pass(test.run->execution,
			                   test.processes[0]->execution->threads.items[0]);
		clean_up_run();
	}
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

/* Calls that another thread of the process has really left precede the lock, although their
 * partners have not arrived. */
static void threads_after_others(void **state)
{
	static const char barriers[] = "1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier";
	char program[256];

	(void)state;
	leads_to("0: barrier; 0: left; 0.1: lock 1 on 1", "0&1&2&3&4&5 0.1*&0", 0);
	leads_to("0: barrier; 0.1: lock 1 on 1", "0&1&2&3&4&5", 0);
	leads_to("0: send 1 5; 0: left; 0: recv 1 5; 0.1: lock 1 on 1", "0*&1 0.1*&0", 0);
	leads_to("0: send 1 5; 0: left; 0: recv 1 5; 0.1: lock 1 on 1; 1: recv 0 5", "0&1", 1);
	/* The next call of the other thread does not hold it up. */
	snprintf(program, sizeof program, "0: barrier; 0: left; 0: recv 1 5; 0.1: lock 1 on 1; %s", barriers);
	leads_to(program, "0&1", 0);
	/* Calls that do not access window memory wait for no other. */
	leads_to("0: barrier; 0: left; 0.1: send 1 5; 1: recv 0 5", "0&1&2&3&4&5", 1);
}

static void one_that_is_let_pass(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: send 1 5; 0: recv 1 5; 1: send 0 5; 1: recv 0 5", lines);
	char seen[512];

	(void)state;
	set_up_run();
	execute_shuffled(lines, count, 0);
	execution_let_pass(test.run->execution,
	                   executed_process_of(test.run->execution, test.processes[0])->threads.items[0]);
	describe(seen, sizeof seen);
	assert_string_equal(seen, "");
	assert_int_equal(test.matched, 2);
	clean_up_run();
}

/* A probe saw the second message because MPI buffered the first one: no process waits. */
static void what_a_probe_found(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(
		"1: send 0 1; 1: send 2 1; 1: send 0 2; 2: recv 1 1; 0: iprobe any 2 a; 0: takes a 1 2;"
		"0: recv 1 2; 0: recv 1 1",
		lines);
	char seen[512];

	(void)state;
	set_up_run();
	execute_shuffled(lines, count, 0);
	describe(seen, sizeof seen);
	assert_string_equal(seen, "0*? 1*&0 2&1");
	execution_help_tested(test.run->execution);
	describe(seen, sizeof seen);
	assert_string_equal(seen, "");
	assert_int_equal(test.matched, 3);
	clean_up_run();
}

/* It costs a few bytes for each step, and nothing when all is done. */
static void memory_is_bounded(void **state)
{
	enum { STEPS = SANITIZED ? 50000 : 300000 };
	struct line send, receive;
	struct message_writer body = {0};
	uint32_t number;

	(void)state;
	parse_line("0: send 1 5", 11, &send);
	parse_line("1: recv 0 5", 11, &receive);
	set_up_run();
	number = say_call(&send, 0);
	for (uint32_t i = 0; i < STEPS; i++)
		put_number(&body, number);
	say(0, MESSAGE_EVENTS, &body);
	assert_int_equal(test.run->execution->queued, STEPS - 1);
	assert_int_equal(test.run->execution->operation_count, 1);
	assert_true(test.run->execution->queued_bytes < 12 * STEPS);
	number = say_call(&receive, 5);
	for (uint32_t i = 0; i < STEPS; i++)
		put_number(&body, number);
	say(1, MESSAGE_EVENTS, &body);
	assert_int_equal(test.matched, STEPS);
	assert_int_equal(test.run->execution->queued, 0);
	assert_int_equal(test.run->execution->operation_count, 0);
	clean_up_run();
}

static void what_breaks_rules(void **state)
{
	static const uint8_t wrong[][6] = {
		{9},
		{0, CHANGE_TAKES, 1, 0, 0},
		{0, CHANGE_WAITS, 1, 0},
		{0, CHANGE_COMPLETES, 1, 1},
		{0, CHANGE_DROPS, 0, 0},
		{0, CHANGE_THREAD, 0xff, 0xff, 0xff, 1},
		{0, CHANGE_WINDOW, 3, 0},
		{0, CHANGE_ENDS + 1, 0, 0},
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
		cmocka_unit_test(waits_for_what_is_over),
		cmocka_unit_test(what_never_happened),
		cmocka_unit_test(probes),
		cmocka_unit_test(two_at_a_time),
		cmocka_unit_test(collectives),
		cmocka_unit_test(neighbourhoods),
		cmocka_unit_test(windows),
		cmocka_unit_test(the_end_in_locks),
		cmocka_unit_test(the_end_in_a_freed_window),
		cmocka_unit_test(threads),
		cmocka_unit_test(threads_after_others),
		cmocka_unit_test(one_that_is_let_pass),
		cmocka_unit_test(what_a_probe_found),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(what_breaks_rules),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
