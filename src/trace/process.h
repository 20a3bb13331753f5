/* Internal to the reader and to merging: records of processes, interned texts, sites, calls and paths, chunks, definitions. */
#ifndef TARRY_TRACE_PROCESS_H
#define TARRY_TRACE_PROCESS_H

#include "base/text.h"
#include "trace/reader.h"

enum { FIRST_STARTED_ID = INT32_MAX }; /* of call_started() */

/* The records of a process's own chunk, together with those of the table that it shares. */
struct record_walk {
	struct cursor table, own;
	bool is_shared; /* the last one: its rank is relative to that of the process */
};

struct record_walk walk_records(const struct chunk *chunk);
/* False: the end, or damage, which sets `problem`. */
bool walk_next(struct record_walk *walk, uint8_t *kind, struct cursor *body, const char **problem);

/* Records of the process that was read last. They refer to memory of the processes, so it must not outlive these. */
struct similar_records;
struct similar_records *similar_records_new(void);
void similar_records_free(struct similar_records *similar);

/* Decodes the records of the process's own chunks. `similar` may be NULL. */
void read_process(struct reader *reader, struct process *process, struct similar_records *similar);
/* Reads the THREAD record of the stream's first chunk. */
void read_thread(struct stream *stream);

/* Each finds or adds. After reader_read_through() NULL or NO_SITE: it is not known. Equal texts of all processes have the same pointer. */
const char *reader_text(struct reader *reader, const void *bytes, size_t size);
/* `own_count` is the number of values in call->own. `site` is a number of the reader, or NO_SITE. */
const struct call *process_intern_call(struct process *process, struct outline *outline, uint32_t site,
                                       struct call *call, uint32_t own_count);
/* The same for a call whose outline has its site, and whose number is known (trace/call_copy.h). Without an outline, the call has one of the reader. */
const struct call *process_define_call(struct process *process, struct outline *outline, uint32_t id,
                                       struct call *call, uint32_t own_count);
/* The number of the site in the reader. */
uint32_t reader_intern_site(struct reader *reader, uint64_t offset, uint32_t module);
/* Finds the call with equal `bytes` from its outline on. A new call is copied into the arena and gets the next id. */
const struct call *call_table_put(struct call_table *table, struct arena *arena, const struct call *call,
                                  size_t bytes);
void call_table_release(struct call_table *table);

const struct path *process_intern_path(struct process *process, const struct path *caller, uint64_t module,
                                       uint64_t offset);

/* Decodes a record of trace/records.h. Returns a description of the damage, or NULL. Only lists need the arena. */
const char *take_record(struct reader *reader, struct arena *arena, enum record_kind kind,
                        struct cursor *body, union any_record *record);

/* Chunks of a file, also after damage. */

void reader_add_chunk(struct reader *reader, const struct chunk *chunk);

/* Adds the part's chunks to reader->chunks. Fails only for a trace of a later version. */
enum status scan_part(struct reader *reader, struct part *part) MUST_CHECK;

void note_damage(struct reader *reader, const struct part *part, uint64_t offset, uint64_t bytes,
                 const char *format, ...) PRINTF_LIKE(5, 6);

/* Sorts the damage after the first `known` by its place, because threads find it in any order. */
void reader_sort_damage(struct reader *reader, size_t known);

/* Releases the memory of bytes that were read, because a trace may be larger than memory. Small pieces are kept. */
void part_release(const struct part *part, uint64_t from, uint64_t to);

/* Counts a read of a few bytes. Releases the whole part after many reads, because streams of many processes are read a little at a
 * time at many places. */
void part_touch(const struct reader *reader, struct part *part, const uint8_t *place);

/* "chunk at byte 4096", with the file's name if the trace has several files. */
const char *name_chunk(struct reader *reader, const struct chunk *chunk);

/* Definitions of a chunk: names, sites, paths and distinct calls. */

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
/* Of a chunk that was read. */
void chunk_keep_calls(struct event_iter *iter);

#endif
