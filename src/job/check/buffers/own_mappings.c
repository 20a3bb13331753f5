#include "job/check/buffers/own_mappings.h"

#include "base/hash.h"

#include <stdbool.h>
#include <sys/mman.h>

/* USES: how often pages are guarded before they get their own mapping. */
enum { OWN_MAPPINGS = 64, USES = 4 };

static struct own_mapping {
	uintptr_t first, end;
	uint32_t uses;
	bool is_own;
} mappings[OWN_MAPPINGS];

/* NOLINTBEGIN(performance-no-int-to-ptr): addresses of the program */

/* This is harmless if the program has released the pages, or has mapped something else there. */
static void join(struct own_mapping *mapping)
{
	if (mapping->is_own)
		madvise((void *)mapping->first, mapping->end - mapping->first, MADV_NORMAL);
	*mapping = (struct own_mapping){0};
}

void own_mapping_use(uintptr_t first, uintptr_t end)
{
	struct own_mapping *mapping = &mappings[hash_fold(hash_word(first, end)) % OWN_MAPPINGS];

	if (mapping->first != first || mapping->end != end) {
		join(mapping);
		*mapping = (struct own_mapping){.first = first, .end = end};
	}
	if (mapping->uses < USES && ++mapping->uses == USES)
		mapping->is_own = madvise((void *)first, end - first, MADV_RANDOM) == 0;
}

/* NOLINTEND(performance-no-int-to-ptr) */

void own_mappings_join(uintptr_t first, uintptr_t end)
{
	for (struct own_mapping *mapping = mappings; mapping < &mappings[OWN_MAPPINGS]; mapping++)
		if (mapping->is_own && first < mapping->end && end > mapping->first)
			join(mapping);
}
