/* How late threads are because they, or those they waited for, had no processor. */
#include "analysis/model/propagated_delay.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "from_text.h"

#define CLOCK "clock monotonic 1000000000 tick=0 ns=1000000\n"
#define RANK(n) \
	"process rank=" #n "\n" CLOCK "comm 0xc rank=" #n " size=3 " \
	"members=1:0-2 \"MPI_COMM_WORLD\"\n"

#define WINDOW "object win 0xa comm=0xc size=8 unit=1 \"\"\n"

static struct reader *reader;
static struct analysis_session *session;
static struct propagated_delays *delays;
static struct work_limits polls = {.gap_ns = 2000, .part = 0.25};

static void begin(const char *trace)
{
	reader = read_text(trace);
	session = session_new(reader);
	session->parameters.polls = polls;
	delays = session->delays = propagated_delays_new(session);
}

static void end(void)
{
	session_free(session);
	reader_close(reader);
}

static int64_t delay_of(uint32_t process, uint64_t tick)
{
	return propagated_delay_at(delays, process, 0, corrected_ns(session->time, process, tick));
}

static void what_is_delay_between_calls_makes_late(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000010 MPI_Send comm=0xc peer=null tag=0 sent=0 delay_before=300 delay_inside=0\n"
	           "1000020 1000030 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 0), 0);
	assert_int_equal(delay_of(0, 1000000), 300000);
	assert_int_equal(delay_of(0, 1000020), 300000);
	assert_int_equal(propagated_delay_sums(delays).scheduling_ns, 300000);
	assert_true(propagated_delays_are_needed(reader));
	end();
}

static void no_delay_is_longer_than_its_time(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0 delay_before=4294967295 delay_inside=4294967295\n"
	           "1010 2010 MPI_Send comm=0xc peer=null tag=0 sent=0 delay_before=4294967295 delay_inside=4294967295\n"
	           "3000 3001 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 1010), 1010);
	assert_int_equal(delay_of(0, 3000), 2010);
	end();
}

/* Rank 0 sends 400 us late; rank 1 waits for it, and for a part of that time has no processor itself: it would have got
 * the message 400 us sooner, and no more. */
static void who_waits_is_as_late_as_whom_it_waits_for(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8 delay_before=400 delay_inside=0\n" RANK(
			   1) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	                      "100000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 delay_before=0 delay_inside=500\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 1000000), 400000);
	assert_int_equal(delay_of(1, 100000), 0);
	assert_int_equal(delay_of(1, 2000000), 400000);
	end();
}

/* Rank 1 would have waited until 600 us if no rank had been late. */
static void who_would_have_waited_anyway_is_late_by_the_rest(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8 delay_before=400 delay_inside=0\n" RANK(
			   1) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	                      "900000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 delay_before=700 delay_inside=0\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 900000), 700000);
	assert_int_equal(delay_of(1, 2000000), 400000);
	end();
}

static void a_delay_after_the_other_came_makes_late(void **state)
{
	(void)state;
	begin(RANK(0) "500000 500100 MPI_Send comm=0xc peer=1 tag=0 sent=8\n" RANK(
		1) "100000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 delay_before=0 delay_inside=700\n"
	           "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 1000000), 500000);
	assert_int_equal(delay_of(1, 2000000), 500000);
	end();
}

static void all_that_meet_are_as_late_as_who_would_have_come_last(void **state)
{
	(void)state;
	begin(RANK(0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	              "1000000 1000100 MPI_Barrier comm=0xc delay_before=400 delay_inside=0\n" RANK(
			      1) "100000 1000100 MPI_Barrier comm=0xc\n"
	                         "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(
					 2) "700000 1000100 MPI_Barrier comm=0xc\n"
	                                    "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 2000000), 300000);
	assert_int_equal(delay_of(1, 2000000), 300000);
	assert_int_equal(delay_of(2, 2000000), 300000);
	end();
}

/* Rank 1 had no CPU for most of its wait, which rank 0 would have made as long, and for all of the 100 ns
 * after it; rank 2 did not wait. */
static void who_waits_in_a_fence_is_as_late_as_who_comes_last(void **state)
{
	(void)state;
	begin(RANK(0) WINDOW "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	                     "1000000 1000100 MPI_Win_fence win=0xa delay_before=400 delay_inside=0\n" RANK(1)
	                             WINDOW
	      "100000 1000100 MPI_Win_fence win=0xa delay_before=0 delay_inside=800\n"
	      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(2) WINDOW
	      "700000 800000 MPI_Win_fence win=0xa\n"
	      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 2000000), 300000 + 100);
	assert_int_equal(delay_of(2, 2000000), 0);
	end();
}

/* In the barrier, ranks 0 and 1 had no processor for most of the time after all had come, and all waited for these in the rest. */
static void who_needs_those_without_a_processor_is_as_late(void **state)
{
	(void)state;
	begin(RANK(
		0) "100000 1100000 MPI_Barrier comm=0xc delay_before=0 delay_inside=600\n"
	           "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(
			   1) "100000 1300000 MPI_Barrier comm=0xc delay_before=0 delay_inside=900\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(
				      2) "100000 1100000 MPI_Barrier comm=0xc delay_before=0 delay_inside=100\n"
	                                 "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 2000000), 1000000);
	assert_int_equal(delay_of(1, 2000000), 1200000);
	assert_int_equal(delay_of(2, 2000000), 1000000);
	end();
}

/* Tests in a row and the one that succeeds are one wait. */
static void polling_is_waiting(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8\n" RANK(
			   1) "0 10 MPI_Irecv comm=0xc peer=0 tag=0 room=8 request=0\n"
	                      "100000 900000 MPI_Test request=0 flag=0 polls=50 busy=190000 delay_before=0 delay_inside=600\n"
	                      "1000000 1000100 MPI_Test flag=1 done=0 source=0 source_tag=0 received=8\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_true(delay_of(1, 2000000) <= 100);
	end();
}

/* Between these there is no time for work, and no other process ends them: the request needs none,
 * or they are abandoned. */
static void tests_that_nobody_else_ends_make_late(void **state)
{
	static const char *const ends[] = {
		"1000000 1000100 MPI_Test flag=1 done=0\n",
		"1000000 1000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		char text[2048];
		snprintf(
			text, sizeof text,
			RANK(0) "0 10 MPI_Isend comm=0xc peer=null tag=0 sent=8 request=0\n"
				"100000 900000 MPI_Test request=0 flag=0 polls=50 busy=790000 delay_before=0 delay_inside=600\n"
				"%s"
				"2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n",
			ends[i]);
		begin(text);
		assert_int_equal(delay_of(0, 2000000), 600000);
		end();
	}
}

/* Rank 1 works until 900 us after it began, and tests occasionally: the message would not have let it go earlier. */
static void work_between_tests_is_late(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "500000 500100 MPI_Send comm=0xc peer=1 tag=0 sent=8\n" RANK(
			   1) "0 10 MPI_Irecv comm=0xc peer=0 tag=0 room=8 request=0\n"
	                      "100000 900000 MPI_Test request=0 flag=0 polls=5 busy=1000 delay_before=0 delay_inside=600\n"
	                      "1000000 1000100 MPI_Test flag=1 done=0 source=0 source_tag=0 received=8\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 950000), 600000);
	assert_int_equal(delay_of(1, 2000000), 600000);
	end();
}

/* The same tests, but the user sets that there is no time for work between them. */
static void the_user_says_what_is_work_between_tests(void **state)
{
	const struct work_limits usual = polls;

	polls.gap_ns = 1000000;
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8\n" RANK(
			   1) "0 10 MPI_Irecv comm=0xc peer=0 tag=0 room=8 request=0\n"
	                      "100000 900000 MPI_Test request=0 flag=0 polls=5 busy=1000 delay_before=0 delay_inside=600\n"
	                      "1000000 1000100 MPI_Test flag=1 done=0 source=0 source_tag=0 received=8\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_true(delay_of(1, 2000000) <= 100);
	end();
	polls = usual;
}

/* Rank 0 posts its receive 400 us late. */
#define LATE_RECEIVER \
	RANK(0) \
	"0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n" \
	"1000000 1000100 MPI_Recv comm=0xc peer=1 tag=0 received=8192 delay_before=400 delay_inside=0\n"
#define LATER "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n"

static void who_waits_for_its_receiver_is_as_late(void **state)
{
	static const char *const sends[] = {
		"100000 1000050 MPI_Send comm=0xc peer=0 tag=0 sent=8192\n" LATER,
		"100000 1000050 MPI_Ssend comm=0xc peer=0 tag=0 sent=8192\n" LATER,
		"100000 100010 MPI_Isend comm=0xc peer=0 tag=0 sent=8192 request=0\n"
		"200000 1000050 MPI_Wait done=0\n" LATER,
	};

	(void)state;
	for (size_t i = 0; i < sizeof sends / sizeof *sends; i++) {
		char text[2048];
		snprintf(text, sizeof text, LATE_RECEIVER RANK(1) "%s", sends[i]);
		begin(text);
		assert_int_equal(delay_of(1, 100000), 0);
		assert_int_equal(delay_of(1, 2000000), 400000);
		end();
	}
}

/* A message that the library buffers, and one that is buffered by the program: both calls had no processor when the receiver came. */
static void who_does_not_need_its_receiver_is_not(void **state)
{
	(void)state;
	begin("process rank=0\n" CLOCK "eager 65536 node\n"
	      "comm 0xc rank=0 size=3 members=1:0-2 \"MPI_COMM_WORLD\"\n"
	      "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	      "1000000 1000100 MPI_Recv comm=0xc peer=1 tag=0 received=8192 delay_before=400 delay_inside=0\n"
	      "1000200 1000300 MPI_Recv comm=0xc peer=2 tag=0 received=8192000\n" RANK(
		      1) "999000 1001000 MPI_Send comm=0xc peer=0 tag=0 sent=8192\n" LATER
	              RANK(2) "999000 1001000 MPI_Bsend comm=0xc peer=0 tag=0 sent=8192000\n" LATER);
	assert_int_equal(delay_of(1, 2000000), 0);
	assert_int_equal(delay_of(2, 2000000), 0);
	end();
}

/* The target posts 400 us late, and so the origin starts late, and completes late. */
static void delays_pass_through_epochs(void **state)
{
	(void)state;
	begin(RANK(0) WINDOW
	      "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	      "1000000 1000010 MPI_Win_post win=0xa member=1 assert=0 delay_before=400 delay_inside=0\n"
	      "1000020 1600000 MPI_Win_wait win=0xa\n" LATER RANK(1) WINDOW
	      "100000 1000100 MPI_Win_start win=0xa member=0 assert=0\n"
	      "1500000 1600000 MPI_Win_complete win=0xa delay_before=100 delay_inside=0\n" LATER);
	assert_int_equal(delay_of(1, 1000200), 400000);
	assert_int_equal(delay_of(1, 1500000), 500000);
	assert_int_equal(delay_of(0, 2000000), 500000);
	end();
}

/* Of three neighbours in a line, the first is late, and only the second waits for it. */
static void delays_pass_to_neighbours(void **state)
{
	(void)state;
	begin(RANK(
		0) "comm 0xd rank=0 size=3 members=1:0-2 \"line\"\n"
	           "0 10 MPI_Cart_create comm=0xc newcomm=0xd member=1\n"
	           "1000000 1000100 MPI_Neighbor_allgather comm=0xd sent=8 received=8 delay_before=400 "
	           "delay_inside=0\n" LATER RANK(
			   1) "comm 0xd rank=1 size=3 members=1:0-2 \"line\"\n"
	                      "0 10 MPI_Cart_create comm=0xc newcomm=0xd member=0 member=2\n"
	                      "100000 1000100 MPI_Neighbor_allgather comm=0xd sent=8 received=16\n" LATER RANK(
				      2) "comm 0xd rank=2 size=3 members=1:0-2 \"line\"\n"
	                                 "0 10 MPI_Cart_create comm=0xc newcomm=0xd member=1\n"
	                                 "100000 100100 MPI_Neighbor_allgather comm=0xd sent=8 received=8\n" LATER);
	assert_int_equal(delay_of(1, 2000000), 400000);
	assert_int_equal(delay_of(2, 2000000), 0);
	end();
}

static void delays_pass_through_locks(void **state)
{
	(void)state;
	begin(RANK(0) WINDOW
	      "0 10 MPI_Win_lock win=0xa target=2 lock=2\n"
	      "1000000 1000100 MPI_Win_unlock win=0xa target=2 delay_before=400 delay_inside=0\n" RANK(1)
	              WINDOW "100000 1000200 MPI_Win_lock win=0xa target=2 lock=2\n"
	                     "1000300 1000400 MPI_Win_unlock win=0xa target=2\n" LATER RANK(2) WINDOW
	      "0 10 MPI_Barrier comm=0xc\n");
	assert_int_equal(delay_of(1, 2000000), 400000);
	end();
}

static void delays_pass_through_partitions(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Psend_init comm=0xc peer=1 tag=0 sent=16 partitions=2 request=0 persistent=1\n"
	           "100 200 MPI_Start request=0\n"
	           "1000000 1000010 MPI_Pready request=0 partition=0 delay_before=400 delay_inside=0\n"
	           "1000020 1000030 MPI_Pready request=0 partition=1\n"
	           "1000040 1000100 MPI_Wait done=0\n" RANK(
			   1) "0 10 MPI_Precv_init comm=0xc peer=0 tag=0 room=16 partitions=2 request=0 persistent=1\n"
	                      "100 200 MPI_Start request=0\n"
	                      "100000 1000100 MPI_Wait done=0 source=0 source_tag=0 received=16\n" LATER);
	assert_int_equal(delay_of(1, 2000000), 400000);
	end();
}

/* Windows are created by all together. */
static void delays_pass_through_what_all_create(void **state)
{
	(void)state;
	begin(RANK(0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	              "1000000 1000100 MPI_Win_create comm=0xc delay_before=400 delay_inside=0\n" RANK(
			      1) "100000 1000100 MPI_Win_create comm=0xc\n" LATER
	                      RANK(2) "100000 1000100 MPI_Win_create comm=0xc\n" LATER);
	assert_int_equal(delay_of(1, 2000000), 400000);
	assert_int_equal(delay_of(2, 2000000), 400000);
	end();
}

static int64_t waited_delay_of(uint32_t process, uint64_t tick)
{
	return propagated_waited_delay_at(delays, process, 0, corrected_ns(session->time, process, tick));
}

/* Rank 1 waits for rank 0, which is late by 400 us, and then for rank 2, which is late for no such reason: it would have waited there
 * from 100 us on. */
static void a_real_wait_takes_back_what_was_waited(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "500000 500010 MPI_Send comm=0xc peer=1 tag=0 sent=8 delay_before=400 delay_inside=0\n" RANK(
			   1) "100000 500000 MPI_Recv comm=0xc peer=0 tag=0 received=8\n"
	                      "500100 700000 MPI_Recv comm=0xc peer=2 tag=0 received=8\n" LATER RANK(
				      2) "700000 700010 MPI_Send comm=0xc peer=1 tag=0 sent=8\n");
	assert_int_equal(delay_of(1, 500100), 400000);
	assert_int_equal(waited_delay_of(1, 500100), 400000);
	assert_int_equal(delay_of(1, 2000000), 0);
	assert_int_equal(waited_delay_of(1, 2000000), 0);
	end();
}

/* A thread's own time without a CPU was not waiting. */
static void own_delays_were_not_waited(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "500000 500010 MPI_Send comm=0xc peer=null tag=0 sent=8 delay_before=400 delay_inside=0\n"
	           "600000 700000 MPI_Recv comm=0xc peer=1 tag=0 received=8\n" LATER RANK(
			   1) "650000 650010 MPI_Send comm=0xc peer=0 tag=0 sent=8\n");
	assert_int_equal(delay_of(0, 600000), 400000);
	assert_int_equal(waited_delay_of(0, 600000), 0);
	assert_int_equal(waited_delay_of(0, 2000000), 0);
	end();
}

/* Rank 1 had no processor while it waited; rank 0 before it came, and at the end. */
static void only_delays_count_that_made_somebody_late(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8 delay_before=400 delay_inside=0\n"
	           "1100000 2000000 MPI_Finalize delay_before=0 delay_inside=600\n" RANK(
			   1) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	                      "100000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 delay_before=0 delay_inside=500\n"
	                      "1100000 2000000 MPI_Finalize\n");
	assert_int_equal(propagated_delay_sums(delays).scheduling_ns, 900000);
	assert_int_equal(propagated_delay_sums(delays).harmful_ns, 400000);
	assert_int_equal(propagated_delay_sums(delays).all_harmful_ns, 400000);
	end();
}

enum {
	MESSAGES = 20000,
	LATE_EVERY = 1000,
	BARRIER_EVERY = 5000,
	STEP_NS = 10000,
	LATE_NS = 5000,
	LATER_NS = 4000
};

static void add_steps(struct text *text, bool is_sender)
{
	for (int i = 1, ns = STEP_NS; i <= MESSAGES; i++, ns += STEP_NS) {
		bool had_barrier = i > 1 && i % BARRIER_EVERY == 1;
		if (is_sender)
			text_add(text, "%d %d MPI_Send comm=0xc peer=1 tag=0 sent=8%s\n", ns, ns + 100,
			         i % LATE_EVERY ? "" : " delay_before=5 delay_inside=0");
		else
			text_add(text, "%d %d MPI_Recv comm=0xc peer=0 tag=0 received=8\n",
			         ns - STEP_NS + (had_barrier ? 5200 : 300), ns + 200);
		if (i % BARRIER_EVERY == 0)
			text_add(text, "%d %d MPI_Barrier comm=0xd%s\n", ns + (is_sender ? 1000 : 5000),
			         ns + 5100, is_sender ? "" : " delay_before=4 delay_inside=0");
	}
}

/* More calls than are kept at a time. Each 1000th message is sent 5 us late, and all are waited for;
 * occasionally there is a barrier, which the receiver reaches 4 us late. */
static void long_traces_are_resolved_piece_by_piece(void **state)
{
	struct text text = {0};

	(void)state;
	text_add(&text, "%s%s", RANK(0), "comm 0xd rank=0 size=2 members=1:0-1 \"both\"\n");
	text_add(&text, "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	add_steps(&text, true);
	text_add(&text, "%s%s", RANK(1), "comm 0xd rank=1 size=2 members=1:0-1 \"both\"\n");
	add_steps(&text, false);
	begin(text.bytes);
	for (int i = LATE_EVERY; i < MESSAGES; i += LATE_EVERY) {
		int64_t late = i / LATE_EVERY * LATE_NS + i / BARRIER_EVERY * LATER_NS;
		assert_int_equal(delay_of(0, (uint64_t)(i + 1) * STEP_NS), late);
		assert_int_equal(delay_of(1, (uint64_t)(i + 1) * STEP_NS + 300), late);
	}
	text_release(&text);
	end();
}

/* The replay reads many calls of rank 0 and 1 before the first one of rank 2. The time that MPI_Init took is not a delay. */
static void delays_in_the_start_do_not_count(void **state)
{
	struct text text = {0};

	(void)state;
	text_add(&text, "%s%s", RANK(0), "0 200 MPI_Init delay_before=0 delay_inside=1\n");
	add_steps(&text, true);
	text_add(&text, "%s%s", RANK(1), "0 200 MPI_Init delay_before=0 delay_inside=1\n");
	add_steps(&text, false);
	text_add(&text, "%s%s", RANK(2), "0 200 MPI_Init delay_before=0 delay_inside=1\n");
	begin(text.bytes);
	for (uint32_t rank = 0; rank < 3; rank++)
		assert_int_equal(delay_of(rank, 2 * STEP_NS), 0);
	text_release(&text);
	end();
}

static void a_calm_trace_needs_none(void **state)
{
	(void)state;
	begin(RANK(0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_false(propagated_delays_are_needed(reader));
	assert_int_equal(delay_of(0, 5), 0);
	assert_int_equal(propagated_delay_at(delays, 7, 0, 5), 0);
	assert_int_equal(propagated_delay_at(delays, 0, 9, 5), 0);
	end();
}

/* The recorder took 300 ns in all. */
static void sums_below_a_microsecond_need_none(void **state)
{
	(void)state;
	begin("process rank=0\nproperty stolen \"0\"\nproperty overhead \"0\"\n" CLOCK
	      "comm 0xc rank=0 size=1 members=1:0 \"MPI_COMM_WORLD\"\n"
	      "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	      "overhead 100 300 start\n"
	      "1000 1010 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_true(reader->processes[0].streams[0].has_overhead);
	assert_false(propagated_delays_are_needed(reader));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_delay_between_calls_makes_late),
		cmocka_unit_test(no_delay_is_longer_than_its_time),
		cmocka_unit_test(who_waits_is_as_late_as_whom_it_waits_for),
		cmocka_unit_test(who_would_have_waited_anyway_is_late_by_the_rest),
		cmocka_unit_test(a_delay_after_the_other_came_makes_late),
		cmocka_unit_test(all_that_meet_are_as_late_as_who_would_have_come_last),
		cmocka_unit_test(who_waits_in_a_fence_is_as_late_as_who_comes_last),
		cmocka_unit_test(who_needs_those_without_a_processor_is_as_late),
		cmocka_unit_test(polling_is_waiting),
		cmocka_unit_test(tests_that_nobody_else_ends_make_late),
		cmocka_unit_test(work_between_tests_is_late),
		cmocka_unit_test(the_user_says_what_is_work_between_tests),
		cmocka_unit_test(who_waits_for_its_receiver_is_as_late),
		cmocka_unit_test(who_does_not_need_its_receiver_is_not),
		cmocka_unit_test(delays_pass_through_epochs),
		cmocka_unit_test(delays_pass_to_neighbours),
		cmocka_unit_test(delays_pass_through_locks),
		cmocka_unit_test(delays_pass_through_partitions),
		cmocka_unit_test(delays_pass_through_what_all_create),
		cmocka_unit_test(a_real_wait_takes_back_what_was_waited),
		cmocka_unit_test(own_delays_were_not_waited),
		cmocka_unit_test(only_delays_count_that_made_somebody_late),
		cmocka_unit_test(long_traces_are_resolved_piece_by_piece),
		cmocka_unit_test(delays_in_the_start_do_not_count),
		cmocka_unit_test(a_calm_trace_needs_none),
		cmocka_unit_test(sums_below_a_microsecond_need_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
