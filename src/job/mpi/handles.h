/* A map from the handle of an MPI object to what is kept of it. Open addressing; it grows, and what
 * it maps to never moves. The caller holds a lock if threads may come together. */
#ifndef TARRY_JOB_MPI_HANDLES_H
#define TARRY_JOB_MPI_HANDLES_H

#include <stddef.h>
#include <stdint.h>

struct handle_entry {
	uint64_t handle;
	void *object; /* NULL: free, or given up */
	uint8_t used; /* was ever taken: a search goes on behind it */
};

struct handles {
	struct handle_entry *entries;
	uint32_t mask;
	uint32_t taken; /* entries ever used since the last growth */
};

void *handles_find(const struct handles *map, uint64_t handle);
/* Replaces what the handle stood for before. False: no memory. */
int handles_set(struct handles *map, uint64_t handle, void *object);
void *handles_remove(struct handles *map, uint64_t handle);

#endif
