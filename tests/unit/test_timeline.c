/* The activity of each thread over time: bins, single calls, windows, and descriptions of calls. */
#include "analysis/model/propagated_delay.h"
#include "output/timeline/timeline_parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "from_text.h"

struct made {
	struct reader *reader;
	struct analysis_session *session;
	struct symbols *symbols;
	struct timeline *timeline;
};

/* Ticks are ns from the start of the run. */
static struct made make(const char *text, struct timeline_options options)
{
	struct made made = {.reader = read_text(text), .symbols = symbols_new()};

	made.session = session_new(made.reader);
	session_correct_time(made.session);
	made.session->parameters.polls.gap_ns = 1000;
	if (propagated_delays_are_needed(made.reader))
		made.session->delays = propagated_delays_new(made.session);
	options.session = made.session;
	options.source = made.symbols;
	options.start_ns = 1000000000;
	made.timeline = timeline_new(&options);
	return made;
}

static void release(struct made *made)
{
	timeline_free(made->timeline);
	symbols_free(made->symbols);
	session_free(made->session);
	reader_close(made->reader);
}

#define PROCESS(rank, size, last) \
	"process world=1 rank=" #rank " size=" #size " run=1\n" \
	"clock monotonic 1000000000 tick=0 ns=1000000000\n" \
	"comm 0x1 parent=0x0 kind=intra rank=" #rank " size=" #size " remote=0 members=1:0-" #last \
	" \"all\"\n"
#define RANK_0_OF_1 PROCESS(0, 1, 0)
#define RANK_0_OF_2 PROCESS(0, 2, 1)
#define RANK_1_OF_2 PROCESS(1, 2, 1)
#define RANK_2_OF_4 PROCESS(2, 4, 3)
#define RANK_3_OF_4 PROCESS(3, 4, 3)

static double time_of(const struct timeline *timeline, size_t row, enum bin_kind kind)
{
	double sum = 0;

	for (uint32_t bin = 0; bin < timeline->bin_count; bin++)
		sum += (double)timeline->rows[row].bins[bin * BIN_KINDS + kind];
	return sum;
}

/* No time is spent twice. */
static void check_bins(const struct timeline *timeline)
{
	double width = (double)(timeline->shown.to - timeline->shown.from) / timeline->bin_count;

	for (size_t row = 0; row < timeline->row_count; row++) {
		for (uint32_t bin = 0; bin < timeline->bin_count; bin++) {
			double sum = 0;
			for (int kind = 0; kind < BIN_KINDS; kind++)
				sum += (double)timeline->rows[row].bins[bin * BIN_KINDS + (size_t)kind];
			assert_true(sum <= width * 1.001);
		}
	}
}

/* Rank 1 waits from 0 to 500 us for the message of rank 0. */
static const char late_sender[] = "tarry trace 1\n" RANK_0_OF_2 "thread 0\n"
				  "500000 600000 MPI_Send comm=0x1 peer=1 tag=3 sent=64\n"
				  "700000 900000 MPI_File_read file=0x9\n" RANK_1_OF_2 "thread 0\n"
				  "0 1000000 MPI_Recv comm=0x1 peer=0 tag=3 received=64\n";

static void receivers_wait_for_senders(void **state)
{
	struct made made = make(late_sender, (struct timeline_options){.length_ns = 1000000, .events = 3});
	const struct timeline *timeline = made.timeline;

	(void)state;
	assert_true(timeline_keeps_all(timeline));
	assert_int_equal(timeline->rows[1].calls.count, 1);
	assert_int_equal(timeline->rows[1].calls.items[0].wait, 500000);
	assert_true(fabs(time_of(timeline, 1, BIN_WAIT) - 500000) < 10);
	assert_true(fabs(time_of(timeline, 1, BIN_P2P) - 500000) < 10);
	assert_true(fabs(time_of(timeline, 0, BIN_P2P) - 100000) < 10);
	assert_true(fabs(time_of(timeline, 0, BIN_IO) - 200000) < 10);
	assert_true(time_of(timeline, 0, BIN_WAIT) == 0);
	check_bins(timeline);
	assert_int_equal(timeline->messages.count, 1);
	assert_int_equal(timeline->messages.items[0].sent, 500000);
	assert_int_equal(timeline->messages.items[0].received, 1000000);
	assert_int_equal(timeline->messages.items[0].bytes, 64);
	release(&made);
}

/* Rank 0 waits in a synchronous send until rank 1 posts its receive. */
static void senders_wait_for_receivers(void **state)
{
	struct made made = make("tarry trace 1\n" RANK_0_OF_2 "thread 0\n"
	                        "100000 800000 MPI_Ssend comm=0x1 peer=1 tag=3 sent=64\n" RANK_1_OF_2
	                        "thread 0\n"
	                        "600000 900000 MPI_Recv comm=0x1 peer=0 tag=3 received=64\n",
	                        (struct timeline_options){.length_ns = 1000000, .events = 2});

	(void)state;
	assert_int_equal(made.timeline->rows[0].calls.items[0].wait, 500000);
	assert_true(fabs(time_of(made.timeline, 0, BIN_WAIT) - 500000) < 10);
	assert_true(fabs(time_of(made.timeline, 0, BIN_P2P) - 200000) < 10);
	check_bins(made.timeline);
	release(&made);
}

/* Rank 0 waits until rank 1 posts its receive in the call that completes its send: its own trace is read first, or that of rank 1. A buffered send does not wait. */
static void completions_wait_for_receivers(void **state)
{
	static const struct {
		const char *send;
		int64_t wait;
	} cases[] = {{"MPI_Isend", 450000}, {"MPI_Ibsend", 0}};

	(void)state;
	for (int turn = 0; turn < 4; turn++) {
		scoped_text sender = {0}, receiver = {0}, whole = {0};
		int last = turn % 2;

		text_add(&sender,
		         "100000 110000 %s comm=0x1 peer=%d tag=3 sent=64 request=0\n"
		         "150000 800000 MPI_Waitall done=0\n",
		         cases[turn / 2].send, 1 - last);
		text_add(&receiver, "600000 900000 MPI_Recv comm=0x1 peer=%d tag=3 received=64\n", last);
		text_add(&whole, "tarry trace 1\n%sthread 0\n%s%sthread 0\n%s", RANK_0_OF_2,
		         text_get(last ? &receiver : &sender), RANK_1_OF_2,
		         text_get(last ? &sender : &receiver));
		struct made made = make(text_get(&whole),
		                        (struct timeline_options){.length_ns = 1000000, .events = 3});
		const struct timeline_row *row = &made.timeline->rows[last];
		assert_int_equal(row->calls.items[1].wait, cases[turn / 2].wait);
		assert_true(fabs(time_of(made.timeline, (size_t)last, BIN_WAIT) -
		                 (double)cases[turn / 2].wait) < 10);
		check_bins(made.timeline);
		release(&made);
	}
}

/* Nanoseconds of a row in calls of a function. */
static double class_time_of(const struct timeline *timeline, size_t row, const char *name, uint64_t comm,
                            enum class_time time)
{
	const struct timeline_classes *classes = &timeline->classes;
	double sum = 0, width = (double)(timeline->shown.to - timeline->shown.from) / classes->bins;

	for (uint32_t i = 1; i < classes->count; i++) {
		const float *sums = classes->sums[row * CLASSES_MAX + i];
		if (!sums || strcmp(classes->all[i].name, name) != 0 || classes->all[i].comm != comm)
			continue;
		for (uint32_t bin = 0; bin < classes->bins; bin++)
			sum += (double)sums[bin * CLASS_TIMES + time] * width;
	}
	return sum;
}

/* A summary tells functions and communicators apart, of a wait by the message that it received; a page has that only if calls are missing. */
static void calls_are_told_apart_in_a_summary(void **state)
{
	static const char text[] = "tarry trace 1\n" RANK_0_OF_2 "thread 0\n"
				   "500000 600000 MPI_Send comm=0x1 peer=1 tag=3 sent=64\n" RANK_1_OF_2
				   "thread 0\n"
				   "0 1000 MPI_Irecv comm=0x1 peer=0 tag=3 request=0\n"
				   "2000 800000 MPI_Wait done=0 source=0 source_tag=3 received=64\n";
	struct made made = make(text, (struct timeline_options){.length_ns = 1000000});
	struct text json = {0};

	(void)state;
	assert_true(fabs(class_time_of(made.timeline, 1, "MPI_Wait", 1, CLASS_WAIT) - 498000) < 10);
	assert_true(fabs(class_time_of(made.timeline, 1, "MPI_Wait", 1, CLASS_INSIDE) - 300000) < 10);
	assert_true(fabs(class_time_of(made.timeline, 0, "MPI_Send", 1, CLASS_INSIDE) - 100000) < 10);
	assert_true(class_time_of(made.timeline, 0, "MPI_Wait", 1, CLASS_INSIDE) == 0);
	timeline_json(made.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"classes\":{"));
	release(&made);
	text_clear(&json);
	made = make(text, (struct timeline_options){.length_ns = 1000000, .events = 3});
	timeline_json(made.timeline, &json);
	assert_null(strstr(text_get(&json), "\"classes\":{"));
	release(&made);
	text_release(&json);
}

/* What there are too many of is one. */
static void classes_are_bounded(void **state)
{
	static char names[2 * CLASSES_MAX][8];
	struct timeline_classes classes;

	(void)state;
	classes_init(&classes, 100000, 1024);
	assert_int_equal(classes.bins, 16);
	for (uint32_t i = 0; i < 2 * CLASSES_MAX; i++) {
		struct timeline_class class = {.name = names[i], .comm = 1};
		assert_int_equal(class_number(&classes, &class), i + 1 < CLASSES_MAX ? i + 1 : 0);
	}
	assert_int_equal(class_number(&classes, &(struct timeline_class){.name = names[3], .comm = 1}), 4);
	classes_add(&classes, 4, 99999, CLASS_WAIT, (struct class_stretch){14.5, 99, 1});
	assert_true(classes.sums[99999 * CLASSES_MAX + 4][14 * CLASS_TIMES + CLASS_WAIT] == 0.5F);
	assert_true(classes.sums[99999 * CLASSES_MAX + 4][15 * CLASS_TIMES + CLASS_WAIT] == 1.0F);
	classes_release(&classes);
}

/* Everybody waits in a barrier for the last one to come. */
static void members_wait_for_the_last(void **state)
{
	struct made made = make("tarry trace 1\n" RANK_0_OF_2 "thread 0\n"
	                        "100000 810000 MPI_Barrier comm=0x1\n" RANK_1_OF_2 "thread 0\n"
	                        "800000 820000 MPI_Barrier comm=0x1\n",
	                        (struct timeline_options){.length_ns = 1000000, .events = 2});
	const struct timeline_row *rows = made.timeline->rows;

	(void)state;
	assert_int_equal(rows[0].calls.items[0].wait, 700000);
	assert_int_equal(rows[1].calls.items[0].wait, 0);
	assert_int_equal(rows[0].calls.items[0].group, rows[1].calls.items[0].group);
	assert_true(rows[0].calls.items[0].group != 0);
	check_bins(made.timeline);
	release(&made);
}

/* Windows */

static bool says(struct timeline *timeline, struct time_span window, const char *words)
{
	struct text json = {0};
	bool found;

	timeline_window_json(timeline, window, &json);
	found = strstr(text_get(&json), words) != NULL;
	text_release(&json);
	return found;
}

static void windows_have_their_calls(void **state)
{
	struct made made = make(late_sender, (struct timeline_options){.length_ns = 1000000, .events = 3});
	struct timeline *timeline = made.timeline;

	(void)state;
	assert_true(says(timeline, (struct time_span){0, 1000000}, "\"complete\": true"));
	assert_true(says(timeline, (struct time_span){650000, 1000000}, "\"spans\":[[650000,1000000]]"));
	timeline->options.events = TIMELINE_CALLS +
	                           1; /* as of a long run: only what is requested is returned */
	assert_true(says(timeline, (struct time_span){650000, 1000000},
	                 "\"calls\":[[700000,200000,0,0,0],[0,1000000,1,500000,0]]"));
	assert_true(says(timeline, (struct time_span){0, 550000},
	                 "\"calls\":[[500000,100000,0,0,0],[0,1000000,1,500000,0]]"));
	assert_true(fabs(time_of(timeline, 1, BIN_WAIT) - 500000) < 10);
	assert_true(fabs(time_of(timeline, 1, BIN_P2P) - 50000) < 10);
	check_bins(timeline);
	release(&made);
}

/* Any requested interval: empty, outside the run, all of it and much more. */
static void strange_windows_are_answered(void **state)
{
	static const struct time_span windows[] = {{0, 0},
	                                           {5, 5},
	                                           {5, 4},
	                                           {-100, -50},
	                                           {2000000, 3000000},
	                                           {INT64_MIN / 8, INT64_MAX / 8},
	                                           {999999, 1000000}};
	struct made made = make(late_sender, (struct timeline_options){.length_ns = 1000000, .events = 3});

	(void)state;
	for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
		assert_true(says(made.timeline, windows[i], "\"sites\":["));
		assert_true(made.timeline->shown.from < made.timeline->shown.to);
		check_bins(made.timeline);
	}
	release(&made);
}

/* Spans */

enum { LONG_RUN = TIMELINE_SPAN_CALLS + 10000 };

static char *long_run(void)
{
	struct text text = {0};

	text_add(&text, "tarry trace 1\n%sthread 0\n", RANK_0_OF_1);
	for (int i = 0; i < LONG_RUN; i++)
		text_add(&text, "%d %d MPI_Send comm=0x1 peer=null tag=1 sent=0\n", i * 100, i * 100 + 50);
	return text_take(&text);
}

/* Those around findings, the most wanted first, as long as there is room; one that has too many calls has none. */
static void spans_are_kept_as_far_as_there_is_room(void **state)
{
	const struct time_span spans[] = {{0, LONG_RUN * 100}},
			       two[] = {{1000, 1999}, {500000, 500999}, {1500, 2499}};
	char *text = long_run();
	struct made whole = make(text, (struct timeline_options){.length_ns = LONG_RUN * 100,
	                                                         .events = LONG_RUN,
	                                                         .spans = spans,
	                                                         .span_count = 1});
	struct made few = make(text, (struct timeline_options){.length_ns = LONG_RUN * 100,
	                                                       .events = LONG_RUN,
	                                                       .spans = two,
	                                                       .span_count = 3});
	struct text json = {0};

	(void)state;
	assert_false(timeline_keeps_all(whole.timeline));
	assert_true(whole.timeline->spans[0].is_given_up);
	timeline_json(whole.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"spans\":[],"));
	assert_non_null(strstr(text_get(&json), "\"calls\":[[]]"));
	assert_true(fabs(time_of(whole.timeline, 0, BIN_P2P) - LONG_RUN * 50.0) < LONG_RUN);
	text_clear(&json);
	timeline_json(few.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"spans\":[[1000,2499],[500000,500999]]"));
	assert_int_equal(few.timeline->rows[0].calls.count, 15 + 10);
	assert_int_equal(few.timeline->span_count, 3);
	assert_int_equal(few.timeline->spans[0].wanted, 0);
	assert_int_equal(few.timeline->spans[2].wanted, 1);
	text_release(&json);
	release(&whole);
	release(&few);
	free(text);
}

/* The rest of the room has the calls around a span, or those in the middle of the run; the span itself is kept before them. */
static void room_is_filled(void **state)
{
	const struct time_span one = {LONG_RUN * 90, LONG_RUN * 90 + 100};
	char *text = long_run();

	(void)state;
	for (size_t spans = 0; spans < 2; spans++) {
		struct made made = make(text, (struct timeline_options){.length_ns = LONG_RUN * 100,
		                                                        .events = LONG_RUN,
		                                                        .spans = &one,
		                                                        .span_count = spans,
		                                                        .fills = true});
		const struct kept_span *first = made.timeline->spans,
				       *last = first + made.timeline->span_count - 1;
		struct text json = {0};
		size_t left = 0;

		timeline_json(made.timeline, &json);
		assert_true(json.length <= TIMELINE_BYTES);
		assert_true(made.timeline->span_count > 8);
		for (const struct kept_span *span = first; span <= last; span++) {
			assert_true(span == first || span[-1].time.to <= span->time.from);
			left += span->is_given_up ? 0 : span->calls;
			assert_true(!spans || span->wanted || !span->is_given_up);
		}
		assert_true(left > 50000 && left <= TIMELINE_SPAN_CALLS);
		text_release(&json);
		release(&made);
	}
	free(text);
}

/* What calls do not show */

/* A call of 300 us half of which the thread had no CPU, after 400 us of which it had none for 100 us. */
static void threads_lack_a_cpu(void **state)
{
	struct made made = make("tarry trace 1\n" RANK_0_OF_1 "thread 0\n"
	                        "0 100000 MPI_Init\n"
	                        "500000 800000 MPI_File_write file=0x9 delay_before=100 delay_inside=150\n"
	                        "900000 1000000 MPI_Finalize\n",
	                        (struct timeline_options){.length_ns = 1000000, .events = 3});
	struct text json = {0};

	(void)state;
	assert_true(fabs(time_of(made.timeline, 0, BIN_NO_CPU) - 250000) < 10);
	assert_true(fabs(time_of(made.timeline, 0, BIN_IO) - 150000) < 10);
	check_bins(made.timeline);
	timeline_json(made.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"delays\":[[1,100,150,0,0]]"));
	assert_true(says(made.timeline, (struct time_span){450000, 1000000}, "\"delays\":[[1,100,150,0,0]]"));
	assert_true(fabs(time_of(made.timeline, 0, BIN_NO_CPU) - 150000 - 12500) < 100);
	text_release(&json);
	release(&made);
}

/* Rank 0 has no CPU for 400 us before its send, for which rank 1 waits 500 us: 100 us of them are waiting. */
static void waits_for_threads_without_a_cpu(void **state)
{
	struct made made = make(
		"tarry trace 1\n" RANK_0_OF_2 "thread 0\n0 1000 MPI_Init\n"
		"501000 600000 MPI_Send comm=0x1 peer=1 tag=3 sent=64 delay_before=400\n" RANK_1_OF_2
		"thread 0\n0 1000 MPI_Init\n"
		"1000 1000000 MPI_Recv comm=0x1 peer=0 tag=3 received=64\n",
		(struct timeline_options){.length_ns = 1000000, .events = 4});

	(void)state;
	assert_true(fabs(time_of(made.timeline, 1, BIN_WAIT) - 100000) < 10);
	assert_true(fabs(time_of(made.timeline, 1, BIN_NO_CPU) - 400000) < 10);
	assert_true(fabs(time_of(made.timeline, 0, BIN_NO_CPU) - 400000) < 10);
	check_bins(made.timeline);
	release(&made);
}

/* A pause of 200 us, nothing before the first and after the last event, and a call that never returned. */
static void times_are_not_recorded(void **state)
{
	struct made made = make("tarry trace 1\n" RANK_0_OF_2 "thread 0\n"
	                        "100000 200000 MPI_Init\npause 300000\nresume 500000\n"
	                        "600000 900000 MPI_File_close file=0x9\n" RANK_1_OF_2 "thread 0\n"
	                        "0 100000 MPI_Init\nopen 400000 MPI_Recv comm=0x1 peer=0 tag=3\n",
	                        (struct timeline_options){.length_ns = 1000000, .events = 4});
	struct text json = {0};

	(void)state;
	assert_true(fabs(time_of(made.timeline, 0, BIN_UNRECORDED) - 400000) < 10);
	assert_true(time_of(made.timeline, 0, BIN_BLOCKED) == 0);
	assert_true(fabs(time_of(made.timeline, 1, BIN_BLOCKED) - 600000) < 10);
	assert_true(time_of(made.timeline, 1, BIN_UNRECORDED) == 0);
	check_bins(made.timeline);
	timeline_json(made.timeline, &json);
	assert_non_null(strstr(text_get(&json), "[400000,600000,7]"));
	text_release(&json);
	release(&made);
}

/* Nested regions, an end without a begin, an open region, and a phase. Only names of regions in the window are written. */
static void regions_are_kept(void **state)
{
	struct made made = make("tarry trace 1\n" RANK_0_OF_1 "thread 0\n0 1000 MPI_Init\n"
	                        "2000 2100 tarry_region_begin region=\"outer\"\n"
	                        "3000 3100 tarry_region_begin region=\"inner\"\n"
	                        "4000 4100 tarry_region_end region=\"unknown\"\n"
	                        "5000 5100 tarry_region_end region=\"outer\"\n"
	                        "6000 6100 tarry_phase region=\"late\"\n"
	                        "7000 8000 MPI_Finalize\n",
	                        (struct timeline_options){.length_ns = 10000, .events = 7});
	struct text json = {0};

	(void)state;
	timeline_json(made.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"names\":[\"outer\",\"inner\",\"late\"]"));
	assert_non_null(strstr(text_get(&json), "\"rows\":[[2000,3100,0,0,1000,2100,1,1,3000,2000,2,0]]"));
	assert_true(says(made.timeline, (struct time_span){5500, 10000}, "\"rows\":[[6000,2000,0,0]]"));
	text_release(&json);
	release(&made);
}

/* Rows */

static void too_many_rows_are_folded(void **state)
{
	struct text text = {0}, json = {0};
	struct made made;

	(void)state;
	text_add(&text, "tarry trace 1\n");
	for (int rank = 0; rank < TIMELINE_ROWS + 1; rank++)
		text_add(
			&text,
			"process world=1 rank=%d size=%d run=1\nclock monotonic 1000000000 tick=0 ns=1000000000\nthread 0\n0 %d MPI_File_open\n",
			rank, TIMELINE_ROWS + 1, rank % 2 ? 500 : 1000);
	made = make(text_get(&text),
	            (struct timeline_options){.length_ns = 1000, .events = TIMELINE_ROWS + 1});
	timeline_json(made.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"rank\": 2"));
	assert_non_null(strstr(text_get(&json), "\"threads\": 2"));
	assert_non_null(strstr(text_get(&json), "\"threads\": 1,")); /* the last */
	assert_non_null(strstr(text_get(&json), "\"complete\": false"));
	assert_non_null(strstr(text_get(&json), "\"calls\":[],\"delays\":[],\"messages\":[]"));
	text_release(&json);
	text_release(&text);
	release(&made);
}

/* A communicator of ranks 2 and 3: its rank 1 is rank 3 of the world. */
static void partners_are_ranks_of_the_world(void **state)
{
	static const char text[] =
		"tarry trace 1\n" RANK_2_OF_4
		"comm 0x2 parent=0x1 kind=intra rank=0 size=2 remote=0 members=1:2-3 \"pair\"\n"
		"thread 0\n"
		"0 10 MPI_Send comm=0x2 peer=1 tag=7 sent=16\n"
		"20 30 MPI_Recv comm=0x2 peer=any tag=-1 received=8 source=1 source_tag=9\n"
		"40 50 MPI_Send comm=0x2 peer=null tag=7 sent=16\n" RANK_3_OF_4
		"comm 0x2 parent=0x1 kind=intra rank=1 size=2 remote=0 \"pair\"\n"
		"thread 0\n"
		"0 10 MPI_Recv comm=0x2 peer=0 tag=7 received=16\n"
		"11 12 MPI_Send comm=0x2 peer=0 tag=9 sent=8\n"
		"40 50 MPI_Send comm=0x2 peer=null tag=7 sent=16\n";
	struct made made = make(text, (struct timeline_options){.length_ns = 100, .events = 6});
	struct text json = {0};
	size_t sites = 0;

	(void)state;
	timeline_json(made.timeline, &json);
	assert_non_null(strstr(text_get(&json), "\"to\": 3"));
	assert_non_null(strstr(text_get(&json), "\"from\": 3"));
	assert_non_null(strstr(text_get(&json), "\"tag\": 9"));
	assert_non_null(strstr(text_get(&json), "\"from\": 2"));
	assert_non_null(strstr(text_get(&json), "\"to\": \"null\""));
	assert_non_null(strstr(text_get(&json), "\"name\": \"pair\""));
	/* The sends to no rank are the same in both. */
	for (const char *at = text_get(&json); (at = strstr(at, "\"place\"")); at++)
		sites++;
	assert_int_equal(sites, 5);
	text_release(&json);
	release(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receivers_wait_for_senders),
		cmocka_unit_test(completions_wait_for_receivers),
		cmocka_unit_test(senders_wait_for_receivers),
		cmocka_unit_test(calls_are_told_apart_in_a_summary),
		cmocka_unit_test(classes_are_bounded),
		cmocka_unit_test(members_wait_for_the_last),
		cmocka_unit_test(windows_have_their_calls),
		cmocka_unit_test(strange_windows_are_answered),
		cmocka_unit_test(spans_are_kept_as_far_as_there_is_room),
		cmocka_unit_test(room_is_filled),
		cmocka_unit_test(threads_lack_a_cpu),
		cmocka_unit_test(waits_for_threads_without_a_cpu),
		cmocka_unit_test(times_are_not_recorded),
		cmocka_unit_test(regions_are_kept),
		cmocka_unit_test(too_many_rows_are_folded),
		cmocka_unit_test(partners_are_ranks_of_the_world),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
