/* The memory regions of this process, by ascending address (/proc/self/maps). */
#ifndef TARRY_JOB_CHECK_BUFFERS_MEMORY_MAPS_H
#define TARRY_JOB_CHECK_BUFFERS_MEMORY_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct mapped_region {
	uintptr_t first, end;
	const char *permissions; /* "rw-p" */
	uint64_t inode;          /* 0: not of a file */
	const char *name;        /* "" if it has none */
};

/* False: ends the visit. */
typedef bool region_visitor(const struct mapped_region *region, void *context);

void memory_maps_read(region_visitor *visit, void *context);

#endif
