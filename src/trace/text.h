/* A trace as text and back: docs/trace-format.md, "As text". Nothing is lost on the way, so a test can keep its
 * traces as text, and a person can read and write them.
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
	const struct event_filter *filter; /* what of it is wanted; NULL: all */
	const uint32_t *thread;            /* only threads of this number; NULL: all */
	/* A comment after each event, such as its source line; asked once for each distinct call. NULL: none. */
	void (*remark)(void *context, const struct process *process, const struct call *call,
	               struct text *out);
	void *context;
	/* The time to print for a tick of an event; NULL: the tick itself, which alone can be assembled again. */
	int64_t (*time)(void *context, const struct process *process, uint64_t tick);
	void *time_context;
	/* How far it is, from 0 to 1; may be NULL. */
	void (*progress)(double part);
};

enum status trace_dump(struct reader *reader, const struct dump_options *options, FILE *out) MUST_CHECK;

/* Single lines of that text, for formats that store what they have no records for. */
void text_add_process(struct text *text, const struct process *process);
/* Nothing for the WORLD record, which is in the process's line. */
void text_add_record(struct text *text, const struct process *process, const struct process_record *record);
void text_add_thread(struct text *text, uint32_t number, const struct thread_info *thread);
/* No event; `thread` is what the last line of a thread said, and nothing is added if it still holds. */
void text_add_item(struct text *text, const struct stream *stream, const struct item *item,
                   struct thread_info *thread);
/* What follows an event's times, with the blank before it; without polls. */
void text_add_call(struct text *text, const struct process *process, const struct call *call);
/* The line of an open call without its end: the fields that were known when it began. */
void text_add_open(struct text *text, const struct process *process, const struct open_call *open);
/* Of these the fields alone, each with the blank before it. */
void text_add_fields(struct text *text, const struct process *process, const struct call *call);
void text_add_field(struct text *text, const struct process *process, struct field field);

/* `name` is what errors call the text: "ring.txt:12:5: unknown field 'tagg'; did you mean 'tag'?". Chunks are of
 * `chunk_bytes`, but large enough for their largest record. The trace appears whole or not at all. */
enum status trace_assemble(const char *name, const char *text, size_t size, const char *output,
                           size_t chunk_bytes) MUST_CHECK;

/* The same for lines that come bit by bit, always whole ones. Errors name the text `name`. */
struct assembler *assembler_new(const char *name, struct trace_writer *out);
void assembler_free(struct assembler *a);
enum status assembler_add(struct assembler *a, const char *lines, size_t size) MUST_CHECK;
/* What follows the times of an event's line, as an event without times. All of it is in the arena. */
enum status assembler_parse_call(struct assembler *a, const char *text, struct arena *arena,
                                 struct draft_event *event) MUST_CHECK;

/* The field's name in text, NULL for one that is not known. */
const char *field_name(uint32_t key);

enum field_form { FORM_integer, FORM_rank, FORM_identity, FORM_name, FORM_path, FORM_real, FORM_opens };

/* FORM_integer for a key that is not known. */
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
