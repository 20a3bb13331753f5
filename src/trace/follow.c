#include "trace/follow.h"

#include "base/files.h"
#include "base/memory.h"
#include "trace/chunk.h"
#include "trace/process.h"

#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	HEADER_SIZE = sizeof(struct chunk_header),
	RECORD_MAX = 8192, /* of a description after a payload; longer ones are not shown */
	EVENTS_AT_ONCE = 64,
	ATTEMPTS = 4,
};

/* x86-64 processors see each other's stores in order. On others the kernel makes each processor pass a barrier, which takes some
 * milliseconds. */
void follow_barrier(void)
{
#if !defined(__x86_64__)
	static const struct timespec moment = {.tv_nsec = 1000000};

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) != 0)
		nanosleep(&moment, NULL); /* longer than any store takes */
#endif
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static const struct chunk_header *map_chunk(int fd, const struct waiting_chunk *chunk, struct part *part)
{
	struct stat about;
	void *bytes;

	/* A read after the end of the file would be a bus error. */
	if (fstat(fd, &about) != 0 || (uint64_t)about.st_size < chunk->offset + HEADER_SIZE + chunk->capacity)
		return NULL;
	bytes = mmap(NULL, HEADER_SIZE + chunk->capacity, PROT_READ, MAP_SHARED, fd, (off_t)chunk->offset);
	if (bytes == MAP_FAILED)
		return NULL;
	*part = (struct part){.path = "",
	                      .bytes = bytes,
	                      .size = HEADER_SIZE + (size_t)chunk->capacity,
	                      .is_part = true,
	                      .file = -1};
	return bytes;
}

static struct reader *new_reader(const struct chunk_header *header)
{
	struct reader *reader = memory_new(1, sizeof *reader);

	pthread_mutex_init(&reader->lock, NULL);
	reader->path = "";
	reader->is_parts = true;
	reader->processes = arena_new(&reader->arena, struct process);
	reader->process_count = 1;
	*reader->processes = (struct process){
		.reader = reader, .world = header->world, .rank = header->process};
	return reader;
}

static struct chunk chunk_at(const struct chunk_header *header, const struct part *part,
                             struct reader *reader)
{
	struct part *kept = arena_new(&reader->arena, struct part);

	*kept = *part;
	arena_add(&reader->arena, reader->parts, reader->part_count, *part);
	return (struct chunk){
		.part = kept,
		.identity = {header->world, header->process, header->stream, header->sequence},
		.base_tick = header->base_tick,
		.payload = part->bytes + HEADER_SIZE,
	};
}

/* The rank is in the header of the first chunk, or in the table, before it is in any record. */
static void identify(const struct followed_part *part, const struct followed_process *followed)
{
	struct process *process = followed->process;

	if (followed->first) {
		process->world = followed->first->world;
		process->rank = followed->first->process;
	}
	if (part->header)
		part_resolve(part->header, &process->world, &process->rank);
}

static struct followed_process *find_owner(const struct followed_part *part,
                                           const struct chunk_header *header)
{
	uint64_t world = header->world;
	uint32_t rank = header->process;

	if (part->header)
		part_resolve(part->header, &world, &rank);
	for (size_t i = 0; i < part->process_count; i++) {
		const struct process *process = part->processes[i]->process;
		if (process->rank == PROCESS_UNKNOWN)
			identify(part, part->processes[i]);
		if (process->rank == rank && process->world == world)
			return part->processes[i];
	}
	if (part->header)
		return NULL;
	/* The first process has no rank yet, or the chunk is from the time before it had one. */
	return part->process_count && (header->process == PROCESS_UNKNOWN ||
	                               part->processes[0]->process->rank == PROCESS_UNKNOWN)
	               ? part->processes[0]
	               : NULL;
}

static struct followed_process *get_owner(struct followed_part *part, const struct chunk_header *header)
{
	struct followed_process *found = find_owner(part, header);

	if (found)
		return found;
	found = arena_new(&part->arena, struct followed_process);
	found->reader = new_reader(header);
	found->process = found->reader->processes;
	found->number = (uint32_t)part->process_count;
	arena_add(&part->arena, part->processes, part->process_count, found);
	return found;
}

static bool add_process_chunk(struct followed_part *part, int fd, const struct waiting_chunk *waiting,
                              const struct chunk_header *noted)
{
	struct followed_process *process = get_owner(part, noted);
	struct part file;
	const struct chunk_header *header = map_chunk(fd, waiting, &file);

	if (!header)
		return false;
	arena_add(&process->process->arena, process->process->chunks, process->process->chunk_count,
	          chunk_at(header, &file, process->reader));
	if (!process->first)
		process->first = header;
	return true;
}

const struct part_entry *followed_process_entry(const struct followed_part *part,
                                                const struct followed_process *process)
{
	return part->header ? part_find(part->header, process->process->world, process->process->rank) : NULL;
}

static struct followed_stream *get_stream(struct followed_part *part, const struct chunk_header *header)
{
	const struct part_entry *owner = part->header
	                                         ? part_find(part->header, header->world, header->process)
	                                         : NULL;
	uint32_t number = header->stream, pid = owner ? owner->pid : 0;
	struct followed_stream *stream;

	for (size_t i = 0; i < part->stream_count; i++)
		if (part->streams[i]->number == number && part->streams[i]->pid == pid)
			return part->streams[i];
	stream = arena_new(&part->arena, struct followed_stream);
	stream->number = number;
	stream->pid = pid;
	arena_add(&part->arena, part->streams, part->stream_count, stream);
	return stream;
}

/* Copies the changing words of the header as of one moment. A record that is written meanwhile ends the
 * open call; then the copy is repeated. */
static void note_header(struct followed_stream *stream)
{
	const struct chunk_header *header = stream->header;
	struct chunk_header *noted = &stream->noted;
	uint64_t after;

	for (int i = 0; i < ATTEMPTS; i++) {
		noted->progress = __atomic_load_n(&header->progress, __ATOMIC_ACQUIRE);
		noted->open_start = __atomic_load_n(&header->open_start, __ATOMIC_ACQUIRE);
		noted->sealed = __atomic_load_n(&header->sealed, __ATOMIC_ACQUIRE);
		after = __atomic_load_n(&header->progress, __ATOMIC_ACQUIRE);
		if (after == noted->progress)
			return;
	}
	noted->events = OPEN_CALL_NONE; /* the thread makes many short calls */
}

/* During sealing, the seal is written before `sealed`. */
static bool is_in_call(const struct chunk_header *noted)
{
	struct chunk_header sealed = *noted;

	sealed.sealed = 1;
	return !noted->sealed && noted->events != OPEN_CALL_NONE &&
	       noted->seal_crc != chunk_seal_crc(&sealed);
}

/* False: no chunk begins here yet. */
static bool note_chunk(struct followed_part *part, int fd, uint64_t offset, uint64_t *end)
{
	struct chunk_header header;

	if (!chunk_read_header(fd, (off_t)offset, &header) || header.length > header.capacity)
		return false;
	struct waiting_chunk chunk = {offset, header.capacity, header.length};
	if (header.stream != STREAM_PROCESS)
		array_add(&get_stream(part, &header)->waiting, chunk);
	else if (!add_process_chunk(part, fd, &chunk, &header))
		return false;
	*end = offset + chunk_align(HEADER_SIZE + (uint64_t)header.capacity);
	return true;
}

/* Other processes may already write after a page that has no chunk yet. */
static void note_chunks(struct followed_part *part, int fd)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	uint64_t covered = 0;
	size_t kept = 0;

	for (size_t i = 0; i < part->gaps.count; i++) {
		uint64_t gap = part->gaps.items[i];
		if (gap >= covered && !note_chunk(part, fd, gap, &covered))
			part->gaps.items[kept++] = gap;
	}
	part->gaps.count = kept;
	if (part->end < covered)
		part->end = covered;
	while ((off_t)(part->end + HEADER_SIZE) <= size) {
		if (note_chunk(part, fd, part->end, &part->end))
			continue;
		if (!part->header)
			return;
		array_add(&part->gaps, part->end);
		part->end += PART_PAGE;
	}
}

void followed_part_note_header(struct followed_part *part, int fd)
{
	struct part_header *header = part->header ? part->header : memory_new(1, sizeof *header);
	bool is_header = pread_fully(fd, header, sizeof *header, 0) &&
	                 memcmp(header->magic, PART_MAGIC, PART_MAGIC_SIZE) == 0;

	if (!part->header && is_header) {
		part->header = header;
		part->end = PART_PAGE;
	} else if (!part->header) {
		free(header);
	}
}

/* Notes chunks first: a chunk is complete when the next one exists. */
void followed_part_note(struct followed_part *part, int fd)
{
	followed_part_note_header(part, fd);
	note_chunks(part, fd);
	for (size_t i = 0; i < part->process_count; i++) {
		for (size_t j = 0; j < part->processes[i]->process->chunk_count; j++) {
			struct chunk *chunk = &part->processes[i]->process->chunks[j];
			const struct chunk_header *header = (const struct chunk_header *)(chunk->payload -
			                                                                  HEADER_SIZE);
			uint32_t length = __atomic_load_n(&header->length, __ATOMIC_ACQUIRE);
			/* The program may have overwritten the header. */
			if (length <= chunk->part->size - HEADER_SIZE &&
			    !part->processes[i]->reader->damage_count)
				chunk->length = length;
		}
	}
	for (size_t i = 0; i < part->stream_count; i++)
		if (part->streams[i]->header)
			note_header(part->streams[i]);
}

static void leave_chunk(struct followed_stream *stream)
{
	if (!stream->reader)
		return;
	event_iter_release(&stream->iter);
	reader_close(stream->reader);
	stream->reader = NULL;
	stream->header = NULL;
}

/* Calls and paths belong to the chunk. Modules and properties belong to the process. */
static void renew_own(struct followed_stream *stream)
{
	const struct process *whole = stream->process->process;

	stream->own->rank = whole->rank;
	stream->own->world = whole->world;
	stream->own->modules = whole->modules;
	stream->own->module_count = whole->module_count;
	stream->own->properties = whole->properties;
	stream->own->property_count = whole->property_count;
}

static bool enter_chunk(struct followed_part *part, struct followed_stream *stream, int fd,
                        const struct waiting_chunk *waiting)
{
	struct part file;
	const struct chunk_header *header = map_chunk(fd, waiting, &file);
	struct stream *read;

	if (!header)
		return false;
	leave_chunk(stream);
	stream->reader = new_reader(header);
	stream->header = header;
	stream->own = stream->reader->processes;
	stream->process = get_owner(part, header);
	stream->reader->chunks = memory_new(1, sizeof *stream->reader->chunks);
	stream->reader->chunks[0] = chunk_at(header, &file, stream->reader);
	stream->noted = *header;
	stream->noted.capacity = waiting->capacity;
	note_header(stream);
	/* Newer records are read the next time. */
	if (stream->noted.events == (uint32_t)OPEN_CALL_UNDEFINED && stream->noted.length != waiting->length)
		stream->noted.events = OPEN_CALL_NONE;
	stream->noted.length = waiting->length;
	stream->is_unreadable = false;
	read = arena_new(&stream->reader->arena, struct stream);
	*read = (struct stream){.process = stream->own,
	                        .number = stream->number,
	                        .chunks = stream->reader->chunks,
	                        .chunk_count = 1};
	reader_events(stream->reader, read, &stream->iter);
	stream->iter.follows = true;
	return true;
}

static void read_events(struct followed_stream *stream, const struct follow_sink *sink, size_t most)
{
	struct chunk *chunk = stream->reader->chunks;
	struct event events[EVENTS_AT_ONCE];
	uint32_t from = stream->iter.chunk ? event_iter_place(&stream->iter) : 0, count = 1;

	if (stream->noted.length > stream->noted.capacity)
		stream->is_unreadable = true; /* the program has overwritten it */
	else if (stream->noted.length > chunk->length)
		chunk->length = stream->noted.length;
	while (count && !stream->is_unreadable) {
		count = reader_next_many(&stream->iter, events, EVENTS_AT_ONCE);
		for (uint32_t i = 0; i < count; i++)
			sink->event(sink->context, stream, &events[i]);
		stream->is_unreadable = chunk->noted > chunk->length;
		if (stream->iter.chunk && event_iter_place(&stream->iter) - from > most)
			break;
	}
	if (stream->iter.last != NO_CALL)
		stream->last_end = stream->iter.last_end;
	if (stream->iter.chunk) {
		stream->read_bytes += event_iter_place(&stream->iter) - from;
		stream->is_behind = event_iter_place(&stream->iter) < chunk->length;
	}
}

/* Reads the record after the payload, if the header is still the noted one. */
static const struct call *describe_undefined(struct followed_stream *stream)
{
	uint8_t record[RECORD_MAX];
	const struct chunk_header *header = stream->header;
	const uint8_t *payload = (const uint8_t *)(header + 1);
	size_t left = stream->noted.capacity - stream->noted.length,
	       size = left < RECORD_MAX ? left : RECORD_MAX;

	memcpy(record, payload + stream->noted.length, size);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (__atomic_load_n(&header->progress, __ATOMIC_ACQUIRE) != stream->noted.progress)
		return NULL; /* the call has ended */
	return reader_describe_call(&stream->iter, record, size);
}

static void find_open_call(struct followed_stream *stream)
{
	const struct chunk_header *noted = &stream->noted;
	const struct event_iter *iter = &stream->iter;

	stream->open = (struct open_call){0};
	if (!stream->reader || stream->waiting.count || stream->is_unreadable || !is_in_call(noted) ||
	    !iter->chunk)
		return;
	/* The writer stores this value before the call. After the barrier, it belongs to the call unless
	 * the call has ended. */
	const uint64_t start = __atomic_load_n(&stream->header->open_start, __ATOMIC_ACQUIRE);
	const uint64_t progress = __atomic_load_n(&stream->header->progress, __ATOMIC_ACQUIRE);
	stream->open.start = progress == stream->noted.progress ? start : stream->noted.open_start;
	if (noted->events != (uint32_t)OPEN_CALL_UNDEFINED) {
		if (noted->events - 1 < iter->call_count)
			stream->open.call = stream->own->calls.items[iter->calls[noted->events - 1].id];
	} else if (!stream->is_behind) {
		stream->open.call = describe_undefined(stream);
	}
}

static bool is_interrupted(const struct followed_stream *stream)
{
	const struct stream *read = stream->iter.stream;

	return read &&
	       (read->loss_count || (read->pause_count && !read->pauses[read->pause_count - 1].resumes));
}

static void read_stream(struct followed_part *part, struct followed_stream *stream, int fd,
                        const struct follow_sink *sink, size_t most)
{
	size_t taken = 0;
	uint64_t bytes = 0;

	if (stream->reader) {
		renew_own(stream);
		read_events(stream, sink, most);
	}
	/* Skips all chunks except the newest, if they are more than `most` bytes. */
	size_t count = stream->waiting.count;
	for (size_t i = 0; i < count; i++)
		bytes += stream->waiting.items[i].length;
	if (count >= 2 && bytes > most) {
		for (size_t i = 0; i + 1 < count; i++)
			stream->skipped_bytes += stream->waiting.items[i].length;
		stream->waiting.items[0] = stream->waiting.items[count - 1];
		stream->waiting.count = 1;
	}
	for (; taken < stream->waiting.count; taken++) {
		/* Counts the unread rest of the current chunk, because the thread has a newer one. */
		if (stream->reader && stream->iter.chunk)
			stream->skipped_bytes += stream->reader->chunks->length -
			                         event_iter_place(&stream->iter);
		if (!enter_chunk(part, stream, fd, &stream->waiting.items[taken]))
			break;
		renew_own(stream);
		sink->chunk(sink->context, stream);
		read_events(stream, sink, most);
	}
	for (size_t i = taken; i < stream->waiting.count; i++)
		stream->waiting.items[i - taken] = stream->waiting.items[i];
	stream->waiting.count -= taken;
	stream->is_interrupted = is_interrupted(stream);
	find_open_call(stream);
}

void followed_part_read(struct followed_part *part, int fd, const struct follow_sink *sink, size_t most)
{
	for (size_t i = 0; i < part->process_count; i++) {
		struct followed_process *followed = part->processes[i];
		identify(part, followed);
		if (!followed->reader->damage_count)
			read_process(followed->reader, followed->process, NULL);
	}
	for (size_t i = 0; i < part->stream_count; i++)
		read_stream(part, part->streams[i], fd, sink, most);
}

struct followed_part *followed_part_new(void)
{
	return memory_new(1, sizeof(struct followed_part));
}

void followed_part_free(struct followed_part *part)
{
	for (size_t i = 0; i < part->stream_count; i++) {
		leave_chunk(part->streams[i]);
		array_release(&part->streams[i]->waiting);
	}
	for (size_t i = 0; i < part->process_count; i++)
		reader_close(part->processes[i]->reader);
	array_release(&part->gaps);
	free(part->header);
	arena_release(&part->arena);
	free(part);
}
