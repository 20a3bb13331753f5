/* The members of a communicator as processes of this world, and identities derived from them. */
#ifndef TARRY_JOB_MPI_MEMBERS_H
#define TARRY_JOB_MPI_MEMBERS_H

#include "job/mpi/flavour.h"

#include <stdint.h>

/* Origins of identities that are not derived from another identity. */
enum { ORIGIN_TAG = 1, ORIGIN_WIN = 2, ORIGIN_FILE = 3, ORIGIN_SPAWN = 4 };

struct member_list {
	int *ranks; /* in the world; MPI_UNDEFINED for processes of another world */
	int count;
};

struct members {
	struct member_list local, remote;
};

/* Sets the processes of this world. Takes ownership of the group. */
void members_start(MPI_Group world);
void members_find(struct members *members, MPI_Comm handle, int inter);
void members_release(struct members *members);

/* The next identity for this origin and these members. Equal on all members. */
uint64_t members_identity(const struct members *members, uint64_t origin);
/* The next identity of a window, file or spawn on a communicator. */
uint64_t next_of_kind(uint64_t comm, uint64_t kind);

#endif
