#include "job/coll/location.h"

#include "base/files.h"
#include "base/number_ranges.h"
#include "base/settings.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Larger files are truncated; a list of CPUs is never that long. */
enum { FILE_MAX = 16 << 20, LIST_MAX = 4096, PROCESSORS_MAX = 4096 };

static void add_switch(struct coll_location *here, const char *name, size_t length)
{
	if (length && here->tiers < COLL_TIERS_MAX) {
		/* A hash of the name. A collision merges two switches, which makes communication slower, not wrong. */
		uint32_t hash = 2166136261u;
		for (size_t i = 0; i < length; i++)
			hash = (hash ^ (unsigned char)name[i]) * 16777619u;
		here->switches[here->tiers++] = (int)(hash & INT32_MAX);
	}
}

void location_read_address(const char *address, struct coll_location *here)
{
	size_t length;

	for (here->tiers = 0; address[length = strcspn(address, ".")]; address += length + 1)
		add_switch(here, address, length);
}

static bool is_same_host(const char *name, size_t length, const char *host)
{
	size_t shorter = strcspn(host, "."), point = 0;

	while (point < length && name[point] != '.')
		point++;
	return point == shorter && memcmp(name, host, shorter) == 0;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return line + (*line == '\n');
}

void location_read_switches(const char *lines, const char *host, struct coll_location *here)
{
	here->tiers = 0;
	for (; *lines; lines = next_line(lines)) {
		size_t length = strcspn(lines, " \n");
		if (!is_same_host(lines, length, host))
			continue;
		for (lines += length; *lines == ' '; lines += length) {
			lines++;
			length = strcspn(lines, " \n");
			add_switch(here, lines, length);
		}
		return;
	}
}

int location_read_socket(const char *list, const unsigned char *allowed, size_t processors)
{
	unsigned char socket[PROCESSORS_MAX] = {0};
	struct number_range range;
	int first = -1;

	while (next_range(&list, &range)) {
		first = first < 0 ? (int)range.first : first;
		for (uint32_t i = range.first; i <= range.last && i < PROCESSORS_MAX; i++)
			socket[i] = 1;
	}
	for (size_t i = 0; i < processors && i < PROCESSORS_MAX; i++)
		if (allowed[i] && !socket[i])
			return -1;
	return first;
}

/* The first bytes of a file, freed by the caller; NULL: unreadable. */
static char *read_at(int folder, const char *path, size_t max)
{
	int file = open_regular(folder, path, O_RDONLY | O_NOFOLLOW);
	char *bytes = file < 0 ? NULL : malloc(max + 1);
	size_t size = 0;
	ssize_t got;

	while (bytes && size < max && (got = read(file, bytes + size, max - size)) > 0)
		size += (size_t)got;
	if (bytes)
		bytes[size] = 0;
	if (file >= 0)
		close(file);
	return bytes;
}

static void find_socket(struct coll_location *here)
{
	unsigned char allowed[PROCESSORS_MAX] = {0};
	cpu_set_t *set = CPU_ALLOC(PROCESSORS_MAX);
	size_t bytes = CPU_ALLOC_SIZE(PROCESSORS_MAX);
	char path[80], *list;
	int first = -1;

	if (set && sched_getaffinity(0, bytes, set) == 0)
		for (int i = PROCESSORS_MAX - 1; i >= 0; i--)
			if (CPU_ISSET_S((size_t)i, bytes, set)) {
				allowed[i] = 1;
				first = i;
			}
	CPU_FREE(set);
	if (first < 0)
		return;
	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/core_siblings_list", first);
	list = read_at(AT_FDCWD, path, LIST_MAX);
	if (list)
		here->socket = location_read_socket(list, allowed, PROCESSORS_MAX);
	free(list);
}

static struct coll_location found = COLL_LOCATION_UNKNOWN;

static void find_location(void)
{
	find_socket(&found);
	const char *run = setting_get(SETTING_COLL), *address = getenv("SLURM_TOPOLOGY_ADDR");
	int folder = run && *run ? open_uncounted(AT_FDCWD, run, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;
	char host[256] = "", *lines = NULL;
	if (folder >= 0) {
		lines = read_at(folder, COLL_SWITCHES_FILE, FILE_MAX);
		close(folder);
	}
	gethostname(host, sizeof host - 1);
	if (lines)
		location_read_switches(lines, host, &found);
	else if (address)
		location_read_address(address, &found);
	free(lines);
}

const struct coll_location *location_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_once(&once, find_location);
	pthread_setcancelstate(before, NULL);
	return &found;
}
