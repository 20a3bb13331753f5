#include "trace/merge.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/own_folder.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/user_files.h"
#include "trace/chunk.h"
#include "trace/output.h"
#include "trace/process.h"
#include "trace/reader.h"
#include "trace/text.h"
#include "trace/trace_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The content of a chunk up to its last valid record. */
struct extent {
	uint32_t length;
	uint32_t events;
	struct text open; /* the records of the call that the thread was in */
};

/* The share of a process in the trace. Threads measure and write the shares of different processes. */
struct merged_process {
	struct extent *extents; /* of its own chunks, then of its streams' chunks */
	uint64_t offset, bytes; /* in the trace */
	size_t chunks, open_chunks;
	uint64_t events;
	char *problem; /* why it could not be written; NULL */
};

struct merge {
	struct reader *reader;
	struct output output;
	struct recover_report *report;
	const struct recover_options *options;
	struct merged_process *processes; /* as in the reader */
	size_t steps;                     /* done: one for each process that was measured or written */
};

/* Copies the chunks of a process. */
struct process_copier {
	struct merge *merge;
	struct chunk_copier copier;
	const struct part *part; /* that the copier reads from */
};

static struct extent measure_records(const struct chunk *chunk)
{
	struct cursor payload = {chunk->payload, chunk->payload + chunk->length, false};
	struct extent extent = {0};

	while (cursor_left(&payload) && *payload.at >= HEAD_LONG) {
		payload.at++;
		if (!take_bytes(&payload, take_varint(&payload)))
			break;
		extent.length = (uint32_t)(payload.at - chunk->payload);
	}
	return extent;
}

static void add_long(struct text *text, enum record_kind kind, const uint8_t *body, size_t size)
{
	uint8_t head[LONG_HEAD_MAX];

	head[0] = (uint8_t)(HEAD_LONG | kind);
	text_add_bytes(text, (char *)head, (size_t)(put_varint(head + 1, size) - head));
	text_add_bytes(text, (const char *)body, size);
}

/* The header of an open chunk refers to the open call. A sealed chunk has an OPEN record instead, after the call's definition if the
 * payload does not have it. */
static void add_open_call(struct text *text, const struct chunk *chunk, const struct event_iter *iter)
{
	struct cursor cursor = {chunk->payload + chunk->length,
	                        chunk->payload + chunk->length + chunk->after_payload, false};
	uint32_t number = chunk->open_call - 1;
	uint8_t body[2 * VARINT_MAX];

	if (chunk->open_call == (uint32_t)OPEN_CALL_UNDEFINED) {
		enum record_kind kind = *cursor.at++ & KIND_MASK;
		uint64_t size = take_varint(&cursor);
		add_long(text, kind, cursor.at, size);
		number = iter->call_count - 1;
	}
	add_long(text, RECORD_OPEN, body,
	         (size_t)(put_varint(put_varint(body, number), chunk->open_start) - body));
}

static struct extent measure_events(struct reader *reader, const struct stream *stream, struct chunk *chunk)
{
	struct stream only = *stream;
	struct event_iter iter;
	struct item item;
	struct extent extent = {0};

	only.chunks = chunk;
	only.chunk_count = 1;
	reader_events(reader, &only, &iter);
	while (reader_next_item(&iter, &item)) {
		extent.length = event_iter_place(&iter) - iter.damaged;
		extent.events = iter.events;
		if (item.kind == RECORD_OPEN && iter.looked_for_open)
			add_open_call(&extent.open, chunk, &iter);
	}
	return extent;
}

static struct extent measure(struct reader *reader, const struct stream *stream, struct chunk *chunk)
{
	if (chunk->sealed)
		return (struct extent){.length = chunk->length, .events = stream ? chunk->events : 0};
	return stream ? measure_events(reader, stream, chunk) : measure_records(chunk);
}

/* Counts a step of the merge. */
static void count_step(struct merge *merge)
{
	size_t steps = __atomic_add_fetch(&merge->steps, 1, __ATOMIC_RELAXED);

	if (merge->options->progress)
		merge->options->progress((double)steps / (2 * (double)merge->reader->process_count));
}

/* The chunks of a process are next to each other in the reader. */
static struct chunk *chunks_of(const struct process *process, size_t *count)
{
	*count = process->chunk_count;
	for (size_t i = 0; i < process->stream_count; i++)
		*count += process->streams[i].chunk_count;
	return process->chunk_count ? process->chunks : process->streams[0].chunks;
}

static void measure_process(void *context, size_t number)
{
	struct merge *merge = context;
	const struct process *process = &merge->reader->processes[number];
	struct merged_process *merged = &merge->processes[number];
	struct chunk *chunks = chunks_of(process, &merged->chunks);

	merged->extents = memory_new(merged->chunks, sizeof *merged->extents);
	for (size_t i = 0; i < merged->chunks; i++) {
		struct extent *extent = &merged->extents[i];
		*extent = measure(merge->reader, find_stream(process, chunks[i].identity.stream), &chunks[i]);
		merged->bytes += sizeof(struct chunk_header) +
		                 chunk_align(extent->length + (uint32_t)extent->open.length);
		merged->open_chunks += !chunks[i].sealed;
		merged->events += extent->events;
	}
	count_step(merge);
}

/* The reader keeps only some parts open. */
static enum status open_part(struct process_copier *copier, const struct part *part)
{
	if (copier->part == part)
		return OK;
	if (copier->part)
		close(copier->copier.from);
	copier->part = NULL;
	copier->copier.from = open_regular(AT_FDCWD, part->path, O_RDONLY);
	if (copier->copier.from < 0)
		return fail("cannot open '%s': %s", part->path, file_error());
	copier->part = part;
	return OK;
}

static enum status copy_chunk(struct process_copier *copier, const struct chunk *chunk,
                              const struct extent *extent)
{
	struct chunk_header header;

	TRY(open_part(copier, chunk->part));
	if (!chunk_read_header(copier->copier.from, (off_t)chunk->offset, &header))
		return fail("cannot read '%s': %s", chunk->part->path, strerror(errno));
	header.world = chunk->identity.world;
	header.process = chunk->identity.process;
	header.length = extent->length;
	if (!chunk->sealed) {
		header.sealed = 0;
		header.events = extent->events;
	}
	copier->copier.tail = (const uint8_t *)extent->open.bytes;
	copier->copier.tail_size = (uint32_t)extent->open.length;
	if (!chunk_copy(&copier->copier, (off_t)chunk->offset, &header, true))
		return fail("cannot copy '%s' to '%s': %s", chunk->part->path, copier->merge->output.path,
		            strerror(errno));
	return OK;
}

static enum status copy_chunks(struct process_copier *copier, const struct process *process,
                               const struct merged_process *merged)
{
	size_t count;
	struct chunk *chunks = chunks_of(process, &count);

	if (lseek(copier->copier.to, (off_t)merged->offset, SEEK_SET) < 0)
		return fail("cannot write '%s': %s", copier->merge->output.path, strerror(errno));
	for (size_t i = 0; i < count; i++)
		TRY(copy_chunk(copier, &chunks[i], &merged->extents[i]));
	return OK;
}

static void write_process(void *context, size_t number)
{
	struct merge *merge = context;
	struct merged_process *merged = &merge->processes[number];
	struct process_copier copier = {.merge = merge};
	enum status status;

	/* Each thread has a position of its own in the file. */
	copier.copier.to = open_user_file(merge->output.temporary, O_WRONLY);
	if (copier.copier.to < 0) {
		status = fail("cannot write '%s': %s", merge->output.path, file_error());
	} else {
		copier.copier.buffer = memory_new(1, CHUNK_COPY_BUFFER);
		status = copy_chunks(&copier, &merge->reader->processes[number], merged);
		free(copier.copier.buffer);
		if (close(copier.copier.to) != 0 && status == OK)
			status = fail("cannot write '%s': %s", merge->output.path, strerror(errno));
	}
	if (copier.part)
		close(copier.copier.from);
	if (status != OK)
		merged->problem = memory_copy_text(trail_text());
	count_step(merge);
}

static uint32_t next_sequence(const struct reader *reader, const struct process *process)
{
	uint32_t next = 0;

	for (size_t i = 0; i < reader->chunk_count; i++) {
		const struct chunk_identity *identity = &reader->chunks[i].identity;
		if (identity->world == process->world && identity->process == process->rank &&
		    identity->sequence >= next)
			next = identity->sequence + 1;
	}
	return next;
}

/* Adds properties to the first process: the notes of the recorder, and the end of a job with open chunks. */
static enum status write_notes(struct merge *merge)
{
	const struct process *process = &merge->reader->processes[0];
	const char *note = merge->reader->notes;
	uint32_t sequence = next_sequence(merge->reader, process);
	struct chunk_writer writer = {
		.out = merge->output.file, .chunk_bytes = CHUNK_DEFAULT, .sequence = &sequence};
	bool has_end = merge->options->ended_ns && merge->report->open_chunks;
	struct text value = {0};
	struct property property;
	enum status status = OK;

	if (!note && !has_end)
		return OK;
	if (note)
		merge->report->notes = memory_copy_text(note);
	chunk_writer_begin(&writer, process->world, process->rank, STREAM_PROCESS);
	if (has_end) {
		text_add(&value, "%" PRId64, merge->options->ended_ns);
		property = (struct property){"ended", text_get(&value)};
		status = chunk_writer_record(&writer, RECORD_PROPERTY, &property);
	}
	while (note && *note && status == OK) {
		size_t size = strcspn(note, "\n");
		text_clear(&value);
		text_add_bytes(&value, note, size);
		property = (struct property){"note", text_get(&value)};
		if (size)
			status = chunk_writer_record(&writer, RECORD_PROPERTY, &property);
		note += size + (note[size] == '\n');
	}
	if (status == OK)
		status = chunk_writer_end(&writer);
	chunk_writer_release(&writer);
	text_release(&value);
	return status;
}

static void lay_out(struct merge *merge)
{
	struct recover_report *report = merge->report;

	for (size_t i = 0; i < merge->reader->process_count; i++) {
		struct merged_process *merged = &merge->processes[i];
		merged->offset = report->bytes;
		report->bytes += merged->bytes;
		report->chunks += merged->chunks;
		report->open_chunks += merged->open_chunks;
		report->events += merged->events;
	}
}

static enum status write_trace(struct merge *merge)
{
	size_t count = merge->reader->process_count, known = merge->reader->damage_count;

	parallel_run(merge->options->jobs, count, measure_process, merge);
	reader_sort_damage(merge->reader, known);
	lay_out(merge);
	parallel_run(merge->options->jobs, count, write_process, merge);
	for (size_t i = 0; i < count; i++)
		if (merge->processes[i].problem)
			return fail("%s", merge->processes[i].problem);
	if (fseeko(merge->output.file, (off_t)merge->report->bytes, SEEK_SET) != 0)
		return fail("cannot write '%s': %s", merge->output.path, strerror(errno));
	return write_notes(merge);
}

static void release(struct merge *merge)
{
	for (size_t i = 0; i < merge->reader->process_count; i++) {
		struct merged_process *merged = &merge->processes[i];
		for (size_t j = 0; j < merged->chunks && merged->extents; j++)
			text_release(&merged->extents[j].open);
		free(merged->extents);
		free(merged->problem);
	}
	free(merge->processes);
}

/* The processes of a world are next to each other. */
static size_t count_missing(const struct reader *reader)
{
	size_t missing = 0, count;

	for (size_t i = 0; i < reader->process_count; i += count) {
		const struct process *first = &reader->processes[i];
		uint64_t size = 0;
		for (count = 0; i + count < reader->process_count && first[count].world == first->world;
		     count++)
			if (first[count].has_size)
				size = first[count].size;
		if (size > count)
			missing += (size_t)(size - count);
	}
	return missing;
}

/* Notes, files for the start of the job, and remains of an interrupted merge. */
static bool is_aid(const char *name)
{
	return strcmp(name, NOTES_FILE) == 0 || strcmp(name, OWNER_FILE) == 0 ||
	       text_begins(name, MEETING_PREFIX) || text_begins(name, DRAFT_PREFIX) ||
	       text_begins(name, MERGING_PREFIX) || text_begins(name, NOTES_FILE "-");
}

/* Parts of another user stay. The notes are in the trace. */
static void remove_parts(const struct reader *reader, const char *path, bool keep)
{
	struct own_folder folder;

	if (!own_folder_open(path, &folder))
		return;
	for (size_t i = 0; i < reader->part_count && !keep; i++)
		if (reader->parts[i].of_one_process)
			unlinkat(folder.fd, path_name(reader->parts[i].path), 0);
	own_folder_remove_files(&folder, is_aid);
	/* Fails if the folder has other files, which are kept. */
	own_folder_remove(&folder);
	own_folder_close(&folder);
}

static enum status merge_parts(struct reader *reader, const char *output,
                               const struct recover_options *options, struct recover_report *report)
{
	struct merge merge = {.reader = reader, .report = report, .options = options};
	enum status status;

	TRY(output_open(&merge.output, output));
	merge.processes = memory_new(reader->process_count, sizeof *merge.processes);
	status = merge.output.temporary ? write_trace(&merge) : fail("'%s' is not a file", output);
	release(&merge);
	if (status == OK)
		return output_commit(&merge.output);
	output_discard(&merge.output);
	return FAILED;
}

static enum status recover(const char *folder, const char *trace, const char *output,
                           const struct recover_options *options, struct recover_report *report)
{
	struct recover_report result = {0};
	struct reader *reader;
	enum status status;

	if (access(folder, F_OK) != 0)
		return fail("there is nothing to recover: '%s' does not exist", folder);
	TRY(reader_open_parts(folder, trace, &reader));
	status = merge_parts(reader, output, options, &result);
	if (status == OK) {
		result.processes = reader->process_count;
		result.missing = count_missing(reader);
		result.damage = memory_new(reader->damage_count + 1, sizeof *result.damage);
		for (size_t i = 0; i < reader->damage_count; i++)
			result.damage[result.damage_count++] = memory_copy_text(reader->damage[i].text);
		result.parts_kept = result.damage_count || options->keep_parts;
		if (!result.damage_count)
			remove_parts(reader, folder, options->keep_parts);
		*report = result;
	} else {
		recover_report_release(&result);
	}
	reader_close(reader);
	return status;
}

enum status trace_recover_from(const char *folder, const char *output, const struct recover_options *options,
                               struct recover_report *report)
{
	if (access(output, F_OK) == 0)
		return fail("'%s' exists already: remove it, or name another with -o", output);
	return recover(folder, NULL, output, options, report);
}

enum status trace_recover(const char *output, const struct recover_options *options,
                          struct recover_report *report)
{
	struct text folder = {0};
	enum status status;

	text_add(&folder, "%s" PARTS_SUFFIX, output);
	status = recover(text_get(&folder), access(output, F_OK) == 0 ? output : NULL, output, options,
	                 report);
	text_release(&folder);
	return status;
}

void recover_report_release(struct recover_report *report)
{
	for (size_t i = 0; i < report->damage_count; i++)
		free(report->damage[i]);
	free(report->damage);
	free(report->notes);
	*report = (struct recover_report){0};
}
