/* Settings of the MPI library that it lets tools see and change while a job runs (control variables of MPI_T). */
#ifndef TARRY_BENCH_RUN_CONTROL_H
#define TARRY_BENCH_RUN_CONTROL_H

#include "base/arena.h"

#include <mpi.h>
#include <stdbool.h>

/* Once in a job, between MPI_Init and MPI_Finalize: Open MPI 4.1 crashes when the interface ends after the library, and with MPICH 4.0
 * settings are gone when it begins again. */
enum status controls_begin(void) MUST_CHECK;
void controls_end(void);

/* A number that can be set. */
struct control {
	MPI_T_cvar_handle handle; /* MPI_T_CVAR_HANDLE_NULL: there is no such setting */
	MPI_T_enum names;         /* of its values; MPI_T_ENUM_NULL: told in its description alone */
	int usual;                /* its value when it was opened */
};

/* False if the library has no such setting, or one that is no number. */
bool control_open(const char *name, struct control *control);
/* False if the library does not let it be changed. */
bool control_set(const struct control *control, int value);
bool control_restore(const struct control *control);
void control_close(struct control *control);

/* What the library says about it; "" if nothing. */
const char *control_description(const char *name, struct arena *arena);

#endif
