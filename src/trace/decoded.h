/* Events that the first reading of a trace decoded, for the others: a report reads all events six times. Used if the caller has set reader->keeps_decoded.
 * Internal to the reader.
 *
 *	decoded_begin(&iter);                               reader_read_through() opens a chunk
 *	decoded_add(&iter, events, count, last_end);
 *	decoded_add_record(&iter, place);                   a long record is next
 *	decoded_keep(&iter);                                the chunk is over
 *
 * Other records are not kept: the later readings take them from the payload. Each kept chunk has a list of the events before which there are any. A chunk
 * is kept if it is undamaged and there is room. The kept chunks of a trace take at most DECODED_MAX bytes. */
#ifndef TARRY_TRACE_DECODED_H
#define TARRY_TRACE_DECODED_H

#include "trace/reader.h"

enum { DECODED_MAX = 32 << 20 };

struct decoded_event {
	uint32_t gap; /* since the end of the event before */
	uint32_t duration;
	uint32_t id; /* of the call */
};

/* Records before an event. */
struct decoded_stop {
	uint32_t event; /* its number */
	uint32_t place; /* of the first record, in the payload */
};

struct decoded_chunk {
	ARRAY(struct decoded_stop) stops; /* the last one is the end of the chunk */
	uint32_t count, room;
	struct decoded_event events[];
};

void decoded_begin(struct event_iter *iter);
/* `last_end` is that of the event before. */
void decoded_add(struct event_iter *iter, const struct event *events, uint32_t count, uint64_t last_end);
void decoded_add_record(struct event_iter *iter, uint32_t place);
void decoded_keep(struct event_iter *iter);
/* Nothing is kept of the chunk. */
void decoded_drop(struct event_iter *iter);
void decoded_free(struct decoded_chunk *decoded);

#endif
