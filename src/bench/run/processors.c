#include "bench/run/processors.h"

#include <string.h>

static int count(const struct processors *processors)
{
	int bits = 0;

	for (size_t i = 0; i < sizeof processors->bits; i++)
		bits += __builtin_popcount(processors->bits[i]);
	return bits;
}

/* Two processes that are bound to the same single CPU. */
static bool share_one(const struct processors *a, const struct processors *b)
{
	return memcmp(a, b, sizeof *a) == 0 && count(a) == 1;
}

static bool any_share_one(const struct processors *allowed, int processes)
{
	for (int i = 0; i < processes; i++)
		for (int j = 0; j < i; j++)
			if (share_one(&allowed[i], &allowed[j]))
				return true;
	return false;
}

struct core_sharing crowding_of(const struct processors *allowed, int processes)
{
	struct processors all = {0};
	struct core_sharing crowding = {.processes = processes};

	for (int i = 0; i < processes; i++)
		for (size_t byte = 0; byte < sizeof all.bits; byte++)
			all.bits[byte] |= allowed[i].bits[byte];
	crowding.processors = count(&all);
	crowding.is_crowded = processes > crowding.processors || any_share_one(allowed, processes);
	return crowding;
}
