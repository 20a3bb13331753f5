#include "base/machine.h"

#include "base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Reads the first line of a small file. */
static bool read_line(const char *path, char *line, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, line, size - 1);

	if (fd >= 0)
		close(fd);
	line[length > 0 ? length : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return *line;
}

bool machine_identity(char text[MACHINE_TEXT])
{
	return read_line("/proc/sys/kernel/random/boot_id", text, MACHINE_TEXT);
}

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
