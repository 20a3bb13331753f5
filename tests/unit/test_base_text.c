#include "base/text.h"
#include "base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void builder_grows(void **state)
{
	struct text text = {0};
	char *taken;

	(void)state;
	assert_string_equal(text_get(&text), "");
	for (int i = 0; i < 1000; i++)
		text_add(&text, "%03d ", i);
	assert_int_equal(text.length, 4000);
	assert_memory_equal(text_get(&text) + 3996, "999 ", 5);
	taken = text_take(&text);
	assert_int_equal(strlen(taken), 4000);
	assert_string_equal(text_get(&text), "");
	free(taken);
}

static void words_are_wrapped(void **state)
{
	struct text text = {0};

	(void)state;
	text_add(&text, "ab: ");
	text_add_wrapped(&text, "one two  three extraordinarily", 4, 12);
	assert_string_equal(text_get(&text), "ab: one two\n    three\n    extraordinarily\n");
	text_clear(&text);
	text_add_wrapped(&text, "in 1 234 567 calls of 12 3456", 0, 9);
	assert_string_equal(text_get(&text), "in\n1 234 567\ncalls of\n12 3456\n");
	text_clear(&text);
	text_add_wrapped(&text, "\xd0\xb4\xd0\xb0 \xd0\xbd\xd0\xb5\xd1\x82 \xd0\xb4\xd0\xb0", 0, 6);
	assert_string_equal(text_get(&text), "\xd0\xb4\xd0\xb0 \xd0\xbd\xd0\xb5\xd1\x82\n\xd0\xb4\xd0\xb0\n");
	text_release(&text);
}

static void sizes_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} right[] = {
		{"0", 0},          {"4096", 4096},      {"64K", 64 << 10},
		{"16m", 16 << 20}, {"16MiB", 16 << 20}, {"1GB", 1 << 30},
		{"17b", 17},       {"2T", 2ull << 40},  {"18446744073709551615", UINT64_MAX},
	};
	static const char *const wrong[] = {
		"", "M", "-1", " 1", "1 M", "16X", "1MM", "1iB", "18446744073709551616", "99999999P",
	};
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		assert_int_equal(parse_size(right[i].text, &bytes), OK);
		assert_int_equal(bytes, right[i].bytes);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		bytes = 77;
		assert_int_equal(parse_size(wrong[i], &bytes), FAILED);
		assert_int_equal(bytes, 77);
	}
}

static void integers_are_read(void **state)
{
	int64_t number;

	(void)state;
	assert_int_equal(parse_integer("-42", &number), OK);
	assert_int_equal(number, -42);
	assert_int_equal(parse_integer("", &number), FAILED);
	assert_int_equal(parse_integer("4x", &number), FAILED);
	assert_int_equal(parse_integer("9223372036854775808", &number), FAILED);
}

static void assert_size(uint64_t bytes, const char *expected)
{
	struct text text = {0};

	text_add_size(&text, bytes);
	assert_string_equal(text_get(&text), expected);
	text_release(&text);
}

static void sizes_are_shown(void **state)
{
	(void)state;
	assert_size(0, "0 bytes");
	assert_size(1, "1 byte");
	assert_size(1023, "1023 bytes");
	assert_size(1024, "1 KiB");
	assert_size(1536, "1.5 KiB");
	assert_size(16 << 20, "16 MiB");
	assert_size(UINT64_MAX, "16384 PiB");
}

static void units_follow_the_language(void **state)
{
	const struct locale *russian = locale_of("ru");
	struct text text = {0};

	(void)state;
	assert_ptr_equal(locale_of("xx"), locale_of(NULL));
	assert_ptr_equal(locale_at(0), locale_of("en"));
	text_add_seconds_in(&text, russian, 0.0005);
	text_add(&text, ", ");
	text_add_seconds_in(&text, russian, 123.4);
	text_add(&text, ", ");
	text_add_size_in(&text, russian, 1536);
	text_add(&text, ", ");
	text_add_size_in(&text, russian, 7);
	assert_string_equal(text_get(&text), "500 мкс, 123 с, 1,5 КиБ, 7 Б");
	assert_int_equal(text_width(text_get(&text)), 28);
	text_release(&text);
}

static void quantities_are_shown(void **state)
{
	static const double seconds[] = {123.4,   99.999,     1.5,    0.999999, 0.0025,
	                                 -0.0025, 9.99999e-4, 3.5e-6, 7e-9,     0};
	struct text text = {0};

	(void)state;
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
		text_add_seconds(&text, seconds[i]);
		text_add(&text, ",");
	}
	assert_string_equal(text_get(&text),
	                    "123 s,100 s,1.50 s,1.00 s,2.50 ms,-2.50 ms,1.00 ms,3.50 us,7 ns,0 ns,");
	text_clear(&text);
	text_add_counted(&text, 1234567, "call", "calls");
	text_add_counted(&text, 1, ", one", ", many");
	assert_string_equal(text_get(&text), "1 234 567 calls1 , one");
	text_release(&text);
}

static void nothing_moves_the_cursor(void **state)
{
	struct text text = {0};

	(void)state;
	text_strip_controls(&text);
	text_add(&text, "a\tb\033[2J\x7f\n\xc3\xa9");
	text_strip_controls(&text);
	assert_string_equal(text_get(&text), "a b?[2J?\n\xc3\xa9");
	/* CSI and OSC of C1, as characters and as stray bytes; at the end half of a character. */
	text_clear(&text);
	text_add(&text, "\xc2\x9b"
	                "2J\x9b"
	                "2J\xc2\x9d\xc2\xa0\x80\xe2\x82\xac\xe2\x82");
	text_strip_controls(&text);
	assert_string_equal(text_get(&text), "??2J?2J??\xc2\xa0?\xe2\x82\xac??");
	text_release(&text);
}

static void distances(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("", "abc"), 3);
	assert_int_equal(edit_distance("run", "run"), 0);
	assert_int_equal(edit_distance("rnu", "run"), 1);
	assert_int_equal(edit_distance("ouput", "output"), 1);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
}

static const char *nearest_of(const char *word)
{
	static const char *const words[] = {"run", "exec", "dump", "doctor", "output"};
	struct nearest nearest = {.word = word};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		nearest_offer(&nearest, words[i]);
	return nearest_found(&nearest);
}

static void nearest_words(void **state)
{
	(void)state;
	assert_string_equal(nearest_of("rnu"), "run");
	assert_string_equal(nearest_of("dokter"), "doctor");
	assert_string_equal(nearest_of("out"), "output");
	assert_null(nearest_of("frobnicate"));
	assert_null(nearest_of("x-y-z"));
	/* Short words are near to all others: "sum" never means "run". */
	assert_string_equal(nearest_of("rn"), "run");
	assert_null(nearest_of("sum"));
	assert_null(nearest_of("in"));
	assert_null(nearest_of("r"));
	assert_null(nearest_of("er"));
	assert_string_equal(nearest_of("dmup"), "dump");
	assert_null(nearest_of("jump up"));
	assert_string_equal(nearest_of("ou"), "output");
}

/* One that is too far off does not hide another that is near. */
static void nearest_is_near(void **state)
{
	struct nearest nearest = {.word = "ab"};

	(void)state;
	nearest_offer(&nearest, "ax");
	assert_null(nearest_found(&nearest));
	nearest_offer(&nearest, "cab");
	assert_string_equal(nearest_found(&nearest), "cab");
}

static void ends_and_beginnings(void **state)
{
	(void)state;
	assert_true(text_begins("--output", "--"));
	assert_false(text_begins("-", "--"));
	assert_true(text_ends("a.tarry", ".tarry"));
	assert_false(text_ends("tarry", ".tarry"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builder_grows),        cmocka_unit_test(words_are_wrapped),
		cmocka_unit_test(sizes_are_read),       cmocka_unit_test(integers_are_read),
		cmocka_unit_test(sizes_are_shown),      cmocka_unit_test(distances),
		cmocka_unit_test(nearest_words),        cmocka_unit_test(nearest_is_near),
		cmocka_unit_test(ends_and_beginnings),  cmocka_unit_test(units_follow_the_language),
		cmocka_unit_test(quantities_are_shown), cmocka_unit_test(nothing_moves_the_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
