/* Writes a trace file: for each process first its records, then its threads with their events.
 *
 *	TRY(trace_writer_open(&writer, "run.tarry", CHUNK_DEFAULT));
 *	TRY(trace_writer_process(&writer, world, rank));
 *	TRY(trace_writer_property(&writer, "host", "node1"));
 *	TRY(trace_writer_thread(&writer, 0));
 *	TRY(trace_writer_event(&writer, &event));
 *	return trace_writer_commit(&writer);   or   trace_writer_discard(&writer);
 *
 * A process's records may also follow its events. The file appears whole or not at all. */
#ifndef TARRY_TRACE_TRACE_WRITER_H
#define TARRY_TRACE_TRACE_WRITER_H

#include "trace/chunk_writer.h"
#include "trace/output.h"
#include "trace/reader.h"

enum { CHUNK_DEFAULT = 64 << 10, CHUNK_SMALLEST = 256 };

struct trace_writer {
	struct output output;
	/* The current process. */
	bool has_process;
	uint64_t world;
	uint32_t rank;
	uint32_t thread;
	/* private */
	uint32_t sequence;
	struct chunk_writer records; /* chunks of no thread */
	struct chunk_writer events;
	struct arena arena;
	struct interner processes;
};

/* Chunks have `chunk_bytes`, or more for a larger record. */
enum status trace_writer_open(struct trace_writer *writer, const char *path, size_t chunk_bytes) MUST_CHECK;
/* Each releases the writer, also on failure. */
enum status trace_writer_commit(struct trace_writer *writer) MUST_CHECK;
void trace_writer_discard(struct trace_writer *writer);

/* Ends the previous process. Each process is written once. */
enum status trace_writer_process(struct trace_writer *writer, uint64_t world, uint32_t rank) MUST_CHECK;

/* A record of the process (trace/records.h). */
enum status trace_writer_record(struct trace_writer *writer, enum record_kind kind,
                                const void *record) MUST_CHECK;
enum status trace_writer_property(struct trace_writer *writer, const char *key, const char *value) MUST_CHECK;
enum status trace_writer_world(struct trace_writer *writer, uint64_t size, uint64_t run) MUST_CHECK;

/* Continues or begins a thread of the process. */
enum status trace_writer_thread(struct trace_writer *writer, uint32_t number) MUST_CHECK;
static inline bool trace_writer_in_thread(const struct trace_writer *writer)
{
	return writer->events.begun;
}

/* Records of the thread. */
enum status trace_writer_thread_info(struct trace_writer *writer, const struct thread_info *info) MUST_CHECK;
enum status trace_writer_event(struct trace_writer *writer, const struct draft_event *event) MUST_CHECK;
/* `count` calls before `start` were not recorded. */
enum status trace_writer_skipped(struct trace_writer *writer, const struct draft_event *call,
                                 uint64_t count) MUST_CHECK;
enum status trace_writer_open_call(struct trace_writer *writer, const struct draft_event *call) MUST_CHECK;

/* A loss, a pause, an overhead or any bytes. Belongs to the thread if one has begun, otherwise to the process. */
enum status trace_writer_mark(struct trace_writer *writer, enum record_kind kind,
                              const void *record) MUST_CHECK;
enum status trace_writer_bytes(struct trace_writer *writer, enum record_kind kind, const void *body,
                               size_t size) MUST_CHECK;

#endif
