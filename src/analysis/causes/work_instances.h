/* Computing between two places that several processes do equally often: the sum over all processes of the first instance of each, of the second, and so on.
 * Work that is uneven at some instances only is balanced where it is uneven. */
#ifndef TARRY_ANALYSIS_CAUSES_WORK_INSTANCES_H
#define TARRY_ANALYSIS_CAUSES_WORK_INSTANCES_H

#include <stddef.h>
#include <stdint.h>

struct work_instances {
	const int64_t *sums_ns;
	size_t count;
	uint32_t processes;
};

#endif
