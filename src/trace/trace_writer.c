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

enum status trace_writer_record(struct trace_writer *writer, enum record_kind kind, const void *record)
{
	return chunk_writer_record(&writer->records, kind, record);
}

enum status trace_writer_mark(struct trace_writer *writer, enum record_kind kind, const void *record)
{
	return chunk_writer_record(writer->events.begun ? &writer->events : &writer->records, kind, record);
}

enum status trace_writer_property(struct trace_writer *writer, const char *key, const char *value)
{
	return trace_writer_record(writer, RECORD_PROPERTY, &(struct property){key, value});
}

enum status trace_writer_world(struct trace_writer *writer, uint64_t size, uint64_t run)
{
	return trace_writer_record(writer, RECORD_WORLD,
	                           &(struct world_record){writer->world, writer->rank, size, run});
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
	return chunk_writer_thread(&writer->events, info);
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
