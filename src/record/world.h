/* Which processes belong together. The recorder never talks to other processes to find out: one of them may run
 * without it, and would be waited for in vain. What they share is what their launcher told each of them. */
#ifndef TARRY_RECORD_WORLD_H
#define TARRY_RECORD_WORLD_H

#include <stdint.h>

/* A number that is the same in all processes of this MPI_COMM_WORLD and differs between two of them; random, so
 * different everywhere, when no known launcher started it (`*common` is then false). */
uint64_t world_identity(uint64_t run, int *common);

#endif
