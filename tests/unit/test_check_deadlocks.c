/* Verdicts on executions that are written as text (execution_text.h): which deadlocks, potential ones and hangs are found, whatever the order in which
 * processes tell. Time passes only when a test says so. */
#include "check/execution/blocked_graph.h"
#include "check/execution/deadlocks.h"

#include "execution_text.h"

enum { ASKED_MAX = 64, STEP_MS = 10 };

static struct {
	struct deadlocks *deadlocks;
	uint64_t now, heard;
	struct {
		uint32_t rank;
		uint64_t question;
		bool wants_stacks;
	} asked[ASKED_MAX];
	uint32_t asked_count, stacks_asked;
	bool is_stopped;
	char stuck[64];
	char found[4096];
	/* What agents do: those with a bit set here … */
	uint32_t silent;     /* … do not answer */
	uint32_t elsewhere;  /* … have left their calls */
	uint32_t inside;     /* … are in calls that no process keeps from returning */
	uint32_t threaded;   /* … have a thread that is in no call */
	uint32_t asleep;     /* … have threads outside of MPI that wait for the others */
	uint32_t misleading; /* … answer nonsense */
	uint32_t polling;    /* … make calls without events */
	uint32_t vanishing;  /* … end when they are asked */
} verdict;

/* Findings as text: "deadlock.cycle 0w 1w 0>1 1>0 behind=2" */
uint32_t __real_findings_log_add(struct findings_log *log, const struct check_finding *finding);
uint32_t __wrap_findings_log_add(struct findings_log *log, const struct check_finding *finding);

static void add_text(const char *format, ...)
{
	size_t used = strlen(verdict.found);
	va_list values;

	va_start(values, format);
	vsnprintf(verdict.found + used, sizeof verdict.found - used, format, values);
	va_end(values);
}

uint32_t __wrap_findings_log_add(struct findings_log *log, const struct check_finding *finding)
{
	if (strcmp(check_info(finding->check)->group, "deadlock") == 0) {
		add_text("%s%s", verdict.found[0] ? "; " : "", check_info(finding->check)->id);
		for (uint32_t i = 0; i < finding->call_count; i++)
			add_text(" %u%.1s", finding->calls[i].rank, finding->calls[i].note);
		for (uint32_t i = 0; i < finding->wait_count; i++)
			add_text(" %u%s%u", finding->calls[finding->waits[i].from].rank,
			         finding->waits[i].is_one_of ? "|" : ">",
			         finding->calls[finding->waits[i].to].rank);
		for (uint32_t i = 0; i < finding->value_count; i++)
			if (strcmp(finding->values[i].name, "processes") != 0 && finding->values[i].text[0] &&
			    strcmp(finding->values[i].name, "comm") != 0)
				add_text(" %s=%s", finding->values[i].name, finding->values[i].text);
	}
	return __real_findings_log_add(log, finding);
}

/* Agents */

static void on_ask(void *owner, struct analysed_process *process, uint64_t question, bool wants_stacks)
{
	(void)owner;
	assert_true(verdict.asked_count < ASKED_MAX);
	verdict.asked[verdict.asked_count].rank = process->rank;
	verdict.asked[verdict.asked_count].question = question;
	verdict.asked[verdict.asked_count++].wants_stacks = wants_stacks;
	verdict.stacks_asked += wants_stacks;
}

static void on_stop(void *owner, struct analysed_process *const *stuck, uint32_t count)
{
	(void)owner;
	assert_false(verdict.is_stopped);
	verdict.is_stopped = true;
	for (uint32_t i = 0; i < count; i++)
		snprintf(verdict.stuck + strlen(verdict.stuck), sizeof verdict.stuck - strlen(verdict.stuck),
		         "%u", stuck[i]->rank);
}

static uint32_t call_number(const struct analysed_process *process, const struct analysed_call *call)
{
	for (uint32_t i = 0; i < process->calls.count; i++)
		if (process->calls.items[i] == call)
			return i;
	return 0;
}

static void answer_stacks(uint32_t rank, uint64_t question, bool waits)
{
	struct check_call call = {.world = 1,
	                          .rank = rank,
	                          .function = waits ? CALL_Recv : CALL_Iprobe,
	                          .note = waits ? NOTE_WAITS : NOTE_RUNS,
	                          .arguments = ""};
	struct message_writer body = {0};
	struct cursor in;

	put_number(&body, question);
	put_number(&body, 1);
	call_put(&body, &call);
	in = writer_cursor(&body);
	assert_true(deadlocks_stacks(verdict.deadlocks, test.processes[rank], &in));
	writer_release(&body);
}

static void answer(uint32_t rank, uint64_t question, bool wants_stacks)
{
	const struct executed_process *process = executed_process_of(test.run->execution,
	                                                             test.processes[rank]);
	struct thread_state states[8] = {{0}};
	struct check_answer reply = {.question = question, .threads = states};
	static uint64_t polled;
	bool waits = false;

	if (verdict.silent >> rank & 1)
		return;
	if (verdict.vanishing >> rank & 1) {
		executed_process_ended(test.run->execution, test.processes[rank], END_VANISHED);
		return;
	}
	for (size_t i = 0; i < process->threads.count; i++) {
		const struct executed_thread *thread = process->threads.items[i];
		if (!thread)
			continue;
		states[reply.thread_count++] = (struct thread_state){
			.thread = thread->number,
			.call = call_number(test.processes[rank], thread->call),
			.is_in_call = (thread->blocked != BLOCKED_NOT || verdict.inside >> rank & 1) &&
		                      !(verdict.elsewhere >> rank & 1),
			.is_asleep = thread->blocked == BLOCKED_NOT && verdict.asleep >> rank & 1,
			.entered = verdict.polling >> rank & 1 ? ++polled : 1};
		waits |= states[reply.thread_count - 1].is_in_call;
	}
	if (verdict.threaded >> rank & 1)
		states[reply.thread_count++] = (struct thread_state){.thread = 77};
	if (verdict.misleading >> rank & 1) {
		reply.question += 1000;
		deadlocks_answer(verdict.deadlocks, test.processes[rank], &reply);
		reply.question = question;
		states[0].thread = 4000000000u;
		states[0].call = 4000000000u;
	}
	deadlocks_answer(verdict.deadlocks, test.processes[rank], &reply);
	if (wants_stacks)
		answer_stacks(rank, question, waits);
}

static void pass_time(uint32_t ms)
{
	for (uint32_t i = 0; i < ms; i += STEP_MS) {
		uint32_t asked;
		verdict.now += STEP_MS;
		deadlocks_tick(verdict.deadlocks, verdict.now, verdict.heard);
		asked = verdict.asked_count;
		verdict.asked_count = 0;
		for (uint32_t j = 0; j < asked; j++)
			answer(verdict.asked[j].rank, verdict.asked[j].question,
			       verdict.asked[j].wants_stacks);
	}
}

/* Programs */

static void begin_run(uint32_t timeout)
{
	static const struct deadlock_callbacks callbacks = {.ask = on_ask, .stop = on_stop};

	set_up_processes();
	verdict.deadlocks = deadlocks_new(test.run->execution, test.run->ordering, test.log, &callbacks);
	deadlocks_set_hang_timeout(verdict.deadlocks, timeout);
	verdict.now = 1000;
	verdict.heard = 0;
	verdict.asked_count = verdict.stacks_asked = 0;
	verdict.is_stopped = false;
	verdict.stuck[0] = verdict.found[0] = '\0';
}

static void end_run(void)
{
	deadlocks_end(verdict.deadlocks);
	analysis_free(test.run);
	deadlocks_free(verdict.deadlocks);
}

static void execute(const struct line *lines, uint32_t count, uint32_t seed, bool is_slow)
{
	uint32_t next[RANKS] = {0}, done = 0;

	while (done < count) {
		const uint32_t rank = seed ? next_random(&seed) % RANKS : lines[done].rank;
		while (next[rank] < count && lines[next[rank]].rank != rank)
			next[rank]++;
		if (next[rank] == count)
			continue;
		execute_line(&lines[next[rank]++]);
		verdict.heard++;
		done++;
		/* Sometimes others are a little later. */
		if (is_slow && seed % 3 == 1)
			pass_time(2 * STEP_MS);
	}
}

static void gives_after(uint32_t ms, const char *program, const char *expected, bool is_stopped)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	for (uint32_t seed = 0; seed < 20; seed++) {
		begin_run(0);
		execute(lines, count, seed, !is_stopped);
		pass_time(ms);
		/* Others that are not stuck could get into a knot of their own before the run is ended. */
		if (is_stopped && strcmp(verdict.found, expected) == 0)
			pass_time(OTHERS_MS);
		end_run();
		if (strcmp(verdict.found, expected) != 0 || verdict.is_stopped != is_stopped)
			fail_msg("seed %u: '%s' instead of '%s'\n%s", seed, verdict.found, expected, program);
	}
}

/* Deadlocks are found within 100 ms of being heard of. */
static void is_deadlock(const char *program, const char *expected)
{
	gives_after(100, program, expected, true);
}

static void is_potential(const char *program, const char *expected)
{
	gives_after(300, program, expected, false);
}

static void is_right(const char *program)
{
	gives_after(300, program, "", false);
}

static void cycles_are_deadlocks(void **state)
{
	(void)state;
	is_deadlock("0: recv 1 5; 1: recv 0 5", "deadlock.cycle 0w 1w 0>1 1>0");
	is_deadlock("0: ssend 1 5; 1: ssend 0 5", "deadlock.cycle 0w 1w 0>1 1>0");
	is_deadlock("0: recv 1 5; 1: recv 2 5; 2: recv 0 5", "deadlock.cycle 0w 1w 2w 0>1 1>2 2>0");
	is_deadlock("3: recv 3 5", "deadlock.cycle 3w 3>3");
	is_deadlock("0: recv 1 5; 1: recv 0 5; 2: recv 0 5; 3: send 2 1",
	            "deadlock.cycle 0w 1w 2b 3b 0>1 1>0 2>0 3>2 behind=2-3");
	is_deadlock("0: recv 1 5; 1: recv 0 5; 2: recv 3 5 on 1; 3: ssend 2 6 on 1; 4: recv 2 5",
	            "deadlock.cycle 0w 1w 0>1 1>0; deadlock.cycle 2w 3w 4b 2>3 3>2 4>2 behind=4");
}

/* A second knot, which forms when the first has been reported. */
static void later_knots_are_reported(void **state)
{
	struct line lines[LINES_MAX];

	(void)state;
	begin_run(0);
	execute(lines, parse("0: recv 1 5; 1: recv 0 5", lines), 0, false);
	pass_time(100);
	assert_string_equal(verdict.found, "deadlock.cycle 0w 1w 0>1 1>0");
	assert_false(verdict.is_stopped);
	execute(lines, parse("2: recv 3 5; 3: recv 2 5; 4: send 5 1; 5: send 4 1", lines), 0, false);
	pass_time(100);
	assert_string_equal(verdict.found, "deadlock.cycle 0w 1w 0>1 1>0; deadlock.cycle 2w 3w 2>3 3>2;"
	                                   " deadlock.cycle 4w 5w 4>5 5>4");
	assert_true(verdict.is_stopped);
	assert_string_equal(verdict.stuck, "012345");
	end_run();
	/* A knot whose processes do not answer does not block anything forever. */
	begin_run(0);
	verdict.silent = 1 << 3;
	execute(lines, parse("0: recv 1 5; 1: recv 0 5; 2: recv 3 5; 3: recv 2 5", lines), 0, false);
	pass_time(100);
	assert_string_equal(verdict.found, "deadlock.cycle 0w 1w 0>1 1>0");
	assert_false(verdict.is_stopped);
	pass_time(LAST_MS);
	assert_true(verdict.is_stopped);
	end_run();
	verdict.silent = 0;
	assert_string_equal(verdict.found, "deadlock.cycle 0w 1w 0>1 1>0");
}

/* While agents are asked about one cycle, another one closes through the same call. */
static void cycles_through_one_call_are_one_deadlock(void **state)
{
	struct line lines[LINES_MAX];

	(void)state;
	begin_run(0);
	execute(lines, parse("2: irecv 3 5 a; 2: irecv 1 5 b; 2: wait a b; 3: recv 2 5", lines), 0, false);
	pass_time(30);
	assert_string_equal(verdict.found, "");
	execute(lines, parse("1: recv 2 5; 0: recv 1 5", lines), 0, false);
	pass_time(OTHERS_MS + 200);
	assert_null(strstr(verdict.found, "; deadlock"));
	assert_true(verdict.is_stopped);
	end_run();
}

static void deadlocks_of_requests(void **state)
{
	(void)state;
	is_deadlock("0: irecv 1 5 a; 0: wait a; 1: recv 0 5", "deadlock.cycle 0w 0b 1w 0>1 1>0");
	is_deadlock("0: isend 1 5 a; 0: irecv 1 5 b; 0: wait a b; 1: recv 0 5; 1: recv 0 5",
	            "deadlock.cycle 0w 0b 1w 0>1 1>0");
	is_deadlock("0: tsend 1 5 a; 0: trecv 1 5 b; 0: wait a b; 1: probe 0 6",
	            "deadlock.cycle 0w 1w 0>1 0>1 1>0");
}

static void one_of_several_may_help(void **state)
{
	(void)state;
	is_deadlock("0: irecv 1 5 a; 0: irecv 2 5 b; 0: waitany a b; 1: recv 0 5; 2: recv 0 5",
	            "deadlock.cycle 0w 0b 0b 1w 2w 0|1 0|2 1>0 2>0");
	is_right("0: irecv 1 5 a; 0: irecv 2 5 b; 0: waitany a b; 1: recv 0 5");
	is_deadlock("0: recv any 5; 1: recv 0 5; 2: recv 0 5; 3: recv 0 5; 4: recv 0 5; 5: recv 0 5",
	            "deadlock.cycle 0w 1w 2w 3w 4w 5w 0|1 0|2 0|3 0|4 0|5 1>0 2>0 3>0 4>0 5>0");
	is_right("0: recv any 5; 1: recv 0 5; 2: recv 0 5; 3: recv 0 5; 4: recv 0 5");
}

static void collectives_wait_for_all(void **state)
{
	(void)state;
	is_deadlock("0: recv 1 5; 1: barrier", "deadlock.cycle 0w 1w 0>1 1>0");
	is_deadlock("0: barrier; 1: barrier on 1; 2: barrier; 3: barrier",
	            "deadlock.cycle 0w 1w 2b 3b 0>1 1>0 2>1 3>1 behind=2-3");
	is_deadlock("0: barrier; 1: bcast; 2: barrier; 3: barrier; 4: barrier; 5: barrier",
	            "deadlock.mismatch 0w 1w 2b 3b 4b 5b 0>1 1>0 2>1 3>1 4>1 5>1 behind=2-5");
}

static void who_has_finalized_is_waited_for_in_vain(void **state)
{
	(void)state;
	is_deadlock("0: recv 1 5; 1: finalize", "deadlock.finished-process 0w 1e 0>1 1>0 finished=1 ended=1");
	is_deadlock("0: recv 1 5; 1: finalize; 1: end",
	            "deadlock.finished-process 0w 1e 0>1 finished=1 ended=1");
	is_deadlock("0: barrier; 1: finalize; 2: barrier",
	            "deadlock.finished-process 0w 1e 2b 0>1 1>0 2>1 behind=2 finished=1 ended=1");
}

static void sends_that_were_buffered(void **state)
{
	(void)state;
	is_potential("0: send 1 5; 0: recv 1 5; 1: send 0 5; 1: recv 0 5; 0: barrier; 1: barrier",
	             "deadlock.potential-send 0w 1w 0>1 1>0");
	/* They have ended before anything is looked at. */
	is_potential(
		"0: send 1 5; 0: recv 1 5; 0: finalize; 1: send 0 5; 1: recv 0 5; 1: finalize; 0: end; 1: end",
		"deadlock.potential-send 0w 1w 0>1 1>0");
	is_potential("0: send 0 5; 0: recv 0 5; 0: barrier", "deadlock.potential-send 0w 0>0");
	is_potential(
		"0: isend 1 5 a; 0: wait a; 0: recv 1 5; 1: isend 0 5 a; 1: wait a; 1: recv 0 5; 0: barrier; 1: barrier",
		"deadlock.potential-send 0w 0b 1w 1b 0>1 1>0");
	/* One of them waits for its partner, whatever the size. */
	is_potential("0: send 1 5; 0: recv 1 5; 1: ssend 0 5; 1: recv 0 5; 0: barrier; 1: barrier",
	             "deadlock.potential-send 0w 1w 0>1 1>0");
	is_right("0: isend 1 5 a; 0: recv 1 5; 0: wait a; 1: send 0 5; 1: recv 0 5; 0: barrier; 1: barrier");
	is_right("0: send 1 5; 0: recv 1 5; 1: recv 0 5; 1: send 0 5; 0: barrier; 1: barrier");
	is_right("0: bsend 1 5; 0: recv 1 5; 1: bsend 0 5; 1: recv 0 5; 0: barrier; 1: barrier");
}

/* A message without a receive is lost, and reported as such. */
static void lost_messages_are_no_deadlocks(void **state)
{
	(void)state;
	is_right("0: send 1 5; 0: finalize; 1: finalize; 0: end");
	is_right("0: send 1 5; 0: barrier; 1: barrier");
	is_right("0: send 1 5; 0: barrier; 0: recv 1 6; 1: barrier; 1: send 0 6");
}

static void collectives_that_did_not_wait(void **state)
{
	(void)state;
	is_potential("0: bcast; 0: send 1 5; 1: recv 0 5; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast",
	             "deadlock.potential-collective 0w 1w 0>1 1>0");
	is_right("0: bcast; 0: send 1 5; 1: bcast; 1: recv 0 5; 2: bcast; 3: bcast; 4: bcast; 5: bcast");
	/* Somebody never comes: that is another mistake. */
	is_right("0: bcast; 0: send 1 5; 1: recv 0 5; 2: bcast; 3: bcast; 4: bcast; 5: bcast");
}

/* A test says whether something is complete: it would not have waited. */
static void tests_do_not_wait(void **state)
{
	(void)state;
	is_right(
		"0: irecv 1 5 a; 0: completes a; 0: send 1 6; 1: send 0 7; 1: send 0 5; 1: recv 0 6; 0: recv 1 7; 0: barrier; 1: barrier");
	is_right(
		"0: iprobe 1 5; 0: completes last; 0: recv 1 7; 0: recv 1 5; 1: send 0 7; 1: send 0 5; 0: barrier; 1: barrier");
}

static void threads_help_each_other(void **state)
{
	(void)state;
	is_right("0: recv 0 5; 0.1: barrier on 1; 0.1: send 0 5; 1: recv 0 6");
	is_deadlock("0: recv 1 5; 0.1: recv 1 6; 1: recv 0 5", "deadlock.cycle 0w 1w 0w 0>1 1>0 0>1");
	is_right("0: recv 1 5; 0.1: isend 2 6; 1: recv 0 5");
	/* One that waits for the others, outside of MPI, does not. */
	verdict.asleep = 1 << 0;
	is_deadlock("0: recv 1 5; 0.1: isend 2 6; 1: recv 0 5", "deadlock.cycle 0w 1w 0>1 1>0");
	verdict.asleep = 1 << 2;
	is_right("0: recv 1 5; 0.1: isend 2 6; 1: recv 0 5");
	verdict.asleep = 0;
	/* Agents are not asked about calls that were left: others may explain it. */
	is_right(
		"0: send 1 5; 0: isend 2 6; 0.1: isend 2 7; 1: send 0 5; 1: isend 2 7; 1.1: isend 2 8; 2: isend 2 9");
}

/* Agents */

static void expect_after(uint32_t ms, const char *found, bool is_stopped)
{
	pass_time(ms);
	assert_string_equal(verdict.found, found);
	assert_int_equal(verdict.is_stopped, is_stopped);
}

static void begin_deadlock(uint32_t timeout)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: recv 1 5; 1: recv 0 5", lines);

	begin_run(timeout);
	execute(lines, count, 0, false);
}

static void without_all_answers_nothing_is_certain(void **state)
{
	static uint32_t *const faults[] = {&verdict.silent, &verdict.elsewhere, &verdict.threaded,
	                                   &verdict.misleading};

	(void)state;
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		begin_deadlock(0);
		*faults[i] = 1 << 1;
		expect_after(5000, "", false);
		/* It was only slow. */
		*faults[i] = 0;
		expect_after(3000, "deadlock.cycle 0w 1w 0>1 1>0", true);
		assert_string_equal(verdict.stuck, "01");
		end_run();
	}
}

static void who_vanishes_meanwhile_is_no_deadlock(void **state)
{
	(void)state;
	begin_deadlock(0);
	verdict.vanishing = 1 << 0;
	expect_after(5000, "", false);
	verdict.vanishing = 0;
	end_run();
}

/* Between the two questions the program continues after all. */
static void what_moves_is_no_deadlock(void **state)
{
	struct line lines[LINES_MAX];
	uint32_t count = parse("0: recv 1 5; 1: recv 0 5; 1: drop last", lines);

	(void)state;
	begin_run(0);
	execute(lines, count - 1, 0, false);
	pass_time(30);
	execute_line(&lines[2]);
	count = parse("1.1: send 0 5; 1.1: barrier", lines);
	execute(lines, count, 0, false);
	expect_after(2000, "", false);
	end_run();
}

static void nothing_for_a_while_is_a_hang(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: recv 1 5; 2: recv 0 6; 1: isend 3 7", lines);

	(void)state;
	begin_run(20);
	execute(lines, count, 0, false);
	expect_after(19000, "", false);
	/* A process that sends events is not late. */
	verdict.heard++;
	expect_after(19000, "", false);
	verdict.polling = 1 << 1;
	expect_after(9000, "deadlock.hang 1l 0w 2w 0>1 2>0 seconds=20 late=1 more=0", true);
	verdict.polling = 0;
	end_run();
}

static void who_hangs_in_mpi_itself_is_late(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: recv 1 5; 2: recv 0 6; 1: isend 3 7", lines);

	(void)state;
	begin_run(20);
	execute(lines, count, 0, false);
	verdict.inside = 1 << 1;
	expect_after(30000, "deadlock.hang 1l 0w 2w 0>1 2>0 seconds=20 late=1 more=0", true);
	verdict.inside = 0;
	end_run();
}

/* Ranks that wait for any source, and the ranks they wait for. */
static void who_may_be_the_sender_is_late(void **state)
{
	static const char *const programs[][2] = {
		{"0: recv any 5; 1: isend 3 7; 2: recv 0 6; 3: isend 1 7", "late=1, 3-5 more=0"},
		{"0: recv any 5; 1: isend 3 7; 2: recv any 6; 3: recv 2 6", "late=1, 4-5 more=0"},
	};
	struct line lines[LINES_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		const uint32_t count = parse(programs[i][0], lines);

		begin_run(20);
		execute(lines, count, 0, false);
		pass_time(30000);
		if (!strstr(verdict.found, programs[i][1]) || !verdict.is_stopped)
			fail_msg("'%s' without '%s'", verdict.found, programs[i][1]);
		end_run();
	}
}

/* Its threads may be held: the run does not continue. */
static void who_is_asked_for_stacks_is_ended(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: recv 1 5; 2: recv 0 6; 1: isend 3 7", lines);

	(void)state;
	begin_run(20);
	execute(lines, count, 0, false);
	while (!verdict.stacks_asked && verdict.now < 100000)
		pass_time(STEP_MS);
	verdict.heard++;
	expect_after(STEP_MS, "deadlock.hang 1l 0w 2w 0>1 2>0 seconds=20 late=1 more=0", true);
	end_run();
}

static void who_computes_alone_is_no_hang(void **state)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse("0: isend 3 7; 1: isend 3 7", lines);

	(void)state;
	begin_run(20);
	execute(lines, count, 0, false);
	expect_after(100000, "", false);
	assert_int_equal(verdict.stacks_asked, 0); /* it would interrupt a program that continues */
	end_run();
	begin_run(0);
	execute(lines, count, 0, false);
	verdict.polling = 1;
	expect_after(100000, "", false);
	verdict.polling = 0;
	end_run();
}

/* Wildcards */

static void wildcards_that_could_take_another_message(void **state)
{
	(void)state;
	is_potential(
		"1: send 0 5; 2: send 0 5; 0: recv any 5; 0: takes last 1 5; 0: recv 2 5; 0: finalize; 1: finalize;"
		"2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end",
		"deadlock.potential-wildcard 0 0w 2s taken=1 instead=2");
	is_potential(
		"1: send 0 5; 2: send 0 5; 0: irecv any 5 a; 0: wait a; 0: takes a 1 5; 0: recv 2 5; 0: finalize; 1: finalize;"
		"2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end",
		"deadlock.potential-wildcard 0 0w 2s taken=1 instead=2");
	/* The second receive was posted before the first was complete: it cannot depend on the status. */
	is_potential(
		"1: send 0 5; 2: send 0 5; 0: irecv any 5 a; 0: irecv 2 5 b; 0: swait a b; 0: takes a 1 5; 0: finalize; 1: finalize;"
		"2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end",
		"deadlock.potential-wildcard 0 0w 2s taken=1 instead=2");
	/* It may name the source that the status did not show. */
	is_right(
		"1: send 0 5; 2: send 0 5; 0: srecv any 5; 0: takes last 1 5; 0: recv 2 5; 0: finalize; 1: finalize;"
		"2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end");
	is_right(
		"1: send 0 5; 2: send 0 5; 0: irecv any 5 a; 0: swait a; 0: takes a 1 5; 0: recv 2 5; 0: finalize; 1: finalize;"
		"2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end");
	is_right(
		"1: send 0 5; 2: send 0 5; 1: send 3 1; 3: recv 1 1; 0: irecv any 5 a; 0: takes a 1 5; 0: recv 2 5; 0: finalize;"
		"1: finalize; 2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end");
	/* The source is used afterwards, or another wildcard takes the rest, or it arrives later. */
	is_right(
		"1: send 0 5; 2: send 0 5; 0: recv any 5; 0: takes last 1 5; 0: send 1 6; 1: recv 0 6; 0: recv 2 5; 0: finalize;"
		"1: finalize; 2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end");
	is_right(
		"1: send 0 5; 2: send 0 5; 0: recv any 5; 0: takes last 1 5; 0: recv any 5; 0: takes last 2 5; 0: finalize;"
		"1: finalize; 2: finalize; 3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end");
	is_right(
		"1: send 0 5; 2: barrier; 2: send 0 5; 0: recv any 5; 0: takes last 1 5; 0: barrier; 0: recv 2 5; 1: barrier;"
		"3: barrier; 4: barrier; 5: barrier; 0: finalize; 1: finalize; 2: finalize; 3: finalize; 4: finalize; 5: finalize;"
		"0: end; 1: end; 2: end");
	is_right(
		"1: send 0 5; 2: send 0 6; 0: recv any 5; 0: takes last 1 5; 0: recv 2 6; 0: finalize; 1: finalize; 2: finalize;"
		"3: finalize; 4: finalize; 5: finalize; 0: end; 1: end; 2: end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(cycles_are_deadlocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(later_knots_are_reported, set_up, tear_down),
		cmocka_unit_test_setup_teardown(cycles_through_one_call_are_one_deadlock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(deadlocks_of_requests, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_of_several_may_help, set_up, tear_down),
		cmocka_unit_test_setup_teardown(collectives_wait_for_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_has_finalized_is_waited_for_in_vain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sends_that_were_buffered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lost_messages_are_no_deadlocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(collectives_that_did_not_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tests_do_not_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(threads_help_each_other, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_all_answers_nothing_is_certain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_vanishes_meanwhile_is_no_deadlock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_moves_is_no_deadlock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_for_a_while_is_a_hang, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_hangs_in_mpi_itself_is_late, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_may_be_the_sender_is_late, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_is_asked_for_stacks_is_ended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_computes_alone_is_no_hang, set_up, tear_down),
		cmocka_unit_test_setup_teardown(wildcards_that_could_take_another_message, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
