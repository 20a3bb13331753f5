#include "base/machine.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/number_ranges.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads the first line of a small file. */
static bool read_line(const char *path, char *line, size_t size)
{
	read_small_file(AT_FDCWD, path, line, size);
	line[strcspn(line, "\n")] = '\0';
	return *line;
}

bool machine_identity(char text[MACHINE_TEXT])
{
	return read_line("/proc/sys/kernel/random/boot_id", text, MACHINE_TEXT);
}

/* Groups of processors */

const char *const processor_group_names[PROCESSOR_GROUPS] = {
	[GROUP_CORE] = "core", [GROUP_NUMA] = "numa", [GROUP_SOCKET] = "socket"};

/* Lists of Linux have no adjacent ranges, so each range of `few` is in one of `many`. */
static bool includes(const char *many, const char *few)
{
	struct number_range range, other;
	bool found = *few;

	while (found && next_range(&few, &range)) {
		const char *at = many;

		found = false;
		while (!found && next_range(&at, &other))
			found = other.first <= range.first && range.last <= other.last;
	}
	return found && !*few;
}

enum { LIST_MAX = 4096 };

/* The lowest processor of the list in a file; -1: not all of `processors` are in it. */
static int64_t lowest_in(const char *path, const char *processors)
{
	char list[LIST_MAX];
	const char *at = list;
	struct number_range range;

	return read_line(path, list, sizeof list) && includes(list, processors) && next_range(&at, &range)
	               ? (int64_t)range.first
	               : -1;
}

static int64_t find_numa_node(const char *devices, const char *processors)
{
	char path[PATH_MAX], list[LIST_MAX];
	const char *at = list;
	struct number_range nodes;
	int64_t lowest = -1;

	snprintf(path, sizeof path, "%s/node/has_cpu", devices);
	read_line(path, list, sizeof list);
	while (lowest < 0 && next_range(&at, &nodes))
		for (uint32_t node = nodes.first; lowest < 0 && node <= nodes.last; node++) {
			snprintf(path, sizeof path, "%s/node/node%" PRIu32 "/cpulist", devices, node);
			lowest = lowest_in(path, processors);
		}
	return lowest;
}

int64_t processor_group_of(const char *devices, const char *processors, enum processor_group group)
{
	const char *at = processors;
	struct number_range first;
	char path[PATH_MAX];

	if (group == GROUP_NUMA)
		return find_numa_node(devices, processors);
	if (!next_range(&at, &first))
		return -1;
	snprintf(path, sizeof path, "%s/cpu/cpu%" PRIu32 "/topology/%s", devices, first.first,
	         group == GROUP_CORE ? "thread_siblings_list" : "core_siblings_list");
	return lowest_in(path, processors);
}

/* The processor's counter */

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words;
}

/* True if the word is in a list separated by blanks. */
static bool is_listed(const char *word, const char *list)
{
	const size_t length = strlen(word);

	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		if (strncmp(list, word, length) == 0 && (!list[length] || list[length] == ' '))
			return true;
	return false;
}

bool machine_sources_trust_counter(const char *current, const char *available)
{
	/* Clock sources that Linux falls back to when the counter is unreliable. */
	static const char *const substitutes[] = {"hpet",    "acpi_pm",         "pit",
	                                          "jiffies", "refined-jiffies", NULL};
	/* Clock sources of virtual machines, which Linux uses even if the counter is fine; a counter that it
	 * has rejected is missing from the list of available sources. */
	static const char *const hosts[] = {"kvm-clock", "xen", "hyperv_clocksource_tsc_page",
	                                    "hyperv_clocksource_msr", NULL};

	if (is_one_of(current, substitutes))
		return false;
	return !is_one_of(current, hosts) || !*available || is_listed("tsc", available);
}

#define CLOCK_SOURCES "/sys/devices/system/clocksource/clocksource0/"

bool machine_counter_is_sane(void)
{
	char current[48], available[256];

	if (!clock_is_invariant())
		return false;
	if (!read_line(CLOCK_SOURCES "current_clocksource", current, sizeof current))
		return true;
	read_line(CLOCK_SOURCES "available_clocksource", available, sizeof available);
	return machine_sources_trust_counter(current, available);
}
