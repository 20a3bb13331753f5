#include "trace/process.h"

#include "base/crc32.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/text.h"
#include "trace/chunk.h"
#include "trace/groups.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	RELEASE_SIZE = 1 << 20,
	TOUCHED_MAX = 32 << 20, /* of all parts */
	AROUND = 1 << 16,       /* a multiple of every page size */
	HEADER_SIZE = sizeof(struct chunk_header),
};

/* Reading a page makes the kernel read the pages around it, even released ones, so these are released
 * again. */
void part_release(const struct part *part, uint64_t from, uint64_t to)
{
	static const uint64_t least = 16384;

	if (to < from + least)
		return;
	from -= from % AROUND;
	to += (AROUND - to % AROUND) % AROUND;
	madvise((void *)(part->bytes + from), (to < part->size ? to : part->size) - from, MADV_DONTNEED);
}

void part_touch(const struct reader *reader, struct part *part, const uint8_t *place)
{
	size_t most = TOUCHED_MAX / reader->part_count, block = (size_t)(place - part->bytes) / AROUND + 1;

	if (__atomic_exchange_n(&part->last_touched, block, __ATOMIC_RELAXED) == block)
		return;
	if (__atomic_add_fetch(&part->touched, AROUND, __ATOMIC_RELAXED) <= most)
		return;
	__atomic_store_n(&part->touched, 0, __ATOMIC_RELAXED);
	madvise((void *)part->bytes, part->size, MADV_DONTNEED);
}

void note_damage(struct reader *reader, const struct part *part, uint64_t offset, uint64_t bytes,
                 const char *format, ...)
{
	struct damage damage = {.path = part ? part->path : reader->path, .offset = offset, .bytes = bytes};
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	pthread_mutex_lock(&reader->lock);
	damage.text = arena_text(&reader->arena, text);
	arena_add(&reader->arena, reader->damage, reader->damage_count, damage);
	pthread_mutex_unlock(&reader->lock);
}

static const char *place(struct reader *reader, const struct part *part, const char *what, uint64_t offset)
{
	struct text text = {0};
	const char *kept;

	if (reader->part_count > 1)
		text_add(&text, "'%s', ", path_name(part->path));
	text_add(&text, "%s %llu", what, (unsigned long long)offset);
	pthread_mutex_lock(&reader->lock);
	kept = arena_text(&reader->arena, text_get(&text));
	pthread_mutex_unlock(&reader->lock);
	text_release(&text);
	return kept;
}

const char *name_chunk(struct reader *reader, const struct chunk *chunk)
{
	return place(reader, chunk->part, "chunk at byte", chunk->offset);
}

/* The reason why no chunk begins here; NULL if one does. */
static const char *header_problem(const struct part *part, uint64_t offset, bool checks_sum,
                                  struct chunk_header *header)
{
	size_t left = part->size - offset;

	memset(header, 0, sizeof *header);
	memcpy(header, part->bytes + offset, left < HEADER_SIZE ? left : HEADER_SIZE);
	if (left < HEADER_SIZE && memcmp(header->magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) == 0)
		return "the file ends inside a chunk's header";
	return chunk_header_problem(header, checks_sum);
}

/* Preallocated files and chunks end with zeros. */
static uint64_t skip_zeros(const struct part *part, uint64_t offset)
{
	uint64_t word = 0;

	for (; offset + sizeof word <= part->size; offset += CHUNK_ALIGNMENT) {
		memcpy(&word, part->bytes + offset, sizeof word);
		if (word)
			return offset;
	}
	while (offset < part->size && !part->bytes[offset])
		offset++;
	return offset == part->size ? offset : offset & ~(uint64_t)(CHUNK_ALIGNMENT - 1);
}

static uint64_t find_next_chunk(const struct part *part, uint64_t offset)
{
	struct chunk_header header;

	for (; offset + HEADER_SIZE <= part->size; offset += CHUNK_ALIGNMENT)
		if (part->bytes[offset] == CHUNK_MAGIC[0] && !header_problem(part, offset, true, &header))
			return offset;
	return part->size;
}

/* A reader of a share leaves the checksums of other bytes to others. */
static bool is_in_share(const struct reader *reader, uint64_t position)
{
	const struct byte_share *share = &reader->share;

	return share->count < 2 || position / (reader->bytes / share->count + 1) == share->own;
}

/* Sets `sealed` if the payload is final and valid. Returns the reason why the chunk cannot be used, or NULL. */
static const char *payload_problem(struct chunk *chunk, const struct chunk_header *header, size_t there,
                                   bool checks_sums)
{
	bool seal_right = !checks_sums || header->seal_crc == chunk_seal_crc(header);

	if (header->length > header->capacity)
		return "its length is larger than its capacity";
	if (!header->sealed || header->length > there)
		return NULL;
	/* A process that was killed during sealing leaves a wrong seal but a valid payload. */
	if (checks_sums && header->payload_crc != crc32_of(chunk->payload, header->length))
		return seal_right ? "its payload has a wrong checksum" : "its seal has a wrong checksum";
	chunk->sealed = seal_right;
	chunk->events = header->events;
	return NULL;
}

/* Finds the open call of an open chunk. A process that was killed during sealing may have written the seal already. */
static void find_open_call(struct chunk *chunk, const struct chunk_header *header, size_t there)
{
	struct chunk_header sealed = *header;
	size_t most = header->capacity < there ? header->capacity : there;

	sealed.sealed = 1;
	if (header->sealed || header->length > there || header->seal_crc == chunk_seal_crc(&sealed))
		return;
	chunk->open_call = header->events;
	chunk->open_start = header->open_start;
	chunk->after_payload = (uint32_t)most - header->length;
}

void reader_add_chunk(struct reader *reader, const struct chunk *chunk)
{
	if (reader->chunk_count == reader->chunk_room) {
		reader->chunk_room += reader->chunk_room + 16;
		reader->chunks = memory_grow(reader->chunks, reader->chunk_room, sizeof *chunk);
	}
	reader->chunks[reader->chunk_count++] = *chunk;
}

static void take_chunk(struct reader *reader, struct shared_chunks *scan, struct part *part, uint64_t offset,
                       const struct chunk_header *header, bool checks_sums)
{
	size_t there = part->size - offset - HEADER_SIZE;
	struct chunk chunk = {
		.part = part,
		.offset = offset,
		.identity = {header->world, header->process, header->stream, header->sequence},
		.base_tick = header->base_tick,
		.version = header->version,
		.payload = part->bytes + offset + HEADER_SIZE,
		.length = header->length < there ? header->length : (uint32_t)there,
	};
	const char *problem = payload_problem(&chunk, header, there, checks_sums);

	if (problem) {
		size_t lost = header->capacity < there ? header->capacity : there;
		note_damage(reader, part, offset, lost, "%s: %s; %zu bytes skipped",
		            name_chunk(reader, &chunk), problem, lost);
		return;
	}
	if (chunk.length < header->length)
		note_damage(reader, part, offset, 0, "%s: the file ends inside it, after %u of %u bytes",
		            name_chunk(reader, &chunk), chunk.length, header->length);
	find_open_call(&chunk, header, there);
	reader->used_bytes += HEADER_SIZE + chunk.length;
	chunk.file_order = scan->bytes_before + offset;
	if (chunk.version < TRACE_VERSION ||
	    (chunk.identity.stream != STREAM_TABLE && chunk.identity.stream != STREAM_GROUP))
		reader_add_chunk(reader, &chunk);
	else if (!chunk.sealed)
		note_damage(reader, part, offset, chunk.length, "%s: it was not finished; %u bytes skipped",
		            name_chunk(reader, &chunk), chunk.length);
	else if (chunk.identity.stream == STREAM_TABLE)
		array_add(&scan->tables, chunk);
	else
		array_add(&scan->groups, chunk);
}

/* A later version may have another layout after the version itself. */
static enum status check_version(const struct part *part)
{
	const struct chunk_header *header = (const struct chunk_header *)part->bytes;

	if (part->size <= CHUNK_MAGIC_SIZE || memcmp(header->magic, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) != 0 ||
	    (header->version && header->version <= TRACE_VERSION))
		return OK;
	return fail(
		"'%s' is a trace of version %d, and this tarry reads versions up to %d: use the tarry that recorded it",
		part->path, header->version, TRACE_VERSION);
}

/* Skips the header of a part. A part that begins with a chunk has none. */
static uint64_t take_part_header(struct reader *reader, struct part *part)
{
	const char *problem;

	if (!part->is_part || part->size < PART_PAGE ||
	    memcmp(part->bytes, CHUNK_MAGIC, CHUNK_MAGIC_SIZE) == 0)
		return 0;
	part->header = (const struct part_header *)part->bytes;
	if (memcmp(part->bytes, PART_MAGIC, PART_MAGIC_SIZE) != 0)
		return 0; /* empty or damaged: chunks may be anywhere */
	problem = part_header_problem(part->header);
	if (problem)
		note_damage(
			reader, part, 0, 0,
			"%s: %s; its chunks are read, but processes may lack their calls before the end of MPI_Init",
			place(reader, part, "byte", 0), problem);
	return PART_PAGE;
}

enum status scan_part(struct reader *reader, struct part *part)
{
	uint64_t offset = 0, kept = 0;
	struct shared_chunks shared = {0};
	struct chunk_header header;

	TRY(check_version(part));
	offset = take_part_header(reader, part);
	for (const struct part *before = reader->parts; before < part; before++)
		shared.bytes_before += before->size;
	while ((offset = skip_zeros(part, offset)) < part->size) {
		bool checks_sums = is_in_share(reader, shared.bytes_before + offset);
		const char *problem = header_problem(part, offset, checks_sums, &header);
		if (problem) {
			uint64_t next = find_next_chunk(part, offset + CHUNK_ALIGNMENT);
			uint64_t bytes = next - offset;
			note_damage(reader, part, offset, bytes, "%s: %s; %llu bytes skipped",
			            place(reader, part, "byte", offset), problem, (unsigned long long)bytes);
			offset = next;
			continue;
		}
		take_chunk(reader, &shared, part, offset, &header, checks_sums);
		offset = chunk_align(offset + HEADER_SIZE + header.capacity);
		if (offset - kept >= RELEASE_SIZE && offset < part->size) {
			part_release(part, kept, offset);
			kept = offset;
		}
	}
	take_groups(reader, &shared);
	array_release(&shared.tables);
	array_release(&shared.groups);
	return OK;
}
