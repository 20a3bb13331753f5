/* Where a call really comes from, when its return address does not say enough: of a call that Python's interpreter makes,
 * the line of the Python program; with --callpath, the whole way to it. Only streams that need it have it: all
 * others go by the return address alone, and pay nothing.
 *
 *	s->origins = origins_new();           NULL for most programs
 *	if (s->origins)
 *		site = origin_of(s, site);    a return address, or the word of a place */
#ifndef TARRY_JOB_RECORD_ORIGINS_H
#define TARRY_JOB_RECORD_ORIGINS_H

#include <stddef.h>
#include <stdint.h>

struct stream;
struct origins;

/* For a new stream; NULL: its return addresses say it all, or there is no memory for more. */
struct origins *origins_new(void);
void origins_free(struct origins *origins);

/* Files were unloaded: what is known of addresses may be wrong now. */
void origins_forget(struct origins *origins);

/* After the call, while its frame is still there. Gives the return address itself back when no more is known. */
int64_t origin_of(struct stream *s, int64_t site);

/* How many sites a path may have. */
uint32_t origins_depth(void);

#endif
