/* Identifies the processes of a job by information of the launcher. There is no communication, because a
 * process that runs without Tarry would never answer. */
#ifndef TARRY_JOB_MPI_WORLD_H
#define TARRY_JOB_MPI_WORLD_H

#include <stddef.h>
#include <stdint.h>

/* A number that is equal in all processes of this MPI_COMM_WORLD and different in other worlds. If the
 * launcher is unknown or hidden by a container, `*common` is false. Then all worlds of this size in one
 * `tarry run` have the same number; without `tarry run`, the number is random. */
uint64_t world_identity(uint64_t run, int size, int *common);

/* The same for launchers that give no information: equal in all processes of one process group on this
 * machine, and valid if their number is `size`. */
uint64_t world_of_group(int size);

/* Ensures that no other process has this rank in this world. If one has (a program started with the environment
 * of another, or a job restarted under its old number), this process and all others of its job get another
 * world. All processes of the job share `folder`; -1: no check is possible. */
uint64_t world_claim(int folder, uint64_t world, int rank);
/* The prefix of the files that world_claim() creates for this world. */
void world_claim_prefix(uint64_t world, char *text, size_t room);

#endif
