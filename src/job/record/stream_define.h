/* Defining a distinct call in the thread's chunk: its key as the records that readers need before its first event. */
#ifndef TARRY_JOB_RECORD_STREAM_DEFINE_H
#define TARRY_JOB_RECORD_STREAM_DEFINE_H

#include "job/record/stream.h"

/* Bytes of the chunk that defining the call may take. */
size_t stream_define_room(const int64_t *key, uint32_t words);

/* The number of the new call; the chunk has room for it. NO_CALL: recording has ended. */
uint32_t stream_define(struct stream *s, const int64_t *key, uint32_t words);

#endif
