/* Gives equal byte strings one object with a dense number. Two strings are equal if their pointers are equal.
 *
 *	struct interner names = {.arena = &arena};
 *	const struct interned *name = intern(&names, "MPI_Send", 8);
 *	name->number; name->bytes; */
#ifndef TARRY_TRACE_INTERN_H
#define TARRY_TRACE_INTERN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interned {
	uint32_t number; /* from 0, in order of the first intern() */
	uint32_t size;
	uint8_t bytes[]; /* followed by a zero byte, unless is_bare */
};

struct interner {
	struct arena *arena;
	struct interned **slots;
	size_t slot_count;
	size_t count;
	bool is_bare; /* no zero byte follows */
};

const struct interned *intern(struct interner *interner, const void *bytes, size_t size);
/* NULL: it was not interned. Several threads may look at the same time. */
const struct interned *intern_find(const struct interner *interner, const void *bytes, size_t size);

#endif
