#include "trace/merge.h"

#include "base/crc32.h"
#include "base/files.h"
#include "base/in_job.h"
#include "base/memory.h"
#include "base/own_folder.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/user_files.h"
#include "trace/chunk.h"
#include "trace/groups.h"
#include "trace/output.h"
#include "trace/process.h"
#include "trace/reader.h"
#include "trace/share.h"
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

struct merged_group {
	uint64_t offset;
	struct text head; /* of the payload */
	char *problem;
};

struct merge {
	struct reader *reader;
	struct output output;
	struct recover_report *report;
	const struct recover_options *options;
	struct trace_sharing *sharing;
	struct merged_process *processes; /* as in the reader */
	struct merged_group *groups;      /* as in `sharing` */
	size_t steps;                     /* done: three for each process */
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
		text_add_long(text, kind, cursor.at, size);
		number = iter->call_count - 1;
	}
	text_add_long(text, RECORD_OPEN, body,
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
static void count_step(void *context)
{
	struct merge *merge = context;
	size_t steps = __atomic_add_fetch(&merge->steps, 1, __ATOMIC_RELAXED);

	if (merge->options->progress)
		merge->options->progress((double)steps / (3 * (double)merge->reader->process_count));
}

/* The chunks of a process are next to each other in the reader. */
static struct chunk *chunks_of(const struct process *process, size_t *count)
{
	*count = process->chunk_count;
	for (size_t i = 0; i < process->stream_count; i++)
		*count += process->streams[i].chunk_count;
	return process->chunk_count ? process->chunks : process->streams[0].chunks;
}

static uint32_t group_of(const struct merge *merge, const struct chunk *chunk)
{
	return merge->sharing->chunks[chunk - merge->reader->chunks].group;
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
		if (group_of(merge, &chunks[i]) == NO_GROUP)
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

	for (size_t i = 0; i < count; i++)
		if (group_of(copier->merge, &chunks[i]) == NO_GROUP)
			TRY(copy_chunk(copier, &chunks[i], &merged->extents[i]));
	return OK;
}

/* Each thread has a position of its own in the file. */
static enum status open_output(const struct merge *merge, uint64_t offset, int *fd)
{
	*fd = open_user_file(merge->output.temporary, O_WRONLY);
	if (*fd >= 0 && lseek(*fd, (off_t)offset, SEEK_SET) == (off_t)offset)
		return OK;
	return fail("cannot write '%s': %s", merge->output.path, file_error());
}

static enum status close_output(const struct merge *merge, int fd, enum status status)
{
	if (fd >= 0 && close(fd) != 0 && status == OK)
		return fail("cannot write '%s': %s", merge->output.path, strerror(errno));
	return status;
}

static void write_process(struct merge *merge, size_t number)
{
	struct merged_process *merged = &merge->processes[number];
	struct process_copier copier = {.merge = merge};
	enum status status;

	if (merged->bytes) {
		status = open_output(merge, merged->offset, &copier.copier.to);
		copier.copier.buffer = memory_new(1, CHUNK_COPY_BUFFER);
		if (status == OK)
			status = copy_chunks(&copier, &merge->reader->processes[number], merged);
		free(copier.copier.buffer);
		status = close_output(merge, copier.copier.to, status);
		if (copier.part)
			close(copier.copier.from);
		if (status != OK)
			merged->problem = memory_copy_text(trail_text());
	}
	count_step(merge);
}

/* Tables and groups */

static uint64_t chunk_bytes(uint64_t payload)
{
	return sizeof(struct chunk_header) + chunk_align(payload);
}

static struct chunk_header shared_header(const struct chunk_identity *identity, uint64_t length, uint32_t crc)
{
	struct chunk_header header = {
		.version = TRACE_VERSION,
		.world = identity->world,
		.process = identity->process,
		.stream = identity->stream,
		.sequence = identity->sequence,
		.capacity = (uint32_t)chunk_align(length),
		.sealed = 1,
		.length = (uint32_t)length,
		.payload_crc = crc,
	};

	memcpy(header.magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE);
	header.identity_crc = chunk_identity_crc(&header);
	header.seal_crc = chunk_seal_crc(&header);
	return header;
}

/* They are the first chunks of the trace. */
static enum status write_tables(const struct merge *merge, int fd)
{
	static const uint8_t padding[CHUNK_ALIGNMENT];

	for (uint32_t i = 0; i < merge->sharing->tables.count; i++) {
		const struct interned *table = merge->sharing->tables.items[i];
		struct chunk_identity identity = {0, PROCESS_UNKNOWN, STREAM_TABLE, i};
		struct chunk_header header = shared_header(&identity, table->size,
		                                           crc32_of(table->bytes, table->size));
		if (!write_fully(fd, &header, sizeof header) || !write_fully(fd, table->bytes, table->size) ||
		    !write_fully(fd, padding, chunk_align(table->size) - table->size))
			return fail("cannot write '%s': %s", merge->output.path, strerror(errno));
	}
	return OK;
}

/* Writes the gathered bytes if there are many, or if they are the last. */
static enum status flush(const struct merge *merge, int fd, struct text *gathered, bool is_last,
                         uint32_t *crc)
{
	if (gathered->length < CHUNK_COPY_BUFFER && !is_last)
		return OK;
	if (!write_fully(fd, gathered->bytes, gathered->length))
		return fail("cannot write '%s': %s", merge->output.path, strerror(errno));
	*crc = crc32_more(*crc, gathered->bytes, gathered->length);
	text_clear(gathered);
	return OK;
}

/* Begins with the head, which is already gathered. Counts the written bytes. */
static enum status write_members(const struct merge *merge, const struct sharing_group *group, int fd,
                                 struct text *gathered, uint32_t *crc, uint64_t *length)
{
	for (size_t i = 0; i < group->members.count; i++) {
		group_write_member(merge->sharing, group, group->members.items[i], gathered);
		*length += gathered->length;
		TRY(flush(merge, fd, gathered, i + 1 == group->members.count, crc));
		*length -= gathered->length;
	}
	return OK;
}

static enum status write_group_at(const struct merge *merge, uint32_t number, int fd)
{
	const struct sharing_group *group = &merge->sharing->groups.items[number];
	struct merged_group *merged = &merge->groups[number];
	uint64_t expected = merged->head.length + group_bytes(group), length = 0;
	struct chunk_identity identity = {merge->reader->chunks[group->members.items[0]].identity.world,
	                                  PROCESS_UNKNOWN, STREAM_GROUP, number};
	struct chunk_header header;
	uint32_t crc = 0;

	TRY(write_members(merge, group, fd, &merged->head, &crc, &length));
	if (length != expected)
		return fail("the parts in '%s' have changed meanwhile", merge->reader->path);
	header = shared_header(&identity, length, crc);
	if (!pwrite_fully(fd, &header, sizeof header, (off_t)merged->offset))
		return fail("cannot write '%s': %s", merge->output.path, strerror(errno));
	return OK;
}

static void write_group(struct merge *merge, uint32_t number)
{
	struct merged_group *merged = &merge->groups[number];
	int fd;
	enum status status = open_output(merge, merged->offset + sizeof(struct chunk_header), &fd);

	if (status == OK)
		status = write_group_at(merge, number, fd);
	if (close_output(merge, fd, status) != OK)
		merged->problem = memory_copy_text(trail_text());
}

/* Groups first, because they take longest. */
static void write_piece(void *context, size_t number)
{
	struct merge *merge = context;
	size_t groups = merge->sharing->groups.count;

	if (number < groups)
		write_group(merge, (uint32_t)number);
	else
		write_process(merge, number - groups);
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

/* Groups are in the order of their first processes, so worlds keep their order. */
static void lay_out(struct merge *merge)
{
	struct recover_report *report = merge->report;
	const struct trace_sharing *sharing = merge->sharing;
	size_t group = 0;

	for (size_t i = 0; i < sharing->tables.count; i++)
		report->bytes += chunk_bytes(sharing->tables.items[i]->size);
	for (size_t i = 0; i < merge->reader->process_count; i++) {
		struct merged_process *merged = &merge->processes[i];
		for (; group < sharing->groups.count &&
		       sharing->chunks[sharing->groups.items[group].members.items[0]].process == i;
		     group++) {
			group_write_head(sharing, &sharing->groups.items[group], &merge->groups[group].head);
			merge->groups[group].offset = report->bytes;
			report->bytes += chunk_bytes(merge->groups[group].head.length +
			                             group_bytes(&sharing->groups.items[group]));
		}
		merged->offset = report->bytes;
		report->bytes += merged->bytes;
		report->chunks += merged->chunks;
		report->open_chunks += merged->open_chunks;
		report->events += merged->events;
	}
}

static const char *find_problem(const struct merge *merge)
{
	for (size_t i = 0; i < merge->sharing->groups.count; i++)
		if (merge->groups[i].problem)
			return merge->groups[i].problem;
	for (size_t i = 0; i < merge->reader->process_count; i++)
		if (merge->processes[i].problem)
			return merge->processes[i].problem;
	return NULL;
}

/* A chunk that shares a table can only be written anew, and only if all of it can be read. */
static enum status check_shaped(const struct merge *merge)
{
	for (size_t i = 0; i < merge->reader->chunk_count; i++)
		if (merge->reader->chunks[i].shape && merge->sharing->chunks[i].group == NO_GROUP)
			return fail("'%s' is damaged, and nothing can be added to it: choose another name",
			            merge->reader->chunks[i].part->path);
	return OK;
}

static enum status write_trace(struct merge *merge)
{
	size_t count = merge->reader->process_count, known = merge->reader->damage_count;
	unsigned jobs = merge->options->jobs;

	merge->sharing = sharing_new(merge->reader, jobs, count_step, merge);
	merge->groups = memory_new(merge->sharing->groups.count + 1, sizeof *merge->groups);
	TRY(check_shaped(merge));
	parallel_run(jobs, count, measure_process, merge);
	reader_sort_damage(merge->reader, known);
	lay_out(merge);
	TRY(write_tables(merge, fileno(merge->output.file)));
	parallel_run(jobs, count + merge->sharing->groups.count, write_piece, merge);
	if (find_problem(merge))
		return fail("%s", find_problem(merge));
	/* The last chunk may end before its capacity. */
	if (fseeko(merge->output.file, (off_t)merge->report->bytes, SEEK_SET) != 0 ||
	    ftruncate(fileno(merge->output.file), (off_t)merge->report->bytes) != 0)
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
	for (size_t i = 0; i < merge->sharing->groups.count; i++) {
		text_release(&merge->groups[i].head);
		free(merge->groups[i].problem);
	}
	free(merge->groups);
	sharing_free(merge->sharing);
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
	       text_begins(name, MERGING_PREFIX) || text_begins(name, IN_JOB_PREFIX) ||
	       text_begins(name, NOTES_FILE "-");
}

/* Parts of another user stay. The notes are in the trace. */
static void remove_parts(const struct reader *reader, const char *path, bool keep)
{
	struct own_folder folder;

	if (!own_folder_open(path, &folder))
		return;
	for (size_t i = 0; i < reader->part_count && !keep; i++)
		if (reader->parts[i].is_part)
			unlinkat(folder.fd, path_name(reader->parts[i].path), 0);
	own_folder_remove_files(&folder, is_aid);
	/* Fails if the folder has other files, which are kept. */
	own_folder_remove(&folder);
	own_folder_close(&folder);
}

static bool is_removed(const char *name)
{
	return is_aid(name) || text_ends(name, PART_SUFFIX);
}

void parts_discard(const char *folder)
{
	own_folder_discard(folder, is_removed);
}

static enum status merge_parts(struct reader *reader, const char *output,
                               const struct recover_options *options, struct recover_report *report)
{
	struct merge merge = {.reader = reader, .report = report, .options = options};
	enum status status;

	TRY(output_open(&merge.output, output));
	if (!merge.output.temporary) {
		output_discard(&merge.output);
		return fail("'%s' is not a file", output);
	}
	merge.processes = memory_new(reader->process_count, sizeof *merge.processes);
	status = write_trace(&merge);
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

enum status trace_merge_world(const char *folder, uint64_t world, const char *output,
                              const struct recover_options *options)
{
	struct recover_report report = {0};
	struct reader *reader;
	enum status status;

	TRY(reader_open_world(folder, world, &reader));
	reader->notes = NULL;
	status = merge_parts(reader, output, options, &report);
	if (status == OK && reader->damage_count)
		status = fail("%s", reader->damage[0].text);
	recover_report_release(&report);
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
