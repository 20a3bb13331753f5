#include "base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct {
	const char *output;
	const char *format;
	const char *only;
	struct string_list rules;
	uint64_t buffer;
	int64_t count;
	int64_t depth;
	double share;
	bool quiet;
	bool secret;
} chosen;

static const struct option_spec options[] = {
	{"output", 'o', "NAME", "name of the trace", OPTION_TEXT, &chosen.output},
	{"format", 0, "text|json", "form of the output", OPTION_CHOICE, &chosen.format},
	{"only", 0, "LIST", "which", OPTION_LIST, &chosen.only},
	{"rules", 0, "FILE", "also", OPTION_WORDS, &chosen.rules},
	{"buffer", 'b', "SIZE", "memory", OPTION_SIZE, &chosen.buffer},
	{"count", 0, "N", "how many", OPTION_NUMBER, &chosen.count},
	{"depth", 0, "[=N]", "how deep", OPTION_AMOUNT, &chosen.depth},
	{"share", 0, "SHARE", "part", OPTION_REAL, &chosen.share},
	{"internals-of-ours", 0, NULL, NULL, OPTION_FLAG, &chosen.secret},
	{"quiet", 'q', NULL, "print nothing", OPTION_FLAG, &chosen.quiet},
	OPTIONS_END,
};

enum { WORDS_MAX = 16 };

/* The words of `line`, which are separated by single spaces. */
static enum status parse(enum options_order order, const char *line, struct operands *operands)
{
	static char copy[256];
	static char *words[WORDS_MAX + 1];
	int count = 0;

	memset(&chosen, 0, sizeof chosen);
	strncpy(copy, line, sizeof copy - 1);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		words[count++] = word;
	words[count] = NULL;
	return options_parse(options, order, count, words, operands);
}

static void a_list_given_twice(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--only a,b", &operands), OK);
	assert_string_equal(chosen.only, "a,b");
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--only a,b --only=c", &operands), FAILED);
	assert_string_equal(trail_text(),
	                    "option '--only': is given twice: put all names into one list, 'a,b,c'");
}

static void words_given_again(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_ANYWHERE, "x", &operands), OK);
	assert_null(chosen.rules.at);
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--rules a --rules=b,c x", &operands), OK);
	assert_int_equal(chosen.rules.count, 2);
	assert_string_equal(chosen.rules.at[0], "a");
	assert_string_equal(chosen.rules.at[1], "b,c");
	assert_null(chosen.rules.at[2]);
	free(chosen.rules.at);
}

static void each_kind_and_spelling(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(
		parse(OPTIONS_ANYWHERE, "--output a --buffer=64K --format json --count -3 -q", &operands),
		OK);
	assert_string_equal(chosen.output, "a");
	assert_int_equal(chosen.buffer, 64 << 10);
	assert_string_equal(chosen.format, "json");
	assert_int_equal(chosen.count, -3);
	assert_true(chosen.quiet);
	assert_int_equal(operands.count, 0);
	assert_null(operands.at[0]);
	assert_int_equal(parse(OPTIONS_ANYWHERE, "-qoa -b 1M", &operands), OK);
	assert_true(chosen.quiet);
	assert_string_equal(chosen.output, "a");
	assert_int_equal(chosen.buffer, 1 << 20);
}

static void operands_in_both_orders(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_ANYWHERE, "one -q two -- -o", &operands), OK);
	assert_true(chosen.quiet);
	assert_int_equal(operands.count, 3);
	assert_string_equal(operands.at[1], "two");
	assert_string_equal(operands.at[2], "-o");
	assert_null(operands.at[3]);
	assert_int_equal(parse(OPTIONS_FIRST, "one -q two", &operands), OK);
	assert_false(chosen.quiet);
	assert_int_equal(operands.count, 3);
	assert_int_equal(parse(OPTIONS_FIRST, "-q - -q", &operands), OK);
	assert_int_equal(operands.count, 2);
	assert_string_equal(operands.at[0], "-");
}

static void dashes_that_stay(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_TO_DASHES, "one -q -- two -q", &operands), OK);
	assert_true(chosen.quiet);
	assert_int_equal(operands.count, 4);
	assert_string_equal(operands.at[1], "--");
	assert_string_equal(operands.at[3], "-q");
}

static void amount_with_and_without_value(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--depth=7 one", &operands), OK);
	assert_int_equal(chosen.depth, 7);
	assert_int_equal(parse(OPTIONS_FIRST, "--depth 7", &operands), OK);
	assert_int_equal(chosen.depth, OPTION_NO_VALUE);
	assert_int_equal(operands.count, 1);
}

static void numbers_and_shares(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--share 0.25 --internals-of-ours", &operands), OK);
	assert_true(chosen.share == 0.25);
	assert_true(chosen.secret);
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--share=25%", &operands), OK);
	assert_true(chosen.share == 0.25);
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--share 1e-3", &operands), OK);
	assert_true(chosen.share == 1e-3);
	for (const char *const *wrong =
	             (const char *const[]){"nan", "inf", "0x10", "5%%", "%", "a", "1,5", NULL};
	     *wrong; wrong++) {
		char line[32];

		snprintf(line, sizeof line, "--share %s", *wrong);
		assert_int_equal(parse(OPTIONS_ANYWHERE, line, &operands), FAILED);
	}
	assert_string_equal(trail_text(),
	                    "option '--share': '1,5' is not a number; write it like 0.25 or 25%");
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--share 1e999", &operands), FAILED);
	assert_string_equal(trail_text(), "option '--share': '1e999' is too large a number");
	assert_int_equal(parse(OPTIONS_ANYWHERE, "--internals-of-ou", &operands), FAILED);
	assert_string_equal(trail_text(), "unknown option '--internals-of-ou'");
}

static void help_stops_all(void **state)
{
	struct operands operands;

	(void)state;
	assert_int_equal(parse(OPTIONS_ANYWHERE, "-h --nonsense", &operands), OK);
	assert_true(operands.help);
}

static void wrong_words(void **state)
{
	static const struct {
		const char *line;
		const char *sentence;
	} wrong[] = {
		{"--ouput x", "unknown option '--ouput', did you mean '--output'?"},
		{"--ouput=x", "unknown option '--ouput', did you mean '--output'?"},
		{"--zzzzzz", "unknown option '--zzzzzz'"},
		{"-qz", "unknown option '-z'"},
		{"--output", "option '--output' needs a value: --output NAME"},
		{"-q -o", "option '--output' needs a value: --output NAME"},
		{"--output -- program", "option '--output' needs a value: --output NAME"},
		{"--quiet=1", "option '--quiet': takes no value, but got '1'"},
		{"--format xml", "option '--format': 'xml' is not one of text|json"},
		{"--format tex", "option '--format': 'tex' is not one of text|json"},
		{"--count many", "option '--count': 'many' is not a whole number"},
		{"--depth=x", "option '--depth': 'x' is not a whole number"},
		{"-bX", "option '-b': 'X' is not a size; write it like 4096, 64K, 16M or 1G"},
	};
	struct operands operands;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_equal(parse(OPTIONS_ANYWHERE, wrong[i].line, &operands), FAILED);
		assert_string_equal(trail_text(), wrong[i].sentence);
	}
}

static void help_is_a_table(void **state)
{
	static const struct option_spec few[] = {
		{"quiet", 'q', NULL, "print nothing", OPTION_FLAG, &chosen.quiet},
		{"internals-of-ours", 0, NULL, NULL, OPTION_FLAG, &chosen.secret},
		{"a-rather-long-name", 0, "NAME", "below", OPTION_TEXT, &chosen.output},
		OPTIONS_END,
	};
	struct text text = {0};

	(void)state;
	options_help(few, &text);
	assert_string_equal(text_get(&text), "  -q, --quiet           print nothing\n"
	                                     "      --a-rather-long-name NAME\n"
	                                     "                        below\n"
	                                     "  -h, --help            print this help\n");
	text_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_given_again),  cmocka_unit_test(each_kind_and_spelling),
		cmocka_unit_test(a_list_given_twice), cmocka_unit_test(operands_in_both_orders),
		cmocka_unit_test(dashes_that_stay),   cmocka_unit_test(amount_with_and_without_value),
		cmocka_unit_test(numbers_and_shares), cmocka_unit_test(help_stops_all),
		cmocka_unit_test(wrong_words),        cmocka_unit_test(help_is_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
