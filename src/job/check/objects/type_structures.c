#include "job/check/objects/type_structures.h"

#include "base/hash.h"
#include "job/check/objects/type_layout.h"
#include "job/check/wire/announced.h"

#include <string.h>

enum { STRUCTURES = 256 };

static struct structured_type table[STRUCTURES];

struct structured_type *structured_type_get(const struct type_structure *structure)
{
	const uint64_t hash = hash_words((const int64_t *)structure->numbers, STRUCTURE_NUMBERS,
	                                 structure->made_by ^ structure->element << 8);
	struct structured_type *found = &table[hash_fold(hash) % STRUCTURES];

	if (!structure->made_by)
		return NULL;
	if (memcmp(&found->structure, structure, sizeof *structure) == 0)
		return found;
	type_layout_release(found->layout);
	if (found->announced)
		found->announced->refs--;
	*found = (struct structured_type){.structure = *structure};
	return found;
}
