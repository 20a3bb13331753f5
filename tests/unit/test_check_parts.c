/* A run that is divided into parts (check/parts) finds what one execution of all processes finds: for any number of parts, order of events, and
 * time at which the parts are gathered. */
#include "divided_run.h"
#include "sanitized.h"

enum { SEEDS = SANITIZED ? 12 : 60, RANDOM_PROGRAMS = SANITIZED ? 80 : 400, ORDERS = 8192 };

/* One execution finds it too, if the events of processes arrive in another order: which wildcard takes which of several messages is not always known. */
static bool is_found_in_one(const struct line *lines, uint32_t count, uint32_t seed, const char *text)
{
	bool is_found = false;

	for (uint32_t i = 1; test.has_wildcards && !is_found && i <= ORDERS; i++) {
		char *one;

		parts.slow = i % (1u << RANKS);
		execute_in_one(lines, count, seed + i);
		one = found_text();
		is_found = strcmp(one, text) == 0;
		free(one);
	}
	parts.slow = 0;
	return is_found;
}

static void print_lines(const struct line *lines, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		fprintf(stderr, "%u:", lines[i].rank);
		for (uint32_t j = 0; j < lines[i].count; j++)
			fprintf(stderr, " %s", lines[i].words[j]);
		fprintf(stderr, "\n");
	}
}

static void compare_lines(const struct line *lines, uint32_t count, uint32_t seed, uint32_t part_count)
{
	const uint32_t gather_at = seed % 3 ? seed % (count + 2) : 0;
	char *one, *divided;

	execute_in_one(lines, count, seed);
	one = found_text();
	execute_in_parts(lines, count, seed, part_count, gather_at, 0);
	divided = found_text();
	if (strcmp(one, divided) != 0 && !is_found_in_one(lines, count, seed, divided)) {
		fprintf(stderr, "seed %u, %u parts, gathered at %u\nOne execution:\n%sParts:\n%s", seed,
		        part_count, gather_at, one, divided);
		print_lines(lines, count);
		assert_string_equal(divided, one);
	}
	free(one);
	free(divided);
}

static void compare(const char *program)
{
	static const uint32_t part_counts[] = {1, 2, 3, PARTS_MAX};
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	for (uint32_t seed = 1; seed <= SEEDS; seed++)
		compare_lines(lines, count, seed, part_counts[seed % 4]);
}

static void messages(void **state)
{
	(void)state;
	compare("0: send 5 1; 5: recv 0 1");
	compare("0: ssend 5 1; 0: send 5 2; 0: recv 5 3; 5: recv 0 1; 5: recv 0 2; 5: send 0 3");
	compare("0: send 5 1");
	compare("5: recv 0 1; 0: isend 4 1 a");
	compare("0: isend 5 1 a; 0: isend 5 1 b; 0: wait a b; 5: irecv 0 1 a; 5: irecv 0 1 b; 5: wait b a");
	compare("0: isend 5 1 a; 0: isend 5 1 b; 0: waitany a b; 0: completes b; 0: wait a; 5: recv 0 1");
	compare("0: send 1 1; 1: recv 0 1; 1: send 4 1; 4: recv 1 1; 4: send 0 1; 0: recv 4 1");
	compare("0: send 5 1; 5: probe 0 1; 5: recv 0 1");
	compare("0: send 5 9; 5: recv 0 9; 0: send 5 9; 5: recv 0 9; 1: send 0 9; 0: recv 1 9");
	compare("0: isend 5 1 a; 0: drop a; 0: send 1 1; 1: recv 0 1; 5: recv 0 1");
	compare("5: irecv 0 1 a; 5: drop a; 5: send 1 1; 1: recv 5 1; 0: send 5 1");
	compare("0: isend 5 1 a; 0: completes a; 0: send 1 1; 1: recv 0 1; 5: recv 0 1; 0: isend 5 2 b; 0: completes b");
}

/* Tags that are not named: parts execute them. */
static void any_tag(void **state)
{
	(void)state;
	compare("0: send 5 1; 5: recv 0 any; 5: takes last 0 1; 5: send 0 2; 0: recv 5 2");
	compare("0: send 5 1; 0: send 5 2; 5: recv 0 any; 5: takes last 0 1; 5: recv 0 any; 5: takes last 0 2; 5: recv 0 any");
	compare("0: send 5 1; 0: send 5 2; 5: irecv 0 any a; 5: irecv 0 2 b; 5: takes a 0 1; 5: wait b");
	compare("5: irecv 0 any a; 5: recv 0 2; 5: takes a 0 1; 0: send 5 1; 0: send 5 2; 0: barrier");
	compare("5: irecv 0 any a; 5: irecv 0 any b; 5: takes b 0 2; 5: takes a 0 1; 0: send 5 1; 0: send 5 2; 5: send 0 3; 0: recv 5 3");
	compare("0: send 5 1; 5: probe 0 any; 5: takes last 0 1; 5: recv 0 1; 5: barrier; 0: barrier");
	compare("5: irecv 0 any a; 5: drop a; 0: send 5 1; 0: send 5 2; 5: recv 0 2");
	compare("0: ssend 5 1; 1: send 5 1; 5: irecv 0 any a; 5: takes a 0 1; 5: recv any any; 5: takes last 1 1; 0: send 5 1;"
	        "5: recv 0 any; 5: takes last 0 1");
	compare("5: irecv 0 any a; 5: irecv any any b; 1: send 5 1; 2: send 5 2; 0: send 5 3; 5: takes b 1 1; 5: takes a 0 3; 5: recv 2 2");
	compare("0: send 5 1; 0: recv 5 2; 5: irecv 0 any a; 5: send 0 2; 5: takes a 0 1; 0: send 5 9; 5: recv 0 9");
}

/* Probes take no message: parts execute them, also with MPI_ANY_SOURCE. */
static void probes(void **state)
{
	(void)state;
	compare("0: send 5 1; 5: probe any 1; 5: takes last 0 1; 5: recv 0 1");
	compare("0: send 5 1; 1: send 5 2; 5: probe any any; 5: takes last 1 2; 5: recv 1 2; 5: probe any any; 5: takes last 0 1;"
	        "5: recv 0 1; 5: send 0 3; 0: recv 5 3");
	compare("5: probe any 1; 0: barrier");
	compare("1: send 0 7; 1: send 5 1; 0: recv 1 7; 5: probe any 1; 5: takes last 1 1; 5: barrier; 0: barrier");
	compare("5: send 1 1; 1: send 5 1; 5: probe any 1; 5: takes last 1 1; 5: recv 1 1; 1: recv 5 1");
	compare("0: irsend 5 3 a; 0: send 5 2; 0: wait a; 5: probe any 2; 5: takes last 0 2; 5: recv 0 2; 5: recv 0 3");
}

/* In parts, all members of a neighbourhood call wait for each other. */
static void neighbourhoods(void **state)
{
	(void)state;
	compare("0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 4: neighbours on 2; 5: neighbours on 2");
	compare("0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 1: send 4 1; 4: recv 1 1;"
	        "4: neighbours on 2; 5: neighbours on 2");
	compare("0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 1: recv 4 1; 4: recv 1 1; 5: neighbours on 2");
	compare("0: irsend 5 1 a; 0: barrier; 0: wait a; 5: barrier; 5: recv 0 1; 1: barrier; 2: barrier; 3: barrier; 4: barrier;"
	        "0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 4: neighbours on 2; 5: neighbours on 2");
}

static void potential_deadlocks(void **state)
{
	(void)state;
	compare("0: send 1 1; 0: recv 1 1; 1: send 0 1; 1: recv 0 1; 0: barrier; 1: barrier");
	compare("0: send 1 1; 0: recv 5 1; 1: send 2 1; 1: recv 0 1; 2: send 3 1; 2: recv 1 1; 3: send 4 1; 3: recv 2 1;"
	        "4: send 5 1; 4: recv 3 1; 5: send 0 1; 5: recv 4 1; 0: barrier; 5: barrier");
}

static void collectives(void **state)
{
	(void)state;
	compare("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier");
	compare("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier");
	compare("0: barrier; 1: barrier; 2: barrier; 3: bcast; 4: barrier; 5: barrier; 0: barrier; 1: barrier");
	compare("0: ibarrier a; 0: send 5 1; 0: wait a; 1: barrier; 2: ibarrier a; 2: wait a; 3: ibarrier a;"
	        "4: ibarrier b; 4: wait b; 5: recv 0 1; 5: ibarrier a; 5: wait a; 3: wait a");
	compare("0: bcast; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast; 0: bcast; 1: bcast; 2: bcast; 3: bcast;"
	        "4: bcast; 5: bcast; 0: barrier on 1; 1: barrier on 1; 0: bcast");
	compare("0: ibarrier a; 0: completes a; 0: send 1 1; 1: recv 0 1; 1: barrier; 2: barrier; 3: barrier; 4: barrier;"
	        "5: barrier");
	compare("0: barrier on 1; 1: barrier on 1; 2: barrier on 1; 3: barrier on 1; 4: barrier on 1; 5: barrier on 1;"
	        "0: ends 1; 1: ends 1; 2: ends 1; 3: ends 1; 0: finalize; 1: finalize; 0: end; 2: send 3 1");
}

/* How often one execution finds a check. */
static void expect_times(const char *program, const char *check, uint64_t times)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t seen = 0;

		execute_in_one(lines, count, seed);
		for (uint32_t i = 0; i < found.count; i++)
			seen += strncmp(found.texts[i], check, strlen(check)) == 0 ? found.times[i] : 0;
		assert_int_equal(seen, times);
	}
}

static void ready_sends(void **state)
{
	static const struct {
		const char *program;
		uint64_t unready;
	} cases[] = {
		{"5: irecv 0 1 a; 5: send 0 2; 5: wait a; 0: recv 5 2; 0: rsend 5 1", 0},
		{"5: irecv 0 1 a; 5: barrier; 5: wait a; 0: barrier; 0: rsend 5 1; 1: barrier; 2: barrier; 3: barrier; 4: barrier",
	         0},
		{"0: irsend 5 1 a; 0: send 5 2; 0: wait a; 5: recv 0 2; 5: recv 0 1", 1},
		{"0: irsend 5 1 a; 0: barrier; 0: wait a; 5: barrier; 5: recv 0 1; 1: barrier; 2: barrier; 3: barrier; 4: barrier",
	         1},
		{"0: irsend 4 1 a; 0: send 1 2; 0: wait a; 1: recv 0 2; 1: send 4 3; 4: recv 1 3; 4: recv 0 1",
	         1},
		{"0: irsend 1 1 a; 0: irsend 1 1 b; 0: send 1 2; 0: wait a b; 1: recv 0 2; 1: recv 0 1; 1: recv 0 1;"
	         "2: irsend 3 1 a; 2: send 3 2; 2: wait a; 3: recv 2 2; 3: recv 2 1",
	         3},
		{"0: irsend 0 1 a; 0: recv 0 1; 0: wait a", 1},
		{"5: irecv 0 any a; 5: irecv 0 3 b; 5: send 0 2; 5: takes a 0 1; 5: wait b; 0: recv 5 2; 0: send 5 1; 0: rsend 5 3",
	         0},
		{"0: irsend 5 3 a; 0: send 5 2; 0: wait a; 5: irecv 0 2 a; 5: wait a; 5: recv 0 any; 5: takes last 0 3",
	         1},
		{"5: irecv 0 any a; 5: send 0 7; 0: recv 5 7; 0: irsend 5 3 a; 0: irsend 5 4 b; 0: send 4 2; 4: recv 0 2; 4: send 5 2; 5: recv 4 2; 5: recv 0 4;"
	         "5: takes a 0 3; 0: wait a b",
	         1},
		{"1: irecv 0 1 a; 1: send 0 2; 1: wait a; 0: recv 1 2; 0: rsend 1 1; 1: recv 0 any; 1: takes last 0 5; 0: send 1 5",
	         0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		expect_times(cases[i].program, "message.not-ready", cases[i].unready);
		compare(cases[i].program);
	}
}

static void execute_sections(const char *const *sections, size_t section_count)
{
	for (size_t i = 0; i < section_count; i++) {
		struct line lines[LINES_MAX];
		const uint32_t count = parse(sections[i], lines);

		for (uint32_t j = 0; j < count; j++)
			execute_line(&lines[j]);
		deliver_all();
	}
}

/* A part that learns of a ready send to a process with a pending wildcard stops at once: the next facts may already be on their way. */
static void ready_send_and_wildcard(void **state)
{
	static const char *const sections[] = {
		"5: irecv 0 any a; 5: send 0 7",
		"0: recv 5 7",
		"5: recv 4 2; 5: irecv 0 3 b; 0: irsend 5 3 a; 0: send 4 2; 4: recv 0 2; 4: send 5 2",
		"5: takes a 0 4; 0: irsend 5 4 b; 5: wait b; 0: wait a b",
	};

	(void)state;
	for (uint32_t part_count = 1; part_count <= PARTS_MAX; part_count++) {
		begin_parts(part_count);
		execute_sections(sections, sizeof sections / sizeof *sections);
		assert_true(hub_has_gathered(parts.hub));
		end_parts();
		assert_int_equal(found.count, 1);
		assert_int_equal(found.times[0], 1);
		assert_memory_equal(found.texts[0], "message.not-ready 0:", 20);
	}
}

/* Calls that the leader has to execute. */
static void other_calls(void **state)
{
	(void)state;
	compare("0: isend 5 1 a; 0: void a; 0: send 5 1; 5: recv 0 1");
	compare("0: send 1 1; 1: recv 0 1; 0: bsend 5 1; 0: bsend 5 1; 5: recv 0 1; 5: recv 0 1; 5: recv 0 1");
	compare("0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier; 0: start 4 on 1; 4: post 0 on 1;"
	        "0: complete on 1; 4: wwait on 1; 0: send 4 1; 4: recv 0 1");
	compare("0: send 1 1; 1: recv 0 1; 1.1: recv 2 1; 1: send 3 1; 2: send 1 1; 3: recv 1 1");
	compare("0: send 1 1; 1: mprobe 0 1; 2: send 1 2; 1: recv 2 2");
}

static void pass_time(uint64_t now_ms)
{
	for (uint32_t i = 0; i < parts.count; i++) {
		part_tick(parts.parts[i], now_ms);
		part_flush(parts.parts[i]);
	}
	hub_tick(parts.hub, now_ms, 60000);
}

/* Are parts gathered because a process may wait forever? */
static bool is_suspected(const char *program, uint32_t part_count)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);
	bool was_gathered;

	begin_parts(part_count);
	execute_in_order(lines, count, part_count, 0);
	deliver_all();
	for (uint64_t now_ms = 1000; now_ms < 2000; now_ms += 10) {
		pass_time(now_ms);
		deliver_all();
	}
	was_gathered = hub_is_gathering(parts.hub);
	end_parts();
	return was_gathered;
}

static void suspicions(void **state)
{
	static const char *const stuck[] = {
		"0: recv 1 1; 1: recv 0 1",
		"0: send 1 1; 0: recv 1 1; 1: send 0 1; 1: recv 0 1; 2: send 3 1; 3: recv 2 1",
		"0: recv 1 1; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier",
		"0: recv 5 1; 5: finalize; 1: finalize; 2: finalize; 3: finalize; 4: finalize",
		"0: irecv 1 1 a; 0: irecv 2 1 b; 0: waitany a b; 1: recv 0 1; 2: recv 0 1",
		"0: recv 5 1; 5: end",
		"0: probe any 1; 1: finalize; 2: finalize; 3: finalize; 4: finalize; 5: finalize",
		"0: probe any 1; 1: recv 0 1; 2: recv 1 1; 3: recv 1 1; 4: recv 1 1; 5: recv 1 1",
		"0: recv 4 1; 0: send 5 1; 4: recv 5 1; 5: probe any 1; 5: takes last 0 1; 5: send 4 1",
	};
	static const char *const waiting[] = {
		"0: recv 1 1; 1: recv 2 1; 3: barrier; 4: barrier",
		"0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier",
		"0: irecv 1 1 a; 0: irecv 2 1 b; 0: waitany a b; 1: recv 0 1",
		"0: send 1 1; 1: recv 0 1; 1: barrier; 0: recv 3 1",
		"0: probe any 1; 1: recv 0 1; 2: recv 1 1",
		"0: send 5 1; 0: barrier; 5: probe any 1; 1: barrier; 2: barrier; 3: barrier; 4: barrier",
		"0: send 5 1; 5: probe any any; 5: takes last 0 1; 5: recv 0 1; 1: send 5 2; 5: probe any 2; 5: takes last 1 2; 5: recv 1 2",
		"0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 3: neighbours on 2; 4: neighbours on 2; 5: neighbours on 2",
		"0: neighbours on 2; 1: neighbours on 2; 2: neighbours on 2; 0: recv 1 1; 1: send 0 1; 3: neighbours on 2; 4: neighbours on 2",
		"0: send 5 1; 5: recv 0 any; 5: takes last 0 1; 5: send 0 2; 0: recv 5 2; 1: recv 0 any",
		"5: irecv 0 1 a; 5: send 0 2; 5: wait a; 0: recv 5 2; 0: rsend 5 1; 0: irsend 4 1 a; 4: recv 0 1; 0: wait a",
	};

	(void)state;
	for (uint32_t part_count = 1; part_count <= PARTS_MAX; part_count++) {
		for (size_t i = 0; i < sizeof stuck / sizeof *stuck; i++)
			assert_true(is_suspected(stuck[i], part_count));
		for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
			assert_false(is_suspected(waiting[i], part_count));
	}
}

/* Facts on their way look as if two processes waited for each other: one for the message, the other for its receive. Time passes while links deliver frame by
 * frame, so some questions meet such a moment. */
static void facts_on_their_way(void **state)
{
	static const char *const programs[] = {
		"0: send 1 1; 1: recv 0 1; 1: send 0 2; 0: recv 1 2; 0: send 1 3; 1: recv 0 3; 1: send 0 4; 0: recv 1 4",
		"0: send 1 1; 1: recv 0 1; 1: send 2 1; 2: recv 1 1; 2: send 3 1; 3: recv 2 1; 3: send 0 1; 0: recv 3 1; 0: barrier; 1: barrier;"
		"2: barrier; 3: barrier; 4: barrier; 5: barrier",
		"0: isend 1 1 a; 1: isend 0 1 a; 0: recv 1 1; 1: recv 0 1; 0: wait a; 1: wait a; 0: barrier; 1: barrier; 2: barrier; 3: barrier;"
		"4: barrier; 5: barrier; 5: send 0 3; 0: recv 5 3",
	};
	uint64_t looks = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 40 * SEEDS; seed++) {
		struct line lines[LINES_MAX];
		const uint32_t count = parse(programs[seed % (sizeof programs / sizeof *programs)], lines);
		uint64_t now_ms = 1000;
		uint32_t random = seed;

		begin_parts(2 + seed % (PARTS_MAX - 1));
		execute_in_order(lines, count, seed, 0);
		for (uint32_t i = 0; i < 600; i++) {
			deliver_some(&random);
			if (next_random(&random) % 2)
				pass_time(now_ms += 25);
			assert_false(hub_is_gathering(parts.hub));
		}
		looks += parts.looks;
		deliver_all();
		end_parts();
	}
	assert_true(looks > SEEDS);
}

static void random_programs(void **state)
{
	const char *wanted = getenv("TARRY_TEST_PROGRAMS");
	const unsigned long programs = wanted ? strtoul(wanted, NULL, 10) : RANDOM_PROGRAMS;

	(void)state;
	for (uint32_t program = 1; program <= programs; program++) {
		struct line lines[LINES_MAX];
		uint32_t seed;
		uint32_t count;

		test.has_wildcards = program % 3;
		test.has_places = program % 5;
		test.has_contents = program % 2;
		parts.connects_late = program % 4 >= 2;
		count = random_program(program, lines, &seed);
		compare_lines(lines, count, seed, 1 + program % PARTS_MAX);
	}
	parts.connects_late = false;
	test.has_contents = test.has_wildcards = test.has_places = false;
}

/* Receives with MPI_ANY_SOURCE, and how many of them race. */
static const struct {
	const char *program;
	uint64_t races;
} wildcards[] = {
	{"1: send 0 1; 2: send 0 1; 0: recv any 1; 0: takes last 2 1; 0: recv any 1; 0: takes last 1 1", 1},
	{"0: irecv any any a; 0: irecv any any b; 1: send 0 1; 2: send 0 2; 0: takes b 1 1; 0: takes a 2 2; 0: wait a b",
         1},
	/* The second message is sent when the first one has been received: known by a message, a message over another process, a collective call, and the end
	 * of a synchronous send. */
	{"1: send 0 1; 0: recv any 1; 0: takes last 1 1; 0: send 2 5; 2: recv 0 5; 2: send 0 1; 0: recv any 1; 0: takes last 2 1",
         0},
	{"1: send 0 1; 0: recv any 1; 0: takes last 1 1; 0: send 3 5; 3: recv 0 5; 3: send 5 5; 5: recv 3 5; 5: send 2 5; 2: recv 5 5; 2: send 0 1;"
         "0: recv any 1; 0: takes last 2 1",
         0},
	{"1: send 0 1; 0: recv any 1; 0: takes last 1 1; 0: barrier; 1: barrier; 2: barrier; 3: barrier; 4: barrier; 5: barrier; 2: send 0 1;"
         "0: recv any 1; 0: takes last 2 1",
         0},
	{"1: ssend 0 1; 1: send 2 5; 2: recv 1 5; 2: send 0 1; 0: recv any 1; 0: takes last 1 1; 0: recv any 1; 0: takes last 2 1",
         0},
	{"1: send 0 1; 1: send 2 5; 2: recv 1 5; 2: send 0 1; 0: recv any 1; 0: takes last 1 1; 0: recv any 1; 0: takes last 2 1",
         1},
	{"0: irecv any any d; 0: irecv any any e; 4: ssend 0 1; 1: ssend 0 1; 0: takes d 4 1; 0: takes e 1 1; 0: wait d e;"
         "5: ssend 4 1; 4: recv any 1; 4: takes last 5 1; 5: isend 0 2 a; 5: drop a",
         2},
	{"1: send 0 1; 2: send 0 1; 0: mprobe any 1 a; 0: takes last 1 1; 0: mrecv 1 1 a; 0: mprobe any 1 a; 0: takes last 2 1; 0: mrecv 2 1 a",
         1},
	{"1: send 0 1; 2: isend 0 1 a; 2: drop a; 0: recv any 1; 0: takes last 1 1", 1},
	/* Another choice would have left the process waiting. */
	{"1: send 0 1; 0: recv any 1; 0: takes last 1 1; 2: send 0 1; 0: recv 2 1; 0: finalize; 1: finalize; 2: finalize; 3: finalize; 4: finalize; 5: finalize",
         1},
	{"0: irecv any 1 a; 0: void a; 1: send 0 1; 0: recv 1 1", 0},
};

static void any_source(void **state)
{
	(void)state;
	test.has_places = test.has_wildcards = true;
	for (size_t i = 0; i < sizeof wildcards / sizeof *wildcards; i++) {
		expect_times(wildcards[i].program, "race.message", wildcards[i].races);
		compare(wildcards[i].program);
	}
	test.has_places = test.has_wildcards = false;
}

/* Data is compared: sent to another part, in any moment of a gathering. */
static void contents(void **state)
{
	(void)state;
	test.has_contents = true;
	compare("0: send 5 1; 5: recv 0 1; 0: send 5 8; 5: recv 0 8; 0: send 5 8; 5: recv 0 8");
	compare("5: irecv 0 8 a; 5: irecv 0 8 b; 0: send 5 8; 0: send 5 8; 5: wait a b; 5: send 0 1; 0: recv 5 1; 0: send 5 8; 5: recv 0 8");
	compare("0: isend 5 8 a; 0: isend 5 8 b; 5: recv 0 8; 0: wait a b; 5: recv 0 8; 5: finalize; 5: end; 0: finalize; 0: end");
	compare("0: send 5 9; 5: recv 0 9; 0: send 5 8; 5: recv 0 any; 5: takes last 0 8");
	compare("0: bcast; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast; 0: send 5 8; 5: recv 0 8; 0: bcast on 1; 1: bcast on 1; 2: bcast on 1;"
	        "3: bcast on 1; 4: bcast on 1; 5: bcast on 1");
	compare("0: bcast; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast; 0: bcast; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast; 0: bcast; 1: bcast;"
	        "2: bcast; 3: bcast; 4: bcast; 5: bcast; 1: send 0 8; 0: recv 1 8");
	test.has_contents = false;
}

/* A process gives new numbers to its calls: the leader takes over. */
static void new_numbers(void **state)
{
	(void)state;
	test.has_contents = true;
	compare("0: send 5 8; 5: recv 0 8; 0: forget; 0: send 5 8; 5: recv 0 8");
	compare("0: isend 5 8 a; 0: wait a; 0: forget; 5: irecv 0 8 b; 5: wait b; 0: send 1 8; 1: recv 0 8; 0: forget; 0: send 1 1; 1: recv 0 1");
	test.has_contents = false;
}

/* An analyser connects to the leader after all others have handed over. */
static void late_parts(void **state)
{
	static const char *const programs[] = {
		"2: send 5 8; 5: recv 2 8; 2: send 5 1; 5: recv 2 1; 0: send 5 8; 1: recv 0 1; 0: send 1 1",
		"2: send 5 8; 5: recv 2 8; 2: finalize; 2: end; 5: irecv 0 8 a; 0: send 5 8; 5: wait a",
		"5: bcast; 2: bcast; 0: bcast; 1: bcast; 3: bcast; 4: bcast; 5: bcast; 2: bcast; 0: bcast; 1: bcast; 3: bcast; 4: bcast",
	};

	(void)state;
	test.has_contents = true;
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct line lines[LINES_MAX];
		const uint32_t count = parse(programs[seed % (sizeof programs / sizeof *programs)], lines);
		char *one, *divided;

		execute_in_one(lines, count, seed);
		one = found_text();
		begin_some_parts(3, 2);
		execute_in_order(lines, count, seed, 1 + seed % count);
		deliver_all();
		assert_true(hub_has_gathered(parts.hub));
		assert_true(parts.leader->is_gathering == false);
		add_part();
		deliver_all();
		assert_true(parts.is_over[2]);
		end_parts();
		divided = found_text();
		assert_string_equal(divided, one);
		free(one);
		free(divided);
	}
	test.has_contents = false;
}

/* A process sends to one that is not connected yet; that one then sends to a third one, which has made no call. */
static void late_processes(void **state)
{
	static const char *const sections[] = {"0: isend 1 1 a", "1: isend 2 1 a",
	                                       "2: recv 1 1; 1: recv 0 1; 0: wait a; 1: wait a"};

	(void)state;
	for (uint32_t part_count = 1; part_count <= PARTS_MAX; part_count++) {
		parts.connects_late = true;
		begin_parts(part_count);
		connect_part(0);
		execute_sections(sections, 1);
		connect_part(2);
		connect_part(1);
		execute_sections(sections + 1, 2);
		assert_false(hub_is_gathering(parts.hub));
		for (uint32_t rank = 3; rank < RANKS; rank++)
			connect_part(rank);
		end_parts();
		assert_int_equal(found.count, 0);
	}
	parts.connects_late = false;
}

static const char *const probed[] = {
	"0: send 5 1; 5: mprobe 0 1 a; 5: mrecv 0 1 a; 5: send 0 2; 0: recv 5 2",
	"0: send 5 9; 5: mprobe 0 9 a; 5: send 0 2; 0: recv 5 2; 5: mrecv 0 9 a; 0: send 5 9; 5: mprobe 0 9 a; 5: mrecv 0 9 a",
	"0: isend 5 9 a; 0: isend 5 1 b; 0: wait a b; 5: mprobe 0 any a; 5: takes last 0 9; 5: recv 0 1; 5: mrecv 0 9 a; 0: finalize; 5: finalize; 0: end",
	"5: mprobe 0 1 a; 0: barrier; 0: send 5 1; 5: mrecv 0 1 a",
	"0: send 5 8; 0: send 5 8; 5: mprobe 0 8 a; 5: mprobe 0 8 b; 5: mrecv 0 8 b; 5: mrecv 0 8 a; 0: send 5 8; 5: mprobe 0 8 c",
	"0: isend 5 9 a; 0: drop a; 0: forget; 5: mprobe 0 9 a; 5: mrecv 0 9 a",
};

static void matched_probes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof probed / sizeof *probed; i++)
		for (int j = 0; j < 2; j++) {
			test.has_contents = j;
			compare(probed[i]);
		}
	test.has_contents = false;
}

static const char *const cancelled[] = {
	"5: irecv 0 1 a; 5: void a; 5: wait a; 5: send 0 2; 0: recv 5 2",
	"5: irecv 0 any a; 5: irecv 0 1 b; 5: void a; 0: send 5 1; 5: wait b; 5: send 0 2; 0: recv 5 2",
	"5: recv 0 1; 5: void last; 5: barrier; 0: barrier",
	/* The leader takes over: the receive has not begun, or it may have a message, which another receive then takes. */
	"5: recv 0 1; 5: irecv 0 2 a; 5: void a; 0: send 5 1; 0: send 5 3; 5: recv 0 3",
	"5: irecv 0 1 a; 5: irecv 0 1 b; 5: void b; 0: send 5 1; 0: send 5 1; 5: wait a b; 5: recv 0 1",
};

static void cancelled_receives(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cancelled / sizeof *cancelled; i++)
		compare(cancelled[i]);
}

/* Parts execute the program until its end. */
static void expect_divided(const char *program)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	for (uint32_t part_count = 1; part_count <= PARTS_MAX; part_count++) {
		begin_parts(part_count);
		execute_in_order(lines, count, part_count, 0);
		deliver_all();
		if (hub_is_gathering(parts.hub))
			fail_msg("%s", program);
		end_parts();
	}
}

static void are_divided(void **state)
{
	(void)state;
	expect_divided(probed[0]);
	expect_divided(probed[1]);
	expect_divided(probed[4]);
	for (size_t i = 0; i < sizeof wildcards / sizeof *wildcards; i++)
		expect_divided(wildcards[i].program);
	for (size_t i = 0; i + 2 < sizeof cancelled / sizeof *cancelled; i++)
		expect_divided(cancelled[i]);
}

/* They do not keep a run from being divided. */
static void contents_are_divided(void **state)
{
	static const char program[] =
		"0: bcast; 1: bcast; 2: bcast; 3: bcast; 4: bcast; 5: bcast; 0: send 5 1; 5: recv 0 1; 5: isend 1 8 a; 1: irecv 5 8 b; 1: wait b; 5: wait a";
	struct line lines[LINES_MAX];
	const uint32_t count = parse(program, lines);

	(void)state;
	test.has_contents = true;
	for (uint32_t part_count = 1; part_count <= PARTS_MAX; part_count++) {
		begin_parts(part_count);
		execute_in_order(lines, count, part_count, 0);
		deliver_all();
		assert_false(hub_is_gathering(parts.hub));
		for (uint32_t i = 0; i < part_count; i++)
			assert_int_equal(parts.parts[i]->broadcast_numbers.count, 0);
		end_parts();
		assert_int_equal(found.count, 1);
		assert_memory_equal(found.texts[0], "message.data-changed", 20);
	}
	test.has_contents = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages),
		cmocka_unit_test(any_tag),
		cmocka_unit_test(probes),
		cmocka_unit_test(neighbourhoods),
		cmocka_unit_test(potential_deadlocks),
		cmocka_unit_test(collectives),
		cmocka_unit_test(ready_sends),
		cmocka_unit_test(ready_send_and_wildcard),
		cmocka_unit_test(other_calls),
		cmocka_unit_test(suspicions),
		cmocka_unit_test(facts_on_their_way),
		cmocka_unit_test(any_source),
		cmocka_unit_test(contents),
		cmocka_unit_test(new_numbers),
		cmocka_unit_test(late_parts),
		cmocka_unit_test(late_processes),
		cmocka_unit_test(contents_are_divided),
		cmocka_unit_test(matched_probes),
		cmocka_unit_test(cancelled_receives),
		cmocka_unit_test(are_divided),
		cmocka_unit_test(random_programs),
	};

	test.has_types = true;
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
