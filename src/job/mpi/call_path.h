/* The way from main() to a call, taken from the stack. Unwinding costs about a microsecond for each function on the way;
 * so each way that was found is remembered with the words of the stack that hold its return addresses. A
 * later call from the same site at the same depth of the stack only compares these words. */
#ifndef TARRY_JOB_MPI_CALL_PATH_H
#define TARRY_JOB_MPI_CALL_PATH_H

#include <stdint.h>

struct call_paths;

/* For one thread; NULL: there is no memory, or nothing to unwind with. */
struct call_paths *call_paths_new(uint32_t depth);
void call_paths_free(struct call_paths *paths);
void call_paths_forget(struct call_paths *paths);

/* The word of the place that this return address is the innermost site of; the address itself if the stack cannot be
 * read. `frame`: the wrapper's. */
int64_t call_path_find(struct call_paths *paths, int64_t site, uintptr_t frame);

#endif
