/* The bytes of a datatype as sorted and merged runs (byte_runs.h), computed when they are first needed. The object owns the layout
 * (checked_object.layout); a buffer that may outlive its type also holds it.
 *
 *	const struct type_layout *layout = type_layout_get(handle);
 *	if (layout && !layout->approximate) {
 *		const struct byte_pattern buffer = type_layout_pattern(layout, address, count);
 *		…
 *	} */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPE_LAYOUT_H
#define TARRY_JOB_CHECK_OBJECTS_TYPE_LAYOUT_H

#include "job/check/objects/byte_runs.h"

struct type_layout {
	uint32_t refs;
	uint32_t count; /* of runs; 0: no data */
	bool in_order;  /* the runs are in the order in which MPI sends the data, and no byte is sent twice */
	bool approximate; /* one run from the first byte to the last, with unknown gaps */
	int64_t extent;   /* from one element to the next */
	int64_t bytes;    /* in all runs */
	int64_t spacing;  /* byte_runs_spacing() */
	struct byte_run run[];
};

/* NULL: the type is unknown or not live, or out of memory. Under MPI_THREAD_MULTIPLE, takes the lock to
 * create a layout. */
const struct type_layout *type_layout_get(uint64_t handle);

/* Keeps the layout longer than the call; needs the lock. */
void type_layout_hold(const struct type_layout *layout);
void type_layout_release(const struct type_layout *layout);

/* `count` elements of the type at `address`. */
static inline struct byte_pattern type_layout_pattern(const struct type_layout *layout, int64_t address,
                                                      int64_t count)
{
	return (struct byte_pattern){.run = layout->run,
	                             .count = layout->count,
	                             .start = address,
	                             .stride = layout->extent,
	                             .times = count,
	                             .spacing = layout->spacing};
}

#endif
