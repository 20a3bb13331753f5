#include "base/source_excerpts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/excerpts-XXXXXX";

static int make_source(void **state)
{
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	file = fopen("halo.c", "w");
	assert_non_null(file);
	fputs("one\n\t two \033[31m \r\nthree\nfour", file);
	return fclose(file);
}

static int remove_source(void **state)
{
	(void)state;
	unlink("halo.c");
	return chdir("/") + rmdir(folder);
}

static void a_place_has_its_lines_and_those_around_it(void **state)
{
	struct source_excerpts excerpts = {.files = source_files_new(), .around = 1};
	const struct source_excerpt *excerpt = source_excerpt_get(&excerpts, "halo.c", 2);

	(void)state;
	assert_non_null(excerpt);
	assert_int_equal(excerpt->first, 1);
	assert_int_equal(excerpt->count, 3);
	assert_string_equal(excerpt->lines[2], "three");
	/* Without blanks, and without control characters. */
	assert_string_equal(source_excerpt_line(&excerpts, excerpt), "two ?[31m");
	/* Once for each place. */
	assert_ptr_equal(source_excerpt_get(&excerpts, "halo.c", 2), excerpt);
	excerpt = source_excerpt_get(&excerpts, "halo.c", 4);
	assert_string_equal(source_excerpt_line(&excerpts, excerpt), "four");
	assert_int_equal(excerpts.count, 2);
	source_files_free(excerpts.files);
	source_excerpts_release(&excerpts);
}

static void lines_that_cannot_be_read_are_left_out(void **state)
{
	struct source_excerpts excerpts = {.files = source_files_new(), .around = 1};
	struct source_excerpts nowhere = {.around = 1};
	struct text out = {0};
	struct json json = {.out = &out};

	(void)state;
	assert_null(source_excerpt_get(&excerpts, "halo.c", 5));
	assert_null(source_excerpt_get(&excerpts, "halo.c", 0));
	assert_null(source_excerpt_get(&excerpts, "halo.c", INT32_MAX));
	assert_null(source_excerpt_get(&excerpts, "other.c", 1));
	assert_null(source_excerpt_get(&excerpts, NULL, 1));
	assert_null(source_excerpt_get(&nowhere, "halo.c", 1));
	source_excerpts_json(&excerpts, &json, NULL);
	assert_null(strstr(text_get(&out), "halo"));
	text_release(&out);
	source_files_free(excerpts.files);
	source_excerpts_release(&excerpts);
	source_excerpts_release(&nowhere);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_has_its_lines_and_those_around_it),
		cmocka_unit_test(lines_that_cannot_be_read_are_left_out),
	};

	return cmocka_run_group_tests(tests, make_source, remove_source);
}
