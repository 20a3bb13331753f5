#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void levels_and_commas(void **state)
{
	struct text out = {0};
	struct json json = {.out = &out};

	(void)state;
	json_open(&json, NULL, '{');
	json_text(&json, "name", "heat");
	json_open(&json, "ranks", '[');
	json_number(&json, NULL, 0);
	json_number(&json, NULL, -1);
	json_seconds(&json, NULL, 1500000001);
	json_seconds(&json, NULL, -1);
	json_real(&json, NULL, 0.125);
	json_real(&json, NULL, 1 / (double)(json.depth - 2));
	json_close(&json, ']');
	json_open(&json, "empty", '{');
	json_close(&json, '}');
	json_bool(&json, "done", true);
	json_null(&json, "end");
	json_close(&json, '}');
	assert_string_equal(text_get(&out), "{\n"
	                                    "  \"name\": \"heat\",\n"
	                                    "  \"ranks\": [\n"
	                                    "    0,\n"
	                                    "    -1,\n"
	                                    "    1.500000001,\n"
	                                    "    -0.000000001,\n"
	                                    "    0.125,\n"
	                                    "    0\n"
	                                    "  ],\n"
	                                    "  \"empty\": {},\n"
	                                    "  \"done\": true,\n"
	                                    "  \"end\": null\n"
	                                    "}\n");
	text_release(&out);
}

static void assert_quoted(const char *value, const char *expected)
{
	struct text out = {0};
	struct json json = {.out = &out};

	json_text(&json, NULL, value);
	assert_string_equal(text_get(&out), expected);
	text_release(&out);
}

static void letters_that_need_care(void **state)
{
	(void)state;
	assert_quoted("a\"b\\c\n", "\"a\\\"b\\\\c\\u000a\"");
	assert_quoted("\xc3\xa9 \xf0\x9f\x99\x82", "\"\xc3\xa9 \xf0\x9f\x99\x82\"");
	assert_quoted("\xff\xc3", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

#define UNKNOWN "\xef\xbf\xbd"

static void letters_that_do_not_exist(void **state)
{
	(void)state;
	assert_quoted("\xe0\x9f\xbf", "\"" UNKNOWN UNKNOWN UNKNOWN "\"");
	assert_quoted("\xe0\xa0\x80", "\"\xe0\xa0\x80\"");
	assert_quoted("\xed\xa0\x80", "\"" UNKNOWN UNKNOWN UNKNOWN "\"");
	assert_quoted("\xed\x9f\xbf", "\"\xed\x9f\xbf\"");
	assert_quoted("\xf4\x90\x80\x80", "\"" UNKNOWN UNKNOWN UNKNOWN UNKNOWN "\"");
	assert_quoted("\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_and_commas),
		cmocka_unit_test(letters_that_need_care),
		cmocka_unit_test(letters_that_do_not_exist),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
