#include "trace/merge.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/own_folder.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "trace/chunk.h"
#include "trace/output.h"
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

struct merge {
	struct reader *reader;
	struct output output;
	struct recover_report *report;
	struct chunk_copier copier;
	const struct part *part; /* that the copier reads from */
	int64_t ended_ns;
};

/* The content of an open chunk up to its last valid record. */
struct extent {
	uint32_t length;
	uint32_t events;
	struct text open; /* the records of the call that the thread was in */
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
		extent.length = event_iter_place(&iter);
		extent.events = iter.events;
		if (item.kind == RECORD_OPEN && iter.looked_for_open)
			add_open_call(&extent.open, chunk, &iter);
	}
	return extent;
}

/* The reader keeps only some parts open. */
static enum status open_part(struct merge *merge, const struct part *part)
{
	if (merge->part == part)
		return OK;
	if (merge->part)
		close(merge->copier.from);
	merge->part = NULL;
	merge->copier.from = open_regular(AT_FDCWD, part->path, O_RDONLY);
	if (merge->copier.from < 0)
		return fail("cannot open '%s': %s", part->path, file_error());
	merge->part = part;
	return OK;
}

static enum status copy_chunk(struct merge *merge, const struct chunk *chunk, const struct extent *extent)
{
	struct recover_report *report = merge->report;
	struct chunk_header header;

	TRY(open_part(merge, chunk->part));
	if (!chunk_read_header(merge->copier.from, (off_t)chunk->offset, &header))
		return fail("cannot read '%s': %s", chunk->part->path, strerror(errno));
	header.world = chunk->identity.world;
	header.process = chunk->identity.process;
	header.length = extent->length;
	if (!chunk->sealed) {
		header.sealed = 0;
		header.events = extent->events;
	}
	merge->copier.tail = (const uint8_t *)extent->open.bytes;
	merge->copier.tail_size = (uint32_t)extent->open.length;
	if (!chunk_copy(&merge->copier, (off_t)chunk->offset, &header, true))
		return fail("cannot copy '%s' to '%s': %s", chunk->part->path, merge->output.path,
		            strerror(errno));
	report->chunks++;
	report->open_chunks += !chunk->sealed;
	report->events += extent->events;
	report->bytes += sizeof header + chunk_align(header.length + merge->copier.tail_size);
	return OK;
}

static enum status write_chunk(struct merge *merge, const struct chunk *chunk, struct extent extent)
{
	enum status status = copy_chunk(merge, chunk, &extent);

	text_release(&extent.open);
	return status;
}

/* `stream` is NULL for the process's own chunks. */
static enum status write_chunks(struct merge *merge, struct chunk *chunks, size_t count,
                                const struct stream *stream)
{
	for (struct chunk *chunk = chunks; chunk < chunks + count; chunk++) {
		struct extent extent = {.length = chunk->length, .events = stream ? chunk->events : 0};
		if (!chunk->sealed)
			extent = stream ? measure_events(merge->reader, stream, chunk)
			                : measure_records(chunk);
		TRY(write_chunk(merge, chunk, extent));
	}
	return OK;
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
	bool has_end = merge->ended_ns && merge->report->open_chunks;
	struct text value = {0};
	struct property property;
	enum status status = OK;

	if (!note && !has_end)
		return OK;
	if (note)
		merge->report->notes = memory_copy_text(note);
	chunk_writer_begin(&writer, process->world, process->rank, STREAM_PROCESS);
	if (has_end) {
		text_add(&value, "%" PRId64, merge->ended_ns);
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

static enum status write_trace(struct merge *merge)
{
	for (size_t i = 0; i < merge->reader->process_count; i++) {
		const struct process *process = &merge->reader->processes[i];
		TRY(write_chunks(merge, process->chunks, process->chunk_count, NULL));
		for (size_t k = 0; k < process->stream_count; k++)
			TRY(write_chunks(merge, process->streams[k].chunks, process->streams[k].chunk_count,
			                 &process->streams[k]));
	}
	return write_notes(merge);
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

/* Parts of another user stay. */
static void remove_parts(const struct reader *reader, const char *path)
{
	struct own_folder folder;

	if (!own_folder_open(path, &folder))
		return;
	for (size_t i = 0; i < reader->part_count; i++)
		if (reader->parts[i].of_one_process)
			unlinkat(folder.fd, path_name(reader->parts[i].path), 0);
	own_folder_remove_files(&folder, is_aid);
	/* Fails if the folder has other files, which are kept. */
	own_folder_remove(&folder);
	own_folder_close(&folder);
}

static enum status merge_parts(struct reader *reader, const char *output, int64_t ended_ns,
                               struct recover_report *report)
{
	struct merge merge = {.reader = reader, .report = report, .ended_ns = ended_ns};
	enum status status;

	TRY(output_open(&merge.output, output));
	merge.copier.to = fileno(merge.output.file);
	merge.copier.buffer = memory_new(1, CHUNK_COPY_BUFFER);
	status = write_trace(&merge);
	free(merge.copier.buffer);
	if (merge.part)
		close(merge.copier.from);
	if (status == OK)
		return output_commit(&merge.output);
	output_discard(&merge.output);
	return FAILED;
}

static enum status recover(const char *folder, const char *trace, const char *output, int64_t ended_ns,
                           struct recover_report *report)
{
	struct recover_report result = {0};
	struct reader *reader;
	enum status status;

	if (access(folder, F_OK) != 0)
		return fail("there is nothing to recover: '%s' does not exist", folder);
	TRY(reader_open_parts(folder, trace, &reader));
	status = merge_parts(reader, output, ended_ns, &result);
	if (status == OK) {
		result.processes = reader->process_count;
		result.missing = count_missing(reader);
		result.damage = memory_new(reader->damage_count + 1, sizeof *result.damage);
		for (size_t i = 0; i < reader->damage_count; i++)
			result.damage[result.damage_count++] = memory_copy_text(reader->damage[i].text);
		result.parts_kept = result.damage_count;
		if (!result.parts_kept)
			remove_parts(reader, folder);
		*report = result;
	} else {
		recover_report_release(&result);
	}
	reader_close(reader);
	return status;
}

enum status trace_recover_from(const char *folder, const char *output, struct recover_report *report)
{
	if (access(output, F_OK) == 0)
		return fail("'%s' exists already: remove it, or name another with -o", output);
	return recover(folder, NULL, output, 0, report);
}

enum status trace_recover(const char *output, int64_t ended_ns, struct recover_report *report)
{
	struct text folder = {0};
	enum status status;

	text_add(&folder, "%s" PARTS_SUFFIX, output);
	status = recover(text_get(&folder), access(output, F_OK) == 0 ? output : NULL, output, ended_ns,
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
