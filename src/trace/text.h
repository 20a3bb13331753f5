/* Converts a trace to text and back without loss: docs/trace-format.md, "As text". Tests keep their traces as text.
 *
 *	TRY(trace_dump(reader, &(struct dump_options){0}, stdout));
 *	TRY(trace_assemble("ring.txt", text, size, "ring.tarry", CHUNK_DEFAULT)); */
#ifndef TARRY_TRACE_TEXT_H
#define TARRY_TRACE_TEXT_H

#include "base/text.h"
#include "trace/filter.h"
#include "trace/trace_writer.h"

#include <stdio.h>

struct dump_options {
	const struct event_filter *filter; /* NULL: all */
	const uint32_t *thread;            /* only threads of this number; NULL: all */
	/* Adds a comment to each event, such as its source line. Called once for each distinct call. May be NULL. */
	void (*remark)(void *context, const struct process *process, const struct call *call,
	               struct text *out);
	void *context;
	/* The printed time of a tick. NULL: the tick itself. Only ticks can be assembled again. */
	int64_t (*time)(void *context, const struct process *process, uint64_t tick);
	void *time_context;
	/* From 0 to 1; may be NULL. */
	void (*progress)(double part);
};

enum status trace_dump(struct reader *reader, const struct dump_options *options, FILE *out) MUST_CHECK;

/* Single lines of that text, for formats without records of their own for this data. */
void text_add_process(struct text *text, const struct process *process);
/* Adds nothing for the WORLD record, because the process's line has its values. */
void text_add_record(struct text *text, const struct process *process, const struct process_record *record);
void text_add_thread(struct text *text, uint32_t number, const struct thread_info *thread);
/* For all items except events. `thread` has the values of the last thread line. An equal THREAD record adds nothing. */
void text_add_item(struct text *text, const struct stream *stream, const struct item *item,
                   struct thread_info *thread);
/* The rest of an event's line after its times, with the blank before it and without polls. */
void text_add_call(struct text *text, const struct process *process, const struct call *call);
/* The line of an open call without its newline. It has the fields that were known when the call began. */
void text_add_open(struct text *text, const struct process *process, const struct open_call *open);
/* Only the fields, each with the blank before it. */
void text_add_fields(struct text *text, const struct process *process, const struct call *call);
void text_add_field(struct text *text, const struct process *process, struct field field);

/* Errors begin with `name`: "ring.txt:12:5: unknown field 'tagg'; did you mean 'tag'?". Chunks have `chunk_bytes`, or more for a
 * larger record. The trace appears whole or not at all. */
enum status trace_assemble(const char *name, const char *text, size_t size, const char *output,
                           size_t chunk_bytes) MUST_CHECK;

/* The same for several pieces of text, each of whole lines. */
struct assembler *assembler_new(const char *name, struct trace_writer *out);
void assembler_free(struct assembler *a);
enum status assembler_add(struct assembler *a, const char *lines, size_t size) MUST_CHECK;
/* Parses the rest of an event's line after its times. The result is in the arena. */
enum status assembler_parse_call(struct assembler *a, const char *text, struct arena *arena,
                                 struct draft_event *event) MUST_CHECK;

/* NULL for an unknown key. */
const char *field_name(uint32_t key);

enum field_form { FORM_integer, FORM_rank, FORM_identity, FORM_name, FORM_path, FORM_real, FORM_opens };

/* FORM_integer for an unknown key. */
enum field_form field_form(uint32_t key);

/* By -1 - rank: any, null, root. */
extern const char *const special_rank_names[];

void text_add_quoted(struct text *text, const char *string);
/* Quoted unless it is a plain word. */
void text_add_word(struct text *text, const char *string);
/* "1+0x4f0,1+0x60", the innermost site first. */
void text_add_path(struct text *text, const struct path *path);
/* The double with these bits: "0.1", or "0x7ff0000000000000" if it is not finite. */
void text_add_real(struct text *text, int64_t bits);

#endif
