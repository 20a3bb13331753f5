/* A map from the handle of an MPI object to its data. Open addressing; it grows, but the data never moves.
 * The caller holds a lock if several threads use it. */
#ifndef TARRY_JOB_MPI_HANDLES_H
#define TARRY_JOB_MPI_HANDLES_H

#include <stddef.h>
#include <stdint.h>

struct handle_entry {
	uint64_t handle;
	void *object; /* NULL: free or deleted */
	uint8_t used; /* used at some time: a search continues after it */
};

struct handles {
	struct handle_entry *entries;
	uint32_t mask;
	uint32_t taken; /* entries used since the last growth */
};

void *handles_find(const struct handles *map, uint64_t handle);
/* Replaces the previous data of the handle. False: out of memory. */
int handles_set(struct handles *map, uint64_t handle, void *object);
void *handles_remove(struct handles *map, uint64_t handle);

#endif
