/* The assembler at work. Internal to assemble*.c. */
#ifndef TARRY_TRACE_ASSEMBLER_H
#define TARRY_TRACE_ASSEMBLER_H

#include "base/arena.h"
#include "trace/chunk_writer.h"
#include "trace/keys.h"
#include "trace/lexer.h"
#include "trace/output.h"
#include "trace/text.h"

struct assembler {
	struct lexer lexer;
	struct output output;
	/* The process at hand. */
	bool has_process;
	uint64_t world;
	uint32_t rank;
	uint64_t size;
	uint32_t sequence;
	uint32_t thread;
	struct chunk_writer own; /* chunks of no thread */
	struct chunk_writer events;
	/* All of them. */
	uint64_t unnamed; /* processes without a world: how many the text has */
	uint32_t next_rank;
	struct arena arena;
	struct interner processes;
	/* Of the line at hand. */
	struct text body;
	struct text string;
	struct arena scratch;
};

/* Each takes the rest of a line whose first word is read. */
enum status take_property(struct assembler *a) MUST_CHECK;
enum status take_clock(struct assembler *a) MUST_CHECK;
enum status take_module(struct assembler *a) MUST_CHECK;
enum status take_comm(struct assembler *a) MUST_CHECK;
enum status take_object(struct assembler *a) MUST_CHECK;
enum status take_eager(struct assembler *a) MUST_CHECK;
enum status take_compare(struct assembler *a) MUST_CHECK;
enum status take_source(struct assembler *a) MUST_CHECK;
enum status take_stamp(struct assembler *a) MUST_CHECK;

/* A line of times, name and fields; the thread has begun. */
enum status take_event(struct assembler *a) MUST_CHECK;

/* Writes the body as a record of the process. */
enum status add_own(struct assembler *a, enum record_kind kind) MUST_CHECK;

#endif
