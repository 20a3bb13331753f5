/* The beginning and the end of a UPC thread. */
#ifndef TARRY_JOB_RECORD_UPC_LIFE_H
#define TARRY_JOB_RECORD_UPC_LIFE_H

#include "job/record/upc_thread.h"

/* For struct upc_recorder. */
void *upc_thread_begins(const struct upc_dialect *dialect);
/* Ends recording of the thread. Without MPI, the last thread of a process also finishes its part. */
void upc_thread_ends(struct upc_thread *thread);

/* Leaves a note that the program was compiled for another version of the recorder. */
void upc_note_version(void);

/* The event of a tag that is too large for the table. */
uint32_t upc_event_of_large(const struct upc_thread *thread, unsigned tag);

/* Counts an event that the dialect does not have. */
void upc_count_unknown(struct upc_thread *thread, unsigned tag);

/* Regions of a UPC program: the user's events (pupc_event_start …), functions, and upc_forall. */

/* Records the beginning or end of a region, or a mark. Drops an end whose start was not written. */
void upc_record_region(struct upc_thread *thread, struct recording_stream *s, uint32_t event, unsigned tag,
                       int type, int64_t site, const char *name);

/* For struct upc_recorder. */
unsigned upc_create_event(void *thread, const char *name, const char *description);

#endif
