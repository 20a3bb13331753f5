/* What MPI libraries call a collective operation in their settings. */
#ifndef TARRY_TUNING_COLLECTIVE_H
#define TARRY_TUNING_COLLECTIVE_H

#include "base/arena.h"

/* "bcast" of "MPI_Bcast". */
const char *collective_short_name(const char *operation, struct arena *arena);

#endif
