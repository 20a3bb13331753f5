#include "job/check/objects/type_structures.h"

#include "base/hash.h"
#include "job/check/objects/type_layout.h"
#include "job/check/wire/announced.h"

#include <string.h>

/* RUNS_MAX: for all layouts together, 2 MiB. An LU factorisation has a type for each length of a row. */
enum { STRUCTURES = 4096, RUNS_MAX = 1 << 17 };

static struct structured_type table[STRUCTURES];
static uint32_t run_count;

static void forget(struct structured_type *type)
{
	if (type->layout)
		run_count -= type->layout->count;
	type_layout_release(type->layout);
	if (type->announced)
		type->announced->refs--;
}

struct structured_type *structured_type_get(const struct type_structure *structure)
{
	const uint64_t hash = hash_words((const int64_t *)structure->numbers, STRUCTURE_NUMBERS,
	                                 structure->made_by ^ structure->element << 8);
	struct structured_type *found = &table[hash_fold(hash) % STRUCTURES];

	if (!structure->made_by)
		return NULL;
	if (memcmp(&found->structure, structure, sizeof *structure) == 0)
		return found;
	forget(found);
	*found = (struct structured_type){.structure = *structure};
	return found;
}

void structured_type_keep(struct structured_type *type, const struct type_layout *layout)
{
	if (layout->count > RUNS_MAX - run_count)
		return;
	run_count += layout->count;
	type->layout = layout;
	type_layout_hold(layout);
}
