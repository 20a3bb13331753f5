/* Definitions of a chunk: names, sites, paths and distinct calls. Internal to the reader. */
#ifndef TARRY_TRACE_DEFINITIONS_H
#define TARRY_TRACE_DEFINITIONS_H

#include "base/text.h"
#include "trace/reader.h"

/* Skips the rest of the chunk and notes the damage once. Returns false. */
bool chunk_give_up(struct event_iter *iter, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes room for one more item. `known` is the count of the previous chunk. It keeps unused memory small, because a trace of many
 * processes has as many iterators. */
void *definition_room(void *items, uint32_t count, uint32_t *room, uint32_t known, size_t size);

/* Each takes the body of a record. False: the rest of the chunk was skipped. */
bool take_name(struct event_iter *iter, struct cursor *body);
bool take_site(struct event_iter *iter, struct cursor *body);
bool take_path(struct event_iter *iter, struct cursor *body);
bool take_call(struct event_iter *iter, struct cursor *body);
bool take_like(struct event_iter *iter, struct cursor *body);

#endif
