#include "base/unfinished.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = 300 };

static char work[] = "/tmp/test-unfinished-XXXXXX";

static const char *in_work(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", work, name);
	return path;
}

static void make(const char *name)
{
	int fd = open(in_work(name), O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void make_folder(const char *name)
{
	assert_int_equal(mkdir(in_work(name), 0700), 0);
}

static bool exists(const char *name)
{
	return access(in_work(name), F_OK) == 0;
}

static void what_is_not_finished_is_removed(void **state)
{
	char name[64];

	(void)state;
	make("file.tmp");
	make("finished.tmp");
	make("other");
	make_folder("archive.tmp");
	make_folder("archive.tmp/traces");
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof name, "archive.tmp/traces/a-long-name-of-a-file-%d", i);
		make(name);
	}
	unfinished_add(in_work("file.tmp"));
	unfinished_add(in_work("finished.tmp"));
	unfinished_add(in_work("archive.tmp"));
	unfinished_add(in_work("never made"));
	unfinished_forget(in_work("finished.tmp"));
	unfinished_remove();
	assert_false(exists("file.tmp") || exists("archive.tmp"));
	assert_true(exists("finished.tmp") && exists("other"));
}

static void links_are_not_followed(void **state)
{
	char target[PATH_MAX];

	(void)state;
	make_folder("theirs");
	make("theirs/file");
	make_folder("ours");
	snprintf(target, sizeof target, "%s", in_work("theirs"));
	assert_int_equal(symlink(target, in_work("ours/link")), 0);
	unfinished_add(in_work("ours"));
	unfinished_remove();
	assert_false(exists("ours"));
	assert_true(exists("theirs/file"));
}

static void there_is_room_for_a_few(void **state)
{
	char name[16];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "many%d", i);
		unfinished_add(in_work(name));
	}
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "many%d", i);
		unfinished_forget(in_work(name));
	}
	make("many0");
	unfinished_remove();
	assert_true(exists("many0"));
}

static int make_work(void **state)
{
	(void)state;
	return mkdtemp(work) ? 0 : -1;
}

static int remove_work(void **state)
{
	(void)state;
	unfinished_add(work);
	unfinished_remove();
	return access(work, F_OK) == 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_finished_is_removed),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(there_is_room_for_a_few),
	};

	return cmocka_run_group_tests(tests, make_work, remove_work);
}
