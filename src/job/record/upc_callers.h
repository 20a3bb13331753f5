/* Where an access to shared memory is, if the runtime does not say so: at the address to which the runtime's function returns that made it. The
 * stack is unwound once for each such place (near_callers.h). Only functions that the program names (struct upc_dialect) are passed over: if any
 * other stands between, as where the compiler has put one into another, nothing is known. */
#ifndef TARRY_JOB_RECORD_UPC_CALLERS_H
#define TARRY_JOB_RECORD_UPC_CALLERS_H

#include "job/record/upc_thread.h"

struct recording_stream;

/* The word of a key for the place of the event at hand; 0: it is not known. `site` and `frame`: the return address of whom the program's library
 * has called, and its frame; NULL: nobody knows. */
int64_t upc_caller_site(struct upc_thread *thread, struct recording_stream *s, const void *site,
                        const void *frame);

#endif
