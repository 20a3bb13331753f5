/* What findings are made of: short names of functions, texts with their values, suppressions. */
#include "calls/calls.h"
#include "output/findings/findings.h"
#include "output/findings/words.h"

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
// clang-format on

static const char *filled(const char *text, const char *lang)
{
	static struct text out;
	struct check_call calls[] = {
		{.rank = 3, .function = CALL_Send, .note = "", .arguments = ""},
		{.rank = UINT32_MAX, .function = CALL_Recv, .note = "", .arguments = ""},
	};
	struct check_value values[] = {
		{"size", "4"},
		{"comm", MADE_BY "MPI_Comm_split"},
		{"datatype", MADE_BY "MPI_Type_vector"},
		{"kind", "intercommunicator"},
		{"value", "{size}"},
	};
	struct check_finding finding = {.call_count = 2,
	                                .calls = calls,
	                                .value_count = sizeof values / sizeof *values,
	                                .values = values};

	text_clear(&out);
	message_fill(&out, text, &finding, lang);
	return text_get(&out);
}

static void texts_are_filled(void **state)
{
	(void)state;
	assert_string_equal(filled("{function} on rank {rank}", "en"), "MPI_Send on rank 3");
	assert_string_equal(filled("{other} {other_rank}", "en"), "MPI_Recv ?");
	assert_string_equal(filled("0 to {last}", "en"), "0 to 3");
	assert_string_equal(filled("of {comm}", "en"), "of the communicator from MPI_Comm_split");
	assert_string_equal(filled("of {comm}", "ru"), "of MPI_Comm_split(…)");
	assert_string_equal(filled("{datatype}", "en"), "the datatype from MPI_Type_vector");
	assert_string_equal(filled("{kind}", "ru"), "интеркоммуникатор");
	assert_string_equal(filled("{value}", "en"), "{size}");
	assert_string_equal(filled("{nothing}{", "en"), "??");
	assert_string_equal(filled("", "en"), "");
}

static void suppressions_name_places(void **state)
{
	struct stack_frame frames[] = {
		{.function = "exchange", .file = "/src/heat/halo.c", .line = 12},
		{.function = "main", .file = "/src/heat/heat.c", .line = 80},
		{.module = "libfft.so"},
	};
	struct stack_frames stack = {frames, 3};
	static const struct {
		const char *check, *place;
		bool names;
	} lines[] = {
		{"leak.info", NULL, true},
		{"leak.*", NULL, true},
		{"leak", NULL, false},
		{"leak.info", "halo.c:12", true},
		{"leak.info", "halo.c:13", false},
		{"leak.info", "*.c:80", true},
		{"leak.info", "halo.c", true},
		{"leak.info", "exch*", true},
		{"leak.info", "/src/*", true},
		{"leak.info", "/other/*", false},
		{"leak.info", "main:80", false},
		{"leak.info", "libfft.so", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct suppression line = {.check = lines[i].check, .place = lines[i].place};
		assert_int_equal(suppression_names(&line, "leak.info", &stack, 1), lines[i].names);
	}
	assert_false(suppression_names(&(struct suppression){.check = "leak.info", .place = "main"},
	                               "leak.info", NULL, 0));
}

/* Findings that are shown for a call that MPI ended with an error of this class. */
static size_t shown_for(const char *class, bool is_interrupted)
{
	struct check_call call = {.rank = 1, .function = CALL_Send, .note = "", .arguments = ""};
	struct check_value values[] = {{"class", (char *)(uintptr_t) class}, {"text", "text"}};
	struct check_finding finding = {.check = CHECK_CALL_FATAL,
	                                .call_count = 1,
	                                .calls = &call,
	                                .value_count = sizeof values / sizeof *values,
	                                .values = values};
	struct check_finding *items[] = {&finding};
	struct check_run run = {.findings = {.items = items, .count = 1}};
	struct findings *findings = findings_new(
		&run, &(struct findings_options){.is_interrupted = is_interrupted});
	const size_t count = findings->count;

	findings_free(findings);
	return count;
}

/* If the user ends a job, some processes end first. Calls that need them fail. */
static void lost_connections_of_ended_jobs_are_hidden(void **state)
{
	(void)state;
	assert_int_equal(shown_for("MPI_ERR_OTHER", true), 0);
	assert_int_equal(shown_for("MPI_ERR_INTERN", true), 0);
	assert_int_equal(shown_for("MPI_ERR_OTHER", false), 1);
	assert_int_equal(shown_for("MPI_ERR_RANK", true), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_filled),
		cmocka_unit_test(suppressions_name_places),
		cmocka_unit_test(lost_connections_of_ended_jobs_are_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
