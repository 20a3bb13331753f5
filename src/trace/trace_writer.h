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

#include "base/arena.h"
#include "base/text.h"
#include "trace/encode.h"
#include "trace/intern.h"
#include "trace/output.h"
#include "trace/reader.h"

struct draft_site {
	uint64_t module;
	uint64_t offset;
};

/* A field before names and paths have numbers. The form `name` uses the text, the form `path` the sites. */
struct draft_field {
	uint32_t key;
	int64_t value;
	const char *text;               /* NULL for all other forms */
	const struct draft_site *sites; /* NULL for all other forms; the innermost first */
	size_t site_count;              /* at most PATH_DEPTH_MAX */
};

struct draft_event {
	uint64_t start;
	uint64_t end;
	const char *name;
	bool has_site;
	uint64_t module;
	uint64_t offset;
	const struct draft_field *fields;
	size_t field_count;
	uint64_t polls; /* 0: not a series of polls */
	uint64_t busy;
	uint64_t delay_before, delay_inside, blocked_before; /* microseconds, below 2^32 */
};

enum { LATEST_CALLS = 32 };

/* Writes the records of one stream as a sequence of sealed chunks. Each chunk repeats the definitions that it uses. */
struct chunk_writer {
	FILE *out;
	size_t chunk_bytes; /* header and payload; larger for a larger record */
	uint32_t *sequence; /* of the process, counted up */
	/* private */
	bool begun;
	struct chunk_identity identity;
	struct encoder encoder;
	uint8_t *memory;
	uint64_t last_end;
	struct thread_info thread; /* each chunk begins with it, if it is known */
	struct text thread_name;
	struct arena arena; /* of the chunk's definitions */
	struct interner names, sites, paths, calls;
	const struct interned *latest[LATEST_CALLS]; /* the last call of a name, by its number */
};

void chunk_writer_begin(struct chunk_writer *writer, uint64_t world, uint32_t process, uint32_t stream);
/* A record of trace/records.h. */
enum status chunk_writer_record(struct chunk_writer *writer, enum record_kind kind,
                                const void *record) MUST_CHECK;
/* Writes the last chunk, even if it is empty, and releases everything. Does nothing without chunk_writer_begin(). */
enum status chunk_writer_end(struct chunk_writer *writer) MUST_CHECK;
/* Discards the unwritten chunk. */
void chunk_writer_release(struct chunk_writer *writer);

/* Appends the records that define these distinct calls, numbered from 0, without a chunk around them. */
void definitions_write(const struct draft_event *calls, size_t count, struct text *out);

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
enum status trace_writer_summed(struct trace_writer *writer, const struct draft_event *call,
                                const struct call_sums *sums) MUST_CHECK;
enum status trace_writer_open_call(struct trace_writer *writer, const struct draft_event *call) MUST_CHECK;

/* A loss, a pause, an overhead or any bytes. Belongs to the thread if one has begun, otherwise to the process. */
enum status trace_writer_mark(struct trace_writer *writer, enum record_kind kind,
                              const void *record) MUST_CHECK;
enum status trace_writer_bytes(struct trace_writer *writer, enum record_kind kind, const void *body,
                               size_t size) MUST_CHECK;

#endif
