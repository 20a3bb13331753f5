#include "job/record/processor_time.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

bool processor_time_read(const char *path, struct processor_time *time)
{
	const int saved = errno;
	char line[256];
	ssize_t size = read_small_file(AT_FDCWD, path, line, sizeof line);

	errno = saved;
	if (size <= 0)
		return false;
	/* The first line, "cpu", is the sum of all processors. Guest times, in later fields, are included in the first two fields. */
	unsigned long long ticks[FIELDS];
	if (sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[USER], &ticks[NICE],
	           &ticks[SYSTEM], &ticks[IDLE], &ticks[IOWAIT], &ticks[IRQ], &ticks[SOFTIRQ],
	           &ticks[STEAL]) != FIELDS)
		return false;
	*time = (struct processor_time){.steal = ticks[STEAL]};
	for (int i = 0; i < FIELDS; i++)
		time->total += ticks[i];
	return true;
}
