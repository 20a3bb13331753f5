#include "cli/cores.h"

#include <sched.h>
#include <stdio.h>

/* The first processor of the core that this one belongs to. */
static int first_of_core(int cpu)
{
	char path[80];
	FILE *file;
	int first;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &first) != 1 || first < 0 || first >= CPU_SETSIZE)
		first = cpu;
	if (file)
		fclose(file);
	return first;
}

int allowed_cores(void)
{
	cpu_set_t allowed, cores;

	CPU_ZERO(&cores);
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			CPU_SET(first_of_core(cpu), &cores);
	return CPU_COUNT(&cores);
}
