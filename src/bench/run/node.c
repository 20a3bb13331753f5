#include "bench/run/node.h"

#include "base/text.h"

#include <hwloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define UNKNOWN "unknown"

/* The value of a key in /proc/cpuinfo. */
static bool read_cpuinfo(const char *name, char *value, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		const char *colon = strchr(line, ':');
		if (!colon || !text_begins(line, name))
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/* On AArch64 the kernel gives only numbers; these are the CPUs of clusters. */
static const struct {
	const char *maker, *part, *name;
} arm_processors[] = {
	{"0x41", "0xd08", "ARM Cortex-A72"},   {"0x41", "0xd0b", "ARM Cortex-A76"},
	{"0x41", "0xd0c", "ARM Neoverse-N1"},  {"0x41", "0xd40", "ARM Neoverse-V1"},
	{"0x41", "0xd49", "ARM Neoverse-N2"},  {"0x41", "0xd4f", "ARM Neoverse-V2"},
	{"0x43", "0x0af", "Cavium ThunderX2"}, {"0x46", "0x001", "Fujitsu A64FX"},
	{"0x48", "0xd01", "HiSilicon TSV110"}, {"0xc0", "0xac3", "Ampere-1"},
};

static void name_arm_processor(const char *maker, const char *part, struct node_info *node)
{
	for (size_t i = 0; i < sizeof arm_processors / sizeof *arm_processors; i++)
		if (strcmp(maker, arm_processors[i].maker) == 0 &&
		    strcmp(part, arm_processors[i].part) == 0) {
			snprintf(node->processor, sizeof node->processor, "%s", arm_processors[i].name);
			return;
		}
	snprintf(node->processor, sizeof node->processor, "implementer %s, part %s", maker, part);
}

static void look_at_processor(struct node_info *node)
{
	char maker[16], part[16];

	if (read_cpuinfo("model name", node->processor, sizeof node->processor))
		return;
	if (read_cpuinfo("CPU implementer", maker, sizeof maker) &&
	    read_cpuinfo("CPU part", part, sizeof part))
		name_arm_processor(maker, part, node);
	else
		snprintf(node->processor, sizeof node->processor, UNKNOWN);
}

static void look_at_kernel(struct node_info *node)
{
	struct utsname name;

	if (uname(&name) == 0)
		snprintf(node->kernel, sizeof node->kernel, "%s %s %s", name.sysname, name.release,
		         name.machine);
	else
		snprintf(node->kernel, sizeof node->kernel, UNKNOWN);
}

static void look_at_governor(struct node_info *node, int processor)
{
	char path[96];
	FILE *file;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", processor);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%31s", node->governor) != 1)
		snprintf(node->governor, sizeof node->governor, UNKNOWN);
	if (file)
		fclose(file);
}

static void look_at_binding(struct node_info *node, hwloc_topology_t topology)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	int first = 0;

	if (allowed && hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0) {
		hwloc_bitmap_list_snprintf(node->binding, sizeof node->binding, allowed);
		first = hwloc_bitmap_first(allowed);
	} else {
		snprintf(node->binding, sizeof node->binding, UNKNOWN);
	}
	look_at_governor(node, first < 0 ? 0 : first);
	hwloc_bitmap_free(allowed);
}

static void look_at_topology(struct node_info *node)
{
	hwloc_topology_t topology;

	snprintf(node->processors, sizeof node->processors, UNKNOWN);
	if (hwloc_topology_init(&topology) != 0)
		return;
	if (hwloc_topology_load(topology) == 0) {
		snprintf(node->processors, sizeof node->processors, "%d on %d cores",
		         hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU),
		         hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE));
		look_at_binding(node, topology);
	}
	hwloc_topology_destroy(topology);
}

void node_look(struct node_info *node)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	*node = (struct node_info){
		.memory_bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0};
	if (gethostname(node->host, sizeof node->host - 1) != 0)
		snprintf(node->host, sizeof node->host, UNKNOWN);
	look_at_processor(node);
	look_at_kernel(node);
	look_at_topology(node);
}
