/* versionsort() */
#define _GNU_SOURCE

#include "trace/reader.h"

#include "base/crc32.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/user_files.h"
#include "trace/decoded.h"
#include "trace/process.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

/* A tmpfs makes a page where a hole is read, and ends the reader with SIGBUS if it is full. Pages that are reserved, but not written yet, look
 * like holes: a running job will still write them. */
static void cover_holes(int fd, uint8_t *bytes, const struct stat *file)
{
	enum { HOLES_MAX = 10000, BLOCK = 512 }; /* the kernel limits the number of mappings */
	const off_t page = sysconf(_SC_PAGESIZE), room = (file->st_size + page - 1) / page * page;
	struct statfs about;
	off_t hole = 0;

	if (file->st_blocks >= (file->st_size + BLOCK - 1) / BLOCK || fstatfs(fd, &about) != 0 ||
	    about.f_type != TMPFS_MAGIC)
		return;
	for (uint32_t i = 0; i < HOLES_MAX; i++) {
		off_t end;

		hole = lseek(fd, hole, SEEK_HOLE);
		if (hole < 0 || hole >= file->st_size)
			return;
		end = lseek(fd, hole, SEEK_DATA);
		if (end < 0 || end > room)
			end = room;
		hole += (page - hole % page) % page;
		if (hole < end && mmap(bytes + hole, (size_t)(end - hole), PROT_READ,
		                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			return;
		hole = end;
	}
}

static enum status map_file(int fd, const char *path, struct part *part)
{
	struct stat about;
	void *bytes;

	if (fstat(fd, &about) != 0)
		return fail("cannot read '%s': %s", path, strerror(errno));
	part->size = (size_t)about.st_size;
	if (!part->size)
		return OK;
	bytes = mmap(NULL, part->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return fail("cannot map '%s': %s", path, strerror(errno));
	cover_holes(fd, bytes, &about);
	part->bytes = bytes;
	return OK;
}

/* Keeps only some parts open, because a process may have about a thousand open files. */
static enum status open_part(struct reader *reader, const char *path, bool is_part)
{
	enum { KEPT_OPEN = 64 };
	struct part part = {.path = arena_text(&reader->arena, path),
	                    .is_part = is_part,
	                    .file = open_regular(AT_FDCWD, path, O_RDONLY)};
	enum status status;

	if (part.file < 0 && errno == EISDIR)
		return fail(
			"'%s' is a folder, not a trace; a trace is a file whose name ends with '" TRACE_SUFFIX
			"'",
			path);
	if (part.file < 0)
		return fail("cannot open '%s': %s%s", path, file_error(),
		            errno == FILE_NOT_REGULAR ? ": copy it into one first" : "");
	status = map_file(part.file, path, &part);
	if (status != OK || reader->part_count >= KEPT_OPEN) {
		close(part.file);
		part.file = -1;
	}
	TRY(status);
	arena_add(&reader->arena, reader->parts, reader->part_count, part);
	reader->bytes += part.size;
	return OK;
}

static int is_part(const struct dirent *entry)
{
	return text_ends(entry->d_name, PART_SUFFIX);
}

enum { NOTES_MAX = 1 << 20 }; /* bytes; the recorder writes far less */

static enum status open_entries(struct reader *reader, const char *folder, struct dirent **entries, int count)
{
	struct text path = {0};
	enum status status = OK;

	for (int i = 0; i < count && status == OK; i++) {
		text_clear(&path);
		text_add(&path, "%s/%s", folder, entries[i]->d_name);
		status = open_part(reader, text_get(&path), true);
	}
	text_release(&path);
	return status;
}

static enum status open_parts(struct reader *reader, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_part, versionsort);
	enum status status;
	int fd;

	if (count < 0)
		return fail("cannot open the folder '%s': %s", folder, strerror(errno));
	reader->is_parts = true;
	status = open_entries(reader, folder, entries, count);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	TRY(status);
	struct text path = {0}, notes = {0};
	text_add(&path, "%s/" NOTES_FILE, folder);
	fd = open_regular(AT_FDCWD, text_get(&path), O_RDONLY);
	if (fd >= 0)
		(void)text_add_rest(&notes, fd, NOTES_MAX); /* the beginning is enough */
	if (notes.length)
		reader->notes = arena_bytes_as_text(&reader->arena, notes.bytes, notes.length);
	if (fd >= 0)
		close(fd);
	text_release(&path);
	text_release(&notes);
	if (!count && reader->notes)
		return fail("the folder '%s' holds no part of a trace, only a note: %.*s", folder,
		            (int)strcspn(reader->notes, "\n"), reader->notes);
	if (!count)
		return fail("the folder '%s' holds no part of a trace: the recording ended before it began",
		            folder);
	return OK;
}

static enum status open_files(struct reader *reader, const char *path)
{
	struct text parts = {0};
	enum status status;

	text_add(&parts, "%s" PARTS_SUFFIX, path);
	if (path_is_folder(path) && text_ends(path, PARTS_SUFFIX))
		status = open_parts(reader, path);
	else if (access(path, F_OK) != 0 && path_is_folder(text_get(&parts)))
		status = open_parts(reader, text_get(&parts));
	else
		status = open_part(reader, path, false);
	text_release(&parts);
	return status;
}

static enum status explain_no_chunk(const struct reader *reader)
{
	static const char text_form[] = "tarry trace ";
	const struct part *part = &reader->parts[0];

	if (!reader->bytes)
		return fail("'%s' is empty: the recording was cut off before it began", reader->path);
	if (reader->is_parts && part->header)
		return fail("'%s' has no events: the recording was cut off before it began", reader->path);
	if (part->size >= sizeof text_form && memcmp(part->bytes, text_form, sizeof text_form - 1) == 0)
		return fail("'%s' is the text of a trace: convert it with 'tarry assemble'", reader->path);
	if (part->size >= CHUNK_MAGIC_SIZE && memcmp(part->bytes, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) == 0)
		return fail("'%s' holds no whole chunk: it was cut off or damaged, and nothing can be read",
		            reader->path);
	return fail("'%s' is not a trace", reader->path);
}

/* Chunks from before MPI_Init have no rank. The table of the part has it. Without a table, all chunks are of one process, and the rank is that
 * of a later chunk. A process that got no rank is identified by its part and its number there. */
static void identify_part(struct chunk *chunks, size_t count, const struct part *part)
{
	const uint64_t file = 1 + (uint64_t)crc32_of(part->path, strlen(part->path));
	struct chunk_identity known = {.process = PROCESS_UNKNOWN};

	for (size_t i = 0; i < count && !part->header; i++)
		if (chunks[i].identity.process != PROCESS_UNKNOWN)
			known = chunks[i].identity;
	for (size_t i = 0; i < count; i++) {
		struct chunk_identity *identity = &chunks[i].identity;
		if (part->header)
			part_resolve(part->header, &identity->world, &identity->process);
		if (identity->process != PROCESS_UNKNOWN)
			continue;
		identity->process = known.process;
		identity->world = known.process != PROCESS_UNKNOWN ? known.world
		                                                   : file + (identity->world << 32);
	}
}

/* Drops the chunks of other worlds. */
static void select_world(struct reader *reader, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < reader->chunk_count; i++)
		if (reader->chunks[i].identity.world == reader->world)
			reader->chunks[kept++] = reader->chunks[i];
	reader->chunk_count = kept;
}

static enum status scan_parts(struct reader *reader)
{
	for (size_t i = 0; i < reader->part_count; i++) {
		size_t before = reader->chunk_count;
		TRY(scan_part(reader, &reader->parts[i]));
		if (reader->parts[i].is_part && reader->chunk_count > before)
			identify_part(reader->chunks + before, reader->chunk_count - before,
			              &reader->parts[i]);
		if (reader->world)
			select_world(reader, before);
	}
	return reader->chunk_count ? OK : explain_no_chunk(reader);
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_world(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;
	int worlds = order(x->identity.world, y->identity.world);

	return worlds ? worlds : order(x->file_order, y->file_order);
}

/* file_order is now that of the world's first chunk. */
static int by_identity(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;
	int result = order(x->file_order, y->file_order);

	if (!result)
		result = order(x->identity.process, y->identity.process);
	if (!result) /* STREAM_PROCESS is first */
		result = order((uint32_t)(x->identity.stream + 1), (uint32_t)(y->identity.stream + 1));
	if (!result)
		result = order(x->identity.sequence, y->identity.sequence);
	return result ? result : order(x->offset, y->offset);
}

/* Traces are mostly written in this order. */
static void sort_chunks(struct reader *reader, int (*compare)(const void *a, const void *b))
{
	size_t i = 1;

	while (i < reader->chunk_count && compare(&reader->chunks[i - 1], &reader->chunks[i]) <= 0)
		i++;
	if (i < reader->chunk_count)
		qsort(reader->chunks, reader->chunk_count, sizeof *reader->chunks, compare);
}

static bool same_process(const struct chunk *a, const struct chunk *b)
{
	return a->identity.world == b->identity.world && a->identity.process == b->identity.process;
}

static bool same_stream(const struct chunk *a, const struct chunk *b)
{
	return same_process(a, b) && a->identity.stream == b->identity.stream;
}

/* An interrupted merge leaves chunks in the trace and in the part. In the trace they may share their tables. */
static bool is_copy(const struct chunk *a, const struct chunk *b)
{
	if (a->shape || b->shape)
		return a->identity.stream == STREAM_PROCESS ||
		       (a->base_tick == b->base_tick && (a->events == b->events || !a->sealed || !b->sealed));
	return a->length == b->length && a->base_tick == b->base_tick &&
	       memcmp(a->payload, b->payload, a->length) == 0;
}

static void drop_repeated_chunks(struct reader *reader)
{
	struct chunk *chunks = reader->chunks;
	size_t kept = 0;

	assert(chunks);
	for (size_t i = 0; i < reader->chunk_count; i++) {
		const struct chunk *before = kept ? &chunks[kept - 1] : NULL, *chunk = &chunks[i];
		if (!before || !same_stream(before, chunk) ||
		    before->identity.sequence != chunk->identity.sequence)
			chunks[kept++] = *chunk;
		else if (!is_copy(before, chunk))
			note_damage(reader, chunk->part, chunk->offset, chunk->length,
			            "%s: it has the same number as another chunk; %u bytes skipped",
			            name_chunk(reader, chunk), chunk->length);
	}
	reader->chunk_count = kept;
}

static size_t count_like(const struct chunk *first, const struct chunk *end,
                         bool (*same)(const struct chunk *a, const struct chunk *b))
{
	const struct chunk *chunk = first;

	while (chunk < end && same(first, chunk))
		chunk++;
	return (size_t)(chunk - first);
}

static void add_stream(struct process *process, struct chunk *chunks, size_t count)
{
	struct stream stream = {.process = process,
	                        .number = chunks->identity.stream,
	                        .chunks = chunks,
	                        .chunk_count = count};

	if (stream.number == STREAM_PROCESS) {
		process->chunks = chunks;
		process->chunk_count = count;
		return;
	}
	read_thread(&stream);
	arena_add(&process->arena, process->streams, process->stream_count, stream);
}

static void fill_process(struct reader *reader, struct process *process, struct chunk *chunks, size_t count,
                         struct similar_records *similar)
{
	struct chunk *end = chunks + count;
	uint64_t expected = 0;

	process->reader = reader;
	process->started.first_id = FIRST_STARTED_ID;
	process->world = chunks->identity.world;
	process->rank = chunks->identity.process;
	for (struct chunk *chunk = chunks; chunk < end;) {
		size_t length = count_like(chunk, end, same_stream);
		add_stream(process, chunk, length);
		chunk += length;
	}
	for (size_t i = 0; i < count; i++)
		if (chunks[i].identity.sequence >= expected)
			expected = (uint64_t)chunks[i].identity.sequence + 1;
	if (expected > count)
		note_damage(reader, NULL, 0, 0, "process %d of world %llx: %llu of %llu chunks are missing",
		            (int)process->rank, (unsigned long long)process->world,
		            (unsigned long long)(expected - count), (unsigned long long)expected);
	read_process(reader, process, similar);
}

/* With many streams, the pages around each position would fill the memory. */
static size_t choose_window(const struct reader *reader, size_t first, size_t end)
{
	enum { MANY = 64, LEAST = 256, MOST = 4096, OF_ALL = 16 << 20 };
	size_t streams = 0, window;

	for (size_t i = first; i < end; i++)
		streams += reader->processes[i].stream_count;
	if (streams <= MANY)
		return 0;
	window = OF_ALL / streams;
	return window < LEAST ? LEAST : window > MOST ? MOST : window;
}

static size_t count_processes(const struct reader *reader)
{
	size_t count = 0;

	for (size_t i = 0; i < reader->chunk_count; i++)
		count += !i || !same_process(&reader->chunks[i - 1], &reader->chunks[i]);
	return count;
}

static struct reader *reader_new(const char *path)
{
	struct reader *reader = memory_new(1, sizeof *reader);

	pthread_mutex_init(&reader->lock, NULL);
	reader->path = arena_text(&reader->arena, path);
	return reader;
}

/* Takes the reader, and closes it on failure. */
static enum status read_index(struct reader *reader, enum status opened, struct reader **result)
{
	struct similar_records *similar;
	struct chunk *end;

	if (opened != OK || scan_parts(reader) != OK) {
		reader_close(reader);
		return FAILED;
	}
	sort_chunks(reader, by_world);
	for (size_t i = 1; i < reader->chunk_count; i++)
		if (reader->chunks[i].identity.world == reader->chunks[i - 1].identity.world)
			reader->chunks[i].file_order = reader->chunks[i - 1].file_order;
	sort_chunks(reader, by_identity);
	drop_repeated_chunks(reader);
	/* Streams point to their process, so the array has its final size from the start. */
	reader->processes = arena_array(&reader->arena, struct process, count_processes(reader));
	similar = similar_records_new();
	end = reader->chunks + reader->chunk_count;
	for (struct chunk *chunk = reader->chunks; chunk < end;) {
		size_t count = count_like(chunk, end, same_process);
		fill_process(reader, &reader->processes[reader->process_count++], chunk, count, similar);
		chunk += count;
	}
	similar_records_free(similar);
	reader->window = choose_window(reader, 0, reader->process_count);
	*result = reader;
	return OK;
}

enum status reader_open_share(const char *path, struct byte_share share, struct reader **result)
{
	struct reader *reader = reader_new(path);

	reader->share = share;
	return read_index(reader, open_files(reader, path), result);
}

enum status reader_open(const char *path, struct reader **result)
{
	return reader_open_share(path, (struct byte_share){0}, result);
}

enum status reader_open_parts(const char *folder, const char *trace, struct reader **result)
{
	struct reader *reader = reader_new(folder);
	enum status status = trace ? open_part(reader, trace, false) : OK;

	if (status == OK)
		status = open_parts(reader, folder);
	return read_index(reader, status, result);
}

enum status reader_open_world(const char *folder, uint64_t world, struct reader **result)
{
	struct reader *reader = reader_new(folder);

	reader->world = world;
	return read_index(reader, open_parts(reader, folder), result);
}

static void read_process_through(void *context, size_t number)
{
	struct reader *reader = context;
	struct process *process = &reader->processes[number];
	ARRAY(uint64_t) counts = {0};
	struct event events[64];
	struct event_iter iter;
	uint32_t count;

	for (size_t i = 0; i < process->stream_count; i++) {
		reader_events(reader, &process->streams[i], &iter);
		while ((count = reader_next_many(&iter, events, sizeof events / sizeof *events)))
			for (uint32_t j = 0; j < count; j++)
				array_extend(&counts, (size_t)events[j].id + 1)->items[events[j].id] +=
					events[j].polls ? events[j].polls : 1;
	}
	free(process->call_counts);
	/* Not more than needed: a trace may have many processes. */
	process->call_counts = memory_grow(array_extend(&counts, process->calls.count)->items,
	                                   process->calls.count + 1u, sizeof *process->call_counts);
}

void reader_read_part(struct reader *reader, size_t first, size_t end)
{
	reader->window = choose_window(reader, first, end);
	reader->decoded_room = reader->keeps_decoded ? DECODED_MAX : 0;
	for (size_t i = first; i < end; i++)
		read_process_through(reader, i);
	reader->decoded_room = 0;
}

static int by_place(const void *left, const void *right)
{
	const struct damage *a = left, *b = right;
	int result = strcmp(a->path, b->path);

	if (!result)
		result = order(a->offset, b->offset);
	return result ? result : strcmp(a->text, b->text);
}

void reader_sort_damage(struct reader *reader, size_t known)
{
	if (reader->damage_count > known)
		qsort(reader->damage + known, reader->damage_count - known, sizeof *reader->damage, by_place);
}

void reader_read_through(struct reader *reader, unsigned jobs)
{
	size_t known = reader->damage_count;

	if (reader->is_read_through)
		return;
	reader->window = choose_window(reader, 0, reader->process_count);
	reader->decoded_room = reader->keeps_decoded ? DECODED_MAX : 0;
	parallel_run(jobs, reader->process_count, read_process_through, reader);
	reader->decoded_room = 0;
	reader_sort_damage(reader, known);
	reader->is_read_through = true;
}

void reader_close(struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		arena_release(&reader->processes[i].arena);
		map_release(&reader->processes[i].comm_numbers);
		call_table_release(&reader->processes[i].calls);
		free(reader->processes[i].call_counts);
		call_table_release(&reader->processes[i].started);
	}
	for (size_t i = 0; i < reader->part_count; i++) {
		if (reader->parts[i].bytes)
			munmap((void *)reader->parts[i].bytes, reader->parts[i].size);
		if (reader->parts[i].file >= 0)
			close(reader->parts[i].file);
	}
	for (size_t i = 0; i < reader->chunk_count; i++)
		decoded_free(reader->chunks[i].decoded);
	free(reader->chunks);
	map_index_release(&reader->site_index);
	array_release(&reader->sites);
	arena_release(&reader->arena);
	pthread_mutex_destroy(&reader->lock);
	free(reader);
}

struct process *find_process(const struct reader *reader, uint64_t world, uint32_t rank)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (reader->processes[i].world == world && reader->processes[i].rank == rank)
			return &reader->processes[i];
	return NULL;
}
