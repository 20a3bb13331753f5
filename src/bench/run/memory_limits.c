#include "bench/run/buffers.h"

#include "base/text.h"
#include "bench/run/system_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t smaller_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The files of a version of control groups with its limits. */
struct control_files {
	const char *mount;
	const char *limit, *used, *statistics, *reclaimable;
};

static const struct control_files version_1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                               "memory.usage_in_bytes", "memory.stat", "total_inactive_file"};
static const struct control_files version_2 = {"/sys/fs/cgroup", "memory.max", "memory.current",
                                               "memory.stat", "inactive_file"};

static bool read_control(const struct control_files *files, const char *group, const char *name,
                         const char *word, uint64_t *number)
{
	struct text path = {0};
	bool found;

	text_add(&path, "%s%s/%s", files->mount, group, name);
	found = system_number(text_get(&path), word, number);
	text_release(&path);
	return found;
}

static uint64_t left_in_group(const struct control_files *files, const char *group)
{
	uint64_t limit, used, files_cached = 0;

	if (!read_control(files, group, files->limit, "", &limit) ||
	    !read_control(files, group, files->used, "", &used))
		return UINT64_MAX;
	(void)read_control(files, group, files->statistics, files->reclaimable, &files_cached);
	used -= smaller_of(used, files_cached);
	return limit > used ? limit - used : 0;
}

/* The limits of a group include those of all its parents. */
static uint64_t left_in_groups(const struct control_files *files, char *group)
{
	uint64_t left = left_in_group(files, "");

	for (char *end = group + strlen(group); end > group; end = strrchr(group, '/')) {
		*end = 0;
		left = smaller_of(left, left_in_group(files, group));
	}
	return left;
}

/* Parses a line of /proc/self/cgroup: "0::/a/b" or "7:memory:/a/b". */
static uint64_t left_by_line(char *line)
{
	char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;

	if (!group)
		return UINT64_MAX;
	*group++ = 0;
	group[strcspn(group, "\n")] = 0;
	if (!names[1])
		return left_in_groups(&version_2, group);
	return strstr(names, "memory") ? left_in_groups(&version_1, group) : UINT64_MAX;
}

static uint64_t left_in_container(void)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	uint64_t left = UINT64_MAX;
	char line[4096];

	while (file && fgets(line, sizeof line, file))
		left = smaller_of(left, left_by_line(line));
	if (file)
		fclose(file);
	return left;
}

uint64_t memory_of_node(void)
{
	uint64_t kilobytes;

	if (!system_number("/proc/meminfo", "MemAvailable:", &kilobytes))
		return left_in_container();
	return smaller_of(kilobytes << 10, left_in_container());
}

uint64_t memory_of_process(void)
{
	struct rlimit limit;
	uint64_t pages = 0, used;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	(void)system_number("/proc/self/statm", "", &pages);
	used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}
