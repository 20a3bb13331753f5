/* The critical path: its threads, its parts, and its memory. */
#include "analysis/causes/causes.h"
#include "analysis/causes/path_tree.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "from_text.h"

#define PROCESS(rank, size, last) \
	"process world=1 rank=" #rank " size=" #size " run=1\n" \
	"clock monotonic 1000000000 tick=0 ns=1000000000\n" \
	"comm 0x1 parent=0x0 kind=intra rank=" #rank " size=" #size " remote=0 members=1:0-" #last \
	" \"all\"\n"
#define TRACE "tarry trace 1\n"
#define INIT "thread 0\n0 1000 MPI_Init\n"

struct made_path {
	struct reader *reader;
	struct analysis_session *session;
	struct critical_path *path;
};

static struct made_path make(const char *text, uint32_t nodes)
{
	struct made_path made = {.reader = read_text(text)};
	struct causes *causes;

	made.session = session_new(made.reader);
	session_correct_time(made.session);
	made.session->parameters.eps_ns = 1000;
	causes = causes_new(made.session, &(struct causes_options){.finds_path = true, .path_nodes = nodes});
	made.path = causes_take_path(causes);
	assert_null(causes_path(causes));
	causes_free(causes);
	return made;
}

static void release(struct made_path *made)
{
	critical_path_free(made->path);
	session_free(made->session);
	reader_close(made->reader);
}

/* "0:1000 1:5000 - 9000": the rank and when the path reaches it, and the end. */
static void check_segments(const struct critical_path *path, const char *wanted)
{
	char found[1000] = "";
	size_t length = 0;

	assert_non_null(path);
	for (size_t i = 0; i < path->segment_count && length < sizeof found; i++)
		length += (size_t)snprintf(found + length, sizeof found - length, "%" PRIu32 ":%" PRId64 " ",
		                           path->segments[i].process, path->segments[i].from);
	if (length < sizeof found)
		snprintf(found + length, sizeof found - length, "- %" PRId64, path->to);
	assert_string_equal(found, wanted);
	assert_int_equal(path->segments[0].from, path->from);
}

static const char *name_of(const struct caller *caller)
{
	return caller->call ? caller->call->outline->name : "";
}

/* Nanoseconds of a process on the path in this call, or computing between these. */
static int64_t time_at(const struct critical_path *path, uint32_t process, enum cause_kind kind,
                       const char *from, const char *to)
{
	int64_t ns = 0;

	for (size_t i = 0; i < path->part_count; i++) {
		const struct path_part *part = &path->parts[i];
		if (part->process == process && part->kind == kind &&
		    strcmp(name_of(&part->from), from) == 0 && strcmp(name_of(&part->to), to) == 0)
			ns += part->ns;
	}
	return ns;
}

/* Every part of the path has a thread and an activity. */
static void check_sums(const struct critical_path *path, uint32_t processes)
{
	int64_t ranks = 0, parts = 0, kinds = 0;

	for (uint32_t i = 0; i < processes; i++)
		ranks += path->of_process[i];
	for (size_t i = 0; i < path->part_count; i++) {
		parts += path->parts[i].ns;
		assert_true(path->parts[i].ns > 0);
		assert_true(!i || path->parts[i].ns <= path->parts[i - 1].ns);
	}
	for (int i = 0; i < CAUSE_KINDS; i++)
		kinds += path->kinds_ns[i];
	assert_int_equal(ranks, path->to - path->from);
	assert_int_equal(parts, path->to - path->from);
	assert_int_equal(kinds, path->to - path->from);
}

/* Rank 2 computes, rank 1 waits for it and computes, rank 0 waits for rank 1. */
static void path_leads_through_a_chain_of_late_senders(void **state)
{
	struct made_path made = make(TRACE PROCESS(0, 3, 2) INIT
	                             "100000 910000 MPI_Recv comm=0x1 peer=1 tag=0 received=8\n"
	                             "1000000 1001000 MPI_Finalize\n" PROCESS(1, 3, 2) INIT
	                             "200000 510000 MPI_Recv comm=0x1 peer=2 tag=0 received=8\n"
	                             "900000 901000 MPI_Send comm=0x1 peer=0 tag=0 sent=8\n"
	                             "950000 1001000 MPI_Finalize\n" PROCESS(2, 3, 2) INIT
	                             "500000 501000 MPI_Send comm=0x1 peer=1 tag=0 sent=8\n"
	                             "600000 1001000 MPI_Finalize\n",
	                             0);
	const struct critical_path *path = made.path;

	(void)state;
	check_segments(path, "2:1000 1:500000 0:900000 - 1000000");
	check_sums(path, 3);
	assert_false(path->is_cut);
	assert_int_equal(time_at(path, 2, CAUSE_COMPUTING, "MPI_Init", "MPI_Send"), 499000);
	/* The message takes its time. */
	assert_int_equal(time_at(path, 1, CAUSE_CALL, "", "MPI_Recv"), 10000);
	assert_int_equal(time_at(path, 1, CAUSE_COMPUTING, "MPI_Recv", "MPI_Send"), 390000);
	assert_int_equal(time_at(path, 0, CAUSE_CALL, "", "MPI_Recv"), 10000);
	assert_int_equal(time_at(path, 0, CAUSE_COMPUTING, "MPI_Recv", "MPI_Finalize"), 90000);
	assert_int_equal(path->kinds_ns[CAUSE_CALL], 20000);
	assert_int_equal(path->parts[0].longest.from, 1000);
	assert_int_equal(path->parts[0].longest.to, 500000);
	assert_int_equal(path->parts[0].longest.ns, 499000);
	/* Of all three, rank 2 alone computes there: 499 us. */
	assert_int_equal(path->parts[0].mean_ns, 499000 / 3);
	release(&made);
}

static void path_leads_over_the_last_to_come(void **state)
{
	struct made_path made = make(
		TRACE PROCESS(0, 3, 2) INIT
		"100000 410000 MPI_Barrier comm=0x1\n800000 810000 MPI_Barrier comm=0x1\n"
		"900000 901000 MPI_Finalize\n" PROCESS(1, 3, 2) INIT
		"400000 410000 MPI_Barrier comm=0x1\n500000 810000 MPI_Barrier comm=0x1\n"
		"950000 951000 MPI_Finalize\n" PROCESS(2, 3, 2) INIT
		"200000 410000 MPI_Barrier comm=0x1\n600000 810000 MPI_Barrier comm=0x1\n"
		"850000 951000 MPI_Finalize\n",
		0);

	(void)state;
	check_segments(made.path, "1:1000 0:400000 1:800000 - 950000");
	check_sums(made.path, 3);
	assert_int_equal(made.path->kinds_ns[CAUSE_CALL], 20000);
	assert_int_equal(made.path->of_process[2], 0);
	release(&made);
}

/* No rank waits for longer than the threshold: one of them represents all. */
static void path_of_equal_ranks_stays_on_one(void **state)
{
	struct made_path made = make(
		TRACE PROCESS(0, 2, 1) INIT
		"400000 410000 MPI_Barrier comm=0x1\n800000 810000 MPI_Barrier comm=0x1\n"
		"900000 901000 MPI_Finalize\n" PROCESS(1, 2, 1) INIT
		"400500 410000 MPI_Barrier comm=0x1\n800000 810000 MPI_Barrier comm=0x1\n"
		"900000 901000 MPI_Finalize\n",
		0);

	(void)state;
	check_segments(made.path, "0:1000 - 900000");
	check_sums(made.path, 2);
	release(&made);
}

static void path_of_one_rank_is_that_rank(void **state)
{
	struct made_path made = make(TRACE PROCESS(0, 1, 0) INIT "400000 500000 MPI_Barrier comm=0x1\n"
	                                                         "900000 901000 MPI_Finalize\n",
	                             0);

	(void)state;
	check_segments(made.path, "0:1000 - 900000");
	check_sums(made.path, 1);
	assert_int_equal(made.path->kinds_ns[CAUSE_CALL], 100000);
	release(&made);
	made = make(TRACE PROCESS(0, 1, 0), 0);
	assert_null(made.path);
	release(&made);
}

/* Both were killed: the path ends with the last call. */
static void path_of_a_cut_trace_ends_where_the_trace_does(void **state)
{
	struct made_path made = make(TRACE PROCESS(0, 2, 1) INIT
	                             "100000 510000 MPI_Recv comm=0x1 peer=1 tag=0 received=8\n"
	                             "700000 710000 MPI_Send comm=0x1 peer=1 tag=0 sent=8\n" PROCESS(1, 2, 1)
	                                     INIT "500000 501000 MPI_Send comm=0x1 peer=0 tag=0 sent=8\n",
	                             0);

	(void)state;
	check_segments(made.path, "1:1000 0:500000 - 710000");
	check_sums(made.path, 2);
	release(&made);
}

/* Rank 1 had no processor: it is late all the same, and that is on the path. */
static void path_has_noise_on_it(void **state)
{
	struct made_path made = make(TRACE PROCESS(0, 2, 1) INIT
	                             "100000 510000 MPI_Barrier comm=0x1\n"
	                             "600000 601000 MPI_Finalize\n" PROCESS(1, 2, 1) INIT
	                             "500000 510000 MPI_Barrier comm=0x1 delay_before=399\n"
	                             "550000 601000 MPI_Finalize\n",
	                             0);

	(void)state;
	check_segments(made.path, "1:1000 0:500000 - 600000");
	check_sums(made.path, 2);
	assert_int_equal(made.path->kinds_ns[CAUSE_NOISE], 399000);
	assert_int_equal(time_at(made.path, 1, CAUSE_COMPUTING, "MPI_Init", "MPI_Barrier"), 100000);
	release(&made);
}

/* The message comes from a thread that began later: before, the path was in the first one. */
static void path_comes_from_the_first_thread(void **state)
{
	struct made_path made = make(TRACE PROCESS(0, 2, 1) INIT
	                             "100000 510000 MPI_Recv comm=0x1 peer=1 tag=0 received=8\n"
	                             "900000 901000 MPI_Finalize\n" PROCESS(1, 2, 1) INIT
	                             "thread 1\n300000 301000 MPI_Send comm=0x1 peer=1 tag=5 sent=8\n"
	                             "500000 501000 MPI_Send comm=0x1 peer=0 tag=0 sent=8\n"
	                             "thread 0\n850000 901000 MPI_Finalize\n",
	                             0);

	(void)state;
	check_segments(made.path, "1:1000 1:300000 0:500000 - 900000");
	assert_int_equal(made.path->segments[0].stream, 0);
	assert_int_equal(made.path->segments[1].stream, 1);
	check_sums(made.path, 2);
	release(&made);
}

/* Ranks 0 and 1 wait for each other by turns, as often as is wanted. */
static char *by_turns(int rounds)
{
	char *text = calloc((size_t)rounds + 1, 400), *at = text;

	assert_non_null(text);
	for (int rank = 0; rank < 2; rank++) {
		at += sprintf(at, "%s", rank ? PROCESS(1, 2, 1) INIT : TRACE PROCESS(0, 2, 1) INIT);
		for (int i = 0; i < rounds; i++) {
			int start = 100000 * (i + 1), from = i % 2;
			at += rank == from ? sprintf(at, "%d %d MPI_Send comm=0x1 peer=%d tag=0 sent=8\n",
			                             start + 90000, start + 91000, 1 - rank)
			                   : sprintf(at, "%d %d MPI_Recv comm=0x1 peer=%d tag=0 received=8\n",
			                             start, start + 92000, 1 - rank);
		}
		at += sprintf(at, "%d %d MPI_Finalize\n",
		              100000 * (rounds + 1) + 50000 * (rounds % 2 == rank), 100000 * (rounds + 2));
	}
	return text;
}

static void path_that_is_too_long_is_cut(void **state)
{
	char *text = by_turns(200);
	struct made_path whole = make(text, 0), cut = make(text, 50);
	size_t left = whole.path->segment_count - cut.path->segment_count;

	(void)state;
	assert_int_equal(whole.path->segment_count, 201);
	assert_false(whole.path->is_cut);
	check_sums(whole.path, 2);
	assert_true(cut.path->is_cut);
	assert_in_range(cut.path->segment_count, 25, 70);
	assert_int_equal(cut.path->from, whole.path->segments[left].from);
	assert_memory_equal(cut.path->segments, whole.path->segments + left,
	                    cut.path->segment_count * sizeof *cut.path->segments);
	check_sums(cut.path, 2);
	release(&whole);
	release(&cut);
	free(text);
}

/* Small chunks, most of which are not on the path: the totals are the same. */
static void parts_are_found_in_any_chunk(void **state)
{
	char *text = by_turns(300);
	struct made_path whole = make(text, 0), made = {.reader = read_chunked(text, 512)};
	struct causes *causes;

	(void)state;
	assert_true(made.reader->processes[0].streams[0].chunk_count > 2);
	made.session = session_new(made.reader);
	session_correct_time(made.session);
	made.session->parameters.eps_ns = 1000;
	causes = causes_new(made.session, &(struct causes_options){.finds_path = true});
	made.path = causes_take_path(causes);
	causes_free(causes);
	check_sums(made.path, 2);
	assert_int_equal(made.path->part_count, whole.path->part_count);
	for (size_t i = 0; i < whole.path->part_count; i++)
		assert_int_equal(made.path->parts[i].ns, whole.path->parts[i].ns);
	release(&whole);
	release(&made);
	free(text);
}

/* After a collective, the separate parts of the paths are no longer kept. */
static void tree_keeps_what_paths_share(void **state)
{
	enum { THREADS = 100, ROUNDS = 50 };
	struct path_tree tree;
	uint32_t node;
	int count = 0;

	(void)state;
	path_tree_init(&tree, THREADS, 0);
	for (int round = 1; round <= ROUNDS; round++)
		for (uint32_t i = 0; i < THREADS; i++)
			path_tree_add(&tree, i, round, (uint32_t)round % THREADS);
	path_tree_finish(&tree);
	assert_int_equal(tree.missed, 0);
	assert_true(tree.live <= ROUNDS + (PATH_HEADS + 1) * THREADS);
	for (node = path_tree_at(&tree, 7, ROUNDS); node != NO_NODE; node = tree.nodes.items[node].parent)
		count++;
	assert_int_equal(count, ROUNDS + 1);
	/* Too late: a later wait is already known. */
	path_tree_add(&tree, 7, 3, 8);
	path_tree_finish(&tree);
	assert_int_equal(tree.missed, 1);
	path_tree_release(&tree);
}

/* Several waits end at once: the path leads through all of them, whatever their order. */
static void tree_follows_waits_that_end_at_once(void **state)
{
	const uint32_t threads[] = {0, 2, 1};
	struct path_tree tree;
	uint32_t node;

	(void)state;
	path_tree_init(&tree, 4, 0);
	path_tree_add(&tree, 0, 5, 2);
	path_tree_add(&tree, 2, 5, 1);
	path_tree_add(&tree, 1, 5, 3);
	path_tree_add(&tree, 3, 4, 0);
	path_tree_finish(&tree);
	node = path_tree_at(&tree, 0, 6);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(tree.nodes.items[node].thread, threads[i]);
		assert_int_equal(tree.nodes.items[node].from, 5);
		node = tree.nodes.items[node].parent;
	}
	assert_int_equal(tree.nodes.items[node].thread, 3);
	assert_int_equal(tree.nodes.items[node].from, 4);
	path_tree_release(&tree);
	/* Two threads wait for each other, which happens only in damaged traces: one wait is dropped. */
	path_tree_init(&tree, 2, 0);
	path_tree_add(&tree, 0, 5, 1);
	path_tree_add(&tree, 1, 5, 0);
	path_tree_finish(&tree);
	assert_int_equal(tree.live, 4);
	path_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_leads_through_a_chain_of_late_senders),
		cmocka_unit_test(path_leads_over_the_last_to_come),
		cmocka_unit_test(path_of_equal_ranks_stays_on_one),
		cmocka_unit_test(path_of_one_rank_is_that_rank),
		cmocka_unit_test(path_of_a_cut_trace_ends_where_the_trace_does),
		cmocka_unit_test(path_has_noise_on_it),
		cmocka_unit_test(path_comes_from_the_first_thread),
		cmocka_unit_test(path_that_is_too_long_is_cut),
		cmocka_unit_test(parts_are_found_in_any_chunk),
		cmocka_unit_test(tree_keeps_what_paths_share),
		cmocka_unit_test(tree_follows_waits_that_end_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
