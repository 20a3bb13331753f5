/* Signatures of datatypes for analysers, created when an event first needs them. Types with equal parts share one. */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPES_H
#define TARRY_JOB_CHECK_OBJECTS_TYPES_H

#include "job/check/wire/announced.h"

/* `accepted`: MPI has accepted the handle. Otherwise MPI is asked only about types known to be live. NULL:
 * unknown, or out of memory. Valid until the type ends; hold it to keep it longer. */
struct announced_type *type_announced(uint64_t handle, bool accepted);
void type_ended(uint64_t handle);

/* "MPI_INT"; NULL: not predefined. */
const char *type_name(uint64_t handle);
uint32_t types_count(void);
/* Frees all types without references, when no event names them. */
void types_free_unused(void);

#endif
