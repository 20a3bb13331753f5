/* Identifies the processes of a job without communication: a process may run without Tarry and would never
 * answer. The information comes from the launcher. */
#ifndef TARRY_JOB_MPI_WORLD_H
#define TARRY_JOB_MPI_WORLD_H

#include <stddef.h>
#include <stdint.h>

/* A number that is equal in all processes of this MPI_COMM_WORLD and different in other worlds. If the
 * launcher is unknown or hidden by a container, `*common` is false: then all worlds of this size that one
 * `tarry run` started have the same number, and without `tarry run` it is random. */
uint64_t world_identity(uint64_t run, int size, int *common);

/* The same for launchers that give no information: all processes of one process group on this machine, if
 * they are `size`. */
uint64_t world_of_group(int size);

/* Ensures that no other process has this rank in this world. A program that was started with the
 * environment of another, or a job restarted under its old number, gets another world, like all its
 * processes. `folder` is shared by all processes of the job; -1: no check is possible. */
uint64_t world_claim(int folder, uint64_t world, int rank);
/* The prefix of the files that world_claim() makes for this world. */
void world_claim_prefix(uint64_t world, char *text, size_t room);

#endif
