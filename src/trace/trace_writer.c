#include "trace/trace_writer.h"

#include <string.h>

enum status trace_writer_open(struct trace_writer *writer, const char *path, size_t chunk_bytes)
{
	*writer = (struct trace_writer){0};
	TRY(output_open(&writer->output, path));
	writer->processes.arena = &writer->arena;
	writer->records = writer->events = (struct chunk_writer){
		.out = writer->output.file, .chunk_bytes = chunk_bytes, .sequence = &writer->sequence};
	return OK;
}

static void release(struct trace_writer *writer)
{
	chunk_writer_release(&writer->records);
	chunk_writer_release(&writer->events);
	arena_release(&writer->arena);
	text_release(&writer->body);
}

void trace_writer_discard(struct trace_writer *writer)
{
	output_discard(&writer->output);
	release(writer);
}

static enum status end_process(struct trace_writer *writer)
{
	TRY(chunk_writer_end(&writer->records));
	return chunk_writer_end(&writer->events);
}

enum status trace_writer_commit(struct trace_writer *writer)
{
	enum status status = end_process(writer);

	if (status == OK)
		status = output_commit(&writer->output);
	else
		output_discard(&writer->output);
	release(writer);
	return status;
}

enum status trace_writer_process(struct trace_writer *writer, uint64_t world, uint32_t rank)
{
	uint64_t identity[2] = {world, rank};
	uint64_t known = writer->processes.count;

	TRY(end_process(writer));
	if (intern(&writer->processes, identity, sizeof identity)->number != known)
		return fail("this process was described before");
	writer->has_process = true;
	writer->world = world;
	writer->rank = rank;
	writer->sequence = 0;
	chunk_writer_begin(&writer->records, world, rank, STREAM_PROCESS);
	return OK;
}

/* A record's body is put together here. */
static struct text *begin_body(struct trace_writer *writer)
{
	text_clear(&writer->body);
	return &writer->body;
}

static void add_varint(struct text *body, uint64_t value)
{
	uint8_t bytes[VARINT_MAX];

	text_add_bytes(body, (char *)bytes, (size_t)(put_varint(bytes, value) - bytes));
}

static void add_u64(struct text *body, uint64_t value)
{
	text_add_bytes(body, (char *)&value, sizeof value);
}

static void add_string(struct text *body, const char *string)
{
	text_add_bytes(body, string, strlen(string));
}

static enum status end_body(struct trace_writer *writer, enum record_kind kind)
{
	return chunk_writer_long(&writer->records, kind, text_get(&writer->body), writer->body.length);
}

enum status trace_writer_world(struct trace_writer *writer, uint64_t size, uint64_t run)
{
	struct text *body = begin_body(writer);

	add_u64(body, writer->world);
	add_varint(body, writer->rank);
	add_varint(body, size);
	add_u64(body, run);
	return end_body(writer, RECORD_WORLD);
}

enum status trace_writer_property(struct trace_writer *writer, const char *name, const char *value)
{
	struct text *body = begin_body(writer);

	add_varint(body, strlen(name));
	add_string(body, name);
	add_string(body, value);
	return end_body(writer, RECORD_PROPERTY);
}

enum status trace_writer_clock(struct trace_writer *writer, const struct clock *clock)
{
	struct text *body = begin_body(writer);

	add_varint(body, clock->ticks_per_second);
	add_varint(body, clock->point_count);
	for (size_t i = 0; i < clock->point_count; i++) {
		add_varint(body, clock->points[i].tick);
		add_varint(body, clock->points[i].ns);
	}
	add_string(body, clock->name);
	return end_body(writer, RECORD_CLOCK);
}

enum status trace_writer_module(struct trace_writer *writer, const struct module *module)
{
	struct text *body = begin_body(writer);

	add_varint(body, module->number);
	if (module->function) {
		add_varint(body, strlen(module->function));
		add_string(body, module->function);
	} else {
		add_varint(body, module->base);
		add_varint(body, module->size);
		add_varint(body, module->build_id_size);
		text_add_bytes(body, (const char *)module->build_id, module->build_id_size);
	}
	add_string(body, module->path);
	return end_body(writer, module->function ? RECORD_SOURCE : RECORD_MODULE);
}

enum status trace_writer_stamp(struct trace_writer *writer, const struct stamp *stamp)
{
	struct text *body = begin_body(writer);

	add_varint(body, stamp->module);
	add_varint(body, stamp->bytes);
	add_varint(body, stamp->changed_ns);
	return end_body(writer, RECORD_STAMP);
}

static void add_group(struct text *body, const struct group *group)
{
	add_varint(body, group->run_count);
	for (size_t i = 0; i < group->run_count; i++) {
		const struct rank_run *run = &group->runs[i];
		add_u64(body, run->world);
		add_varint(body, run->first);
		add_varint(body, zigzag(run->stride));
		add_varint(body, run->count);
	}
}

enum status trace_writer_comm(struct trace_writer *writer, const struct comm *comm)
{
	struct text *body = begin_body(writer);

	add_u64(body, comm->identity);
	add_u64(body, comm->parent);
	add_varint(body, comm->kind);
	add_varint(body, comm->rank);
	add_varint(body, comm->size);
	add_varint(body, comm->remote_size);
	add_group(body, &comm->local);
	if (comm->kind == COMM_INTER)
		add_group(body, &comm->remote);
	add_string(body, comm->name);
	return end_body(writer, RECORD_COMM);
}

enum status trace_writer_object(struct trace_writer *writer, const struct object *object)
{
	struct text *body = begin_body(writer);

	add_varint(body, object->kind);
	add_u64(body, object->identity);
	add_u64(body, object->comm);
	add_varint(body, object->size);
	add_varint(body, object->unit);
	add_string(body, object->name);
	return end_body(writer, RECORD_OBJECT);
}

enum status trace_writer_eager(struct trace_writer *writer, const struct eager *eager)
{
	struct text *body = begin_body(writer);

	add_varint(body, eager->bytes);
	add_string(body, eager->distance);
	return end_body(writer, RECORD_EAGER);
}

enum status trace_writer_comparison(struct trace_writer *writer, const struct clock_comparison *comparison)
{
	struct text *body = begin_body(writer);

	add_varint(body, comparison->tick);
	add_varint(body, comparison->other);
	add_varint(body, comparison->other_rate);
	add_varint(body, comparison->uncertainty_ns);
	add_string(body, comparison->clock);
	return end_body(writer, RECORD_COMPARE);
}

enum status trace_writer_thread(struct trace_writer *writer, uint32_t number)
{
	if (writer->events.begun && writer->thread == number)
		return OK;
	TRY(chunk_writer_end(&writer->events));
	writer->thread = number;
	chunk_writer_begin(&writer->events, writer->world, writer->rank, number);
	return OK;
}

enum status trace_writer_thread_info(struct trace_writer *writer, const struct thread_info *info)
{
	return chunk_writer_thread(&writer->events, info->id, info->main, info->name);
}

enum status trace_writer_event(struct trace_writer *writer, const struct draft_event *event)
{
	return chunk_writer_event(&writer->events, event);
}

enum status trace_writer_open_call(struct trace_writer *writer, const struct draft_event *call)
{
	return chunk_writer_open_call(&writer->events, call);
}

enum status trace_writer_skipped(struct trace_writer *writer, const struct draft_event *call, uint64_t count)
{
	return chunk_writer_skipped(&writer->events, call, count);
}

enum status trace_writer_bytes(struct trace_writer *writer, enum record_kind kind, const void *body,
                               size_t size)
{
	return chunk_writer_long(writer->events.begun ? &writer->events : &writer->records, kind, body, size);
}

enum status trace_writer_loss(struct trace_writer *writer, const struct event_loss *loss)
{
	struct text *body = begin_body(writer);

	add_varint(body, loss->tick);
	add_string(body, loss->reason);
	return trace_writer_bytes(writer, RECORD_LOSS, text_get(body), body->length);
}

enum status trace_writer_pause(struct trace_writer *writer, const struct pause *pause)
{
	struct text *body = begin_body(writer);

	add_varint(body, pause->tick);
	add_varint(body, pause->resumes);
	if (pause->is_counted)
		add_varint(body, 1);
	return trace_writer_bytes(writer, RECORD_PAUSE, text_get(body), body->length);
}

enum status trace_writer_overhead(struct trace_writer *writer, const struct overhead *overhead)
{
	struct text *body = begin_body(writer);

	add_varint(body, overhead->tick);
	add_varint(body, overhead->ns);
	add_string(body, overhead->cause);
	return trace_writer_bytes(writer, RECORD_OVERHEAD, text_get(body), body->length);
}
