/* Placements in the formats of launchers; docs/map.md shows their use.
 *
 *	text_add_rankfile(&out, machine, &placement);        Open MPI: rank 0=n3 slot=5
 *	text_add_slurm_hosts(&out, machine, &placement);     Slurm: the host of each rank, for SLURM_HOSTFILE
 *	text_add_mpich_hosts(&out, machine, &placement);     MPICH: hosts in the order of ranks, n3:2
 *	text_add_split_keys(&out, &before, &after);          the key of each rank for MPI_Comm_split */
#ifndef TARRY_TOPO_MACHINE_LAUNCH_FILES_H
#define TARRY_TOPO_MACHINE_LAUNCH_FILES_H

#include "base/text.h"
#include "topo/machine/placement.h"

void text_add_rankfile(struct text *out, const struct machine *machine, const struct placement *placement);
void text_add_slurm_hosts(struct text *out, const struct machine *machine, const struct placement *placement);
void text_add_mpich_hosts(struct text *out, const struct machine *machine, const struct placement *placement);
/* A process with rank p in the launcher's placement gets rank keys[p]. Both placements must use the same
 * cores equally often. The caller frees the result. */
uint32_t *split_keys(const struct placement *before, const struct placement *after);
void text_add_split_keys(struct text *out, const struct placement *before, const struct placement *after);

#endif
