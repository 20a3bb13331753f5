/* The eager limit that the messages of a trace show. */
#include "analysis/model/eager.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "from_text.h"

#define TRACE_RANK(n, clock) \
	"process rank=" #n "\n" clock "clock monotonic 1000000000 tick=0 ns=1000000\n" \
	"comm 0xc rank=" #n " size=2 members=1:0-1 \"MPI_COMM_WORLD\"\n"
#define SHARED "property clock \"one for all\"\n"
#define SENDS \
	"1000 1100 MPI_Send comm=0xc peer=1 tag=0 sent=512\n" \
	"2000 2100 MPI_Send comm=0xc peer=1 tag=0 sent=1024\n" \
	"3000 9100 MPI_Send comm=0xc peer=1 tag=0 sent=4096\n"
#define RECEIVES \
	"5000 5100 MPI_Recv comm=0xc peer=0 tag=0 received=512 delay_before=1 delay_inside=0\n" \
	"6000 6100 MPI_Recv comm=0xc peer=0 tag=0 received=1024\n" \
	"9000 9100 MPI_Recv comm=0xc peer=0 tag=0 received=4096\n"

static int64_t limit_of(const char *text)
{
	struct reader *reader = read_text(text);
	struct analysis_session *session = session_new(reader);
	int64_t bytes;

	eager_find(session);
	bytes = eager_between(session->nodes, 0, 1);
	session_free(session);
	reader_close(reader);
	return bytes;
}

static void the_largest_send_that_returned_early_is_a_lower_bound(void **state)
{
	(void)state;
	assert_int_equal(limit_of(TRACE_RANK(0, SHARED) SENDS TRACE_RANK(1, SHARED) RECEIVES), 1024);
}

/* The second is complete only when its receiver is there. */
static void sends_with_requests_show_it_too(void **state)
{
	(void)state;
	assert_int_equal(
		limit_of(TRACE_RANK(
			0, SHARED) "1000 1100 MPI_Isend comm=0xc peer=1 tag=0 sent=800 request=0\n"
	                           "1200 1300 MPI_Isend comm=0xc peer=1 tag=0 sent=900 request=1\n"
	                           "1400 1500 MPI_Wait done=0\n"
	                           "1600 6050 MPI_Wait done=1\n" TRACE_RANK(
					   1,
					   SHARED) "5000 5100 MPI_Recv comm=0xc peer=0 tag=0 received=800\n"
	                                           "6000 6100 MPI_Recv comm=0xc peer=0 tag=0 received=900\n"),
		800);
}

static void a_limit_in_the_trace_stays(void **state)
{
	(void)state;
	assert_int_equal(
		limit_of(TRACE_RANK(0, SHARED "eager 100 node\n") SENDS TRACE_RANK(1, SHARED) RECEIVES), 100);
}

/* The offset of the clocks is unknown: the receiver may have been there all the time. */
static void clocks_that_were_not_compared_show_nothing(void **state)
{
	(void)state;
	assert_int_equal(limit_of(TRACE_RANK(0, ) SENDS TRACE_RANK(1, ) RECEIVES), -1);
}

/* A report needs it for its rules, and later for its predictions. */
static void a_trace_is_replayed_once(void **state)
{
	struct reader *reader = read_text(TRACE_RANK(0, ) SENDS TRACE_RANK(1, ) RECEIVES);
	struct analysis_session *session = session_new(reader);
	struct corrected_time *time = session->time;

	(void)state;
	eager_find(session);
	assert_int_equal(eager_between(session->nodes, 0, 1), -1);
	/* Another replay would need it. */
	session->time = NULL;
	eager_find(session);
	session->time = time;
	assert_int_equal(eager_between(session->nodes, 0, 1), -1);
	session_free(session);
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_send_that_returned_early_is_a_lower_bound),
		cmocka_unit_test(sends_with_requests_show_it_too),
		cmocka_unit_test(a_limit_in_the_trace_stays),
		cmocka_unit_test(clocks_that_were_not_compared_show_nothing),
		cmocka_unit_test(a_trace_is_replayed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
