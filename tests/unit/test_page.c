/* Pages of texts that want to be more than texts. */
#define _GNU_SOURCE /* memmem */
#include "base/markup.h"
#include "page/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* As often as `what` occurs in `bytes`, which may have NUL in it. */
static size_t count_of(const struct text *bytes, const char *what)
{
	const char *at = text_get(bytes), *end = at + bytes->length;
	size_t count = 0;

	while ((at = memmem(at, (size_t)(end - at), what, strlen(what)))) {
		at += strlen(what);
		count++;
	}
	return count;
}

static void write_page_of(const char *title, const char *json, size_t size, struct text *out)
{
	struct text data = {0};
	const struct page_part parts[] = {{"report", &data}};
	const struct page page = {.title = title, .view = "report", .parts = parts, .part_count = 1};

	text_add_bytes(&data, json, size);
	page_write(&page, out);
	text_release(&data);
}

static void assert_escaped(const char *words, const char *expected)
{
	struct text out = {0};

	text_add_escaped(&out, words);
	assert_string_equal(text_get(&out), expected);
	text_release(&out);
}

static void marks_of_markup_are_written_as_such(void **state)
{
	(void)state;
	assert_escaped("", "");
	assert_escaped("a < b && \"c\" > 'd'", "a &#60; b &#38;&#38; &#34;c&#34; &#62; &#39;d&#39;");
	assert_escaped("</title><script>", "&#60;/title&#62;&#60;script&#62;");
	assert_escaped("привет \xf0\x9d\x84\x9e", "привет \xf0\x9d\x84\x9e");
}

static void what_is_no_character_is_replaced(void **state)
{
	(void)state;
	assert_escaped("a\x01\x1b[2J\x7fz", "a\xef\xbf\xbd\xef\xbf\xbd[2J\xef\xbf\xbdz");
	assert_escaped("\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd");
	assert_escaped("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	assert_escaped("\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd"); /* an overlong '<' */
	assert_escaped("\xc2\x9b", "\xef\xbf\xbd");
}

/* Nothing in a part ends its element or begins a comment, in which the parser of HTML would look for the end elsewhere. */
static void data_cannot_end_its_element(void **state)
{
	static const char *const hostile[] = {
		"{\"a\": \"</script><script>alert(1)</script>\"}",
		"{\"a\": \"</SCRIPT >\"}",
		"{\"a\": \"<!--<script>\"}",
		"[\"<![CDATA[\", \"]]>\", \"-->\"]",
		"\"\\\"<\\\\<\"",
	};
	struct text plain = {0};

	(void)state;
	write_page_of("run", "{}", 2, &plain);
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		struct text out = {0};
		write_page_of("run", hostile[i], strlen(hostile[i]), &out);
		assert_int_equal(count_of(&out, "<"), count_of(&plain, "<"));
		assert_int_equal(count_of(&out, "</script"), count_of(&plain, "</script"));
		assert_true(count_of(&out, "\\u003c") > count_of(&plain, "\\u003c"));
		text_release(&out);
	}
	text_release(&plain);
}

static void bytes_of_data_stay_as_they_are(void **state)
{
	static const char json[] = "[\"\xff \x00 é\", 1]";
	struct text out = {0};

	(void)state;
	write_page_of("run", json, sizeof json - 1, &out);
	assert_non_null(memmem(out.bytes, out.length, json, sizeof json - 1));
	text_release(&out);
}

static void a_title_stays_a_title(void **state)
{
	struct text out = {0}, plain = {0};

	(void)state;
	write_page_of("</title><script>x</script>\"'&\xff", "{}", 2, &out);
	write_page_of("run", "{}", 2, &plain);
	assert_int_equal(count_of(&out, "<"), count_of(&plain, "<"));
	assert_int_equal(
		count_of(
			&out,
			"<title>&#60;/title&#62;&#60;script&#62;x&#60;/script&#62;&#34;&#39;&#38;\xef\xbf\xbd</title>"),
		1);
	text_release(&out);
	text_release(&plain);
}

static void language_and_view_stay_attributes(void **state)
{
	const struct page page = {.title = "", .lang = "\"><b>", .view = "\" onload=\"x"};
	struct text out = {0};

	(void)state;
	page_write(&page, &out);
	assert_int_equal(count_of(&out, "<html lang=\"&#34;&#62;&#60;b&#62;\">"), 1);
	assert_int_equal(count_of(&out, "<body data-view=\"&#34; onload=&#34;x\">"), 1);
	text_release(&out);
}

/* The policy lets only the page's own script run, and each page names it by another number. */
static void only_its_own_script_may_run(void **state)
{
	struct text first = {0}, second = {0};
	const char *policy, *nonce;
	char tag[64];

	(void)state;
	write_page_of("run", "{}", 2, &first);
	write_page_of("run", "{}", 2, &second);
	policy = strstr(text_get(&first), "default-src 'none'; script-src 'nonce-");
	assert_non_null(policy);
	nonce = strstr(policy, "nonce-") + strlen("nonce-");
	snprintf(tag, sizeof tag, "<script type=\"module\" nonce=\"%.16s\">", nonce);
	assert_int_equal(count_of(&first, tag), 1);
	assert_int_equal(count_of(&second, tag), 0);
	assert_int_equal(count_of(&first, "<script"), 2);
	text_release(&first);
	text_release(&second);
}

static void it_says_in_its_language_what_it_needs(void **state)
{
	const struct page page = {.title = "", .lang = "ru", .view = "report"};
	struct text out = {0};

	(void)state;
	page_write(&page, &out);
	assert_int_equal(count_of(&out, "<p>Этой странице нужен JavaScript.</p>"), 1);
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_of_markup_are_written_as_such),
		cmocka_unit_test(what_is_no_character_is_replaced),
		cmocka_unit_test(data_cannot_end_its_element),
		cmocka_unit_test(bytes_of_data_stay_as_they_are),
		cmocka_unit_test(a_title_stays_a_title),
		cmocka_unit_test(language_and_view_stay_attributes),
		cmocka_unit_test(only_its_own_script_may_run),
		cmocka_unit_test(it_says_in_its_language_what_it_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
