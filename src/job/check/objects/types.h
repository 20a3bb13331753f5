/* Signatures of datatypes for analysers, made when an event first needs them. Types with equal parts share one. */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPES_H
#define TARRY_JOB_CHECK_OBJECTS_TYPES_H

#include "job/check/wire/announced.h"

/* Unless MPI has accepted the handle, it is only asked of types that are known to be live. NULL: it is not known, or there is no memory. The reference is the caller's only until the type ends: who
 * keeps it counts himself in. */
struct announced_type *type_announced(uint64_t handle, bool accepted);
void type_ended(uint64_t handle);

/* "MPI_INT"; NULL: it is not predefined. */
const char *type_name(uint64_t handle);
uint32_t types_count(void);
/* Frees all types without references, when no event names them. */
void types_free_unused(void);

#endif
