/* Records of processes, and interned texts, sites, calls and paths. Internal to the reader. */
#ifndef TARRY_TRACE_PROCESS_H
#define TARRY_TRACE_PROCESS_H

#include "trace/reader.h"

/* Decodes the records of the process's own chunks. */
void read_process(struct reader *reader, struct process *process);
/* Reads the THREAD record of the stream's first chunk. */
void read_thread(struct stream *stream);

/* Equal texts of all processes have the same pointer. */
const char *reader_text(struct reader *reader, const void *bytes, size_t size);
/* `own_count` is the number of values in call->own. `site` is a number of the reader, or NO_SITE. */
const struct call *process_intern_call(struct process *process, struct outline *outline, uint32_t site,
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

#endif
