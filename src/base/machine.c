#include "base/machine.h"

#include "base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The first line of a small file. */
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

bool machine_counter_is_sane(void)
{
	/* What Linux turns to when it finds the counter wanting. */
	static const char *const substitutes[] = {"hpet", "acpi_pm", "pit", "jiffies", "refined-jiffies"};
	char source[32];

	if (!clock_is_invariant())
		return false;
	if (!read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
	               sizeof source))
		return true;
	for (size_t i = 0; i < sizeof substitutes / sizeof *substitutes; i++)
		if (strcmp(source, substitutes[i]) == 0)
			return false;
	return true;
}
