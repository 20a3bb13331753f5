/* A part of a divided run that gets facts which contradict what it knows steps aside. Nothing is found that one execution of all processes does not find. */
#include "divided_run.h"

enum { RANDOM_PROGRAMS = 300, PART = 1 /* has ranks 1, 3, 5 */ };

/* Rank 1 has received the first message of rank 0, and the second waits. The message of rank 3 waits at the other part. Two members are in the
 * barrier. */
#define PROGRAM \
	"0: send 1 1; 0: isend 1 2 a; 1: recv 0 1; 3: isend 0 1 a; 3: barrier; 4: barrier; 1: irecv 0 5 b; 5: isend 2 7 a; 2: recv 5 7"

static void begin_program(void)
{
	struct line lines[LINES_MAX];
	const uint32_t count = parse(PROGRAM, lines);

	begin_parts(2);
	execute_in_order(lines, count, 1, 0);
	deliver_all();
	assert_false(hub_is_gathering(parts.hub));
}

static void put_part_fact(struct message_writer *out, uint32_t rank, enum part_fact_kind kind)
{
	if (!out->size)
		put_word(out, 1);
	put_number(out, rank);
	put_number(out, kind);
}

static void put_sent(struct message_writer *out, uint32_t rank, uint32_t source, uint32_t call,
                     uint64_t number)
{
	put_part_fact(out, rank, PART_SENT);
	put_number(out, source);
	put_number(out, call);
	put_number(out, number);
}

static void put_matched(struct message_writer *out, uint32_t rank, uint64_t number)
{
	put_part_fact(out, rank, PART_MATCHED);
	put_number(out, number);
}

static void put_defined(struct message_writer *out, uint32_t source, uint32_t size, enum message_kind kind,
                        const char *body)
{
	put_part_fact(out, 1, PART_DEFINED);
	put_number(out, source);
	put_number(out, size);
	put_number(out, kind);
	put_text(out, body);
}

static void put_reached(struct message_writer *out, uint64_t identity, uint64_t sequence)
{
	put_word(out, identity);
	put_number(out, sequence);
}

/* Messages that no rank sent like this. */
static const struct {
	uint32_t rank, source, call;
	uint64_t number;
} wrong_sent[] = {
	{1, 0, 1, 0},  /* received already */
	{1, 0, 2, 1},  /* waiting already */
	{1, 0, 99, 2}, /* of an unknown call */
	{1, 2, 1, 0},  /* of an unknown process */
	{3, 0, 1, 2},  /* to another process than the call names */
	{0, 1, 1, 0},  /* to a process of the other part */
	{1, 3, 1, 0},  /* of this part, to another process */
	{1, 3, 1, 9},  /* of this part, never sent */
};

static const struct {
	uint32_t rank;
	uint64_t number;
	int times;
} wrong_matched[] = {
	{3, 1, 1}, /* never sent */
	{1, 1, 1}, /* a receive */
	{0, 0, 1}, /* of the other part */
	{3, 0, 2}, /* twice: the first one may be right */
	{5, 0, 1}, /* received before */
};

static const struct {
	uint32_t source, size;
	enum message_kind kind;
	const char *body;
} wrong_defined[] = {
	{9, 6, MESSAGE_CALL, ""},
	{0, 7, MESSAGE_CALL, ""},
	{0, 6, MESSAGE_EVENTS, ""},
	{0, 6, MESSAGE_CALL, "damaged"},
};

static const struct {
	uint64_t identity, sequence;
} wrong_reached[] = {
	{99, 0}, /* an unknown communicator */
	{1, 0},  /* members of this part have not made the call */
	{1, 1},
	{2, 0}, /* before any call */
};

enum {
	WRONG_SENT = sizeof wrong_sent / sizeof *wrong_sent,
	WRONG_MATCHED = WRONG_SENT + sizeof wrong_matched / sizeof *wrong_matched,
	WRONG_DEFINED = WRONG_MATCHED + sizeof wrong_defined / sizeof *wrong_defined,
	UNKNOWN_KIND = WRONG_DEFINED,
	CUT_OFF,
	WRONG_REACHED_FIRST,
	WRONG_REACHED = WRONG_REACHED_FIRST + sizeof wrong_reached / sizeof *wrong_reached,
	WRONG_FRAMES = WRONG_REACHED + 1 /* of a kind that parts do not send */
};

/* The n-th wrong frame to the part. */
static enum message_kind put_wrong(struct message_writer *out, uint32_t n)
{
	if (n < WRONG_SENT) {
		put_sent(out, wrong_sent[n].rank, wrong_sent[n].source, wrong_sent[n].call,
		         wrong_sent[n].number);
	} else if (n < WRONG_MATCHED) {
		n -= WRONG_SENT;
		for (int i = 0; i < wrong_matched[n].times; i++)
			put_matched(out, wrong_matched[n].rank, wrong_matched[n].number);
	} else if (n < WRONG_DEFINED) {
		n -= WRONG_MATCHED;
		put_defined(out, wrong_defined[n].source, wrong_defined[n].size, wrong_defined[n].kind,
		            wrong_defined[n].body);
	} else if (n == UNKNOWN_KIND) {
		put_part_fact(out, 1, (enum part_fact_kind)9);
	} else if (n == CUT_OFF) {
		put_part_fact(out, 1, PART_SENT);
	} else if (n < WRONG_REACHED) {
		n -= WRONG_REACHED_FIRST;
		put_reached(out, wrong_reached[n].identity, wrong_reached[n].sequence);
		put_number(out, 0);
		return MESSAGE_REACHED;
	} else {
		return MESSAGE_HELLO;
	}
	return MESSAGE_FACTS;
}

static void contradict(enum message_kind kind, struct cursor *in)
{
	assert_false(part_hear(parts.parts[PART], kind, in));
	step_aside(PART);
}

static void wrong_frames(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < WRONG_FRAMES; i++) {
		struct message_writer body = {0};
		struct cursor in;
		enum message_kind kind;

		begin_program();
		kind = put_wrong(&body, i);
		in = writer_cursor(&body);
		contradict(kind, &in);
		assert_true(hub_has_lost(parts.hub));
		end_parts();
		assert_int_equal(found.count, 0);
		writer_release(&body);
	}
}

/* Frames of a part that has stepped aside are dropped, and it keeps none. */
static void nothing_is_kept(void **state)
{
	struct message_writer body = {0};
	struct cursor in;

	(void)state;
	begin_program();
	put_matched(&body, 0, 0);
	in = writer_cursor(&body);
	contradict(MESSAGE_FACTS, &in);
	for (uint32_t i = 0; i < 1000; i++) {
		in = writer_cursor(&body);
		assert_true(part_frame(parts.parts[PART], parts.processes[PART], MESSAGE_EVENTS, &in));
		in = writer_cursor(&body);
		assert_true(part_hear(parts.parts[PART], MESSAGE_FACTS, &in));
	}
	assert_int_equal(parts.parts[PART]->held_bytes, 0);
	end_parts();
	writer_release(&body);
}

/* The hub does not believe parts either. */

static bool hub_believes(enum message_kind kind, const struct message_writer *body)
{
	struct cursor in = writer_cursor(body);

	return hub_hear(parts.hub, 0, kind, &in);
}

static bool hub_believes_count(uint64_t places, uint64_t count)
{
	struct message_writer body = {0};
	bool right;

	put_reached(&body, 55, 0);
	put_number(&body, places);
	put_number(&body, count);
	put_word(&body, 1);
	put_word(&body, 0);
	put_number(&body, 0);
	put_word(&body, 0);
	put_number(&body, 0);
	right = hub_believes(MESSAGE_REACHED, &body);
	writer_release(&body);
	return right;
}

static void wrong_frames_to_the_hub(void **state)
{
	static const enum message_kind kinds[] = {MESSAGE_GATHER, MESSAGE_USES, MESSAGE_FACTS, MESSAGE_HELLO};
	struct message_writer body = {0};

	(void)state;
	begin_program();
	assert_false(hub_believes_count(4, 0));
	assert_false(hub_believes_count(4, 5));
	put_number(&body, 99);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		assert_false(hub_believes(kinds[i], &body));
	assert_false(hub_believes(MESSAGE_REACHED, &body));
	assert_false(hub_is_gathering(parts.hub));
	end_parts();
	writer_release(&body);
}

/* Processes disagree about the size of a communicator, or two say that they are the same member: the leader compares them. */
static void members_that_cannot_be(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		begin_program();
		assert_true(hub_believes_count(4, 2));
		assert_false(hub_is_gathering(parts.hub));
		assert_true(i ? hub_believes_count(5, 1) : hub_believes_count(4, 3));
		assert_true(hub_is_gathering(parts.hub));
		end_parts();
	}
}

/* Facts for processes that never come have a limit: the leader then takes over. */
static void facts_for_nobody(void **state)
{
	struct message_writer body = {0};
	uint32_t frames = 0;

	(void)state;
	begin_program();
	for (uint32_t i = 0; i < 50000; i++)
		put_matched(&body, RANKS, i);
	while (!hub_is_gathering(parts.hub) && frames++ < 1000)
		assert_true(hub_believes(MESSAGE_FACTS, &body));
	assert_true(frames * body.size <= FRAME_BYTES_MAX);
	end_parts();
	writer_release(&body);
}

/* A frame that arrives twice, at any moment of any program. */

/* Calls may be compared with those of other processes, because some are not known. */
static void expect_checks_of(const char *one, uint32_t program)
{
	for (uint32_t i = 0; i < found.count; i++) {
		char check[160];

		snprintf(check, sizeof check, "%s", found.texts[i]);
		check[strcspn(check, " ")] = 0;
		if (!strstr(one, check))
			fail_msg("program %u, frame %u: %s", program, parts.repeat_at, found.texts[i]);
	}
}

static void repeated_frames(void **state)
{
	uint32_t contradictions = 0;

	(void)state;
	for (uint32_t program = 1; program <= RANDOM_PROGRAMS; program++) {
		struct line lines[LINES_MAX];
		uint32_t seed;
		const uint32_t count = random_program(program, lines, &seed);
		char *one;

		execute_in_one(lines, count, seed);
		one = found_text();
		execute_in_parts(lines, count, seed, 2 + program % (PARTS_MAX - 1), seed % (count + 2),
		                 1 + program % 7);
		contradictions += parts.is_contradicted;
		expect_checks_of(one, program);
		free(one);
	}
	assert_true(contradictions > RANDOM_PROGRAMS / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_frames),
		cmocka_unit_test(nothing_is_kept),
		cmocka_unit_test(wrong_frames_to_the_hub),
		cmocka_unit_test(members_that_cannot_be),
		cmocka_unit_test(facts_for_nobody),
		cmocka_unit_test(repeated_frames),
	};

	test.has_types = true;
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
