#include "base/files.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOM = 100 };

static char path[] = "/tmp/test-size-limit-XXXXXX";
static int file;

static bool is_pending(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

/* The usual effect of the signal would end this test. */
static void a_write_beyond_the_limit_fails(void **state)
{
	static const char bytes[2 * ROOM];

	(void)state;
	assert_true(write_fully(file, bytes, ROOM));
	assert_false(write_fully(file, bytes, 1));
	assert_int_equal(errno, EFBIG);
	assert_false(pwrite_fully(file, bytes, 2 * ROOM, 0));
	assert_int_equal(errno, EFBIG);
}

/* A program that holds the signal back gets its own, and none of ours. */
static void a_signal_of_the_program_stays(void **state)
{
	sigset_t signal, before;

	(void)state;
	sigemptyset(&signal);
	sigaddset(&signal, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &signal, &before);
	assert_false(pwrite_fully(file, "x", 1, ROOM));
	assert_false(is_pending());
	assert_int_equal(pwrite(file, "x", 1, ROOM), -1);
	assert_true(is_pending());
	assert_false(pwrite_fully(file, "x", 1, ROOM));
	assert_true(is_pending());
	assert_int_equal(sigtimedwait(&signal, NULL, &(struct timespec){0}), SIGXFSZ);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int limit(void **state)
{
	static const struct rlimit little = {ROOM, RLIM_INFINITY};

	(void)state;
	file = mkstemp(path);
	return file < 0 || unlink(path) != 0 || setrlimit(RLIMIT_FSIZE, &little) != 0;
}

static int lift(void **state)
{
	static const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};

	(void)state;
	return setrlimit(RLIMIT_FSIZE, &none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_write_beyond_the_limit_fails),
		cmocka_unit_test(a_signal_of_the_program_stays),
	};

	return cmocka_run_group_tests(tests, limit, lift);
}
