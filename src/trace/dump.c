#include "trace/text.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FLUSH_BYTES = 1 << 16, PROGRESS_EVENTS = 1 << 18 };

struct dump {
	struct reader *reader;
	const struct dump_options *options;
	FILE *out;
	struct text text;
	/* Of the process at hand: what stands behind the times, by the distinct call's id. */
	struct text *tails;
	size_t tail_count;
	struct text *remarks;
	uint64_t chunks_done;
};

static void flush(struct dump *dump)
{
	fwrite(text_get(&dump->text), 1, dump->text.length, dump->out);
	text_clear(&dump->text);
}

static void add_kind(struct text *text, const char *const *names, uint64_t kind)
{
	for (uint64_t i = 0; names[i]; i++) {
		if (i == kind) {
			text_add(text, "%s", names[i]);
			return;
		}
	}
	text_add(text, "%" PRIu64, kind);
}

static void add_hex(struct text *text, const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
		text_add_bytes(text, pair, sizeof pair);
	}
}

static void add_unknown(struct text *text, uint8_t kind, const uint8_t *body, size_t size)
{
	text_add(text, "unknown kind=%u bytes=", kind);
	add_hex(text, body, size);
	text_add(text, "\n");
}

static void add_group(struct text *text, const char *name, const struct group *group)
{
	for (size_t i = 0; i < group->run_count; i++) {
		const struct run *run = &group->runs[i];
		text_add(text, "%s%" PRIx64 ":%" PRIu32, i ? "," : name, run->world, run->first);
		if (run->stride != 1)
			text_add(text, "/%" PRId64 "*%" PRIu32, run->stride, run->count);
		else if (run->count > 1)
			text_add(text, "-%" PRIu32, run->first + run->count - 1);
	}
}

static void add_property(struct text *text, const struct property *property)
{
	text_add(text, "property ");
	text_add_word(text, property->key);
	text_add(text, " ");
	text_add_quoted(text, property->value);
}

static void add_clock(struct text *text, const struct clock *clock)
{
	text_add(text, "clock ");
	text_add_word(text, clock->name);
	text_add(text, " %" PRIu64, clock->ticks_per_second);
	for (size_t i = 0; i < clock->point_count; i++)
		text_add(text, " tick=%" PRIu64 " ns=%" PRIu64, clock->points[i].tick, clock->points[i].ns);
}

static void add_module(struct text *text, const struct module *module)
{
	text_add(text, "module %" PRIu64 " base=0x%" PRIx64 " size=0x%" PRIx64, module->number, module->base,
	         module->size);
	if (module->build_id_size) {
		text_add(text, " build-id=");
		add_hex(text, module->build_id, module->build_id_size);
	}
	text_add(text, " ");
	text_add_quoted(text, module->path);
}

static void add_source(struct text *text, const struct module *module)
{
	text_add(text, "source %" PRIu64 " ", module->number);
	text_add_quoted(text, module->path);
	text_add(text, " ");
	text_add_quoted(text, module->function);
}

static void add_stamp(struct text *text, const struct stamp *stamp)
{
	text_add(text, "stamp %" PRIu64 " size=%" PRIu64 " ns=%" PRIu64, stamp->module, stamp->bytes,
	         stamp->changed_ns);
}

static void add_comm(struct text *text, const struct comm *comm)
{
	text_add(text, "comm 0x%" PRIx64 " parent=0x%" PRIx64 " kind=", comm->identity, comm->parent);
	add_kind(text, comm_kind_names, comm->kind);
	text_add(text, " rank=%" PRIu64 " size=%" PRIu64 " remote=%" PRIu64, comm->rank, comm->size,
	         comm->remote_size);
	add_group(text, " members=", &comm->local);
	add_group(text, " others=", &comm->remote);
	text_add(text, " ");
	text_add_quoted(text, comm->name);
}

static void add_object(struct text *text, const struct object *object)
{
	text_add(text, "object ");
	add_kind(text, object_kind_names, object->kind);
	text_add(text, " 0x%" PRIx64 " comm=0x%" PRIx64 " size=%" PRIu64 " unit=%" PRIu64 " ",
	         object->identity, object->comm, object->size, object->unit);
	text_add_quoted(text, object->name);
}

static void add_eager(struct text *text, const struct eager *eager)
{
	text_add(text, "eager %" PRIu64 " ", eager->bytes);
	text_add_word(text, eager->distance);
}

static void add_comparison(struct text *text, const struct comparison *comparison)
{
	text_add(text, "compare tick=%" PRIu64 " other=%" PRIu64 " rate=%" PRIu64 " uncertainty=%" PRIu64 " ",
	         comparison->tick, comparison->other, comparison->other_rate, comparison->uncertainty_ns);
	text_add_quoted(text, comparison->clock);
}

static void add_blind(struct text *text, const struct blind *blind)
{
	text_add(text, "blind %" PRIu64 " ", blind->tick);
	text_add_quoted(text, blind->reason);
	text_add(text, "\n");
}

void text_add_thread(struct text *text, uint32_t number, const struct thread_info *thread)
{
	text_add(text, "thread %" PRIu32, number);
	if (thread->known) {
		text_add(text, " tid=%" PRIu64 "%s ", thread->id, thread->main ? " main" : "");
		text_add_quoted(text, thread->name);
	}
	text_add(text, "\n");
}

static void add_record(struct text *text, const struct process *process, const struct process_record *record)
{
	size_t i = record->index;

	switch (record->kind) {
	case RECORD_PROPERTY:
		add_property(text, &process->properties[i]);
		break;
	case RECORD_CLOCK:
		add_clock(text, &process->clocks[i]);
		break;
	case RECORD_MODULE:
		add_module(text, &process->modules[i]);
		break;
	case RECORD_COMM:
		add_comm(text, &process->comms[i]);
		break;
	case RECORD_OBJECT:
		add_object(text, &process->objects[i]);
		break;
	case RECORD_EAGER:
		add_eager(text, &process->eagers[i]);
		break;
	case RECORD_COMPARE:
		add_comparison(text, &process->comparisons[i]);
		break;
	case RECORD_SOURCE:
		add_source(text, &process->modules[i]);
		break;
	case RECORD_STAMP:
		add_stamp(text, &process->stamps[i]);
		break;
	}
	text_add(text, "\n");
}

void text_add_record(struct text *text, const struct process *process, const struct process_record *record)
{
	if (record->kind == RECORD_WORLD)
		return;
	if (!record->understood)
		add_unknown(text, record->kind, record->body, record->size);
	else if (record->kind == RECORD_BLIND)
		add_blind(text, &process->blinds[record->index]);
	else
		add_record(text, process, record);
}

static void dump_records(struct dump *dump, const struct process *process)
{
	struct record_iter iter = {0};
	struct process_record record;

	while (process_next_record(process, &iter, &record)) {
		text_add_record(&dump->text, process, &record);
		if (dump->text.length > FLUSH_BYTES)
			flush(dump);
	}
}

void text_add_process(struct text *text, const struct process *process)
{
	text_add(text, "process world=%" PRIx64, process->world);
	if (process->rank == PROCESS_UNKNOWN)
		text_add(text, " rank=unknown");
	else
		text_add(text, " rank=%" PRIu32, process->rank);
	if (process->has_size)
		text_add(text, " size=%" PRIu64 " run=%" PRIx64, process->size, process->run);
	text_add(text, "\n");
}

static void add_rank(struct text *text, int64_t rank)
{
	if (rank < 0 && rank >= RANK_ROOT)
		text_add(text, "%s", special_rank_names[-1 - rank]);
	else
		text_add(text, "%" PRId64, rank);
}

void text_add_path(struct text *text, const struct path *path)
{
	for (const char *comma = ""; path; path = path->caller, comma = ",")
		text_add(text, "%s%" PRIu64 "+0x%" PRIx64, comma, path->module, path->offset);
}

static void add_field(struct text *text, const struct process *process, struct field field)
{
	const char *name = field_name(field.key);

	if (name)
		text_add(text, " %s=", name);
	else
		text_add(text, " field%" PRIu32 "=", field.key);
	switch (field_form(field.key)) {
	case FORM_rank:
		add_rank(text, field.value);
		break;
	case FORM_identity:
		text_add(text, "0x%" PRIx64, (uint64_t)field.value);
		break;
	case FORM_name:
		text_add_quoted(text, field_text(field));
		break;
	case FORM_path:
		text_add_path(text, process->paths[field.value]);
		break;
	case FORM_real:
		text_add_real(text, field.value);
		break;
	case FORM_integer:
	case FORM_opens:
		text_add(text, "%" PRId64, field.value);
		break;
	}
}

void text_add_fields(struct text *text, const struct process *process, const struct call *call)
{
	for (uint32_t i = 0; i < field_count(call); i++)
		add_field(text, process, field_at(call, i));
}

void text_add_call(struct text *text, const struct process *process, const struct call *call)
{
	text_add(text, " ");
	text_add_word(text, call->outline->name);
	if (call->outline->has_site)
		text_add(text, " site=%" PRIu32 "+0x%" PRIx64, call->outline->module, call->outline->offset);
	text_add_fields(text, process, call);
}

static void forget_tails(struct dump *dump)
{
	for (size_t i = 0; i < dump->tail_count; i++) {
		text_release(&dump->tails[i]);
		text_release(&dump->remarks[i]);
	}
	free(dump->tails);
	free(dump->remarks);
	dump->tails = dump->remarks = NULL;
	dump->tail_count = 0;
}

static void make_tail(struct dump *dump, const struct process *process, const struct call *call)
{
	size_t count = dump->tail_count ? dump->tail_count * 2 : 64;

	if (call->id >= dump->tail_count) {
		while (count <= call->id)
			count *= 2;
		dump->tails = memory_grow(dump->tails, count, sizeof *dump->tails);
		dump->remarks = memory_grow(dump->remarks, count, sizeof *dump->remarks);
		memset(dump->tails + dump->tail_count, 0, (count - dump->tail_count) * sizeof *dump->tails);
		memset(dump->remarks + dump->tail_count, 0,
		       (count - dump->tail_count) * sizeof *dump->remarks);
		dump->tail_count = count;
	}
	if (dump->tails[call->id].length)
		return;
	text_add_call(&dump->tails[call->id], process, call);
	if (dump->options->remark)
		dump->options->remark(dump->options->context, process, call, &dump->remarks[call->id]);
}

static void add_times(struct dump *dump, const struct process *process, const struct event *event)
{
	const struct dump_options *options = dump->options;

	if (options->time)
		text_add(&dump->text, "%" PRId64 " %" PRId64,
		         options->time(options->time_context, process, event->start),
		         options->time(options->time_context, process, event->end));
	else
		text_add(&dump->text, "%" PRIu64 " %" PRIu64, event->start, event->end);
}

static void dump_event(struct dump *dump, const struct process *process, const struct event *event)
{
	const struct text *tail, *remark;

	make_tail(dump, process, event->call);
	tail = &dump->tails[event->call->id];
	remark = &dump->remarks[event->call->id];
	add_times(dump, process, event);
	text_add_bytes(&dump->text, tail->bytes, tail->length);
	if (event->polls)
		text_add(&dump->text, " polls=%" PRIu64 " busy=%" PRIu64, event->polls, event->busy);
	if (event->stolen_before | event->stolen_inside)
		text_add(&dump->text, " stolen_before=%" PRIu32 " stolen_inside=%" PRIu32,
		         event->stolen_before, event->stolen_inside);
	if (remark->length)
		text_add(&dump->text, "  # %s", remark->bytes);
	text_add(&dump->text, "\n");
}

static bool same_thread(const struct thread_info *a, const struct thread_info *b)
{
	return a->known == b->known && a->id == b->id && a->main == b->main && strcmp(a->name, b->name) == 0;
}

void text_add_item(struct text *text, const struct stream *stream, const struct item *item,
                   struct thread_info *thread)
{
	switch (item->kind) {
	case RECORD_BLIND:
		add_blind(text, &item->blind);
		break;
	case RECORD_PAUSE:
		text_add(text, "%s %" PRIu64 "\n", item->pause.resumes ? "resume" : "pause",
		         item->pause.tick);
		break;
	case RECORD_OVERHEAD:
		text_add(text, "overhead %" PRIu64 " %" PRIu64 " ", item->overhead.tick, item->overhead.ns);
		text_add_word(text, item->overhead.cause);
		text_add(text, "\n");
		break;
	case RECORD_THREAD:
		if (!same_thread(thread, &item->thread))
			text_add_thread(text, stream->number, &item->thread);
		*thread = item->thread;
		break;
	default:
		add_unknown(text, item->kind, item->body, item->size);
	}
}

/* Marks are moments of the same clock as events. */
static struct item at_shown_time(const struct dump *dump, const struct stream *stream,
                                 const struct item *item)
{
	const struct dump_options *options = dump->options;
	struct item shown = *item;

	if (options->time && item->kind == RECORD_BLIND)
		shown.blind.tick = (uint64_t)options->time(options->time_context, stream->process,
		                                           item->blind.tick);
	if (options->time && item->kind == RECORD_PAUSE)
		shown.pause.tick = (uint64_t)options->time(options->time_context, stream->process,
		                                           item->pause.tick);
	if (options->time && item->kind == RECORD_OVERHEAD)
		shown.overhead.tick = (uint64_t)options->time(options->time_context, stream->process,
		                                              item->overhead.tick);
	return shown;
}

static void dump_item(struct dump *dump, const struct stream *stream, const struct item *item,
                      struct thread_info *thread)
{
	struct item shown;

	if (item->kind == ITEM_EVENT) {
		dump_event(dump, stream->process, &item->event);
		return;
	}
	shown = at_shown_time(dump, stream, item);
	text_add_item(&dump->text, stream, &shown, thread);
}

static void tell_progress(const struct dump *dump, const struct event_iter *iter)
{
	if (dump->options->progress && iter->chunk && iter->events % PROGRESS_EVENTS == 0)
		dump->options->progress((double)(dump->chunks_done + iter->next_chunk) /
		                        (double)dump->reader->chunk_count);
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
		tell_progress(dump, &iter);
	}
	dump->chunks_done += stream->chunk_count;
}

static bool is_wanted(const uint32_t *wanted, uint32_t number)
{
	return !wanted || *wanted == number;
}

static void dump_process(struct dump *dump, struct process *process)
{
	text_add_process(&dump->text, process);
	dump_records(dump, process);
	for (size_t i = 0; i < process->stream_count; i++)
		if (is_wanted(dump->options->thread, process->streams[i].number))
			dump_stream(dump, &process->streams[i]);
	forget_tails(dump);
}

enum status trace_dump(struct reader *reader, const struct dump_options *options, FILE *out)
{
	struct dump dump = {.reader = reader, .options = options, .out = out};

	text_add(&dump.text, "tarry trace %d\n", TRACE_VERSION);
	for (size_t i = 0; i < reader->process_count; i++)
		if (is_wanted(options->process, reader->processes[i].rank))
			dump_process(&dump, &reader->processes[i]);
	flush(&dump);
	text_release(&dump.text);
	if (fflush(out) != 0 || ferror(out))
		return fail("cannot write the text: %s", strerror(errno));
	return OK;
}
