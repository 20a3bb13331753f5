/* Compares two datatypes of this process by their basic types, as analysers compare datatypes of different processes. */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPE_SIGNATURES_H
#define TARRY_JOB_CHECK_OBJECTS_TYPE_SIGNATURES_H

#include "check/signature/signature.h"
#include "job/check/wire/announced.h"

/* The content of a datatype that MPI has accepted. It stays after the program has freed
 * the type. NULL: unknown. */
struct announced_type *type_content_keep(uint64_t handle);
void type_content_drop(struct announced_type *content);
/* Compares elements of a datatype with as many elements of `content` as have the same size. Unknown types match. */
struct signature_comparison type_content_compare(uint64_t handle, const struct announced_type *content);

#endif
