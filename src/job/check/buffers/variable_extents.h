/* Variables of loaded files, from their symbol tables: global and static variables of C, variables of Fortran
 * modules, common blocks. A table is read when a buffer is in the file's data for the first time. */
#ifndef TARRY_JOB_CHECK_BUFFERS_VARIABLE_EXTENTS_H
#define TARRY_JOB_CHECK_BUFFERS_VARIABLE_EXTENTS_H

#include "job/check/buffers/memory_extents.h"

/* The largest variable that contains this byte. False: none, or the file has no symbols. */
bool variable_extent_find(uintptr_t address, struct memory_extent *extent);

#endif
