/* One replay with two sinks gives each of them the rows and calls that a replay of its own gives it. */
#include "analysis/model/relations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/text.h"
#include "from_text.h"

#define RANK(n) \
	"process rank=" #n \
	"\nproperty clock \"one for all\"\nclock monotonic 1000000000 tick=0 ns=1000000\n" \
	"comm 0xc rank=" #n " size=2 members=1:0-1 \"MPI_COMM_WORLD\"\n0 10 MPI_Init\n"

/* Rank 0 completes a send whose receive is posted late, then receives that wait, in the wrong order at last. */
static const char trace[] = RANK(0) "20 30 MPI_Isend comm=0xc peer=1 tag=9 sent=8 request=0\n"
				    "40 50 MPI_Wait done=0\n"
				    "60 150 MPI_Recv comm=0xc peer=1 tag=2 received=8\n"
				    "160 170 MPI_Recv comm=0xc peer=1 tag=1 received=8\n"
				    "180 250 MPI_Irecv comm=0xc peer=1 tag=3 received=8 request=0\n"
				    "260 350 MPI_Wait done=0\n"
				    "900 910 MPI_Finalize\n" RANK(
					    1) "20 30 MPI_Send comm=0xc peer=0 tag=1 sent=8\n"
					       "130 140 MPI_Send comm=0xc peer=0 tag=2 sent=8\n"
					       "300 310 MPI_Send comm=0xc peer=0 tag=3 sent=8\n"
					       "400 410 MPI_Recv comm=0xc peer=0 tag=9 received=8\n"
					       "900 910 MPI_Finalize\n";

struct told {
	struct text rows;
	uint32_t calls;
};

static struct row_block *print_rows(void *context, const struct first_mentions *first,
                                    struct row_block *block)
{
	struct told *told = context;

	(void)first;
	for (uint32_t i = 0; block->relation == RELATION_TRANSFER && i < block->rows; i++) {
		const struct transfer *transfer = (const struct transfer *)block_rows(block) + i;
		const struct completion *completion = (const struct completion *)block_groups(block) +
		                                      block->group_of[i];
		text_add(&told->rows, "%u: %lld to %lld, wait %lld%s\n", completion->wait.semantics->process,
		         (long long)transfer->send.start, (long long)transfer->post.start,
		         (long long)completion->wait.start, transfer->is_send ? ", send" : "");
	}
	return block;
}

static void count_call(void *context, const struct occurrence *call, const struct event *event)
{
	struct told *told = context;

	(void)call;
	(void)event;
	told->calls++;
}

static struct row_sink sink_for(struct told *told, bool in_order)
{
	return (struct row_sink){.context = told,
	                         .wants = {[RELATION_TRANSFER] = true, [RELATION_INVERSION] = in_order},
	                         .in_order = in_order,
	                         .block_groups = in_order ? 0 : 1,
	                         .rows = print_rows,
	                         .call = in_order ? NULL : count_call};
}

static void replay_text(const char *text, const struct row_sink *sink, bool in_threads)
{
	struct reader *reader = read_text(text);
	struct analysis_session *session = session_new(reader);
	struct replay_counts counts;

	session->splits_sinks = in_threads;
	relate(session, sink, &counts);
	session_free(session);
	reader_close(reader);
}

static void expect_same(const struct told *told, const struct told *alone)
{
	assert_string_equal(text_get(&told->rows), text_get(&alone->rows));
	assert_int_equal(told->calls, alone->calls);
}

static void test_each_gets_its_rows(void **state)
{
	struct told alone[2] = {{{0}, 0}, {{0}, 0}};
	struct row_sink ordered = sink_for(&alone[0], true), prompt = sink_for(&alone[1], false);

	(void)state;
	replay_text(trace, &ordered, false);
	replay_text(trace, &prompt, false);
	/* Otherwise the test would not see whether a sink gets the rows of the other. */
	assert_string_not_equal(text_get(&alone[0].rows), text_get(&alone[1].rows));
	for (int threads = 0; threads < 2; threads++) {
		struct told both[2] = {{{0}, 0}, {{0}, 0}};
		ordered.context = &both[0];
		prompt.context = &both[1];
		ordered.second = &prompt;
		replay_text(trace, &ordered, threads);
		expect_same(&both[0], &alone[0]);
		expect_same(&both[1], &alone[1]);
		text_release(&both[0].rows);
		text_release(&both[1].rows);
	}
	text_release(&alone[0].rows);
	text_release(&alone[1].rows);
}

enum { LATER_CALLS = 20000 };

/* Rank 1 receives a message before rank 0 sends it. Then follow calls that nobody waits for. */
static uint32_t calls_told(bool ends_second)
{
	struct told first = {{0}, 0}, second = {{0}, 0};
	struct row_sink ordered = sink_for(&first, true), prompt = sink_for(&second, false);
	struct text text = {0};

	ordered.second = &prompt;
	ordered.ends_second = ends_second;
	text_add(&text, RANK(0) "500 510 MPI_Send comm=0xc peer=1 tag=1 sent=8\n" RANK(
				1) "20 30 MPI_Recv comm=0xc peer=0 tag=1 received=8\n");
	for (int i = 0; i < LATER_CALLS; i++)
		text_add(&text, "%d %d MPI_Wtime\n", 100 + 2 * i, 101 + 2 * i);
	replay_text(text_get(&text), &ordered, false);
	text_release(&text);
	text_release(&first.rows);
	text_release(&second.rows);
	return second.calls;
}

static void test_second_ends_at_violation(void **state)
{
	(void)state;
	assert_true(calls_told(false) > LATER_CALLS);
	assert_true(calls_told(true) < LATER_CALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_gets_its_rows),
		cmocka_unit_test(test_second_ends_at_violation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
