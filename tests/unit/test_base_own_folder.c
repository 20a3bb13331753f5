#include "base/files.h"
#include "base/own_folder.h"
#include "base/user_files.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char work[] = "/tmp/test-own-folder-XXXXXX";

static bool all(const char *name)
{
	return name[0] != '.';
}

static bool exists(const char *path)
{
	return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void put(const char *path)
{
	int fd = private_file_create(AT_FDCWD, path, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void only_ours_are_opened(void **state)
{
	struct own_folder folder;

	(void)state;
	assert_false(own_folder_open("missing", &folder));
	assert_int_equal(errno, ENOENT);
	assert_true(own_folder_make("mine", &folder));
	own_folder_close(&folder);
	assert_true(own_folder_open("mine//", &folder));
	assert_string_equal(folder.name, "mine");
	own_folder_close(&folder);
	assert_int_equal(symlink("mine", "link"), 0);
	assert_false(own_folder_open("link", &folder));
	assert_false(own_folder_make("link", &folder));
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(chmod("mine", 0770), 0);
	assert_false(own_folder_open("mine", &folder));
	assert_int_equal(errno, EPERM);
	assert_int_equal(rmdir("mine"), 0);
	assert_int_equal(unlink("link"), 0);
}

/* The steps of an attack, with the swap between opening and removing. */
static void a_link_in_its_place_is_not_followed(void **state)
{
	struct own_folder folder;

	(void)state;
	assert_int_equal(mkdir("precious", 0700), 0);
	put("precious/thesis");
	assert_true(own_folder_make("run", &folder));
	put("run/key");
	assert_int_equal(rename("run", "away"), 0);
	assert_int_equal(symlink("precious", "run"), 0);
	assert_true(folder_has_file(folder.fd, "ke"));
	own_folder_remove_files(&folder, all);
	assert_false(exists("away/key"));
	assert_true(exists("precious/thesis"));
	assert_false(own_folder_remove(&folder));
	assert_false(own_folder_rename(&folder, "other"));
	assert_true(exists("run") && exists("away"));
	own_folder_close(&folder);
	own_folder_discard("run", all);
	assert_true(exists("precious/thesis"));
	own_folder_discard("precious", all);
	assert_false(exists("precious"));
}

static void a_new_name_replaces_nothing(void **state)
{
	struct own_folder folder;

	(void)state;
	assert_int_equal(mkdir("taken", 0700), 0);
	assert_true(own_folder_make("new", &folder));
	assert_false(own_folder_rename(&folder, "taken"));
	assert_int_equal(errno, EEXIST);
	assert_true(own_folder_rename(&folder, "free"));
	assert_true(exists("free") && !exists("new"));
	own_folder_close(&folder);
}

/* Without O_NONBLOCK the first of them would wait forever. */
static void only_files_are_regular(void **state)
{
	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(open_regular(AT_FDCWD, "pipe", O_RDONLY), -1);
	assert_string_equal(file_error(), "not a regular file");
	assert_int_equal(open_regular(AT_FDCWD, "pipe", O_WRONLY), -1);
	assert_int_equal(open_regular(AT_FDCWD, "/dev/null", O_RDONLY), -1);
	assert_string_equal(file_error(), "not a regular file");
	assert_int_equal(open_regular(AT_FDCWD, "free", O_RDONLY), -1);
	assert_string_equal(file_error(), strerror(EISDIR));
	assert_int_equal(open_regular(AT_FDCWD, "missing", O_RDONLY), -1);
	assert_string_equal(file_error(), strerror(ENOENT));
	assert_int_equal(private_file_open(AT_FDCWD, "pipe", O_RDONLY), -1);
	assert_int_equal(unlink("pipe"), 0);
}

static void a_lock_is_not_waited_for_without_end(void **state)
{
	int first, second;

	(void)state;
	put("lock");
	first = open_regular(AT_FDCWD, "lock", O_RDWR);
	second = open_regular(AT_FDCWD, "lock", O_RDWR);
	assert_true(lock_within(first, 0));
	assert_false(lock_within(second, 0));
	close(first);
	assert_true(lock_within(second, 1));
	close(second);
	assert_int_equal(unlink("lock"), 0);
}

static int enter(void **state)
{
	(void)state;
	return !mkdtemp(work) || chdir(work) != 0;
}

static int leave(void **state)
{
	(void)state;
	unlink("run");
	rmdir("away");
	rmdir("taken");
	rmdir("free");
	return rmdir(work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_ours_are_opened),
		cmocka_unit_test(a_link_in_its_place_is_not_followed),
		cmocka_unit_test(a_new_name_replaces_nothing),
		cmocka_unit_test(only_files_are_regular),
		cmocka_unit_test(a_lock_is_not_waited_for_without_end),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
