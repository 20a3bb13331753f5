/* Writes the records of one stream as a sequence of sealed chunks. Each chunk repeats the definitions that it uses.
 *
 *	struct chunk_writer writer = {.out = file, .chunk_bytes = CHUNK_DEFAULT, .sequence = &sequence};
 *	chunk_writer_begin(&writer, world, rank, 0);
 *	chunk_writer_event(&writer, &draft);
 *	TRY(chunk_writer_end(&writer)); */
#ifndef TARRY_TRACE_CHUNK_WRITER_H
#define TARRY_TRACE_CHUNK_WRITER_H

#include "base/arena.h"
#include "base/text.h"
#include "trace/encode.h"
#include "trace/intern.h"

#include <stdio.h>

enum { LATEST_CALLS = 32 };

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
	uint64_t delay_before, delay_inside; /* microseconds, below 2^32 */
};

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
/* Begins a new chunk. It and all later chunks begin with this THREAD record. */
enum status chunk_writer_thread(struct chunk_writer *writer, const struct thread_info *thread) MUST_CHECK;
/* A record of trace/records.h. */
enum status chunk_writer_record(struct chunk_writer *writer, enum record_kind kind,
                                const void *record) MUST_CHECK;
enum status chunk_writer_long(struct chunk_writer *writer, enum record_kind kind, const void *body,
                              size_t size) MUST_CHECK;
enum status chunk_writer_event(struct chunk_writer *writer, const struct draft_event *event) MUST_CHECK;
/* The thread ended in this call, which has a start but no end. */
enum status chunk_writer_open_call(struct chunk_writer *writer, const struct draft_event *call) MUST_CHECK;
enum status chunk_writer_skipped(struct chunk_writer *writer, const struct draft_event *call,
                                 uint64_t count) MUST_CHECK;
/* Writes the last chunk, even if it is empty, and releases everything. Does nothing without chunk_writer_begin(). */
enum status chunk_writer_end(struct chunk_writer *writer) MUST_CHECK;
/* Discards the unwritten chunk. */
void chunk_writer_release(struct chunk_writer *writer);

#endif
