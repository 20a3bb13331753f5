#include "cli/library_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tarry-search-XXXXXX";
static char config[64], other[64];

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
	(void)state;
	unsetenv("LD_LIBRARY_PATH");
	if (!mkdtemp(folder))
		return -1;
	snprintf(config, sizeof config, "%s/ld.so.conf", folder);
	snprintf(other, sizeof other, "%s/other.conf", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(config);
	unlink(other);
	return rmdir(folder);
}

static bool finds(const char *name)
{
	struct arena arena = {0};
	struct library_search search;
	bool found;

	library_search_init(&search, config, &arena);
	found = library_find(&search, name, NULL, NULL, "/") != NULL;
	arena_release(&arena);
	return found;
}

static void write_config(const char *before, const char *path, const char *behind)
{
	char text[4096];

	snprintf(text, sizeof text, "%s%s%s", before, path, behind);
	write_file(config, text);
}

/* So many spaces, and nothing after the word. */
static void write_include_after(int spaces)
{
	char text[4096];

	snprintf(text, sizeof text, "%*sinclude", spaces, "");
	write_file(config, text);
}

static void folders_are_read(void **state)
{
	(void)state;
	write_file(other, "\n");
	write_config("# a comment\n  ", folder, " # and one behind\n");
	assert_true(finds("other.conf"));
	assert_false(finds("another.conf"));
}

static void others_are_included(void **state)
{
	char text[128];

	(void)state;
	snprintf(text, sizeof text, "%s", folder);
	write_file(other, text);
	write_config("include \t ", other, "");
	assert_true(finds("other.conf"));
}

/* The rest of the previous line is not part of this one. */
static void an_include_of_nothing_is_none(void **state)
{
	char text[128];

	(void)state;
	snprintf(text, sizeof text, "%s", folder);
	write_file(other, text);
	write_config("#       ", other, "\ninclude");
	assert_false(finds("other.conf"));
	for (int spaces = 1000; spaces < 1100; spaces++) {
		write_include_after(spaces);
		assert_false(finds("other.conf"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders_are_read),
		cmocka_unit_test(others_are_included),
		cmocka_unit_test(an_include_of_nothing_is_none),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
