#include "bench/run/described.h"
#include "bench/tuning/gains.h"
#include "bench/tuning/library_text.h"
#include "bench/tuning/tuning_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RUNS = 20 };

static struct results results;
static struct arena arena;
static struct choices choices;
static const char *communicator = "world"; /* of new points */
static const struct demand demand = {.gain = 0.05, .confidence = 0.95};

static int begin(void **state)
{
	(void)state;
	results_init(&results);
	return 0;
}

static int end(void **state)
{
	(void)state;
	results_release(&results);
	arena_release(&arena);
	return 0;
}

/* Times around `time`, 1 % apart: two of these that differ by more than RUNS % do not overlap. */
static void add_to(struct results *where, const char *operation, int ranks, uint64_t bytes,
                   const char *variant, double time)
{
	double times[RUNS];
	for (int i = 0; i < RUNS; i++)
		times[i] = time * (1 + 0.01 * i);
	struct result_point point = {.operation = operation,
	                             .variant = variant,
	                             .bytes = bytes,
	                             .ranks = ranks,
	                             .datatype = "byte",
	                             .reduction = "",
	                             .communicator = communicator,
	                             .cache = "cold",
	                             .times = times,
	                             .summary = summarize_values(times, RUNS, 0.25, 0.95)};
	results_add(where, &point);
}

static void add(const char *operation, int ranks, uint64_t bytes, const char *variant, double time)
{
	add_to(&results, operation, ranks, bytes, variant, time);
}

static void choose(void)
{
	choices_make(&results, &demand, &arena, &choices);
}

/* "4/1024: ring", "4/1024: -" for the library's choice. */
static const char *shown(void)
{
	struct text text = {0};
	for (size_t i = 0; i < choices.count; i++) {
		const struct choice *choice = &choices.at[i];
		text_add(&text, "%s%d/%llu: %s", i ? ", " : "", choice->untuned->ranks,
		         (unsigned long long)choice->untuned->bytes,
		         choice->is_taken ? choice->best->variant : "-");
	}
	const char *copy = arena_text(&arena, text_get(&text));
	text_release(&text);
	return copy;
}

static void only_what_is_surely_faster_is_taken(void **state)
{
	(void)state;
	add("MPI_Bcast", 4, 1024, UNTUNED, 10);
	add("MPI_Bcast", 4, 1024, "ring", 5);
	add("MPI_Bcast", 4, 1024, "linear", 20);
	add("MPI_Bcast", 4, 64, UNTUNED, 10);
	add("MPI_Bcast", 4, 64, "ring", 9.9); /* not beyond chance */
	add("MPI_Bcast", 4, 64, "linear", 20);
	add("MPI_Bcast", 2, 64, UNTUNED, 10); /* nothing to compare with */
	choose();
	assert_string_equal(shown(), "2/64: -, 4/64: -, 4/1024: ring");
	assert_int_equal(choices.at[2].rivals, 2);
	assert_true(choices.at[2].measured.ratio > 0.49 && choices.at[2].measured.ratio < 0.51);
}

/* Sure beyond chance, but not worth a rule. */
static void a_gain_below_the_threshold_is_left(void **state)
{
	struct demand much = {.gain = 0.6, .confidence = 0.95};
	(void)state;
	add("MPI_Bcast", 4, 1024, UNTUNED, 10);
	add("MPI_Bcast", 4, 1024, "ring", 5);
	choices_make(&results, &much, &arena, &choices);
	assert_string_equal(shown(), "4/1024: -");
}

static void what_a_second_job_does_not_confirm_is_dropped(void **state)
{
	struct results without, with;
	(void)state;
	results_init(&without);
	results_init(&with);
	for (uint64_t bytes = 1; bytes <= 3; bytes++) {
		add("MPI_Bcast", 4, bytes, UNTUNED, 10);
		add("MPI_Bcast", 4, bytes, "ring", 5);
		add_to(&without, "MPI_Bcast", 4, bytes, UNTUNED, 10);
	}
	add_to(&with, "MPI_Bcast", 4, 1, TUNED, 6);
	add_to(&with, "MPI_Bcast", 4, 1, TUNED, 6.5); /* by another job */
	add_to(&with, "MPI_Bcast", 4, 2, TUNED, 10);  /* size 3 was not even measured */
	choose();
	assert_int_equal(choices_confirm(&choices, &without, &with, &demand), 2);
	assert_string_equal(shown(), "4/1: ring, 4/2: -, 4/3: -");
	assert_true(choices.at[1].is_tried && !choices.at[2].is_tried);
	results_release(&without);
	results_release(&with);
}

/* All runs together show a gain that only one job has. */
static void a_gain_must_show_in_each_job(void **state)
{
	struct results without, with;
	(void)state;
	results_init(&without);
	results_init(&with);
	add("MPI_Bcast", 4, 1, UNTUNED, 10);
	add("MPI_Bcast", 4, 1, "ring", 5);
	add_to(&without, "MPI_Bcast", 4, 1, UNTUNED, 10);
	add_to(&without, "MPI_Bcast", 4, 1, UNTUNED, 6);
	add_to(&with, "MPI_Bcast", 4, 1, TUNED, 4);
	add_to(&with, "MPI_Bcast", 4, 1, TUNED, 6.1);
	choose();
	assert_int_equal(choices_confirm(&choices, &without, &with, &demand), 1);
	assert_true(choices.at[0].tried.p < 0.05 && choices.at[0].tried.high < 1);
	results_release(&without);
	results_release(&with);
}

static const char *stretches(bool is_sized)
{
	struct stretch made[2 * 8 + 1];
	size_t count = stretches_make(choices.at, choices.count, is_sized, made);
	struct text text = {0};
	for (size_t i = 0; i < count; i++)
		text_add(&text, "%s%llu %s", i ? ", " : "", (unsigned long long)made[i].bytes,
		         made[i].variant ? made[i].variant : "-");
	const char *copy = arena_text(&arena, text_get(&text));
	text_release(&text);
	return copy;
}

static void add_pair(const char *operation, int ranks, uint64_t bytes, const char *variant, double time)
{
	add(operation, ranks, bytes, UNTUNED, 10);
	add(operation, ranks, bytes, variant, time);
}

static void neighbouring_sizes_become_one_stretch(void **state)
{
	(void)state;
	add_pair("MPI_Bcast", 4, 16, "ring", 5);
	add_pair("MPI_Bcast", 4, 64, "ring", 5);
	add_pair("MPI_Bcast", 4, 1024, "ring", 15);
	add_pair("MPI_Bcast", 4, 4096, "chain", 5);
	choose();
	assert_string_equal(stretches(true), "0 -, 16 ring, 256 -, 2048 chain, 4097 -");
	assert_string_equal(stretches(false), "0 -");
}

static void without_sizes_an_algorithm_must_win_at_all(void **state)
{
	(void)state;
	add_pair("MPI_Alltoallv", 4, 0, "ring", 5);
	add_pair("MPI_Alltoallv", 4, 64, "ring", 5);
	choose();
	assert_string_equal(stretches(false), "0 ring");
	assert_string_equal(stretches(true), "0 ring, 65 -");
}

static const char *rules(void)
{
	struct text text = {0};
	assert_int_equal(rules_file(&results, &choices, &text), OK);
	const char *copy = arena_text(&arena, strstr(text_get(&text), "choice.\n") + 8);
	text_release(&text);
	return copy;
}

static void rules_for_open_mpi(void **state)
{
	(void)state;
	add_pair("MPI_Alltoall", 4, 64, "pairwise", 5); /* counts all blocks */
	add_pair("MPI_Scatter", 4, 64, "binomial", 5);  /* must not be distinguished by size */
	add_pair("MPI_Bcast", 4, 64, "chain,32K", 5);
	add_pair("MPI_Bcast", 8, 64, "chain,32K", 15);
	add_pair("MPI_Barrier", 4, 0, "tree", 5);
	add_pair("MPI_Allreduce", 4, 64, "ring", 15); /* nothing gained: no rule */
	results_fact(&results, FACTS_TUNING, "MPI_Alltoall pairwise", "2 4 0");
	results_fact(&results, FACTS_TUNING, "MPI_Scatter binomial", "2 4 0");
	results_fact(&results, FACTS_TUNING, "MPI_Bcast chain,32K", "2 4 32768");
	results_fact(&results, FACTS_TUNING, "MPI_Barrier tree", "6 0 0");
	choose();
	assert_string_equal(rules(), "4 # collectives\n"
	                             "\n3 # MPI_Alltoall\n3 # numbers of processes\n"
	                             "0 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "4 # processes\n3 # sizes\n0 0 0 0\n256 2 4 0 # pairwise\n260 0 0 0\n"
	                             "5 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "\n15 # MPI_Scatter\n3 # numbers of processes\n"
	                             "0 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "4 # processes\n1 # sizes\n0 2 4 0 # binomial\n"
	                             "5 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "\n7 # MPI_Bcast\n5 # numbers of processes\n"
	                             "0 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "4 # processes\n3 # sizes\n0 0 0 0\n64 2 4 32768 # chain,32K\n65 0 0 0\n"
	                             "5 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "8 # processes\n1 # sizes\n0 0 0 0\n"
	                             "9 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "\n6 # MPI_Barrier\n3 # numbers of processes\n"
	                             "0 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "4 # processes\n1 # sizes\n0 6 0 0 # tree\n"
	                             "5 # processes and more: left to Open MPI\n1\n0 0 0 0\n");
}

static void the_version_of_the_library_selects_the_format(void **state)
{
	static const struct {
		const char *library;
		enum rules_version version;
	} cases[] = {{"Open MPI 4.1.4", 1},    {"Open MPI 5.0.6", 1}, {"Open MPI 5.0.7", 2},
	             {"Open MPI 5.0.10", 2},   {"Open MPI 5.1", 2},   {"Open MPI 6.0", 3},
	             {"Open MPI 6.0.0rc2", 3}, {"MPICH 4.0.2", 1}};

	(void)state;
	assert_int_equal(rules_version(&results), 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		results_fact(&results, "mpi", "library", "%s", cases[i].library);
		assert_int_equal(rules_version(&results), cases[i].version);
	}
}

static void rules_with_pending_requests(void **state)
{
	struct text text = {0};

	(void)state;
	add_pair("MPI_Alltoall", 4, 64, "linear_sync", 5);
	results_fact(&results, "mpi", "library", "Open MPI 5.0.7");
	results_fact(&results, FACTS_TUNING, "MPI_Alltoall linear_sync", "4 4 0 8");
	choose();
	assert_int_equal(rules_file(&results, &choices, &text), OK);
	/* The library finds the version only at the beginning of the file. */
	assert_int_equal(strncmp(text_get(&text), "rule-file-version-2\n#", 21), 0);
	assert_non_null(strstr(text_get(&text),
	                       "4 # processes\n3 # sizes\n0 0 0 0\n256 4 4 0 8 # linear_sync\n260 0 0 0\n"));
	text_release(&text);
}

static const char *json_without_blanks(void)
{
	struct text text = {0}, dense = {0};

	assert_int_equal(rules_file(&results, &choices, &text), OK);
	for (const char *at = text_get(&text); *at; at++)
		if (!strchr(" \n", *at))
			text_add(&dense, "%c", *at);
	const char *copy = arena_text(&arena, text_get(&dense));
	text_release(&text);
	text_release(&dense);
	return copy;
}

#define COMMUNICATOR(ranks) "{\"comm_size_min\":" ranks ",\"comm_size_max\":" ranks
#define LEFT "\"rules\":[{\"alg\":0}]}"

static void rules_for_open_mpi_6(void **state)
{
	(void)state;
	add_pair("MPI_Reduce_scatter", 4, 64, "ring", 5); /* counts all blocks */
	add_pair("MPI_Bcast", 4, 64, "chain,32K", 5);     /* of one node */
	add_pair("MPI_Bcast", 4, 128, "chain,32K", 15);
	add_pair("MPI_Bcast", 6, 64, "chain,32K", 5);  /* one process on each node */
	add_pair("MPI_Bcast", 8, 64, "chain,32K", 5);  /* several on each */
	add_pair("MPI_Bcast", 9, 64, "chain,32K", 15); /* nothing gained: no rule */
	add_pair("MPI_Barrier", 5, 0, "tree", 5);      /* nothing known about nodes */
	results_fact(&results, "mpi", "library", "Open MPI 6.0.0");
	results_fact(&results, FACTS_TUNING, "MPI_Reduce_scatter ring", "3 4 0 0");
	results_fact(&results, FACTS_TUNING, "MPI_Bcast chain,32K", "2 4 32768 0");
	results_fact(&results, FACTS_TUNING, "MPI_Barrier tree", "6 0 0 0");
	results_fact(&results, FACTS_TUNING, "nodes of 4 processes", "1");
	results_fact(&results, FACTS_TUNING, "nodes of 6 processes", "6");
	results_fact(&results, FACTS_TUNING, "nodes of 8 processes", "2");
	choose();
	assert_string_equal(
		json_without_blanks(),
		"{\"rule_file_version\":3,\"module\":\"tuned\",\"collectives\":{"
		"\"reducescatter\":[" COMMUNICATOR(
			"4") ",\"comm_rank_distribution\":\"single-node\",\"rules\":["
			     "{\"msg_size_min\":256,\"msg_size_max\":259,\"alg\":\"ring\",\"faninout\":4,\"seg_size\":0,\"reqs\":0}]}],"
			     "\"bcast\":[" COMMUNICATOR(
				     "4") ",\"comm_rank_distribution\":\"single-node\",\"rules\":["
					  "{\"msg_size_min\":64,\"msg_size_max\":89,\"alg\":\"chain\",\"faninout\":4,\"seg_size\":32768,\"reqs\":0}]}," COMMUNICATOR(
						  "6") ",\"comm_rank_distribution\":\"one-per-node\",\"rules\":["
						       "{\"msg_size_min\":64,\"msg_size_max\":64,\"alg\":\"chain\",\"faninout\":4,\"seg_size\":32768,\"reqs\":0}]}," COMMUNICATOR(
							       "8") ",\"comm_rank_distribution\":\"single-node\"," LEFT
								    "," COMMUNICATOR(
									    "8") ",\"comm_rank_distribution\":\"one-per-node\"," LEFT
										 "," COMMUNICATOR(
											 "8") ",\"rules\":["
											      "{\"msg_size_min\":64,\"msg_size_max\":64,\"alg\":\"chain\",\"faninout\":4,\"seg_size\":32768,\"reqs\":0}]}],"
											      "\"barrier\":[" COMMUNICATOR(
												      "5") ",\"rules\":["
													   "{\"alg\":\"tree\",\"faninout\":0,\"seg_size\":0,\"reqs\":0}]}]}}");
}

static void add_layout(const char *layout, uint64_t bytes, const char *variant, double time)
{
	communicator = layout;
	add_pair("MPI_Bcast", 8, bytes, variant, time);
	communicator = "world";
}

static void add_layouts(const char *library)
{
	results_fact(&results, "mpi", "library", "%s", library);
	results_fact(&results, FACTS_TUNING, "MPI_Bcast chain", "2 4 0 0");
	results_fact(&results, FACTS_TUNING, "MPI_Bcast ring", "3 4 0 0");
	add_layout("8x1", 64, "ring", 15);
	add_layout("4x2", 64, "ring", 5);
	add_layout("4x2", 128, "chain", 5);
	add_layout("1x8", 64, "chain", 5);
	add_layout("2x4", 64, "ring", 5);
	add_layout("2x4", 128, "ring", 5);
	choose();
	rules_settle(&results, &choices);
}

#define RULE(algorithm, last) \
	"\"rules\":[{\"msg_size_min\":64,\"msg_size_max\":" last ",\"alg\":\"" algorithm \
	"\",\"faninout\":4,\"seg_size\":0,\"reqs\":0}]}"

/* Open MPI 6 knows processes of one node and one process per node. What is left must be equal. */
static void rules_for_layouts(void **state)
{
	(void)state;
	add_layouts("Open MPI 6.0.0");
	assert_string_equal(shown(), "8/64: chain, 8/64: ring, 8/128: -, 8/64: ring, 8/128: -, 8/64: -");
	assert_string_equal(
		json_without_blanks(),
		"{\"rule_file_version\":3,\"module\":\"tuned\",\"collectives\":{\"bcast\":[" COMMUNICATOR("8") ",\"comm_rank_distribution\":\"single-node\"," RULE(
			"chain",
			"64") "," COMMUNICATOR("8") ",\"comm_rank_distribution\":\"one-per-node\"," LEFT
						    "," COMMUNICATOR("8") "," RULE("ring", "89") "]}}");
}

static void older_rules_need_equal_layouts(void **state)
{
	(void)state;
	add_layouts("Open MPI 5.0.7");
	assert_string_equal(shown(), "8/64: -, 8/64: -, 8/128: -, 8/64: -, 8/128: -, 8/64: -");
}

static void older_rules_for_equal_layouts(void **state)
{
	(void)state;
	results_fact(&results, FACTS_TUNING, "MPI_Bcast ring", "3 4 0 0");
	add_layout("1x8", 64, "ring", 5);
	add_layout("2x4", 64, "ring", 5);
	choose();
	rules_settle(&results, &choices);
	assert_string_equal(rules(), "1 # collectives\n"
	                             "\n7 # MPI_Bcast\n3 # numbers of processes\n"
	                             "0 # processes and more: left to Open MPI\n1\n0 0 0 0\n"
	                             "8 # processes\n3 # sizes\n0 0 0 0\n64 3 4 0 # ring\n65 0 0 0\n"
	                             "9 # processes and more: left to Open MPI\n1\n0 0 0 0\n");
}

static void an_algorithm_without_number_is_refused(void **state)
{
	struct text text = {0};
	(void)state;
	add_pair("MPI_Bcast", 4, 64, "chain", 5);
	choose();
	assert_int_equal(rules_file(&results, &choices, &text), FAILED);
	assert_string_equal(trail_text(), "no number is known for algorithm 'chain' of MPI_Bcast");
	text_release(&text);
}

static void the_line_can_be_copied_into_a_shell(void **state)
{
	static const struct tuning_place place = {
		.library = "openmpi", .variables = {{"A", "1"}, {"B", "my rules"}}, .count = 2};
	struct text text = {0};

	(void)state;
	tuning_line(&place, &text);
	assert_string_equal(text_get(&text), "export A=1 B='my rules'\n");
	text_release(&text);
}

static void gains_are_told(void **state)
{
	static const struct tuning_place place = {
		.library = "openmpi", .variables = {{"A", "1"}, {"B", "/x"}}, .count = 2};
	struct text text = {0};
	(void)state;
	add_pair("MPI_Bcast", 4, 64, "chain", 5);
	add_pair("MPI_Bcast", 4, 1024, "chain", 15);
	results_omit(&results, "MPI_Bcast", "algorithm 'two' with 4 processes: it cannot");
	choose();
	gains_text(&results, &choices, &text);
	assert_string_equal(
		text_get(&text),
		"MPI_Bcast, cold cache, 4 processes\n"
		"     bytes  algorithm                     untuned        tuned                 saved     saved in new jobs\n"
		"        64  chain                          10.9 s       5.47 s       50 % (48 to 52)\n"
		"        1K  -                              10.9 s\n"
		"\nleft out\n  MPI_Bcast: algorithm 'two' with 4 processes: it cannot\n");
	text_clear(&text);
	gains_json(&results, &choices, &place, &text);
	assert_non_null(
		strstr(text_get(&text), "\"environment\": {\n    \"A\": \"1\",\n    \"B\": \"/x\"\n  }"));
	assert_non_null(strstr(text_get(&text), "\"fastest\": \"chain\""));
	assert_non_null(strstr(text_get(&text), "\"format\": \"a decision tree (JSON)\""));
	assert_non_null(strstr(text_get(&text), "\"is_taken\": true"));
	assert_non_null(
		strstr(text_get(&text), "\"reason\": \"algorithm 'two' with 4 processes: it cannot\""));
	text_release(&text);
}

static const char tree[] =
	"{\"collective=bcast\":{\"comm_type=intra\":{\"avg_msg_size<=9\":{\"algorithm=MPIR_Bcast_a\":{}},"
	"\"avg_msg_size=any\":{\"algorithm=MPIR_Bcast_b\":{}}},\"comm_type=inter\":{\"algorithm=MPIR_Bcast_c\":{}}},"
	"\"collective=gather\":{\"total_msg_size=any\":{\"algorithm=MPIR_Gather_a\":{}}},"
	"\"collective=scan\":{\"algorithm=MPIR_Scan_a\":{}},"
	"\"collective=reduce\":{\"comm_type=intra\":{\"avg_msg_size=any\":{\"is_commutative=yes\":{\"count<pow2\":"
	"{\"algorithm=MPIR_Reduce_a\":{}},\"count=any\":{\"algorithm=MPIR_Reduce_b\":{}}},\"is_commutative=no\":"
	"{\"algorithm=MPIR_Reduce_a\":{}}}}}}";

static const char *selection(const char *of)
{
	struct text text = {0};
	assert_int_equal(selection_file(&results, &choices, of, &text), OK);
	const char *copy = arena_text(&arena, text_get(&text));
	text_release(&text);
	return copy;
}

/* No gain may be reported that the file does not provide. */
static void what_a_file_cannot_say_is_not_taken(void **state)
{
	(void)state;
	add_pair("MPI_Scan", 4, 8, "ring", 5);
	add_pair("MPI_Scan", 4, 64, "ring", 15);
	add_pair("MPI_Scan", 5, 8, "ring", 5);
	add_pair("MPI_Scan", 5, 64, "ring", 5);
	add_pair("MPI_Bcast", 6, 8, "ring", 5);
	add_pair("MPI_Bcast", 6, 64, "ring", 15);
	add_pair("MPI_Alltoallw", 7, 8, "ring", 5);
	choose();
	rules_settle(&results, &choices);
	assert_string_equal(shown(), "4/8: -, 4/64: -, 5/8: ring, 5/64: ring, 6/8: ring, 6/64: -, 7/8: -");
	choose();
	selection_settle(&choices, tree);
	assert_string_equal(shown(), "4/8: -, 4/64: -, 5/8: ring, 5/64: ring, 6/8: ring, 6/64: -, 7/8: -");
}

#define BCAST_OWN \
	"{\"avg_msg_size<=9\":{\"algorithm=MPIR_Bcast_a\":{}},\"avg_msg_size=any\":{\"algorithm=MPIR_Bcast_b\":{}}}"
#define GATHER_OWN "{\"total_msg_size=any\":{\"algorithm=MPIR_Gather_a\":{}}}"

static void selection_for_mpich(void **state)
{
	(void)state;
	add_pair("MPI_Bcast", 4, 64, "ring", 5);
	add_pair("MPI_Bcast", 5, 64, "ring", 5);
	add_pair("MPI_Gather", 2, 64, "nb", 5);
	add_pair("MPI_Scan", 1, 64, "b", 5);
	add_pair("MPI_Alltoall", 4, 64, "ring", 5); /* the tree has none */
	results_fact(&results, FACTS_TUNING, "MPI_Bcast ring", "MPIR_Bcast_ring");
	results_fact(&results, FACTS_TUNING, "MPI_Gather nb", "MPIR_Gather_nb");
	results_fact(&results, FACTS_TUNING, "MPI_Scan b", "MPIR_Scan_b");
	choose();
	const char *made = selection(tree);
	assert_non_null(strstr(
		made,
		"{\"collective=bcast\":{\"comm_type=intra\":{\"comm_size<=3\":" BCAST_OWN
		",\"comm_size<=4\":{\"avg_msg_size<=63\":" BCAST_OWN
		",\"avg_msg_size<=64\":{\"algorithm=MPIR_Bcast_ring\":{}},\"avg_msg_size=any\":" BCAST_OWN
		"},\"comm_size<=5\":{\"avg_msg_size<=63\":" BCAST_OWN
		",\"avg_msg_size<=64\":{\"algorithm=MPIR_Bcast_ring\":{}},\"avg_msg_size=any\":" BCAST_OWN
		"},\"comm_size=any\":" BCAST_OWN "},\"comm_type=inter\":{\"algorithm=MPIR_Bcast_c\":{}}},"
		"\"collective=gather\":{\"comm_size<=1\":" GATHER_OWN
		",\"comm_size<=2\":{\"total_msg_size<=127\":" GATHER_OWN
		",\"total_msg_size<=129\":{\"algorithm=MPIR_Gather_nb\":{}},\"total_msg_size=any\":" GATHER_OWN
		"},\"comm_size=any\":" GATHER_OWN "},"
		"\"collective=scan\":{\"comm_size<=1\":{\"algorithm=MPIR_Scan_b\":{}},"
		"\"comm_size=any\":{\"algorithm=MPIR_Scan_a\":{}}},\"collective=reduce\":"));
}

#define REDUCE_OWN \
	"{\"avg_msg_size=any\":{\"is_commutative=yes\":{\"count<pow2\":{\"algorithm=MPIR_Reduce_a\":{}},\"count=any\":" \
	"{\"algorithm=MPIR_Reduce_b\":{}}},\"is_commutative=no\":{\"algorithm=MPIR_Reduce_a\":{}}}}"

/* An algorithm for what commutes must never get what does not. */
static void circumstances_stay_in_force(void **state)
{
	(void)state;
	add_pair("MPI_Reduce", 1, 1, "c", 5);
	results_fact(&results, FACTS_TUNING, "MPI_Reduce c", "MPIR_Reduce_c");
	choose();
	assert_non_null(strstr(
		selection(tree),
		"{\"comm_size<=1\":{\"is_commutative=yes\":{\"count<pow2\":" REDUCE_OWN
		",\"count=any\":{\"avg_msg_size<=0\":" REDUCE_OWN
		",\"avg_msg_size<=1\":{\"algorithm=MPIR_Reduce_c\":{}},\"avg_msg_size=any\":" REDUCE_OWN
		"}},\"is_commutative=no\":" REDUCE_OWN "},\"comm_size=any\":" REDUCE_OWN "}"));
}

static void an_untuned_tree_stays_as_it_is(void **state)
{
	struct text expected = {0};
	(void)state;
	add_pair("MPI_Bcast", 4, 64, "ring", 15);
	choose();
	text_add(&expected, "%s\n", tree);
	assert_string_equal(selection(tree), text_get(&expected));
	text_release(&expected);
}

static void the_device_leaves_tuned_collectives_whole(void **state)
{
	static const char device[] =
		"{\"collective=bcast\":{\"comm_type=intra\":{\"avg_msg_size<9\":{\"composition=alpha\":{}},"
		"\"avg_msg_size=any\":{\"composition=beta\":{}}}}}";
	struct text text = {0};
	(void)state;
	add_pair("MPI_Bcast", 1, 64, "ring", 5);
	choose();
	assert_int_equal(device_selection_file(&choices, device, &text), OK);
	assert_non_null(strstr(text_get(&text),
	                       ",\"avg_msg_size<=64\":{\"composition=beta\":{}},\"avg_msg_size=any\":"));
	text_release(&text);
}

static void texts_are_found_in_a_library(void **state)
{
	static const char image[] =
		"\177ELF\0junk{\"collective=x\":algorithm=MPIR_no\0{\"collective=a\":{\"algorithm=MPIR_A\":{}}}\0"
		"MPIR_Bcast_intra_a\0xMPIR_Bcast_intra_z\0in MPIR_Bcast_intra_b: MPIR_Bcast_intra_a failed";
	char path[] = "/tmp/tuning-XXXXXX";
	struct library_text library;
	const char **names;
	(void)state;
	int file = mkstemp(path);
	assert_int_equal(write(file, image, sizeof(image)), sizeof(image));
	close(file);
	assert_int_equal(library_text_open(path, &library), OK);
	unlink(path);
	assert_string_equal(mpich_selection_tree(&library, &arena),
	                    "{\"collective=a\":{\"algorithm=MPIR_A\":{}}}");
	assert_null(mpich_device_tree(&library, &arena));
	assert_int_equal(library_text_names(&library, "MPIR_Bcast_", &arena, &names), 2);
	assert_string_equal(names[0], "MPIR_Bcast_intra_a");
	assert_string_equal(names[1], "MPIR_Bcast_intra_b");
	library_text_close(&library);
	assert_int_equal(library_text_open(path, &library), FAILED);
}

/* As in MPICH 4.0: names follow the preceding text without a separator. */
static void values_are_found_in_descriptions(void **state)
{
	static const char bcast[] =
		"Variable to select bcast algorithmauto - Internal algorithm selection (see x-y)binomial    "
		"- Force Binomial Treenb   - Force nonblockingscatter_ring - Force Scatter Ring";
	(void)state;
	assert_int_equal(described_value(bcast, "auto"), 0);
	assert_int_equal(described_value(bcast, "binomial"), 1);
	assert_int_equal(described_value(bcast, "nb"), 2);
	assert_int_equal(described_value(bcast, "scatter_ring"), 3);
	assert_int_equal(described_value(bcast, "ring"), -1);
	assert_int_equal(described_value("a word.\nall - the first\nnone - the second", "none"), 1);
	assert_int_equal(described_value("", "auto"), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_what_is_surely_faster_is_taken),
		TEST(a_gain_below_the_threshold_is_left),
		TEST(what_a_second_job_does_not_confirm_is_dropped),
		TEST(a_gain_must_show_in_each_job),
		TEST(neighbouring_sizes_become_one_stretch),
		TEST(without_sizes_an_algorithm_must_win_at_all),
		TEST(rules_for_open_mpi),
		TEST(the_version_of_the_library_selects_the_format),
		TEST(rules_with_pending_requests),
		TEST(rules_for_open_mpi_6),
		TEST(rules_for_layouts),
		TEST(older_rules_need_equal_layouts),
		TEST(older_rules_for_equal_layouts),
		TEST(an_algorithm_without_number_is_refused),
		TEST(what_a_file_cannot_say_is_not_taken),
		TEST(the_line_can_be_copied_into_a_shell),
		TEST(gains_are_told),
		TEST(selection_for_mpich),
		TEST(circumstances_stay_in_force),
		TEST(an_untuned_tree_stays_as_it_is),
		TEST(the_device_leaves_tuned_collectives_whole),
		TEST(texts_are_found_in_a_library),
		TEST(values_are_found_in_descriptions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
