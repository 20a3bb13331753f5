/* The beginning and the end of a thread of UPC. */
#ifndef TARRY_JOB_RECORD_UPC_LIFE_H
#define TARRY_JOB_RECORD_UPC_LIFE_H

#include "job/record/upc_thread.h"

/* As struct upc_recorder wants it. */
void *upc_thread_begins(const struct upc_dialect *dialect);
/* Nothing of it is recorded any more; with the last of a process without MPI its part is finished. */
void upc_thread_ends(struct upc_thread *thread);

/* Why a program is not recorded that meets another recorder than it was made for. */
void upc_note_version(void);

/* What a tag means that is too large for the table. */
uint32_t upc_event_of_large(const struct upc_thread *thread, unsigned tag);

/* An event that the dialect does not know. */
void upc_count_unknown(struct upc_thread *thread, unsigned tag);

/* Regions of a UPC program: the user's events (pupc_event_start …), functions, and upc_forall. */

/* A region begins or ends, or something happens at this moment. An end whose start was not written is passed over. */
void upc_record_region(struct upc_thread *thread, struct recording_stream *s, uint32_t event, unsigned tag,
                       int type, int64_t site, const char *name);

/* As struct upc_recorder wants it. */
unsigned upc_create_event(void *thread, const char *name, const char *description);

#endif
