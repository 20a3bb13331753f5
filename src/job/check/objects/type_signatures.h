/* Compares two datatypes of this process by their basic types, as analysers compare datatypes of two processes. */
#ifndef TARRY_JOB_CHECK_OBJECTS_TYPE_SIGNATURES_H
#define TARRY_JOB_CHECK_OBJECTS_TYPE_SIGNATURES_H

#include "check/signature/signature.h"
#include "job/check/wire/announced.h"

/* The content of a datatype that MPI has accepted; remains after the program frees the
 * type. NULL: unknown. */
struct announced_type *type_content_keep(uint64_t handle);
void type_content_drop(struct announced_type *content);
/* Compares elements of one datatype with as many of `content` as have the same size. Unknown types match. */
struct signature_comparison type_content_compare(uint64_t handle, const struct announced_type *content);

#endif
