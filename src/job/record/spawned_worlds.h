/* Worlds that one job makes of another: MPI_Comm_spawn. The communicator between them has to have one identity on both
 * sides, and nothing that MPI tells is common to both. So the children's is made from their own world, and the parents learn
 * of that world through the parts folder: the first child leaves its name there, the root of the spawn gives it
 * the number of its spawn by renaming it, and the other parents look for that number.
 *
 * Only when the front end started the whole job (SETTING_RUN) can the children be expected to be recorded; and nobody waits
 * for long: at the worst the two sides do not find each other in the trace. */
#ifndef TARRY_JOB_RECORD_SPAWNED_WORLDS_H
#define TARRY_JOB_RECORD_SPAWNED_WORLDS_H

#include <stdbool.h>
#include <stdint.h>

/* What the identity of the communicator to the parents is made from. */
uint64_t spawned_world_origin(uint64_t child_world);

/* By process 0 of a world that has parents. */
void spawned_world_announce(int world_size, int parents);

/* By each process that spawned: the origin of the communicator to its children. `spawn` is the same for all who took part
 * in this spawn and for no other one. False: no world of children was found. */
bool spawned_world_find(uint64_t spawn, bool is_root, int children, int parents, uint64_t *origin);

#endif
