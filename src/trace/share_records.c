#include "trace/groups.h"
#include "trace/process.h"
#include "trace/share.h"

#include <stdlib.h>

/* A record with this content in the chunks with one number of a world's processes. */
struct common_record {
	size_t processes;
	size_t last; /* round in which it was met */
	bool is_common;
};

struct common_records {
	struct arena arena;
	struct interner contents; /* world, number of the chunk, and record */
	ARRAY(struct common_record) items;
	size_t round; /* one for each chunk that is looked at, from 1 */
};

struct raw_record {
	uint8_t kind;
	const uint8_t *body;
	size_t size;
	bool is_relative; /* in a table: to the rank of the process */
	uint64_t base;    /* of a module; set by content_of() */
};

/* The chunk is not damaged. */
static bool next_raw(struct record_walk *walk, struct raw_record *record)
{
	const char *problem;
	struct cursor body;

	if (!walk_next(walk, &record->kind, &body, &problem))
		return false;
	record->body = body.at;
	record->size = cursor_left(&body);
	record->is_relative = walk->is_shared;
	record->base = 0;
	return true;
}

/* Appends the body with another rank. */
static void add_moved(struct text *out, const struct raw_record *record, uint64_t ranks)
{
	struct cursor body = {record->body, record->body + record->size, false};
	size_t before = record->kind == RECORD_WORLD ? sizeof(uint64_t) : 2 * sizeof(uint64_t);

	text_add_bytes(out, (const char *)take_bytes(&body, before), before);
	if (record->kind == RECORD_COMM)
		text_add_varint(out, take_varint(&body));
	text_add_varint(out, take_varint(&body) + ranks);
	text_add_bytes(out, (const char *)body.at, cursor_left(&body));
}

static bool has_rank(uint8_t kind)
{
	return kind == RECORD_WORLD || kind == RECORD_COMM;
}

/* The record without the rank of its process and without its place in memory. */
static void content_of(const struct process *process, struct raw_record *record, struct text *out)
{
	struct cursor body = {record->body, record->body + record->size, false};

	if (has_rank(record->kind)) {
		add_moved(out, record, record->is_relative ? 0 : -(uint64_t)process->rank);
	} else if (record->kind == RECORD_MODULE) {
		text_add_varint(out, take_varint(&body));
		record->base = take_varint(&body);
		text_add_varint(out, 0);
		text_add_bytes(out, (const char *)body.at, cursor_left(&body));
	} else {
		text_add_bytes(out, (const char *)record->body, record->size);
	}
}

/* The key of a record: its chunk, its kind and its content. */
static void key_of(const struct process *process, const struct chunk *chunk, struct raw_record *record,
                   struct text *key)
{
	text_clear(key);
	text_add_bytes(key, (const char *)&process->world, sizeof process->world);
	text_add_bytes(key, (const char *)&chunk->identity.sequence, sizeof chunk->identity.sequence);
	text_add_bytes(key, (const char *)&record->kind, 1);
	content_of(process, record, key);
}

enum { KEY_HEAD = sizeof(uint64_t) + sizeof(uint32_t) + 1 };

/* The process's own chunk with this number in its sequence; NULL: none that can be shared. */
static struct chunk *find_chunk(const struct process *process, uint32_t sequence)
{
	for (size_t i = 0; i < process->chunk_count && process->rank != PROCESS_UNKNOWN; i++)
		if (process->chunks[i].identity.sequence == sequence)
			return process->chunks[i].sealed ? &process->chunks[i] : NULL;
	return NULL;
}

static void count_records(struct common_records *records, const struct process *process,
                          const struct chunk *chunk)
{
	struct record_walk walk = walk_records(chunk);
	struct raw_record record;
	struct text key = {0};

	while (next_raw(&walk, &record)) {
		uint32_t found;
		key_of(process, chunk, &record, &key);
		found = intern(&records->contents, key.bytes, key.length)->number;
		array_extend(&records->items, found + 1u);
		if (records->items.items[found].last != records->round) {
			records->items.items[found].last = records->round;
			records->items.items[found].processes++;
		}
	}
	records->round++;
	text_release(&key);
}

/* Returns the number of common records that the chunk has. Writes the table, unless it is NULL. */
static size_t count_common(struct common_records *records, const struct process *process,
                           const struct chunk *chunk, struct text *table)
{
	struct record_walk walk = walk_records(chunk);
	struct raw_record record;
	struct text key = {0};
	size_t count = 0;

	while (next_raw(&walk, &record)) {
		struct common_record *common;
		bool is_shared;
		key_of(process, chunk, &record, &key);
		common = &records->items.items[intern(&records->contents, key.bytes, key.length)->number];
		is_shared = common->is_common && common->last != records->round;
		common->last = records->round;
		count += is_shared;
		if (table && is_shared)
			text_add_long(table, record.kind, key.bytes + KEY_HEAD, key.length - KEY_HEAD);
		if (table && (!is_shared || record.base))
			text_add_long(table, RECORD_OWN, NULL, 0);
	}
	records->round++;
	text_release(&key);
	return count;
}

/* Records of most processes are common. `from` is the first one of these chunks. */
static size_t choose_common(struct common_records *records, size_t from, size_t sharers)
{
	size_t count = 0;

	for (size_t i = from; i < records->items.count; i++)
		if (sharers > 1 && 4 * records->items.items[i].processes >= 3 * sharers) {
			records->items.items[i].is_common = true;
			count++;
		}
	return count;
}

/* A process without one of the common records, mostly the first, shares an empty table. */
static void share_chunks(struct common_records *records, struct trace_sharing *sharing, size_t start,
                         size_t count, uint32_t sequence)
{
	const struct reader *reader = sharing->reader;
	const struct interned *shared = NULL, *empty = sharing_table(sharing, &(struct text){0});
	size_t sharers = 0, from = records->items.count, common;
	struct chunk *chunk;
	struct text table = {0};

	for (size_t i = start; i < start + count; i++) {
		if ((chunk = find_chunk(&reader->processes[i], sequence))) {
			count_records(records, &reader->processes[i], chunk);
			sharers++;
		}
	}
	common = choose_common(records, from, sharers);
	for (size_t i = start; i < start + count; i++) {
		const struct process *process = &reader->processes[i];
		if (!(chunk = find_chunk(process, sequence)))
			continue;
		sharing->chunks[chunk - reader->chunks].table = empty;
		if (!common || count_common(records, process, chunk, NULL) < common)
			continue;
		if (!shared) {
			count_common(records, process, chunk, &table);
			shared = sharing_table(sharing, &table);
		}
		sharing->chunks[chunk - reader->chunks].table = shared;
	}
	text_release(&table);
}

/* Looks at processes from this one on. Returns the number of those in the same world. */
static size_t share_world(struct common_records *records, struct trace_sharing *sharing, size_t start)
{
	const struct process *processes = sharing->reader->processes + start;
	size_t count = 0;

	while (start + count < sharing->reader->process_count && processes[count].world == processes->world)
		count++;
	/* Processes of a regular job have the same chunks. */
	for (size_t i = 0; i < processes->chunk_count; i++)
		share_chunks(records, sharing, start, count, processes->chunks[i].identity.sequence);
	return count;
}

void common_records_rest(const struct common_records *records, const struct process *process,
                         const struct chunk *chunk, bool shares, struct text *out)
{
	struct record_walk walk = walk_records(chunk);
	struct raw_record record;
	struct text key = {0}, body = {0};
	bool *is_left_out = memory_new(records->items.count + 1, sizeof *is_left_out);

	while (next_raw(&walk, &record)) {
		const struct interned *found;
		key_of(process, chunk, &record, &key);
		found = intern_find(&records->contents, key.bytes, key.length);
		text_clear(&body);
		if (shares && found && records->items.items[found->number].is_common &&
		    !is_left_out[found->number]) {
			is_left_out[found->number] = true;
			if (!record.base)
				continue;
			struct cursor module = {record.body, record.body + record.size, false};
			text_add_varint(&body, take_varint(&module));
			text_add_varint(&body, record.base);
			text_add_long(out, RECORD_BASE, body.bytes, body.length);
		} else if (record.is_relative && has_rank(record.kind)) {
			add_moved(&body, &record, process->rank);
			text_add_long(out, record.kind, body.bytes, body.length);
		} else {
			text_add_long(out, record.kind, record.body, record.size);
		}
	}
	free(is_left_out);
	text_release(&key);
	text_release(&body);
}

struct common_records *common_records_new(struct trace_sharing *sharing)
{
	struct common_records *records = memory_new(1, sizeof *records);

	records->contents.arena = &records->arena;
	records->round = 1;
	for (size_t i = 0; i < sharing->reader->process_count;)
		i += share_world(records, sharing, i);
	return records;
}

void common_records_free(struct common_records *records)
{
	array_release(&records->items);
	arena_release(&records->arena);
	free(records);
}
