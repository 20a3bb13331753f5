/* Definitions of a chunk, as its records give them: names, sites, paths and distinct calls. Internal to the reader. */
#ifndef TARRY_TRACE_DEFINITIONS_H
#define TARRY_TRACE_DEFINITIONS_H

#include "base/text.h"
#include "trace/reader.h"

/* Gives the rest of the chunk up, and says so once. Always false. */
bool chunk_give_up(struct event_iter *iter, const char *format, ...) PRINTF_LIKE(2, 3);

/* Room for one more. A trace of many processes has as many iterators, so not much of it may be left over: `known` is how many
 * the chunk before had. */
void *definition_room(void *items, uint32_t count, uint32_t *room, uint32_t known, size_t size);

/* Each takes the body of a record. False: the chunk was given up. */
bool take_name(struct event_iter *iter, struct cursor *body);
bool take_site(struct event_iter *iter, struct cursor *body);
bool take_path(struct event_iter *iter, struct cursor *body);
bool take_call(struct event_iter *iter, struct cursor *body);
bool take_like(struct event_iter *iter, struct cursor *body);

#endif
