/* Finds the place of an access to shared memory if the runtime does not report it: the return address of the runtime function that made it.
 * The stack is unwound once for each such place (near_callers.h). Only the functions in struct upc_dialect are skipped. If another function
 * is between, for example because of inlining, the place is unknown. */
#ifndef TARRY_JOB_RECORD_UPC_CALLERS_H
#define TARRY_JOB_RECORD_UPC_CALLERS_H

#include "job/record/upc_thread.h"

struct recording_stream;

/* The site word of the current event; 0: unknown. `site` and `frame` are the return address into the program's library, and its frame; NULL:
 * unknown. */
int64_t upc_caller_site(struct upc_thread *thread, struct recording_stream *s, const void *site,
                        const void *frame);

#endif
