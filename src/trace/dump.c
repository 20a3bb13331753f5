#include "base/utf8.h"
#include "trace/text.h"

#include "base/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 16, PROGRESS_EVENTS = 1 << 18 };

/* The rest of the line of a distinct call's events after their times. */
struct dumped_call {
	struct text text;
	struct text comment;
};

struct dump {
	struct reader *reader;
	const struct dump_options *options;
	FILE *out;
	struct text text;
	/* Of the current process, by the id of the distinct call. */
	ARRAY(struct dumped_call) calls;
	uint64_t chunks_done;
};

static void flush(struct dump *dump)
{
	fwrite(text_get(&dump->text), 1, dump->text.length, dump->out);
	text_clear(&dump->text);
}

static const struct dumped_call *get_call(struct dump *dump, const struct process *process,
                                          const struct call *call)
{
	struct dumped_call *dumped = &array_extend(&dump->calls, (size_t)call->id + 1)->items[call->id];

	if (!dumped->text.length) {
		text_add_call(&dumped->text, process, call);
		if (dump->options->remark)
			dump->options->remark(dump->options->context, process, call, &dumped->comment);
		/* Names of functions and files may contain control characters. */
		if (dumped->comment.length)
			utf8_strip_controls(dumped->comment.bytes, dumped->comment.length, "");
	}
	return dumped;
}

static void dump_event(struct dump *dump, const struct process *process, const struct event *event)
{
	const struct dumped_call *call = get_call(dump, process, event->call);

	const struct dump_options *options = dump->options;
	if (options->time)
		text_add(&dump->text, "%" PRId64 " %" PRId64,
		         options->time(options->time_context, process, event->start),
		         options->time(options->time_context, process, event->end));
	else
		text_add(&dump->text, "%" PRIu64 " %" PRIu64, event->start, event->end);
	text_add_bytes(&dump->text, call->text.bytes, call->text.length);
	if (event->polls)
		text_add(&dump->text, " polls=%" PRIu64 " busy=%" PRIu64, event->polls, event->busy);
	if (event->delay_before | event->delay_inside)
		text_add(&dump->text, " delay_before=%" PRIu32 " delay_inside=%" PRIu32, event->delay_before,
		         event->delay_inside);
	if (event->blocked_before)
		text_add(&dump->text, " blocked_before=%" PRIu32, event->blocked_before);
	if (call->comment.length)
		text_add(&dump->text, "  # %s", call->comment.bytes);
	text_add(&dump->text, "\n");
}

/* Converts the times of marks like those of events. */
static struct item at_shown_time(const struct dump *dump, const struct stream *stream,
                                 const struct item *item)
{
	const struct dump_options *options = dump->options;
	struct item shown = *item;
	uint64_t *tick = item->kind == RECORD_LOSS       ? &shown.record.loss.tick
	                 : item->kind == RECORD_PAUSE    ? &shown.record.pause.tick
	                 : item->kind == RECORD_OVERHEAD ? &shown.record.overhead.tick
	                 : item->kind == RECORD_OPEN     ? &shown.open.start
	                 : item->kind == RECORD_SKIPPED  ? &shown.skipped.tick
	                                                 : NULL;

	if (options->time && tick)
		*tick = (uint64_t)options->time(options->time_context, stream->process, *tick);
	return shown;
}

static void dump_item(struct dump *dump, const struct stream *stream, const struct item *item,
                      struct thread_info *thread)
{
	struct item shown;

	if (item->kind == ITEM_EVENT) {
		if (filter_wants_event(dump->options->filter, stream->process, &item->event))
			dump_event(dump, stream->process, &item->event);
		return;
	}
	shown = at_shown_time(dump, stream, item);
	if (item->kind == RECORD_OPEN) {
		const struct dumped_call *call = get_call(dump, stream->process, shown.open.call);
		text_add_open(&dump->text, stream->process, &shown.open);
		if (call->comment.length)
			text_add(&dump->text, "  # %s", call->comment.bytes);
		text_add(&dump->text, "\n");
	} else {
		text_add_item(&dump->text, stream, &shown, thread);
	}
}

static void dump_stream(struct dump *dump, struct stream *stream)
{
	struct thread_info thread = stream->thread;
	struct event_iter iter;
	struct item item;

	text_add_thread(&dump->text, stream->number, &thread);
	reader_events(dump->reader, stream, &iter);
	while (reader_next_item(&iter, &item)) {
		dump_item(dump, stream, &item, &thread);
		if (dump->text.length > FLUSH_BYTES)
			flush(dump);
		if (dump->options->progress && iter.chunk && iter.events % PROGRESS_EVENTS == 0)
			dump->options->progress((double)(dump->chunks_done + iter.next_chunk) /
			                        (double)dump->reader->chunk_count);
	}
	dump->chunks_done += stream->chunk_count;
}

static void dump_process(struct dump *dump, struct process *process)
{
	struct record_iter iter = {0};
	struct process_record record;

	text_add_process(&dump->text, process);
	while (process_next_record(process, &iter, &record)) {
		text_add_record(&dump->text, process, &record);
		if (dump->text.length > FLUSH_BYTES)
			flush(dump);
	}
	for (size_t i = 0; i < process->stream_count; i++)
		if (!dump->options->thread || *dump->options->thread == process->streams[i].number)
			dump_stream(dump, &process->streams[i]);
	for (size_t i = 0; i < dump->calls.count; i++) {
		text_release(&dump->calls.items[i].text);
		text_release(&dump->calls.items[i].comment);
	}
	array_release(&dump->calls);
}

enum status trace_dump(struct reader *reader, const struct dump_options *options, FILE *out)
{
	struct dump dump = {.reader = reader, .options = options, .out = out};

	text_add(&dump.text, "tarry trace %d\n", TRACE_TEXT_VERSION);
	for (size_t i = 0; i < reader->process_count; i++)
		if (filter_wants_process(options->filter, &reader->processes[i]))
			dump_process(&dump, &reader->processes[i]);
	flush(&dump);
	text_release(&dump.text);
	if (fflush(out) != 0 || ferror(out))
		return fail("cannot write the text: %s", strerror(errno));
	return OK;
}
