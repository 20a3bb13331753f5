/* Places of calls that need more than an address: a line of Python, or the end of a call path. A place is a
 * site with the place of its caller, so paths share common prefixes. Keys refer to places by negative words,
 * which are not addresses. */
#ifndef TARRY_JOB_MPI_PLACES_H
#define TARRY_JOB_MPI_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PLACE UINT32_MAX

struct path_node {
	uint32_t caller; /* a place; NO_PLACE: none or unknown */
	uint64_t module;
	uint64_t offset;
};

static inline int64_t place_word(uint32_t place)
{
	return -1 - (int64_t)place;
}

static inline uint32_t place_of_word(int64_t word)
{
	return (uint32_t)(-1 - word);
}

/* The number of a place, the same for all threads. NO_PLACE: too many; a message reports it. */
uint32_t place_add(uint32_t caller, uint64_t module, uint64_t offset);
struct path_node place_get(uint32_t number);

/* The origin of a call if its return address is not enough: the current line of the Python interpreter, or with
 * --callpath the whole path. Other streams use only the return address, at no extra cost.
 *
 *	s->origins = origins_new();           NULL for most programs
 *	if (s->origins)
 *		site = origin_of(s->origins, site, frame);    a return address, or the word of a place */

struct origins;

/* For a new stream; NULL: return addresses are enough, or out of memory. */
struct origins *origins_new(void);
void origins_free(struct origins *origins);

/* Files were unloaded: cached addresses may be wrong now. */
void origins_forget(struct origins *origins);

/* Must be called after the MPI function has returned, while the wrapper's frame `frame` exists. Returns `site`
 * if nothing more is known. */
int64_t origin_of(struct origins *origins, int64_t site, uintptr_t frame);

#endif
