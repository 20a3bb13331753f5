/* Which processes belong together. Nobody talks to other processes to find out: one of them may run
 * without us, and would be waited for in vain. What they share is what their launcher told each of them. */
#ifndef TARRY_JOB_MPI_WORLD_H
#define TARRY_JOB_MPI_WORLD_H

#include <stddef.h>
#include <stdint.h>

/* A number that is the same in all processes of this MPI_COMM_WORLD and differs between two of them. When no known
 * launcher started it, or it hides in another container, `*common` is false: then all processes of worlds of this size
 * that one `tarry run` started have the same, and without that it is random. */
uint64_t world_identity(uint64_t run, int size, int *common);

/* The same for programs whose launchers tell nothing: all processes of one process group on this machine, if they are `size`. */
uint64_t world_of_group(int size);

/* Makes sure that no other process has this rank in this world: a program that is run with the environment of another,
 * or a job that is restarted under its old number, gets another world, and so do all others of it. `folder` is
 * common to all processes of the job; -1: nobody can tell. */
uint64_t world_claim(int folder, uint64_t world, int rank);
/* How the names of all files begin that world_claim() makes for this world. */
void world_claim_prefix(uint64_t world, char *text, size_t room);

#endif
