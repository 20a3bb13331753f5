#include "base/arena.h"
#include "base/paths.h"
#include "base/shell.h"
#include "base/units.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void characters_are_decoded(void **state)
{
	static const struct {
		const char *bytes;
		uint32_t code;
		size_t length;
	} cases[] = {
		{"a", 'a', 1},
		{"\x7f", 0x7f, 1},
		{"\xc2\x80", 0x80, 2},
		{"\xdf\xbf", 0x7ff, 2},
		{"\xe0\xa0\x80", 0x800, 3},
		{"\xed\x9f\xbf", 0xd7ff, 3},
		{"\xee\x80\x80", 0xe000, 3},
		{"\xef\xbf\xbd", 0xfffd, 3},
		{"\xf0\x90\x80\x80", 0x10000, 4},
		{"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
		/* Continues nothing, too long, surrogate, too large, cut off. */
		{"\x80", UTF8_INVALID, 1},
		{"\xc1\xbf", UTF8_INVALID, 1},
		{"\xe0\x9f\xbf", UTF8_INVALID, 1},
		{"\xed\xa0\x80", UTF8_INVALID, 1},
		{"\xf0\x8f\xbf\xbf", UTF8_INVALID, 1},
		{"\xf4\x90\x80\x80", UTF8_INVALID, 1},
		{"\xf5\x80\x80\x80", UTF8_INVALID, 1},
		{"\xff", UTF8_INVALID, 1},
		{"\xe2\x82", UTF8_INVALID, 1},
		{"\xe2\x82y", UTF8_INVALID, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *at = cases[i].bytes;
		assert_int_equal(utf8_next(&at, at + strlen(at)), cases[i].code);
		assert_int_equal(at - cases[i].bytes, cases[i].length);
	}
}

static void characters_are_counted(void **state)
{
	(void)state;
	assert_int_equal(utf8_count("на́ 2", strlen("на́ 2")), 5);
	assert_true(utf8_is_control('\n') && utf8_is_control(0x7f) && utf8_is_control(0x80));
	assert_true(utf8_is_control(0x9f) && !utf8_is_control(0xa0) && !utf8_is_control(' '));
	assert_true(utf8_is_control(0x202e) && utf8_is_control(0x2066) && utf8_is_control(0x61c));
	assert_true(!utf8_is_control(0x2026) && !utf8_is_control(0x202f) && !utf8_is_control(0x206a));
}

static void paths_are_taken_apart(void **state)
{
	struct arena arena = {0};
	const char *path;

	(void)state;
	assert_string_equal(path_name("/opt/app.c"), "app.c");
	assert_string_equal(path_name("app.c"), "app.c");
	assert_string_equal(path_name("opt/"), "");
	assert_string_equal(path_folder("/opt/lib/app.c", &arena), "/opt/lib");
	assert_string_equal(path_folder("/app.c", &arena), "/");
	assert_string_equal(path_folder("app.c", &arena), ".");
	assert_string_equal(path_join("/opt", "app.c", &arena), "/opt/app.c");
	assert_string_equal(path_join("/", "app.c", &arena), "/app.c");
	assert_string_equal(path_join("", "app.c", &arena), "app.c");
	assert_string_equal(path_join("/opt", "/app.c", &arena), "/app.c");
	assert_int_equal(path_absolute("app.c", &arena, &path), OK);
	assert_true(*path == '/' && strcmp(path_name(path), "app.c") == 0);
	assert_int_equal(path_absolute("/app.c", &arena, &path), OK);
	assert_string_equal(path, "/app.c");
	arena_release(&arena);
}

static void paths_are_quoted_for_a_shell(void **state)
{
	static const char *const cases[][2] = {
		{"run.tarry", "run.tarry"},
		{"a/b-2_c.tarry", "a/b-2_c.tarry"},
		{"день.tarry", "день.tarry"},
		{"my run.tarry", "'my run.tarry'"},
		{"a$b", "'a$b'"},
		{"it's", "'it'\\''s'"},
		{"-rf", "'./-rf'"},
		{"", "''"},
		{"~/x", "'~/x'"},
	};
	char quoted[64];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(shell_quote(cases[i][0], quoted, sizeof quoted), cases[i][1]);
	assert_string_equal(shell_quote("too long", quoted, 8), "too long");
}

static void paths_are_shown_from_here(void **state)
{
	struct arena arena = {0};
	const char *path;

	(void)state;
	assert_int_equal(path_absolute("a/app.c", &arena, &path), OK);
	assert_string_equal(path_from_here(path), "a/app.c");
	assert_string_equal(path_from_here("/elsewhere/app.c"), "/elsewhere/app.c");
	arena_release(&arena);
}

static void units_are_found(void **state)
{
	(void)state;
	assert_true(unit_by_name("ms")->kind == UNIT_TIME && unit_by_name("ms")->scale == 1e6);
	assert_true(unit_by_name("MiB")->kind == UNIT_SIZE && unit_by_name("MiB")->scale == 1 << 20);
	assert_true(unit_by_name("%")->kind == UNIT_SHARE && unit_by_name("%")->scale == 0.01);
	assert_null(unit_by_name("mib"));
	assert_null(unit_by_name(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_are_decoded),    cmocka_unit_test(characters_are_counted),
		cmocka_unit_test(paths_are_taken_apart),     cmocka_unit_test(paths_are_quoted_for_a_shell),
		cmocka_unit_test(paths_are_shown_from_here), cmocka_unit_test(units_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
