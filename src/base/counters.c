#include "base/counters.h"

#include <string.h>

const char *const counter_names[COUNTERS] = {
	[COUNTER_CYCLES] = "cycles",
	[COUNTER_INSTRUCTIONS] = "instructions",
	[COUNTER_TASK_CLOCK] = "task-clock",
};

uint32_t counters_parse(const char *list)
{
	uint32_t counters = 0;

	for (;;) {
		size_t length = strcspn(list, ",");
		int i = 0;

		while (i < COUNTERS &&
		       (strlen(counter_names[i]) != length || strncmp(counter_names[i], list, length) != 0))
			i++;
		if (i == COUNTERS)
			return 0;
		counters |= 1u << i;
		if (!list[length])
			return counters;
		list += length + 1;
	}
}
