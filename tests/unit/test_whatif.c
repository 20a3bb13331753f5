/* The run as a graph of events: its weights, scenarios, and the edges that each kind of wait has. */
#include "analysis/whatif/whatif.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "from_text.h"

enum { RECORDED, IDEAL, CALM, SCENARIOS };

static const struct scenario_factors scenarios[SCENARIOS] = {
	[RECORDED] = {1, 1, 1, false}, [IDEAL] = {0, 0, 1, false}, [CALM] = {1, 1, 0, false}};

static struct event_graph *graph;

static void begin(uint32_t threads)
{
	graph = event_graph_new(threads, scenarios, SCENARIOS);
}

static void end(void)
{
	event_graph_free(graph);
}

static void call(uint32_t thread, int64_t from, int64_t to)
{
	event_graph_call(graph, thread, &(struct event_call){.start = from, .end = to});
}

static void needs(uint32_t thread, int64_t from, int64_t to, struct event_need need)
{
	event_graph_need(graph, &(struct event_wait){thread, from, to}, &need, 1);
}

static void assert_ends(int64_t recorded, int64_t ideal, int64_t calm)
{
	event_graph_finish(graph);
	assert_int_equal(event_graph_error_ns(graph), 0);
	assert_int_equal(event_graph_end_ns(graph, RECORDED), recorded);
	assert_int_equal(event_graph_end_ns(graph, IDEAL), ideal);
	assert_int_equal(event_graph_end_ns(graph, CALM), calm);
}

/* Thread 1 receives at 10 what thread 0 sends at 100, which takes 20. */
static void a_receiver_follows_its_sender(void **state)
{
	(void)state;
	begin(2);
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 100, .end = 105, .delay_before = 40});
	call(1, 0, 0);
	call(1, 10, 120);
	needs(1, 10, 120, (struct event_need){.thread = 0, .moment = 100, .transfer_ns = 20});
	assert_ends(120, 100, 80);
	end();
}

/* The message had arrived: without the delay of the receiver, the transfer is no longer hidden. */
static void a_hidden_transfer_shows_if_the_receiver_comes_earlier(void **state)
{
	(void)state;
	begin(2);
	call(0, 0, 0);
	call(0, 100, 101);
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 500, .end = 502, .delay_before = 450});
	needs(1, 500, 502, (struct event_need){.thread = 0, .moment = 100, .transfer_ns = 30});
	assert_ends(502, 500, 130);
	end();
}

/* All leave 10 after the last has come. */
static void members_of_a_collective_follow_the_last(void **state)
{
	struct event_need needed[] = {{.thread = 0, .moment = 10}, {.thread = 1, .moment = 200}};
	struct shared_events *shared;

	(void)state;
	begin(2);
	call(0, 0, 0);
	call(0, 10, 210);
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 200, .end = 210, .delay_before = 150});
	shared = event_graph_share(needed, 2, SCENARIOS);
	event_graph_need_shared(graph, &(struct event_wait){0, 10, 210}, shared, 2);
	event_graph_need_shared(graph, &(struct event_wait){1, 200, 210}, shared, 2);
	shared_events_release(shared);
	call(0, 300, 300);
	assert_ends(300, 290, 150);
	end();
}

/* Tests from 10 on, and the one that ends them, are one wait: it ends as early as the message comes. */
static void tests_are_one_wait(void **state)
{
	(void)state;
	begin(2);
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 100, .end = 100, .delay_before = 60});
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 10, .end = 90, .is_fruitless = true});
	call(1, 95, 104);
	needs(1, 95, 104, (struct event_need){.thread = 0, .moment = 100, .transfer_ns = 4});
	assert_ends(104, 100, 44);
	end();
}

/* Recorded, the message of thread 0 came first. Without its delay it is that of thread 1: the first receive takes it. */
static void wildcards_are_matched_again(void **state)
{
	(void)state;
	begin(3);
	call(0, 0, 0);
	call(0, 100, 100);
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 200, .end = 200, .delay_before = 180});
	call(2, 0, 0);
	call(2, 0, 100);
	needs(2, 0, 100, (struct event_need){.thread = 0, .kind = EVENT_ANY, .moment = 100, .queue = 1});
	call(2, 150, 200);
	needs(2, 150, 200, (struct event_need){.thread = 1, .kind = EVENT_ANY, .moment = 200, .queue = 1});
	call(2, 200, 200);
	/* At 20 it receives the first, at 70 it is done with it, at 100 it receives the second. */
	assert_ends(200, 200, 100);
	assert_int_equal(event_graph_doubts(graph, CALM).rematched_ns, 80);
	assert_int_equal(event_graph_doubts(graph, RECORDED).rematched_ns, 0);
	end();
}

/* Scenarios may change the work between two calls, drop an edge, and remove a call. */
static void scenarios_change_single_edges(void **state)
{
	static const double half[SCENARIOS] = {1, 0.5, 1};
	uint32_t kind, unbound, removed;

	(void)state;
	begin(2);
	kind = event_graph_work(graph, half);
	unbound = event_graph_changes(graph, &(struct call_changes){.unbound = 1u << CALM});
	removed = event_graph_changes(graph, &(struct call_changes){.removed = 1u << CALM});
	call(0, 0, 0);
	call(0, 100, 101);
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 10, .end = 110, .changes = unbound});
	needs(1, 10, 110, (struct event_need){.thread = 0, .moment = 100});
	event_graph_call(graph, 1, &(struct event_call){.start = 210, .end = 250, .work = kind});
	event_graph_call(graph, 1, &(struct event_call){.start = 250, .end = 270, .changes = removed});
	assert_ends(270, 150, 160);
	end();
}

/* Each instance has its own factor: 100 become 50, 40 stay. */
static void even_work_is_shorter_where_it_is_too_long(void **state)
{
	static const double same[SCENARIOS] = {1, 1, 1};
	uint32_t kind;

	(void)state;
	begin(1);
	kind = event_graph_work(graph, same);
	event_graph_even_work(graph, kind, 1u << CALM);
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 100, .end = 101, .work = kind, .even = 0.5});
	event_graph_call(graph, 0, &(struct event_call){.start = 141, .end = 142, .work = kind, .even = 1});
	assert_ends(142, 140, 92);
	end();
}

/* Arrivals at 10 and 200: at their mean, 105, also the late one leaves; it may need an earlier event, too. */
static void members_that_share_work_meet_at_the_mean(void **state)
{
	struct event_need needed[] = {{.thread = 0, .moment = 10}, {.thread = 1, .moment = 200}};
	struct shared_events *shared;
	uint32_t evened;

	(void)state;
	begin(3);
	evened = event_graph_changes(graph, &(struct call_changes){.evened = 1u << CALM});
	call(2, 0, 0);
	call(2, 100, 101);
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 10, .end = 210, .changes = evened});
	call(1, 0, 0);
	event_graph_call(
		graph, 1,
		&(struct event_call){.start = 200, .end = 210, .changes = evened, .keeps_time = true});
	shared = event_graph_share(needed, 2, SCENARIOS);
	event_graph_need_shared(graph, &(struct event_wait){0, 10, 210}, shared, 2);
	event_graph_need_shared(graph, &(struct event_wait){1, 200, 210}, shared, 2);
	shared_events_release(shared);
	needs(1, 200, 210, (struct event_need){.thread = 2, .moment = 100});
	call(1, 300, 300);
	assert_ends(300, 300, 205);
	end();
}

/* The computing before a call takes less time, at most all of it. */
static void gains_shorten_single_computing(void **state)
{
	static const int64_t gains[SCENARIOS] = {0, 1000, 30};

	(void)state;
	begin(1);
	call(0, 0, 0);
	event_graph_call(graph, 0,
	                 &(struct event_call){.start = 100,
	                                      .end = 110,
	                                      .keeps_time = true,
	                                      .gains = event_graph_gains(graph, gains)});
	call(0, 200, 200);
	assert_ends(200, 100, 170);
	end();
}

static void note_shifts(void *context, uint32_t thread, const int64_t *shifts)
{
	int64_t *noted = context;

	noted[thread] = shifts[CALM];
}

static void a_listener_gets_starts(void **state)
{
	int64_t noted[2] = {0};

	(void)state;
	begin(2);
	event_graph_listen(graph, note_shifts, noted);
	for (uint32_t i = 0; i < 2; i++) {
		call(i, 0, 0);
		event_graph_call(graph, i,
		                 &(struct event_call){.start = 100,
		                                      .end = 110,
		                                      .delay_before = 40,
		                                      .delay_inside = 5,
		                                      .is_heard = i == 1});
	}
	event_graph_finish(graph);
	assert_int_equal(noted[0], 0);
	assert_int_equal(noted[1], -40);
	end();
}

/* Of 40 that the receiver waits, 30 are the transfer and 10 the library. */
static void transfers_can_be_hidden_and_calls_shortened(void **state)
{
	uint32_t hidden, shortened;

	(void)state;
	begin(2);
	hidden = event_graph_changes(graph, &(struct call_changes){.hidden = 1u << CALM});
	shortened = event_graph_changes(graph,
	                                &(struct call_changes){.shortened = 1u << CALM, .less_ns[CALM] = 15});
	call(0, 0, 0);
	call(0, 100, 101);
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 50, .end = 140, .changes = hidden});
	needs(1, 50, 140, (struct event_need){.thread = 0, .moment = 100, .transfer_ns = 30});
	event_graph_call(graph, 1, &(struct event_call){.start = 140, .end = 160, .changes = shortened});
	assert_ends(160, 100, 115);
	end();
}

/* The message had arrived, but the finding shows that the call spent 15 of its 20 units on it. */
static void a_transfer_after_the_arrival_can_be_hidden(void **state)
{
	uint32_t hidden;

	(void)state;
	begin(2);
	hidden = event_graph_changes(graph,
	                             &(struct call_changes){.hidden = 1u << CALM, .hidden_ns[CALM] = 15});
	call(0, 0, 0);
	call(0, 10, 11);
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 100, .end = 120, .changes = hidden});
	needs(1, 100, 120, (struct event_need){.thread = 0, .moment = 10, .transfer_ns = 5});
	assert_ends(120, 100, 105);
	end();
}

/* Its message comes earlier, too. */
static void a_send_can_be_shortened(void **state)
{
	uint32_t shortened;

	(void)state;
	begin(2);
	shortened = event_graph_changes(graph,
	                                &(struct call_changes){.shortened = 1u << CALM, .less_ns[CALM] = 30});
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 10, .end = 50, .changes = shortened});
	call(1, 0, 0);
	call(1, 0, 52);
	needs(1, 0, 52,
	      (struct event_need){.thread = 0, .moment = 10, .transfer_ns = 42, .changes = shortened});
	assert_ends(52, 10, 22);
	end();
}

/* The send waits for the receive, which takes less time. */
static void both_sides_of_a_message_are_shortened(void **state)
{
	uint32_t shortened;

	(void)state;
	begin(2);
	shortened = event_graph_changes(graph,
	                                &(struct call_changes){.shortened = 1u << CALM, .less_ns[CALM] = 30});
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 10, .end = 100});
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 20, .end = 100, .changes = shortened});
	needs(0, 10, 100,
	      (struct event_need){.thread = 1, .moment = 20, .kind = EVENT_RECEIVER, .changes = shortened});
	needs(1, 20, 100, (struct event_need){.thread = 0, .moment = 10, .transfer_ns = 80});
	assert_ends(100, 20, 70);
	end();
}

/* If neither sender nor receiver waits for the other, nothing makes the message progress. */
static void a_message_that_nobody_waits_for_is_a_doubt(void **state)
{
	uint32_t unbound;

	(void)state;
	begin(2);
	unbound = event_graph_changes(graph, &(struct call_changes){.unbound = 1u << CALM});
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 10, .end = 100, .changes = unbound});
	call(1, 0, 0);
	event_graph_call(graph, 1, &(struct event_call){.start = 20, .end = 100, .changes = unbound});
	needs(0, 10, 100,
	      (struct event_need){.thread = 1, .moment = 20, .kind = EVENT_RECEIVER, .changes = unbound});
	needs(1, 20, 100,
	      (struct event_need){.thread = 0, .moment = 10, .transfer_ns = 80, .changes = unbound});
	event_graph_finish(graph);
	assert_int_equal(event_graph_doubts(graph, CALM).progress_ns, 10);
	assert_int_equal(event_graph_doubts(graph, IDEAL).progress_ns, 0);
	end();
}

static void the_call_that_ends_tests_is_inside_mpi_since_the_first(void **state)
{
	(void)state;
	begin(1);
	call(0, 0, 0);
	event_graph_call(graph, 0, &(struct event_call){.start = 10, .end = 11, .is_fruitless = true});
	event_graph_call(graph, 0, &(struct event_call){.start = 20, .end = 21, .is_fruitless = true});
	call(0, 30, 31);
	call(0, 40, 41);
	assert_int_equal(event_graph_tests_since(graph, 0, 30), 10);
	assert_int_equal(event_graph_tests_since(graph, 0, 40), 40);
	assert_int_equal(event_graph_tests_since(graph, 0, 99), 99);
	end();
}

/* Two fixes of one call save different times. */
static void scenarios_shorten_a_call_by_different_times(void **state)
{
	uint32_t shortened;

	(void)state;
	begin(1);
	shortened = event_graph_changes(graph, &(struct call_changes){.shortened = 1u << IDEAL | 1u << CALM,
	                                                              .less_ns = {[IDEAL] = 5, [CALM] = 30}});
	call(0, 0, 0);
	event_graph_call(
		graph, 0,
		&(struct event_call){.start = 10, .end = 60, .changes = shortened, .keeps_time = true});
	assert_ends(60, 55, 30);
	end();
}

/* The first message ends a wait; the second arrives earlier than its receiver, wherever both are. */
static void transfers_change_with_the_places_of_ranks(void **state)
{
	static const struct scenario_factors places[] = {
		[RECORDED] = {1, 1, 1, false}, [IDEAL] = {1, 1, 1, true}, [CALM] = {1, 1, 1, true}};
	static const int64_t moved[] = {-20, 0, 60};

	(void)state;
	for (int i = 0; i < 3; i++) {
		graph = event_graph_new(2, places, 3);
		call(0, 0, 0);
		call(0, 100, 101);
		call(0, 101, 102);
		call(1, 0, 0);
		call(1, 50, 140);
		needs(1, 50, 140,
		      (struct event_need){
			      .thread = 0, .moment = 100, .transfer_ns = 30, .moved_ns = moved[i]});
		call(1, 150, 160);
		needs(1, 150, 160,
		      (struct event_need){
			      .thread = 0, .moment = 101, .transfer_ns = 30, .moved_ns = moved[i]});
		event_graph_finish(graph);
		assert_int_equal(event_graph_error_ns(graph), 0);
		assert_int_equal(event_graph_end_ns(graph, RECORDED), 160);
		assert_int_equal(event_graph_end_ns(graph, IDEAL), 160 + moved[i]);
		event_graph_free(graph);
	}
}

/* Input and output are as fast on any network. */
static void other_calls_keep_their_time(void **state)
{
	(void)state;
	begin(1);
	call(0, 0, 10);
	event_graph_call(
		graph, 0,
		&(struct event_call){.start = 20, .end = 70, .delay_inside = 30, .keeps_time = true});
	assert_ends(70, 60, 40);
	end();
}

static void many_calls_need_little_memory_and_stay_exact(void **state)
{
	enum { CALLS = 200000 };

	(void)state;
	begin(2);
	for (int64_t i = 0; i < CALLS; i++) {
		call(0, 10 * i, 10 * i + 2);
		call(1, 10 * i + 1, 10 * i + 5);
		needs(1, 10 * i + 1, 10 * i + 5, (struct event_need){.thread = 0, .moment = 10 * i});
	}
	event_graph_finish(graph);
	assert_int_equal(event_graph_error_ns(graph), 0);
	assert_int_equal(event_graph_end_ns(graph, RECORDED), 10 * (CALLS - 1) + 5);
	assert_int_equal(event_graph_doubts(graph, RECORDED).late_needs, 0);
	end();
}

/* Traces */

#define CLOCK "clock monotonic 1000000000 tick=0 ns=1000000\n"
#define RANK(n) \
	"process rank=" #n "\n" CLOCK "comm 0xc rank=" #n " size=2 " \
	"members=1:0-1 \"MPI_COMM_WORLD\"\n"

static struct whatif *ask(const char *trace, const struct whatif_scenario *asked, size_t count)
{
	struct reader *reader = read_text(trace);
	struct analysis_session *session = session_new(reader);
	struct whatif *whatif = whatif_new(session,
	                                   &(struct whatif_options){.scenarios = asked, .count = count});

	session_free(session);
	reader_close(reader);
	return whatif;
}

/* Rank 1 computes for 3 ms and rank 0 for 1 ms, then they meet, and leave together 10 us later. */
static void balanced_work_is_the_mean(void **state)
{
	static const struct whatif_scenario asked[] = {
		{.factors = FACTORS_RECORDED, .eager = EAGER_RECORDED, .is_balanced = true},
		{.factors = {0, 0, 1}, .eager = EAGER_RECORDED}};
	struct whatif *whatif = ask(
		RANK(0) "0 10 MPI_Init\n"
			"1000010 3010010 MPI_Barrier comm=0xc\n"
			"3010010 3010020 MPI_Finalize\n" RANK(1) "0 10 MPI_Init\n"
								 "3000010 3010010 MPI_Barrier comm=0xc\n"
								 "3010010 3010020 MPI_Finalize\n",
		asked, 2);

	(void)state;
	assert_int_equal(whatif->error_ns, 0);
	assert_int_equal(whatif->length_ns, 3010000);
	assert_int_equal(whatif->answers[0].saves_ns, 1000000);
	assert_int_equal(whatif->answers[0].doubt, DOUBT_NONE);
	assert_int_equal(whatif->answers[1].saves_ns, 10000);
	whatif_free(whatif);
}

/* The send waits 1 ms for its receiver, unless it is eager. Its rank computes afterwards. */
static void an_eager_send_does_not_wait(void **state)
{
	static const struct whatif_scenario asked[] = {{.factors = FACTORS_RECORDED, .eager = 999999},
	                                               {.factors = FACTORS_RECORDED, .eager = 1000000}};
	struct whatif *whatif = ask(
		RANK(0) "0 10 MPI_Init\n"
			"1000 1011000 MPI_Send comm=0xc peer=1 tag=0 sent=1000000\n"
			"3011000 3012000 MPI_Finalize\n" RANK(
				1) "0 10 MPI_Init\n"
				   "1001000 1011000 MPI_Recv comm=0xc peer=0 tag=0 received=1000000\n"
				   "1500000 3012000 MPI_Finalize\n",
		asked, 2);

	(void)state;
	assert_int_equal(whatif->error_ns, 0);
	assert_int_equal(whatif->answers[0].saves_ns, 0);
	assert_int_equal(whatif->answers[1].saves_ns, 1000000);
	whatif_free(whatif);
}

/* The second send waits for its receiver: the limit is not known, so nothing says that messages share the network. */
static void a_send_that_waits_is_no_contention(void **state)
{
	static const struct whatif_scenario asked = {.factors = FACTORS_RECORDED, .eager = 1000000};
	struct whatif *whatif = ask(
		RANK(0) "0 10 MPI_Init\n"
			"1000 11000 MPI_Send comm=0xc peer=1 tag=0 sent=1000000\n"
			"20000 1011000 MPI_Send comm=0xc peer=1 tag=0 sent=1000000\n"
			"3011000 3012000 MPI_Finalize\n" RANK(
				1) "0 10 MPI_Init\n"
				   "100 11000 MPI_Recv comm=0xc peer=0 tag=0 received=1000000\n"
				   "1001000 1011000 MPI_Recv comm=0xc peer=0 tag=0 received=1000000\n"
				   "1500000 3012000 MPI_Finalize\n",
		&asked, 1);

	(void)state;
	assert_int_equal(whatif->answers[0].doubt, DOUBT_NONE);
	assert_true(whatif->answers[0].saves_ns > 900000);
	whatif_free(whatif);
}

static void missing_messages_are_a_doubt(void **state)
{
	static const struct whatif_scenario asked = {.factors = {0, 0, 1}, .eager = EAGER_RECORDED};
	struct whatif *whatif = ask(RANK(0) "0 10 MPI_Init\n"
	                                    "1000 2000 MPI_Recv comm=0xc peer=1 tag=0 received=8\n"
	                                    "3000 3010 MPI_Finalize\n" RANK(1) "0 10 MPI_Init\n"
	                                                                       "3000 3010 MPI_Finalize\n",
	                            &asked, 1);

	(void)state;
	assert_int_equal(whatif->answers[0].doubt, DOUBT_INCOMPLETE);
	whatif_free(whatif);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_receiver_follows_its_sender),
		cmocka_unit_test(a_hidden_transfer_shows_if_the_receiver_comes_earlier),
		cmocka_unit_test(members_of_a_collective_follow_the_last),
		cmocka_unit_test(tests_are_one_wait),
		cmocka_unit_test(wildcards_are_matched_again),
		cmocka_unit_test(scenarios_change_single_edges),
		cmocka_unit_test(even_work_is_shorter_where_it_is_too_long),
		cmocka_unit_test(members_that_share_work_meet_at_the_mean),
		cmocka_unit_test(gains_shorten_single_computing),
		cmocka_unit_test(a_listener_gets_starts),
		cmocka_unit_test(transfers_can_be_hidden_and_calls_shortened),
		cmocka_unit_test(a_transfer_after_the_arrival_can_be_hidden),
		cmocka_unit_test(a_send_can_be_shortened),
		cmocka_unit_test(both_sides_of_a_message_are_shortened),
		cmocka_unit_test(a_message_that_nobody_waits_for_is_a_doubt),
		cmocka_unit_test(the_call_that_ends_tests_is_inside_mpi_since_the_first),
		cmocka_unit_test(scenarios_shorten_a_call_by_different_times),
		cmocka_unit_test(transfers_change_with_the_places_of_ranks),
		cmocka_unit_test(other_calls_keep_their_time),
		cmocka_unit_test(many_calls_need_little_memory_and_stay_exact),
		cmocka_unit_test(balanced_work_is_the_mean),
		cmocka_unit_test(an_eager_send_does_not_wait),
		cmocka_unit_test(a_send_that_waits_is_no_contention),
		cmocka_unit_test(missing_messages_are_a_doubt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
