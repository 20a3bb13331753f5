/* Hexadecimal digits, lists of numbers, and whole files. */
#include "base/hex.h"
#include "base/number_ranges.h"
#include "base/user_files.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void digits_have_values(void **state)
{
	(void)state;
	assert_int_equal(hex_digit('0'), 0);
	assert_int_equal(hex_digit('9'), 9);
	assert_int_equal(hex_digit('a'), 10);
	assert_int_equal(hex_digit('F'), 15);
	assert_int_equal(hex_digit('g'), -1);
	assert_int_equal(hex_digit('\0'), -1);
	assert_int_equal(hex_digit('@'), -1);
}

/* How many numbers a list has; -1: it is wrong. */
static int count_numbers(const char *list)
{
	struct number_range range;
	int count = 0;

	while (next_range(&list, &range))
		count += (int)(range.last - range.first + 1);
	return *list ? -1 : count;
}

static void lists_are_read(void **state)
{
	static const char *const wrong[] = {"x",   "1,x",  "3-1", "1-",         ",",    "1,,2",
	                                    "1 2", "1--2", "-1",  "4294967295", "1-2-3"};

	(void)state;
	assert_int_equal(count_numbers(""), 0);
	assert_int_equal(count_numbers("7"), 1);
	assert_int_equal(count_numbers("0-3,8"), 5);
	assert_int_equal(count_numbers("0-3, 8, 10-11"), 7);
	assert_int_equal(count_numbers("4-7,12-15\n"), 8);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(count_numbers(wrong[i]), -1);
}

static void files_are_read_up_to_a_limit(void **state)
{
	char path[] = "/tmp/tarry-readers-XXXXXX";
	int fd = mkstemp(path);
	struct text text = {0};

	(void)state;
	assert_int_equal(write(fd, "abcdef", 6), 6);
	close(fd);
	assert_true(text_add_user_file(&text, path, 6));
	assert_string_equal(text_get(&text), "abcdef");
	text_clear(&text);
	assert_false(text_add_user_file(&text, path, 5));
	assert_int_equal(errno, EFBIG);
	assert_string_equal(text_get(&text), "abcde");
	unlink(path);
	assert_false(text_add_user_file(&text, path, 5));
	assert_int_equal(errno, ENOENT);
	text_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_have_values),
		cmocka_unit_test(lists_are_read),
		cmocka_unit_test(files_are_read_up_to_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
