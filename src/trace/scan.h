/* Finding the chunks of a file, also after damage. Internal to the reader and to merging. */
#ifndef TARRY_TRACE_SCAN_H
#define TARRY_TRACE_SCAN_H

#include "trace/reader.h"

/* Adds the part's chunks to reader->chunks, in the order of the file. Fails only on what is no trace of ours. */
enum status scan_part(struct reader *reader, struct part *part) MUST_CHECK;

void note_damage(struct reader *reader, const struct part *part, uint64_t offset, uint64_t bytes,
                 const char *format, ...) PRINTF_LIKE(5, 6);

/* Bytes that were read need not stay in memory, which may be smaller than the trace: reading them again gets them from the
 * file. Small pieces are kept. */
void part_release(const struct part *part, uint64_t from, uint64_t to);

/* Some bytes are going to be read. When much of the part has come to memory in this way, all of it is released: streams of many
 * processes are read a little at a time, each at another place. */
void part_touch(const struct reader *reader, struct part *part);

/* Where in the trace: "chunk at byte 4096", with the file's name if the trace has several. */
const char *name_chunk(struct reader *reader, const struct chunk *chunk);

#endif
