/* Requests, phases and regions, from traces as text. */
#include "analysis/model/follower.h"
#include "analysis/model/phases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "follow_text.h"
#include "from_text.h"

#define RANK_0 "process rank=0\ncomm 0xc rank=0 size=2 members=1:0-1 \"MPI_COMM_WORLD\"\n"

/* Requests */

static struct row_block *print_lives(void *context, const struct first_mentions *first,
                                     struct row_block *block)
{
	const struct request_life *lives = block_rows(block);
	struct text *out = context;

	(void)first;
	for (uint32_t i = 0; i < block->rows; i++) {
		text_add(out, "request");
		add_call(out, "start", &lives[i].start);
		add_call(out, "wait", &lives[i].wait);
		text_add(out, " polls=%llu%s%s\n", (unsigned long long)lives[i].polls,
		         lives[i].is_cancelled ? " cancelled" : "",
		         lives[i].is_persistent ? " persistent" : "");
	}
	return block;
}

/* Returns the number of requests that were lost. */
static uint64_t expect_lives(const char *trace, const char *expected)
{
	struct reader *reader = read_text(trace);
	struct comm_table *comms = comm_table_new(reader);
	struct arena arena = {0};
	struct text out = {0};
	struct row_sink sink = {
		.context = &out, .wants = {[RELATION_REQUEST_LIFE] = true}, .rows = print_lives};
	struct row_writer rows;
	struct replay_counts counts = {0};
	void *lives;

	row_writer_init(&rows, &sink, NULL);
	lives = request_follower.new(&(struct replay_input){reader, comms, &rows, &counts, NULL});
	for (uint32_t i = 0; i < reader->process_count; i++)
		each_call(reader, comms, &arena, i, &request_follower, lives);
	request_follower.finish(lives);
	row_writer_finish(&rows);
	row_writer_release(&rows);
	assert_string_equal(text_get(&out), expected);
	text_release(&out);
	arena_release(&arena);
	comm_table_free(comms);
	reader_close(reader);
	return counts.open_requests;
}

static void requests_live_until_they_are_completed(void **state)
{
	(void)state;
	assert_int_equal(expect_lives(RANK_0 "1 2 MPI_Irecv peer=1 tag=0 comm=0xc request=0\n"
	                                     "3 4 MPI_Ibcast root=0 comm=0xc request=1\n"
	                                     "5 6 MPI_Wait done=1\n"
	                                     "7 8 MPI_Isend peer=1 tag=0 comm=0xc request=1\n"
	                                     "9 10 MPI_Waitall count=2 done=1 done=0 source=1\n",
	                              "request start=0:Ibcast@3-4 wait=0:Wait@5-6 polls=0\n"
	                              "request start=0:Isend@7-8 wait=0:Waitall@9-10 polls=0\n"
	                              "request start=0:Irecv@1-2 wait=0:Waitall@9-10 polls=0\n"),
	                 0);
}

static void threads_hand_on_a_number(void **state)
{
	(void)state;
	assert_int_equal(expect_lives(RANK_0 "1 2 MPI_Irecv peer=1 tag=0 comm=0xc request=0\n"
	                                     "thread 1\n"
	                                     "20 40 MPI_Isend peer=1 tag=0 comm=0xc request=0\n"
	                                     "thread 2\n"
	                                     "10 60 MPI_Wait done=0 source=1\n"
	                                     "70 80 MPI_Wait done=0\n",
	                              "request start=0:Irecv@1-2 wait=0:Wait@10-60 polls=0\n"
	                              "request start=0:Isend@20-40 wait=0:Wait@70-80 polls=0\n"),
	                 0);
}

static void persistent_requests_live_often(void **state)
{
	(void)state;
	assert_int_equal(
		expect_lives(RANK_0 "1 2 MPI_Send_init peer=1 tag=0 comm=0xc request=0 persistent=1\n"
	                            "3 4 MPI_Recv_init peer=1 tag=0 comm=0xc request=1 persistent=1\n"
	                            "5 6 MPI_Start request=0\n"
	                            "7 8 MPI_Wait done=0\n"
	                            "9 10 MPI_Startall count=2 request=0 request=1\n"
	                            "11 12 MPI_Waitall count=2 done=0 done=1 source=1\n"
	                            "13 14 MPI_Request_free request=0\n"
	                            "15 16 MPI_Start request=1\n"
	                            "17 18 MPI_Request_free request=1\n",
	                     "request start=0:Start@5-6 wait=0:Wait@7-8 polls=0 persistent\n"
	                     "request start=0:Startall@9-10 wait=0:Waitall@11-12 polls=0 persistent\n"
	                     "request start=0:Startall@9-10 wait=0:Waitall@11-12 polls=0 persistent\n"
	                     "request start=0:Start@15-16 wait=0:Request_free@17-18 polls=0 "
	                     "persistent\n"),
		0);
}

static void fruitless_tests_are_counted(void **state)
{
	(void)state;
	expect_lives(RANK_0 "1 2 MPI_Test flag=0\n"
	                    "3 4 MPI_Irecv peer=1 tag=0 comm=0xc request=0\n"
	                    "5 6 MPI_Test flag=0 polls=5 busy=1\n"
	                    "7 8 MPI_Irecv peer=1 tag=1 comm=0xc request=1\n"
	                    "9 10 MPI_Iprobe peer=1 tag=9 comm=0xc flag=0 polls=7 busy=1\n"
	                    "11 12 MPI_Testall flag=0\n"
	                    "13 14 MPI_Testall flag=1 done=0 done=1\n"
	                    "thread 3\n"
	                    "5 6 MPI_Test flag=0 polls=100 busy=1\n",
	             "request start=0:Irecv@3-4 wait=0:Testall@13-14 polls=6\n"
	             "request start=0:Irecv@7-8 wait=0:Testall@13-14 polls=1\n");
}

static void what_never_ends_is_lost(void **state)
{
	(void)state;
	assert_int_equal(expect_lives(RANK_0 "1 2 MPI_Irecv peer=1 tag=0 comm=0xc request=0\n"
	                                     "3 4 MPI_Irecv peer=1 tag=0 comm=0xc request=1\n"
	                                     "5 6 MPI_Cancel request=0\n"
	                                     "7 8 MPI_Wait done=0 cancelled=1\n"
	                                     "9 10 MPI_Wait done=7\n"
	                                     "11 12 MPI_Irecv peer=1 tag=0 comm=0xc request=99999999\n"
	                                     "13 14 MPI_Irecv peer=1 tag=0 comm=0xc request=2 result=6\n",
	                              "request start=0:Irecv@1-2 wait=0:Wait@7-8 polls=0 cancelled\n"),
	                 1);
}

/* Phases */

struct following {
	struct phases *phases;
	struct row_writer rows;
	struct text out;
};

static struct row_block *print_phases(void *context, const struct first_mentions *first,
                                      struct row_block *block)
{
	const struct phase_time *times = block_rows(block);
	struct following *following = context;

	for (uint32_t i = 0; i < block->rows; i++) {
		assert_string_equal(first->phases[times[i].phase - 1].name, times[i].name);
		text_add(&following->out, "%u \"%s\" of %u from %lld to %lld\n", times[i].phase,
		         times[i].name, times[i].begin.semantics->process, (long long)times[i].begin.start,
		         (long long)times[i].finish.start);
	}
	return block;
}

static bool follow_any(void *self, const struct call_semantics *semantics)
{
	(void)self, (void)semantics;
	return true;
}

static void follow(void *context, const struct occurrence *call, const struct event *event)
{
	struct following *following = context;
	uint32_t phase = phase_at(following->phases, call->semantics->process, call->thread);

	if (phases_want(call->semantics))
		phases_call(following->phases, call, event->start);
	else
		text_add(&following->out, "%s in %u \"%s\"\n", call->semantics->call->outline->name, phase,
		         phase ? following->rows.phases[phase - 1].name : "");
}

static void expect_phases(const char *trace, const char *expected)
{
	static const struct follower follower = {.wants = follow_any, .call = follow};
	struct reader *reader = read_text(trace);
	struct comm_table *comms = comm_table_new(reader);
	struct arena arena = {0};
	struct following following = {0};
	struct row_sink sink = {
		.context = &following, .wants = {[RELATION_PHASE_TIME] = true}, .rows = print_phases};

	row_writer_init(&following.rows, &sink, NULL);
	following.phases = phases_new(reader, &following.rows);
	for (uint32_t i = 0; i < reader->process_count; i++)
		each_call(reader, comms, &arena, i, &follower, &following);
	row_writer_finish(&following.rows);
	row_writer_release(&following.rows);
	assert_string_equal(text_get(&following.out), expected);
	text_release(&following.out);
	phases_free(following.phases);
	arena_release(&arena);
	comm_table_free(comms);
	reader_close(reader);
}

static void calls_lie_in_regions(void **state)
{
	(void)state;
	expect_phases("process rank=0\n"
	              "1 2 MPI_Init\n"
	              "3 3 tarry_phase region=\"set up\"\n"
	              "4 5 MPI_Barrier\n"
	              "6 6 tarry_region_begin region=\"outer\"\n"
	              "7 7 tarry_region_begin region=\"inner\"\n"
	              "8 9 MPI_Send\n"
	              "10 10 tarry_region_end region=\"inner\"\n"
	              "11 12 MPI_Recv\n"
	              "13 13 tarry_region_end region=\"outer\"\n"
	              "14 14 tarry_phase region=\"loop\"\n"
	              "15 16 MPI_Bcast\n"
	              "17 18 MPI_Finalize\n"
	              "process rank=1\n"
	              "3 3 tarry_phase region=\"set up\"\n"
	              "4 5 MPI_Barrier\n"
	              "17 18 MPI_Finalize\n",
	              "MPI_Init in 0 \"\"\n"
	              "MPI_Barrier in 1 \"set up\"\n"
	              "MPI_Send in 3 \"inner\"\n"
	              "MPI_Recv in 2 \"outer\"\n"
	              "MPI_Bcast in 4 \"loop\"\n"
	              "MPI_Barrier in 5 \"set up\"\n"
	              "3 \"inner\" of 0 from 7 to 10\n"
	              "2 \"outer\" of 0 from 6 to 13\n"
	              "1 \"set up\" of 0 from 3 to 14\n"
	              "4 \"loop\" of 0 from 14 to 17\n"
	              "5 \"set up\" of 1 from 3 to 17\n");
}

static void regions_may_be_crooked(void **state)
{
	(void)state;
	expect_phases("process rank=0\n"
	              "1 1 tarry_region_end region=\"never begun\"\n"
	              "2 2 tarry_region_begin region=\"outer\"\n"
	              "3 3 tarry_region_begin region=\"inner\"\n"
	              "4 4 tarry_mark region=\"here\"\n"
	              "5 5 tarry_region_end region=\"outer\"\n"
	              "6 6 tarry_region_end region=\"inner\"\n"
	              "7 7 tarry_region_begin region=\"cut off\"\n"
	              "8 8 tarry_region_begin\n"
	              "9 10 MPI_Send\n"
	              "thread 5\n"
	              "8 8 tarry_region_begin region=\"of a thread\"\n"
	              "9 10 MPI_Recv\n"
	              "process rank=1\n"
	              "1 2 MPI_Send\n",
	              "tarry_mark in 2 \"inner\"\n"
	              "MPI_Send in 3 \"cut off\"\n"
	              "MPI_Recv in 4 \"of a thread\"\n"
	              "MPI_Send in 0 \"\"\n"
	              "2 \"inner\" of 0 from 3 to 5\n"
	              "1 \"outer\" of 0 from 2 to 5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_live_until_they_are_completed),
		cmocka_unit_test(threads_hand_on_a_number),
		cmocka_unit_test(persistent_requests_live_often),
		cmocka_unit_test(fruitless_tests_are_counted),
		cmocka_unit_test(what_never_ends_is_lost),
		cmocka_unit_test(calls_lie_in_regions),
		cmocka_unit_test(regions_may_be_crooked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
