/* The kernel's count of processor time that the host of a virtual machine took. */
#include "job/record/processor_time.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Reads this text like the kernel's file. */
static bool read_text(const char *text, struct processor_time *time)
{
	char path[] = "/tmp/tarry-stat-XXXXXX";
	int file = mkstemp(path);
	bool known;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	known = processor_time_read(path, time);
	unlink(path);
	return known;
}

static void what_the_host_took_is_the_eighth_number(void **state)
{
	struct processor_time time;

	(void)state;
	assert_true(read_text("cpu  100 2 30 400 5 6 7 80 90 10\ncpu0 50 1 15 200 2 3 3 40 45 5\nintr 1 2\n",
	                      &time));
	assert_int_equal(time.steal, 80);
	/* Guests are part of the first two. */
	assert_int_equal(time.total, 100 + 2 + 30 + 400 + 5 + 6 + 7 + 80);
}

static void a_machine_without_a_host_loses_nothing(void **state)
{
	struct processor_time time;

	(void)state;
	assert_true(read_text("cpu  100 0 30 400 0 0 0 0 0 0\n", &time));
	assert_int_equal(time.steal, 0);
	assert_int_equal(time.total, 530);
}

static void what_is_not_told_is_not_known(void **state)
{
	struct processor_time time = {1, 2};

	(void)state;
	errno = 99;
	assert_false(processor_time_read("/tmp/there/is/no/such/file", &time));
	assert_int_equal(errno, 99);
	assert_false(read_text("", &time));
	assert_false(read_text("cpu  100 2 30 400 5 6 7\n", &time)); /* a kernel of 2004 */
	assert_false(read_text("page 100 2 30 400 5 6 7 80\n", &time));
	assert_int_equal(time.steal, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_host_took_is_the_eighth_number),
		cmocka_unit_test(a_machine_without_a_host_loses_nothing),
		cmocka_unit_test(what_is_not_told_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
