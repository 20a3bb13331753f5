/* The user's settings of this library. Processes may have different settings, or none. All processes use those
 * of process 0 once all are known to have the library (agreement.h). */
#ifndef TARRY_JOB_COLL_SETTINGS_H
#define TARRY_JOB_COLL_SETTINGS_H

#include "coll/algorithms/collective.h"
#include "coll/choice/levels.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* The algorithm of an operation, unless trials decide. */
enum { FREE_CHOICE = -1, MPI_ITSELF = -2 };

struct coll_settings {
	bool is_off;
	int16_t forced[COLL_OPERATIONS]; /* a row of coll_algorithms, or one of the above */
	struct coll_levels levels;
};

/* The same in all processes after MPI_Init. */
extern struct coll_settings coll_settings;

/* After MPI_Init: determines whether collectives can be replaced, and the settings. */
void coll_initialized(void);

#pragma GCC visibility pop

#endif
