/* How late threads are because they, or those they waited for, had no processor. */
#include "analysis/model/propagated_delay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "from_text.h"

#define CLOCK "clock monotonic 1000000000 tick=0 ns=1000000\n"
#define RANK(n) \
	"process rank=" #n "\n" CLOCK "comm 0xc rank=" #n " size=3 " \
	"members=1:0-2 \"MPI_COMM_WORLD\"\n"

#define WINDOW "object win 0xa comm=0xc size=8 unit=1 \"\"\n"

static struct reader *reader;
static struct corrected_time *corrected;
static struct propagated_delays *delays;

static void begin(const char *trace)
{
	reader = read_text(trace);
	corrected = corrected_time_by_clocks(reader);
	delays = propagated_delays_new(reader, corrected, NULL, NULL);
}

static void end(void)
{
	propagated_delays_free(delays);
	corrected_time_free(corrected);
	reader_close(reader);
}

static int64_t delay_of(uint32_t process, uint64_t tick)
{
	return propagated_delay_at(delays, process, 0, corrected_ns(corrected, process, tick));
}

static void what_is_stolen_between_calls_makes_late(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000010 MPI_Send comm=0xc peer=null tag=0 sent=0 stolen_before=300 stolen_inside=0\n"
	           "1000020 1000030 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 0), 0);
	assert_int_equal(delay_of(0, 1000000), 300000);
	assert_int_equal(delay_of(0, 1000020), 300000);
	assert_int_equal(propagated_delays_scheduling_ns(delays), 300000);
	assert_true(propagated_delays_are_needed(reader));
	end();
}

static void no_more_is_stolen_than_there_was(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0 stolen_before=4294967295 stolen_inside=4294967295\n"
	           "1010 2010 MPI_Send comm=0xc peer=null tag=0 sent=0 stolen_before=4294967295 stolen_inside=4294967295\n"
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
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8 stolen_before=400 stolen_inside=0\n" RANK(
			   1) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	                      "100000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 stolen_before=0 stolen_inside=500\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 1000000), 400000);
	assert_int_equal(delay_of(1, 100000), 0);
	assert_int_equal(delay_of(1, 2000000), 400000);
	end();
}

/* Rank 1 would have waited until 600 us if nobody had been late. */
static void who_would_have_waited_anyway_is_late_by_the_rest(void **state)
{
	(void)state;
	begin(RANK(
		0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	           "1000000 1000100 MPI_Send comm=0xc peer=1 tag=0 sent=8 stolen_before=400 stolen_inside=0\n" RANK(
			   1) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	                      "900000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 stolen_before=700 stolen_inside=0\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 900000), 700000);
	assert_int_equal(delay_of(1, 2000000), 400000);
	end();
}

static void what_is_stolen_after_the_other_came_makes_late(void **state)
{
	(void)state;
	begin(RANK(0) "500000 500100 MPI_Send comm=0xc peer=1 tag=0 sent=8\n" RANK(
		1) "100000 1000000 MPI_Recv comm=0xc peer=0 tag=0 received=8 stolen_before=0 stolen_inside=700\n"
	           "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 1000000), 500000);
	assert_int_equal(delay_of(1, 2000000), 500000);
	end();
}

static void all_that_meet_are_as_late_as_who_would_have_come_last(void **state)
{
	(void)state;
	begin(RANK(0) "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	              "1000000 1000100 MPI_Barrier comm=0xc stolen_before=400 stolen_inside=0\n" RANK(
			      1) "100000 1000100 MPI_Barrier comm=0xc\n"
	                         "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(
					 2) "700000 1000100 MPI_Barrier comm=0xc\n"
	                                    "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 2000000), 300000);
	assert_int_equal(delay_of(1, 2000000), 300000);
	assert_int_equal(delay_of(2, 2000000), 300000);
	end();
}

/* Rank 1 had no processor for most of its wait, which rank 0 would have made as long, and for all of the 100 ns
 * behind it; rank 2 waited for nobody. */
static void who_waits_in_a_fence_is_as_late_as_who_comes_last(void **state)
{
	(void)state;
	begin(RANK(0) WINDOW
	      "0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	      "1000000 1000100 MPI_Win_fence win=0xa stolen_before=400 stolen_inside=0\n" RANK(1) WINDOW
	      "100000 1000100 MPI_Win_fence win=0xa stolen_before=0 stolen_inside=800\n"
	      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(2) WINDOW
	      "700000 800000 MPI_Win_fence win=0xa\n"
	      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(1, 2000000), 300000 + 100);
	assert_int_equal(delay_of(2, 2000000), 0);
	end();
}

/* In the barrier, ranks 0 and 1 had no processor for most of the time after all had come, and waited for each other in the rest;
 * rank 2 lost little, and waited for what the barrier takes. */
static void who_has_no_processor_most_of_the_time_waits_for_others_without_one(void **state)
{
	(void)state;
	begin(RANK(
		0) "100000 1100000 MPI_Barrier comm=0xc stolen_before=0 stolen_inside=600\n"
	           "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(
			   1) "100000 1300000 MPI_Barrier comm=0xc stolen_before=0 stolen_inside=900\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n" RANK(
				      2) "100000 1100000 MPI_Barrier comm=0xc stolen_before=0 stolen_inside=100\n"
	                                 "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_int_equal(delay_of(0, 2000000), 1000000);
	assert_int_equal(delay_of(1, 2000000), 1200000);
	assert_int_equal(delay_of(2, 2000000), 100000);
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
	                      "100000 900000 MPI_Test request=0 flag=0 polls=50 busy=1000 stolen_before=0 stolen_inside=600\n"
	                      "1000000 1000100 MPI_Test flag=1 done=0 source=0 source_tag=0 received=8\n"
	                      "2000000 2000100 MPI_Send comm=0xc peer=null tag=0 sent=0\n");
	assert_true(delay_of(1, 2000000) <= 100);
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
		cmocka_unit_test(what_is_stolen_between_calls_makes_late),
		cmocka_unit_test(no_more_is_stolen_than_there_was),
		cmocka_unit_test(who_waits_is_as_late_as_whom_it_waits_for),
		cmocka_unit_test(who_would_have_waited_anyway_is_late_by_the_rest),
		cmocka_unit_test(what_is_stolen_after_the_other_came_makes_late),
		cmocka_unit_test(all_that_meet_are_as_late_as_who_would_have_come_last),
		cmocka_unit_test(who_waits_in_a_fence_is_as_late_as_who_comes_last),
		cmocka_unit_test(who_has_no_processor_most_of_the_time_waits_for_others_without_one),
		cmocka_unit_test(polling_is_waiting),
		cmocka_unit_test(a_calm_trace_needs_none),
		cmocka_unit_test(sums_below_a_microsecond_need_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
