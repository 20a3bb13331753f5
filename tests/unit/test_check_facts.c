/* Two executions, each with half of the processes, that exchange only facts (facts.h): they match what one execution matches. */
#include "check/execution/facts.h"
#include "execution_text.h"

enum { SEEDS = 40, FACTS_MAX = 256, EVENTS_MAX = 64, OWN_RANKS = RANKS / 2 };

/* Matches and complete collective calls, as text. */
struct outcome {
	char events[EVENTS_MAX][48];
	uint32_t count;
	char blocked[256];
};

struct half {
	struct checked_run *run;
	struct analysed_process *processes[RANKS];
	struct carried_fact facts[FACTS_MAX]; /* its facts, in order */
	uint32_t told, heard;
	struct outcome *outcome;
};

static struct half halves[2];

static uint32_t half_of(uint32_t rank)
{
	return rank >= OWN_RANKS;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

static char *add_event(struct outcome *outcome)
{
	assert_true(outcome->count < EVENTS_MAX);
	return outcome->events[outcome->count++];
}

static void on_matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	snprintf(add_event(owner), sizeof halves->outcome->events[0], "%u#%llu to %u#%llu tag %d number %llu",
	         send->process->known->rank, (unsigned long long)send->number, receive->process->known->rank,
	         (unsigned long long)receive->number, receive->tag, (unsigned long long)send->sequence);
}

/* Its match never happened. */
static void on_cancelled(void *owner, struct executed_operation *operation)
{
	struct outcome *outcome = owner;
	char whose[48], text[48];
	uint32_t kept = 0;

	snprintf(whose, sizeof whose,
	         operation->call->operation == OPERATION_SEND ? " %u#%llu to " : " to %u#%llu ",
	         operation->process->known->rank, (unsigned long long)operation->number);
	for (uint32_t i = 0; i < outcome->count; i++) {
		snprintf(text, sizeof text, " %.46s", outcome->events[i]);
		if (!strstr(text, whose))
			memmove(outcome->events[kept++], outcome->events[i], sizeof outcome->events[0]);
	}
	outcome->count = kept;
}

static void on_all_there(void *owner, struct executed_collective *collective)
{
	snprintf(add_event(owner), sizeof halves->outcome->events[0], "all in %llu of %llu",
	         (unsigned long long)collective->sequence, (unsigned long long)collective->comm->identity);
}

static void listen(struct checked_run *run, struct outcome *outcome)
{
	execution_listen(run->execution, &(struct execution_listener){.owner = outcome,
	                                                              .matched = on_matched,
	                                                              .cancelled = on_cancelled,
	                                                              .all_there = on_all_there});
}

static void add_blocked(struct outcome *outcome, const struct analysed_process *process)
{
	const size_t used = strlen(outcome->blocked);

	for (size_t i = 0; process->execution && i < process->execution->threads.count; i++) {
		const struct executed_thread *thread = process->execution->threads.items[i];
		if (thread && thread->blocked != BLOCKED_NOT)
			snprintf(outcome->blocked + used, sizeof outcome->blocked - used, " %u.%zu",
			         process->rank, i);
	}
}

static void execute_in_order(const struct line *lines, uint32_t count, uint32_t seed,
                             void (*between)(uint32_t *))
{
	uint32_t next[RANKS] = {0}, done = 0;

	while (done < count) {
		const uint32_t rank = next_random(&seed) % RANKS;
		while (next[rank] < count && lines[next[rank]].rank != rank)
			next[rank]++;
		if (next[rank] == count)
			continue;
		execute_line(&lines[next[rank]++]);
		done++;
		if (between)
			between(&seed);
	}
}

static void execute_in_one(const struct line *lines, uint32_t count, uint32_t seed, struct outcome *outcome)
{
	test.say_elsewhere = NULL;
	set_up_processes();
	listen(test.run, outcome);
	execute_in_order(lines, count, seed, NULL);
	for (uint32_t rank = 0; rank < RANKS; rank++)
		add_blocked(outcome, test.processes[rank]);
	analysis_free(test.run);
}

/* Definitions to both, events to the half that has the process. */
static void say_to_halves(uint32_t rank, enum message_kind kind, struct cursor in)
{
	for (uint32_t i = 0; i < 2; i++) {
		struct cursor copy = in;
		if (kind != MESSAGE_EVENTS || i == half_of(rank))
			assert_true(analysis_frame(halves[i].run, halves[i].processes[rank], kind, &copy));
	}
}

static void carry(void *owner, struct executed_process *to, const struct carried_fact *fact)
{
	struct half *half = owner;

	assert_true(half->told < FACTS_MAX);
	if (to)
		assert_true(to->is_image);
	half->facts[half->told++] = *fact;
}

/* In the terms of the half that hears it. */
static void hear(uint32_t hearer)
{
	struct half *from = &halves[!hearer], *half = &halves[hearer];
	struct carried_fact fact = from->facts[from->heard++];
	const struct analysed_process *process = fact.process;
	size_t number = 0;

	while (process->calls.items[number] != fact.call)
		number++;
	fact.process = half->processes[process->rank];
	fact.call = process_call(fact.process, number);
	execution_learn(half->run->execution, &fact);
}

static void hear_some(uint32_t *seed)
{
	const uint32_t hearer = next_random(seed) % 2, most = next_random(seed) % 3;

	for (uint32_t i = 0; i < most && halves[!hearer].heard < halves[!hearer].told; i++)
		hear(hearer);
}

static void set_up_halves(struct outcome *outcome)
{
	memset(halves, 0, sizeof halves);
	memset(test.calls, 0, sizeof test.calls);
	memset(test.operations, 0, sizeof test.operations);
	test.say_elsewhere = say_to_halves;
	for (uint32_t i = 0; i < 2; i++) {
		halves[i].run = analysis_new(test.log);
		halves[i].outcome = outcome;
		listen(halves[i].run, outcome);
		execution_set_carrier(halves[i].run->execution, carry, &halves[i]);
		for (uint32_t rank = 0; rank < RANKS; rank++) {
			halves[i].processes[rank] = process_new(&halves[i].run->known, 1, rank, RANKS);
			if (half_of(rank) != i)
				execution_add_image(halves[i].run->execution, halves[i].processes[rank]);
		}
	}
	for (uint32_t rank = 0; rank < RANKS; rank++)
		for (uint32_t comm = 0; comm < COMMS; comm++)
			say_comm(rank, comm);
}

static void execute_in_halves(const struct line *lines, uint32_t count, uint32_t seed,
                              struct outcome *outcome)
{
	set_up_halves(outcome);
	execute_in_order(lines, count, seed, hear_some);
	for (uint32_t i = 0; i < 2 * FACTS_MAX; i++)
		if (halves[i % 2].heard < halves[i % 2].told)
			hear(!(i % 2));
	for (uint32_t rank = 0; rank < RANKS; rank++)
		add_blocked(outcome, halves[half_of(rank)].processes[rank]);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(halves[i].heard, halves[i].told);
		analysis_free(halves[i].run);
	}
	test.say_elsewhere = NULL;
}

/* Both halves are informed of all members of a collective call. */
static void merge_equal(struct outcome *outcome)
{
	uint32_t kept = 0;

	qsort(outcome->events, outcome->count, sizeof outcome->events[0], compare_texts);
	for (uint32_t i = 0; i < outcome->count; i++)
		if (!kept || strcmp(outcome->events[kept - 1], outcome->events[i]) != 0)
			memmove(outcome->events[kept++], outcome->events[i], sizeof outcome->events[0]);
	outcome->count = kept;
}

static void compare(const char *program, uint32_t expected)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct outcome one = {0}, both = {0};
		execute_in_one(lines, count, seed, &one);
		execute_in_halves(lines, count, seed, &both);
		merge_equal(&one);
		merge_equal(&both);
		assert_int_equal(one.count, expected);
		assert_int_equal(both.count, expected);
		for (uint32_t i = 0; i < expected; i++)
			assert_string_equal(both.events[i], one.events[i]);
		assert_string_equal(both.blocked, one.blocked);
	}
}

static void messages_match(void **state)
{
	(void)state;
	compare("0: send 5 1; 5: recv 0 1", 1);
	compare("0: ssend 5 1; 0: send 5 2; 0: recv 5 3; 5: recv 0 1; 5: recv 0 2; 5: send 0 3", 3);
	compare("0: send 5 1", 0);
	compare("5: recv 0 1; 0: bsend 4 1", 0);
	compare("0: isend 5 1 a; 0: isend 5 1 b; 0: wait a b; 5: irecv 0 1 a; 5: irecv 0 1 b; 5: wait b a",
	        2);
	compare("0: bsend 5 1; 0: bsend 5 1; 5: recv 0 1; 5: recv 0 1; 5: recv 0 1", 2);
	compare("0: send 1 1; 1: recv 0 1; 1: send 4 1; 4: recv 1 1; 4: send 0 1; 0: recv 4 1", 3);
	compare("0: send 5 1; 5: probe 0 1; 5: recv 0 1", 1);
}

static void wildcards_match(void **state)
{
	(void)state;
	compare("0: send 5 1; 1: send 5 1; 5: recv any 1; 5: takes last 1 1; 5: recv any 1; 5: takes last 0 1",
	        2);
	compare("0: send 5 1; 5: irecv any any a; 5: wait a; 5: takes a 0 1", 1);
	/* The program has left the send: only the receive with a wildcard can have taken the message. */
	compare("5: irecv any 1 a; 0: send 5 1; 0: send 5 2; 5: recv 0 2; 5: takes a 0 1", 2);
}

static void cancelled_messages_match_nothing(void **state)
{
	(void)state;
	compare("0: isend 5 1 a; 0: void a; 5: irecv 0 1 b; 5: void b", 0);
	compare("0: isend 5 1 a; 0: void a; 0: send 5 1; 5: recv 0 1", 1);
	compare("0: isend 5 1 a; 0: void a; 0: send 5 1; 5: irecv 0 1 a; 5: wait a", 1);
	compare("0: isend 5 1 a; 5: irecv 0 1 b; 5: void b; 0: wait a; 5: irecv 0 1 c; 5: wait c", 1);
}

static void collectives_complete(void **state)
{
	(void)state;
	compare("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier", 1);
	compare("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier", 0);
	compare("0: ibarrier a; 0: send 5 1; 0: wait a; 1: barrier; 2: ibarrier a; 2: wait a; 3: ibarrier a;"
	        "4: ibarrier b; 4: wait b; 5: recv 0 1; 5: ibarrier a; 5: wait a; 3: wait a",
	        1);
	compare("0: bcast; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast; 0: bcast; 1: bcast; 2: bcast; 3: bcast;"
	        "4: bcast; 5: bcast",
	        2);
	compare("0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 4: neighbours on 2;"
	        "5: neighbours on 2",
	        1);
}

static void windows_synchronise(void **state)
{
	(void)state;
	compare("0: start 4 5 on 1; 4: post 0 on 1; 0: send 5 1", 0);
	compare("0: start 4 on 1; 4: post 0 on 1; 0: complete on 1; 4: wwait on 1; 0: send 4 1; 4: recv 0 1",
	        1);
	compare("4: post 0 1 on 1; 4: wwait on 1; 0: start 4 on 1; 0: complete on 1; 1: start 4 on 1", 0);
	compare("0: lock 1 on 1; 0: unlock 1 on 1; 0: send 4 1; 4: recv 0 1; 4: lock 1 on 1; 4: unlock 1 on 1",
	        1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_match),
		cmocka_unit_test(wildcards_match),
		cmocka_unit_test(cancelled_messages_match_nothing),
		cmocka_unit_test(collectives_complete),
		cmocka_unit_test(windows_synchronise),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
