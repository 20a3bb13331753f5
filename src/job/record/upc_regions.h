/* Regions of a UPC program: the user's events (pupc_event_start …), functions, and upc_forall. */
#ifndef TARRY_JOB_RECORD_UPC_REGIONS_H
#define TARRY_JOB_RECORD_UPC_REGIONS_H

#include "job/record/upc_thread.h"

/* A region begins or ends, or something happens at this moment. An end whose start was not written is passed over. */
void upc_record_region(struct upc_thread *thread, struct stream *s, uint32_t event, unsigned tag, int type,
                       int64_t site, const char *name);

/* As struct upc_recorder wants it. */
unsigned upc_create_event(void *thread, const char *name, const char *description);

#endif
