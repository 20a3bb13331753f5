/* The arguments of a call for findings: "count = 10, datatype = MPI_INT, dest = 1". Addresses and unnamed handles are left out. Arrays are
 * shown with their length and first elements: "sendcounts[16] = {1, 2, 3, 4, ...}". */
#ifndef TARRY_JOB_CHECK_OBJECTS_ARGUMENT_TEXT_H
#define TARRY_JOB_CHECK_OBJECTS_ARGUMENT_TEXT_H

#include "job/check/objects/objects.h"
#include "job/check/wire/agent_call.h"

/* "MPI_ANY_SOURCE", "-1" */
const char *rank_text(int64_t rank, char text[VALUE_TEXT]);
const char *tag_text(int64_t tag, char text[VALUE_TEXT]);

/* On the heap; NULL: out of memory. `for_all`: the text is for all calls at this place with the same data, so
 * it omits arrays that may differ between them. */
char *argument_text(const struct agent_call *call, bool for_all);

#endif
