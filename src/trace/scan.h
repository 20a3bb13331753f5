/* Finds the chunks of a file, also after damage. Internal to the reader and to merging. */
#ifndef TARRY_TRACE_SCAN_H
#define TARRY_TRACE_SCAN_H

#include "trace/reader.h"

/* Adds the part's chunks to reader->chunks, in file order. Fails only for a trace of a later version. */
enum status scan_part(struct reader *reader, struct part *part) MUST_CHECK;

void note_damage(struct reader *reader, const struct part *part, uint64_t offset, uint64_t bytes,
                 const char *format, ...) PRINTF_LIKE(5, 6);

/* Releases the memory of bytes that were read, because a trace may be larger than memory. Small pieces are kept. */
void part_release(const struct part *part, uint64_t from, uint64_t to);

/* Counts a read of a few bytes. Releases the whole part after many reads, because streams of many processes are read a little at a
 * time at many places. */
void part_touch(const struct reader *reader, struct part *part);

/* "chunk at byte 4096", with the file's name if the trace has several files. */
const char *name_chunk(struct reader *reader, const struct chunk *chunk);

#endif
