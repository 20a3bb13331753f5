/* What a process tells of itself, and the things it has only once. Internal to the reader. */
#ifndef TARRY_TRACE_PROCESS_H
#define TARRY_TRACE_PROCESS_H

#include "trace/reader.h"

/* Decodes the records of the process's own chunks. */
void read_process(struct reader *reader, struct process *process);
/* Finds the thread record that its first chunk begins with. */
void read_thread(struct stream *stream);

/* The same text for the same bytes, whichever process has them. */
const char *reader_text(struct reader *reader, const void *bytes, size_t size);
/* What was made of a call: `own_count` values of its own, and the rest. */
const struct call *process_intern_call(struct process *process, const struct outline *outline,
                                       struct call *call, uint32_t own_count);

const struct path *process_intern_path(struct process *process, const struct path *caller, uint64_t module,
                                       uint64_t offset);

void take_blind_body(struct reader *reader, struct cursor *body, struct blind *blind);
void take_thread_body(struct reader *reader, struct cursor *body, struct thread_info *thread);

#endif
