/* Worlds that MPI_Comm_spawn makes. The communicator between parents and children needs one identity on both sides, but MPI gives them no
 * common value. So the identity is made from the children's world, and the parents find that world through the parts folder: the first
 * child writes its name there, the root of the spawn renames it to the number of its spawn, and the other parents look for that number.
 *
 * Children are surely recorded only if the front end started the whole job (SETTING_RUN). The wait is short: in the worst case the two sides
 * do not find each other in the trace. */
#ifndef TARRY_JOB_RECORD_SPAWNED_WORLDS_H
#define TARRY_JOB_RECORD_SPAWNED_WORLDS_H

#include <stdbool.h>
#include <stdint.h>

/* The origin of the identity of the communicator to the parents. */
uint64_t spawned_world_origin(uint64_t child_world);

/* Called by process 0 of a world that has parents. */
void spawned_world_announce(int world_size, int parents);

/* Called by each process that spawned: the origin of the communicator to its children. `spawn` identifies this spawn in all its processes.
 * False: no world of children was found. */
bool spawned_world_find(uint64_t spawn, bool is_root, int children, int parents, uint64_t *origin);

#endif
