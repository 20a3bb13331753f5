/* Places that calls come from, where an address is not enough: a line of Python, or the end of a call path. A place is
 * a site and the place that its function was called from, so that paths share what they have in common. Keys name
 * places by words below zero, which no address is. */
#ifndef TARRY_JOB_MPI_PLACES_H
#define TARRY_JOB_MPI_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PLACE UINT32_MAX

struct path_node {
	uint32_t caller; /* a place; NO_PLACE: none, or not known */
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

/* The number of a place, the same for all threads. NO_PLACE: there are too many, and a note says so. */
uint32_t place_add(uint32_t caller, uint64_t module, uint64_t offset);
struct path_node place_get(uint32_t number);

/* Where a call really comes from, when its return address does not say enough: of a call that Python's interpreter makes,
 * the line of the Python program; with --callpath, the whole way to it. Only streams that need it have it: all
 * others go by the return address alone, and pay nothing.
 *
 *	s->origins = origins_new();           NULL for most programs
 *	if (s->origins)
 *		site = origin_of(s->origins, site, frame);    a return address, or the word of a place */

struct origins;

/* For a new stream; NULL: its return addresses say it all, or there is no memory for more. */
struct origins *origins_new(void);
void origins_free(struct origins *origins);

/* Files were unloaded: what is known of addresses may be wrong now. */
void origins_forget(struct origins *origins);

/* After the call, while its frame is still there. Gives the return address itself back when no more is known.
 * `frame`: the wrapper's. */
int64_t origin_of(struct origins *origins, int64_t site, uintptr_t frame);

#endif
