/* Reports of an analysis that was made by hand: three processes, two calls. */
#include "output/report/phrases.h"
#include "output/report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct module modules[] = {
	{.number = 0, .path = "src/halo.c", .function = "exchange"},
	{.number = 1, .path = "src/main.c", .function = "main"},
};

static struct process processes[] = {
	{.world = 1, .rank = 0, .has_size = true, .size = 3, .modules = modules, .module_count = 2},
	{.world = 1, .rank = 1, .has_size = true, .size = 3, .modules = modules, .module_count = 2},
	{.world = 1, .rank = 2, .has_size = true, .size = 3, .modules = modules, .module_count = 2},
};

static const struct outline outlines[] = {
	{.name = "MPI_Recv", .module = 0, .offset = 42, .has_site = 1},
	{.name = "MPI_Send", .module = 0, .offset = 40, .has_site = 1},
	{.name = "MPI_Barrier", .module = 1, .offset = 9, .has_site = 1},
};

static const struct call receive = {.outline = &outlines[0]};
static const struct call send = {.outline = &outlines[1]};
static const struct call barrier = {.outline = &outlines[2]};

/* A column: they charge time. */
static struct expr charged = {.kind = EXPR_COLUMN};

static struct problem late = {.id = "late-sender",
                              .origin = {.file = "some.rules"},
                              .name = "Late sender",
                              .description = "A process waits for a message that is not sent yet.",
                              .duration = &charged,
                              .number = 0};
static struct problem waits = {.id = "barrier-wait",
                               .name = "Wait at a barrier",
                               .description = "Processes wait for the last.",
                               .confidence = CONFIDENCE_LIKELY,
                               .duration = &charged,
                               .number = 1};
static struct problem measured = {
	.id = "late-sender", .is_metric = true, .number = 2, .origin = {.file = "some.rules"}};
static struct problem *problems[] = {&late, &waits, &measured};
static const struct rulebook book = {.problems = problems, .problem_count = 3};

static struct action received_again[] = {
	{.process = 2, .call = &receive, .start = 3000000000, .end = 3340000000}};

static struct finding findings[] = {
	{.problem = &late,
         .at = {.process = 2, .call = &receive, .start = 3000000000, .end = 3340000000},
         .has_partner = true,
         .partner = {.process = 1, .call = &send, .start = 3340000000, .end = 3340000001},
         .count = 2,
         .total_ns = 500000000,
         .max_ns = 340000000,
         .histogram = {.few = {1, 1}, .first = 27, .count = 2},
         .advice = "Let rank 1 send earlier.",
         .actions = received_again,
         .action_count = 1},
	{.problem = &late,
         .at = {.process = 1, .call = &receive, .start = 1000000000, .end = 1100000000},
         .has_partner = true,
         .partner = {.process = 0, .call = &send, .start = 1100000000, .end = 1100000001},
         .count = 1,
         .total_ns = 100000000,
         .max_ns = 100000000,
         .histogram = {.few = {1}, .first = 26, .count = 1},
         .advice = "Let rank 0 send earlier."},
	{.problem = &waits,
         .at = {.process = 0, .call = &barrier, .start = 4000000000, .end = 4300000001},
         .count = 1,
         .total_ns = 300000001,
         .max_ns = 300000001,
         .histogram = {.few = {1}, .first = 28, .count = 1},
         .advice = "Balance\033[2J the work."},
};

static struct metric metrics[] = {{&late, 3, 600000000}, {&waits, 1, 300000001}, {&measured, 5, 600000007}};

static struct reader reader = {.path = "run.tarry", .processes = processes, .process_count = 3};

/* No process has further threads. */
static struct run_spans windows;

static struct analysis analysis = {
	.book = &book,
	.run = &windows,
	.reader = &reader,
	.run_figures = {[RUN_LENGTH] = 5e9, [RUN_TIME] = 15e9, [RUN_PROCESSES] = 3, [RUN_CALLS] = 1234},
	.findings = findings,
	.finding_count = 3,
	.metrics = metrics,
};

static void assert_text(const struct report_style *style, const char *expected)
{
	struct symbols *source = symbols_new();
	struct report *report = report_new(&analysis, source, &(struct report_options){0});
	struct text out = {0};

	report_text(report, style, &out);
	assert_string_equal(text_get(&out), expected);
	text_release(&out);
	report_free(report);
	symbols_free(source);
}

static void processes_that_say_the_same_are_one(void **state)
{
	(void)state;
	assert_text(&(struct report_style){.width = 72},
	            "Trust: full - all processes were recorded completely\n"
	            "run.tarry: 3 processes on 1 node, 1 234 calls in 5.00 s\n"
	            "\n"
	            "1. Late sender   ranks lose 600 ms, 4.0 % of their time\n"
	            "   where       MPI_Recv at halo.c:42 (exchange), ranks 1,2\n"
	            "   partner     MPI_Send at halo.c:40 (exchange), ranks 0,1\n"
	            "   lost        600 ms summed over ranks: 3 times, mean 200 ms, longest\n"
	            "               340 ms (rank 2, at 3.00 s)\n"
	            "   what        A process waits for a message that is not sent yet.\n"
	            "               [late-sender]\n"
	            "   advice      Let rank 1 send earlier.\n"
	            "\n"
	            "2. Wait at a barrier   ranks lose 300 ms, 2.0 % of their time, likely\n"
	            "   where       MPI_Barrier at main.c:9 (main), rank 0\n"
	            "   lost        300 ms summed over ranks: 1 time (rank 0, at 4.00 s)\n"
	            "   confidence  likely (the usual explanation, not the only one)\n"
	            "   what        Processes wait for the last. [barrier-wait]\n"
	            "   advice      Balance?[2J the work.\n");
}

static void what_costs_nothing_is_counted_only(void **state)
{
	(void)state;
	analysis.run_figures[RUN_TIME] = 600e9;
	assert_text(
		&(struct report_style){
			.width = 200, .impacts = {[IMPACT_LOW] = "<b>"}, .none = "</b>", .bar = "#"},
		"Trust: full - all processes were recorded completely\n"
		"run.tarry: 3 processes on 1 node, 1 234 calls in 5.00 s\n"
		"\n"
		"1. <b>Late sender</b>   ranks lose 600 ms, 0.1 % of their time\n"
		"   where     </b>  MPI_Recv at halo.c:42 (exchange), ranks 1,2\n"
		"   partner   </b>  MPI_Send at halo.c:40 (exchange), ranks 0,1\n"
		"   lost      </b>  600 ms summed over ranks: 3 times, mean 200 ms, longest 340 ms (rank 2, at 3.00 s)\n"
		"   what      </b>  A process waits for a message that is not sent yet. [late-sender]\n"
		"   advice    </b>  Let rank 1 send earlier.\n"
		"\n"
		"1 finding hidden (ranks lose 300 ms); --all shows it\n");
	analysis.run_figures[RUN_TIME] = 6000e9;
	assert_text(&(struct report_style){.width = 80},
	            "Trust: full - all processes were recorded completely\n"
	            "run.tarry: 3 processes on 1 node, 1 234 calls in 5.00 s\n"
	            "\n"
	            "No significant wait states found.\n"
	            "2 findings hidden (ranks lose 900 ms); --all shows them\n");
	analysis.run_figures[RUN_TIME] = 15e9;
}

static void in_another_language(void **state)
{
	(void)state;
	analysis.lang = "ru";
	analysis.finding_count = 1;
	assert_text(&(struct report_style){.width = 72},
	            "Доверие: полное - все процессы записаны полностью\n"
	            "run.tarry: 3 процесса на 1 узле, 1 234 вызова за 5,00 с\n"
	            "\n"
	            "1. Late sender   ранги теряют 500 мс, 3,3 % своего времени\n"
	            "   где          MPI_Recv, halo.c:42 (exchange), ранг 2\n"
	            "   партнёр      MPI_Send, halo.c:40 (exchange), ранг 1\n"
	            "   потери       500 мс по всем рангам: 2 раза, в среднем 250 мс, дольше\n"
	            "                всего 340 мс (ранг 2, в момент 3,00 с)\n"
	            "   что          A process waits for a message that is not sent yet.\n"
	            "                [late-sender]\n"
	            "   совет        Let rank 1 send earlier.\n");
	analysis.lang = NULL;
	analysis.finding_count = 3;
}

static void nothing_is_said_in_a_sentence(void **state)
{
	static const char *const lost[] = {"7 events were dropped"};

	(void)state;
	analysis.finding_count = 0;
	analysis.counts = (struct replay_counts){.unmatched_sends = 1, .passed_over = 2};
	analysis.notes = (const char **)lost;
	analysis.note_count = 1;
	reader.process_count = 1;
	reader.is_parts = true;
	assert_text(&(struct report_style){.width = 80},
	            "Trust: limited - the job still runs or was killed (2 more; --all shows them)\n"
	            "run.tarry: 1 process on 1 node, 1 234 calls in 5.00 s\n"
	            "\n"
	            "No significant wait states found in the recorded part.\n"
	            "\n"
	            "note: 1 send has no matching receive in the trace\n"
	            "note: 2 calls were skipped because their communication partners are unknown\n");
	reader.process_count = 3;
	reader.is_parts = false;
	analysis.note_count = 0;
	analysis.counts = (struct replay_counts){0};
	analysis.finding_count = 3;
}

static void the_worst_in_a_line_each(void **state)
{
	struct symbols *source = symbols_new();
	struct report *report = report_new(&analysis, source, &(struct report_options){0});
	struct text out = {0};

	(void)state;
	report_brief(report, &out);
	assert_string_equal(text_get(&out),
	                    "found:\n"
	                    "                          run saves ranks lose\n"
	                    "1. Late sender                    -     600 ms  halo.c:42  ranks 0,1\n"
	                    "2. Wait at a barrier?             -     300 ms  main.c:9   rank 0\n"
	                    "- = not predictable: the run was not replayed for this finding\n"
	                    "? = likely or suspected, not proven\n");
	text_release(&out);
	report_free(report);
	symbols_free(source);
}

static void programs_get_exact_numbers(void **state)
{
	static const char *const parts[] = {
		"\"pattern\": \"late-sender\"",
		"\"total_s\": 0.600000000",
		"\"mean_s\": 0.200000000",
		"\"share\": 0.04,",
		"\"processes\": [\n        1,\n        2\n      ]",
		"\"line\": 42",
		"\"from_s\": 0.268435456,\n          \"to_s\": 0.536870912,\n          \"occurrences\": 1",
		"\"actions\": [\n          {\n            \"rank\": 2,",
		"\"total_s\": 0.300000001",
		"\"metrics\": {\n    \"barrier-wait\": {\n      \"occurrences\": 1,",
		"\"late-sender\": {\n      \"occurrences\": 5,\n      \"total_s\": 0.600000007\n    }\n  }",
	};
	struct symbols *source = symbols_new();
	struct report *report = report_new(&analysis, source, &(struct report_options){0});
	struct text out = {0};

	(void)state;
	report_formats[REPORT_JSON].write(report, &out);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strstr(text_get(&out), parts[i]))
			fail_msg("lacks %s:\n%s", parts[i], text_get(&out));
	text_release(&out);
	report_free(report);
	symbols_free(source);
}

static void an_unknown_language_is_english(void **state)
{
	const struct language unknown = {.lang = "xx"}, none = {0}, russian = {.lang = "ru"};

	(void)state;
	assert_string_equal(language_phrase(unknown, "where"), "where");
	assert_string_equal(language_phrase(none, "trust|none"), "none");
	assert_string_equal(language_phrase(russian, "trust|none"), "никакого");
	assert_string_equal(language_phrase(russian, "not in the catalogue"), "not in the catalogue");
}

/* Phrases that have no variant for UPC programs are those of MPI programs. */
static void threads_are_called_so(void **state)
{
	static const char *const langs[] = {"en", "ru"};
	struct text text = {0};

	(void)state;
	for (size_t i = 0; i < sizeof langs / sizeof *langs; i++) {
		const struct language mpi = {langs[i], PARADIGM_MPI}, upc = {langs[i], PARADIGM_UPC},
				      both = {langs[i], PARADIGM_BOTH};
		assert_string_not_equal(language_phrase(upc, "rank "), language_phrase(mpi, "rank "));
		assert_string_equal(language_phrase(both, "rank "), language_phrase(mpi, "rank "));
		assert_string_equal(language_phrase(upc, "where"), language_phrase(mpi, "where"));
	}
	add_counted(&text, (struct language){"ru", PARADIGM_UPC}, 5, "process", "processes");
	add_counted(&text, (struct language){"en", PARADIGM_UPC}, 1, "call", "calls");
	assert_string_equal(text_get(&text), "5 потоков1 call");
	text_release(&text);
}

static void numbers_choose_the_form(void **state)
{
	static const struct {
		const char *lang;
		uint64_t number;
		const char *text;
	} cases[] = {
		{NULL, 1, "1 call"},       {NULL, 0, "0 calls"},    {NULL, 21, "21 calls"},
		{"ru", 1, "1 вызов"},      {"ru", 21, "21 вызов"},  {"ru", 11, "11 вызовов"},
		{"ru", 2, "2 вызова"},     {"ru", 34, "34 вызова"}, {"ru", 12, "12 вызовов"},
		{"ru", 5, "5 вызовов"},    {"ru", 0, "0 вызовов"},  {"ru", 111, "111 вызовов"},
		{"ru", 122, "122 вызова"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct text text = {0};
		add_counted(&text, (struct language){cases[i].lang, PARADIGM_MPI}, cases[i].number, "call",
		            "calls");
		assert_string_equal(text_get(&text), cases[i].text);
		text_release(&text);
	}
}

static void assert_cause(const struct report_cause *cause, const char *in_short, const char *in_full)
{
	struct symbols *source = symbols_new();
	struct report *report = report_new(&analysis, source, &(struct report_options){0});
	struct text out = {0};

	cause_in_short(report, cause, 80, &out);
	assert_string_equal(text_get(&out), in_short);
	text_clear(&out);
	cause_in_full(report, &report->entries[0], cause, &out);
	assert_string_equal(text_get(&out), in_full);
	text_release(&out);
	report_free(report);
	symbols_free(source);
}

static void causes_have_words(void **state)
{
	uint32_t culprits[] = {1, 2};
	struct call_place from = {
		.call = "MPI_Recv", .where = {.file = "src/heat.c", .line = 84}, .text = "heat.c:84"};
	struct call_place to = {.call = "MPI_Send", .text = ""};
	struct report_cause cause = {.kind = CAUSE_COMPUTING,
	                             .processes = {culprits, 1},
	                             .from = from,
	                             .to = to,
	                             .region = "solve",
	                             .times_mean = 3.94,
	                             .instances = 2,
	                             .total_ns = 500000000};

	(void)state;
	assert_cause(
		&cause, "rank 1 computing heat.c:84 → MPI_Send, region solve, 3.9x the mean",
		"500 ms: rank 1 computing between MPI_Recv (heat.c:84) and MPI_Send, region solve, 3.9 times the mean"
		"; in 2 of 3 waits");
	analysis.lang = "ru";
	cause = (struct report_cause){
		.kind = CAUSE_CALL, .processes = {culprits, 2}, .to = from, .total_ns = 500000000};
	assert_cause(&cause, "ранги 1,2: в MPI_Recv (heat.c:84)",
	             "500 мс: ранги 1,2: в самом MPI_Recv (heat.c:84), без ожидания");
	analysis.lang = NULL;
	cause = (struct report_cause){.kind = CAUSE_UNKNOWN, .total_ns = 1000};
	assert_cause(&cause, "not recorded", "1.00 us: unknown: the late process was not recorded there");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_that_say_the_same_are_one),
		cmocka_unit_test(causes_have_words),
		cmocka_unit_test(what_costs_nothing_is_counted_only),
		cmocka_unit_test(in_another_language),
		cmocka_unit_test(an_unknown_language_is_english),
		cmocka_unit_test(threads_are_called_so),
		cmocka_unit_test(numbers_choose_the_form),
		cmocka_unit_test(nothing_is_said_in_a_sentence),
		cmocka_unit_test(the_worst_in_a_line_each),
		cmocka_unit_test(programs_get_exact_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
