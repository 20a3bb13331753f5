/* Parts of a machine, from copies of the files in which Linux describes them. */
#include "base/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tarry-unit-XXXXXX";

/* Two sockets with two NUMA nodes each, two cores in a node, and two threads of a core: processors n and n + 8. */
static const struct {
	const char *path, *text;
} files[] = {
	{"cpu", NULL},
	{"cpu/cpu0", NULL},
	{"cpu/cpu0/topology", NULL},
	{"cpu/cpu0/topology/thread_siblings_list", "0,8\n"},
	{"cpu/cpu0/topology/core_siblings_list", "0-3,8-11\n"},
	{"cpu/cpu6", NULL},
	{"cpu/cpu6/topology", NULL},
	{"cpu/cpu6/topology/thread_siblings_list", "6,14\n"},
	{"cpu/cpu6/topology/core_siblings_list", "4-7,12-15\n"},
	{"node", NULL},
	{"node/has_cpu", "0-1,4-5\n"},
	{"node/node0", NULL},
	{"node/node0/cpulist", "0-1,8-9\n"},
	{"node/node1", NULL},
	{"node/node1/cpulist", "2-3,10-11\n"},
	{"node/node4", NULL},
	{"node/node4/cpulist", "4-5,12-13\n"},
	{"node/node5", NULL},
	{"node/node5/cpulist", "6-7,14-15\n"},
};

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static int write_files(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		FILE *file;

		if (!files[i].text) {
			assert_int_equal(mkdir(path_of(files[i].path), 0700), 0);
			continue;
		}
		file = fopen(path_of(files[i].path), "w");
		assert_non_null(file);
		fputs(files[i].text, file);
		fclose(file);
	}
	return 0;
}

static int remove_files(void **state)
{
	(void)state;
	for (size_t i = sizeof files / sizeof *files; i-- > 0;)
		remove(path_of(files[i].path));
	return rmdir(folder);
}

static void expect_parts(const char *processors, int core, int numa, int socket)
{
	assert_int_equal(processor_group_of(folder, processors, GROUP_CORE), core);
	assert_int_equal(processor_group_of(folder, processors, GROUP_NUMA), numa);
	assert_int_equal(processor_group_of(folder, processors, GROUP_SOCKET), socket);
}

static void bound_processes_have_a_part(void **state)
{
	(void)state;
	expect_parts("0", 0, 0, 0);
	expect_parts("0,8", 0, 0, 0);
	expect_parts("0-1", -1, 0, 0);
	expect_parts("0-3,8-11", -1, -1, 0);
	expect_parts("6-7", -1, 6, 4);
	expect_parts("0-15", -1, -1, -1);
	expect_parts("0,6", -1, -1, -1);
}

static void what_is_unknown_has_none(void **state)
{
	(void)state;
	expect_parts("", -1, -1, -1);
	expect_parts("1-", -1, -1, -1);
	expect_parts("77", -1, -1, -1);
	assert_int_equal(processor_group_of("/nowhere", "0", GROUP_NUMA), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bound_processes_have_a_part),
		cmocka_unit_test(what_is_unknown_has_none),
	};

	return cmocka_run_group_tests(tests, write_files, remove_files);
}
