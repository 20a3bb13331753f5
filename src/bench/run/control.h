/* Settings of the MPI library that tools can read and change while a job runs (control variables of
 * MPI_T). */
#ifndef TARRY_BENCH_RUN_CONTROL_H
#define TARRY_BENCH_RUN_CONTROL_H

#include "base/arena.h"

#include <mpi.h>
#include <stdbool.h>

/* Once per job, between MPI_Init and MPI_Finalize: Open MPI 4.1 crashes if the interface ends after the
 * library, and MPICH 4.0 loses settings when it is initialised again. */
enum status controls_begin(void) MUST_CHECK;
void controls_end(void);

/* A numeric setting. */
struct control {
	MPI_T_cvar_handle handle; /* MPI_T_CVAR_HANDLE_NULL: no such setting */
	MPI_T_enum names;         /* of its values; MPI_T_ENUM_NULL: only in its description */
	int usual;                /* initial value */
};

/* False: the library has no such numeric setting. */
bool control_open(const char *name, struct control *control);
/* False: the setting cannot be changed. */
bool control_set(const struct control *control, int value);
bool control_restore(const struct control *control);
void control_close(struct control *control);

/* The library's description; "" if none. */
const char *control_description(const char *name, struct arena *arena);

#endif
