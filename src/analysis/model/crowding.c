#include "analysis/model/crowding.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* As many processors as Linux can have. */
enum { CORES_MAX = 8192 };

/* A list of ranges, "0-3,8". Returns how many of them are new. */
static uint32_t add_cores(const char *list, bool *has)
{
	uint32_t added = 0;

	while (list && *list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;
		if (end == list)
			break;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < CORES_MAX; first++) {
			added += !has[first];
			has[first] = true;
		}
		list = *end == ',' ? end + 1 : NULL;
	}
	return added;
}

static struct crowding crowding_of(const struct reader *reader, const struct nodes *nodes, uint32_t node,
                                   bool *has)
{
	struct crowding crowding = {0};

	memset(has, 0, CORES_MAX * sizeof *has);
	for (size_t i = 0; i < reader->process_count; i++)
		if (nodes->of[i] == node) {
			crowding.processes++;
			crowding.cores += add_cores(process_property(&reader->processes[i], "cpus"), has);
		}
	return crowding;
}

/* a / b > c / d */
static bool is_more_crowded(struct crowding a, struct crowding b)
{
	return (uint64_t)a.processes * b.cores > (uint64_t)b.processes * a.cores;
}

struct crowding most_crowded(const struct reader *reader, const struct nodes *nodes)
{
	bool *has = memory_new(CORES_MAX, sizeof *has);
	struct crowding most = {0};

	for (uint32_t i = 0; i < nodes->count; i++) {
		struct crowding here = crowding_of(reader, nodes, i, has);
		if (here.cores && (!most.cores || is_more_crowded(here, most)))
			most = here;
	}
	free(has);
	return most;
}
