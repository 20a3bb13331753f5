/* Waits in large jobs: the cost is linear in the number of processes. */
#include "analysis/model/open_calls.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "from_text.h"
#include "sanitized.h"

enum { RANKS = SANITIZED ? 1000 : 10000, STEPS_OF_RANK = 8 };

/* `last` writes the last line of each rank. */
static struct reader *read_ranks(void (*last)(struct text *text, uint32_t rank))
{
	struct text text = {0};
	struct reader *reader;

	for (uint32_t rank = 0; rank < RANKS; rank++) {
		text_add(&text, "process rank=%u\nclock monotonic 1000000000 tick=0 ns=1000000\n", rank);
		text_add(&text, "comm 0xc rank=%u size=%d ", rank, RANKS);
		text_add(&text, rank ? "" : "members=1:0-%d ", RANKS - 1);
		text_add(&text, "\"MPI_COMM_WORLD\"\nthread 0\n");
		last(&text, rank);
	}
	reader = read_text(text_get(&text));
	text_release(&text);
	return reader;
}

/* Every other rank. */
static bool is_missing(uint32_t rank)
{
	return rank % 2;
}

static void is_in_barrier(struct text *text, uint32_t rank)
{
	text_add(text, is_missing(rank) ? "10 20 MPI_Comm_rank\n" : "open 10 MPI_Barrier comm=0xc\n");
}

static void half_of_the_ranks_are_missing(void **state)
{
	struct reader *reader = read_ranks(is_in_barrier);
	struct analysis_session *session = session_new(reader);
	struct open_calls *open = open_calls_new(session);

	(void)state;
	assert_int_equal(open->open_count, RANKS / 2);
	assert_int_equal(open->stuck_count, 0);
	assert_int_equal(open->ends[0].needs.count, RANKS / 2);
	assert_int_equal(open->ends[0].needs.items[1], 3);
	assert_ptr_equal(open->ends[0].needs.items, open->ends[RANKS - 2].needs.items);
	assert_in_range(open->steps, 1, STEPS_OF_RANK * RANKS);
	open_calls_free(open);
	session_free(session);
	reader_close(reader);
}

/* Those that miss wait for the rank before them. */
static void is_in_barrier_or_receives(struct text *text, uint32_t rank)
{
	text_add(text,
	         is_missing(rank) ? "open 10 MPI_Recv comm=0xc peer=%u tag=0 room=8\n"
	                          : "open 10 MPI_Barrier comm=0xc\n",
	         rank - 1);
}

static void half_of_the_ranks_wait_for_the_others(void **state)
{
	struct reader *reader = read_ranks(is_in_barrier_or_receives);
	struct analysis_session *session = session_new(reader);
	struct open_calls *open = open_calls_new(session);

	(void)state;
	assert_int_equal(open->stuck_count, RANKS);
	assert_int_equal(open->ring_count, 2);
	assert_in_range(open->steps, 1, STEPS_OF_RANK * RANKS);
	open_calls_free(open);
	session_free(session);
	reader_close(reader);
}

/* A chain: each receives from the next one, and the last computes. */
static void receives_from_next(struct text *text, uint32_t rank)
{
	if (rank + 1 < RANKS)
		text_add(text, "open 10 MPI_Recv comm=0xc peer=%u tag=0 room=8\n", rank + 1);
	else
		text_add(text, "10 20 MPI_Comm_rank\n");
}

static void a_chain_of_waits_is_freed_from_its_end(void **state)
{
	struct reader *reader = read_ranks(receives_from_next);
	struct analysis_session *session = session_new(reader);
	struct open_calls *open = open_calls_new(session);

	(void)state;
	assert_int_equal(open->open_count, RANKS - 1);
	assert_int_equal(open->stuck_count, 0);
	assert_in_range(open->steps, 1, STEPS_OF_RANK * RANKS);
	open_calls_free(open);
	session_free(session);
	reader_close(reader);
}

/* A prefix operation: each needs the ranks below it, one of which is missing. */
static void is_in_scan(struct text *text, uint32_t rank)
{
	text_add(text, rank == RANKS / 2 ? "10 20 MPI_Comm_rank\n" : "open 10 MPI_Scan comm=0xc sent=8\n");
}

static void a_scan_needs_lower_ranks(void **state)
{
	struct reader *reader = read_ranks(is_in_scan);
	struct analysis_session *session = session_new(reader);
	struct open_calls *open = open_calls_new(session);

	(void)state;
	assert_int_equal(open->ends[RANKS / 2 - 1].needs.count, 0);
	assert_int_equal(open->ends[RANKS / 2 + 1].needs.count, 1);
	assert_int_equal(open->ends[RANKS / 2 + 1].needs.items[0], RANKS / 2);
	assert_in_range(open->steps, 1, STEPS_OF_RANK * RANKS);
	open_calls_free(open);
	session_free(session);
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_of_the_ranks_are_missing),
		cmocka_unit_test(half_of_the_ranks_wait_for_the_others),
		cmocka_unit_test(a_chain_of_waits_is_freed_from_its_end),
		cmocka_unit_test(a_scan_needs_lower_ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
