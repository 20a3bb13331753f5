/* Makes a trace from text. Internal to assemble*.c. */
#ifndef TARRY_TRACE_ASSEMBLER_H
#define TARRY_TRACE_ASSEMBLER_H

#include "trace/lexer.h"
#include "trace/text.h"

struct assembler {
	struct lexer lexer;
	struct trace_writer *out;
	uint64_t world_size; /* of the current process; 0: not given */
	uint64_t unnamed;    /* number of processes without a world in the text */
	uint32_t next_rank;
	/* Of the current line. */
	struct text string;
	struct arena *arena;
	struct arena scratch;
};

/* The rest of a line of trace/records.h. */
enum status take_record_line(struct assembler *a, enum record_kind kind) MUST_CHECK;

/* A line of times, name and fields. The thread has begun. */
enum status take_event(struct assembler *a) MUST_CHECK;
/* A line of an open call: a start, name and fields. */
enum status take_open(struct assembler *a) MUST_CHECK;
/* A line of unrecorded calls: a time, their number, name and fields. */
enum status take_skipped(struct assembler *a) MUST_CHECK;

#endif
