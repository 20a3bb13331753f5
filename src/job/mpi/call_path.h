/* The call path from main() to a call. Unwinding costs about a microsecond per frame, so each path is
 * remembered with the stack words that hold its return addresses. Later calls from the same site at the
 * same stack depth only compare these words. */
#ifndef TARRY_JOB_MPI_CALL_PATH_H
#define TARRY_JOB_MPI_CALL_PATH_H

#include <stdint.h>

struct call_paths;

/* For one thread; NULL: out of memory, or no unwinder. */
struct call_paths *call_paths_new(uint32_t depth);
void call_paths_free(struct call_paths *paths);
void call_paths_forget(struct call_paths *paths);

/* The place word of the path that ends at this return address; the address itself if the stack cannot be
 * read. `frame`: the wrapper's. */
int64_t call_path_find(struct call_paths *paths, int64_t site, uintptr_t frame);

#endif
