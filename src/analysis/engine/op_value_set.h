/* Which values were seen, in two words of memory that start as zeros: the count, and the value itself if it is the
 * only one, or else a hash table. */
#ifndef TARRY_ANALYSIS_ENGINE_OP_VALUE_SET_H
#define TARRY_ANALYSIS_ENGINE_OP_VALUE_SET_H

#include <stddef.h>
#include <stdint.h>

struct value_set {
	uint64_t count;
	union {
		int64_t only;
		struct value_table *table;
	};
};

/* Takes what it needs of `room`, in words. Returns 1 if the value is new and there is no room for it, else 0. */
uint64_t value_set_add(struct value_set *set, int64_t value, size_t *room);
void value_set_clear(struct value_set *set, size_t *room);

#endif
