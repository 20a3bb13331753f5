/* Datatypes of the same structure share their layout and their signature. Programs create and free the same
 * types again and again, such as one for each row that an LU factorisation sends. Asking MPI for the contents
 * of each would cost more than the call that uses it.
 *
 * A structure is the call that created a type, if its arguments are only numbers and a predefined type. A
 * table keeps the most recently used structures.
 *
 *	struct structured_type *known = structured_type_get(&object->structure);
 *	if (known && known->layout) … */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPE_STRUCTURES_H
#define TARRY_JOB_CHECK_OBJECTS_TYPE_STRUCTURES_H

#include <stdint.h>

enum { STRUCTURE_NUMBERS = 3 };

struct announced_type;
struct type_layout;

struct type_structure {
	uint64_t made_by; /* number of the call + 1; 0: unknown */
	uint64_t element; /* handle of the predefined type */
	int64_t numbers[STRUCTURE_NUMBERS];
};

struct structured_type {
	struct type_structure structure;
	const struct type_layout *layout; /* NULL: not known yet; held */
	struct announced_type *announced; /* likewise */
};

/* NULL: the structure is unknown. Valid until the next call of this function; with the lock of shared state. */
struct structured_type *structured_type_get(const struct type_structure *structure);
/* Keeps the layout for other types of the structure, unless the layouts of all structures would need too much memory. */
void structured_type_keep(struct structured_type *type, const struct type_layout *layout);

#endif
