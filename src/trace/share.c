#include "trace/share.h"

#include "base/crc32.h"
#include "base/map.h"
#include "base/parallel.h"
#include "trace/groups.h"
#include "trace/process.h"
#include "trace/text.h"
#include "trace/trace_writer.h"

#include <stdlib.h>

enum {
	CALLS_MAX = 1024,       /* of a table: each chunk that uses it has to read it */
	GROUP_BYTES = 32 << 20, /* a damaged byte costs the whole group */
	FIELDS_MAX = 64,        /* bits of a word */
};

const struct interned *sharing_table(struct trace_sharing *sharing, const struct text *bytes)
{
	const struct interned *table;

	pthread_mutex_lock(&sharing->reader->lock);
	table = intern(&sharing->known_tables, text_get(bytes), bytes->length);
	pthread_mutex_unlock(&sharing->reader->lock);
	return table;
}

/* Partners. A rank is stored relative to that of the process, if there are fewer relative values than absolute ones in the same place
 * of the program. */

static bool is_partner(const struct call *call, uint32_t field)
{
	return field < FIELDS_MAX && call->outline->fields[field].is_own &&
	       field_form(field_key_at(call, field)) == FORM_rank && field_value_at(call, field) >= 0;
}

/* By outline and field: absolute values minus relative ones. */
struct partner_count {
	struct map seen;
	int32_t (*more)[FIELDS_MAX];
};

static void count_partners(struct partner_count *count, const struct process *process,
                           const struct call *call)
{
	enum { ABSOLUTE, RELATIVE };
	const uint32_t outline = call->outline->number;

	for (uint32_t i = 0; i < field_count(call); i++) {
		uint64_t value, place = ((uint64_t)outline * FIELDS_MAX + i) * 2;
		uint32_t *known;
		if (!is_partner(call, i))
			continue;
		value = (uint64_t)field_value_at(call, i);
		known = map_put(&count->seen, map_key(place + ABSOLUTE, value));
		count->more[outline][i] += *known == MAP_NONE;
		*known = 0;
		known = map_put(&count->seen, map_key(place + RELATIVE, value - process->rank));
		count->more[outline][i] -= *known == MAP_NONE;
		*known = 0;
	}
}

static void choose_relative(struct trace_sharing *sharing)
{
	const struct reader *reader = sharing->reader;
	struct partner_count count = {.more = memory_new(reader->outlines.count + 1, sizeof *count.more)};

	sharing->relative = arena_array(&sharing->arena, uint64_t, reader->outlines.count + 1);
	for (size_t i = 0; i < reader->process_count; i++)
		for (uint32_t j = 0; j < reader->processes[i].calls.count; j++)
			count_partners(&count, &reader->processes[i], reader->processes[i].calls.items[j]);
	for (size_t i = 0; i < reader->outlines.count; i++)
		for (uint32_t j = 0; j < FIELDS_MAX; j++)
			if (count.more[i][j] > 0)
				sharing->relative[i] |= UINT64_C(1) << j;
	map_release(&count.seen);
	free(count.more);
}

/* Chunks of threads */

/* A chunk without its table and the order of its calls. */
struct own_writer {
	struct encoder encoder;
	uint8_t *memory;
	size_t bytes;
	uint32_t *numbers; /* by id of the call: 1 + number in the table */
	uint32_t ids[CALLS_MAX], successors[CALLS_MAX];
	uint32_t last_ordered; /* an event */
	struct text order;
};

static void own_writer_begin(struct own_writer *own, const struct process *process, const struct chunk *chunk)
{
	enum { LEAST = 4096 };

	*own = (struct own_writer){.bytes = chunk_align(2 * (size_t)chunk->length + LEAST)};
	own->memory = memory_new(1, own->bytes);
	own->numbers = memory_new(process->calls.count + 1u, sizeof *own->numbers);
	own->encoder.successor = own->successors;
	own->encoder.call_limit = CALLS_MAX;
	encoder_open(&own->encoder, own->memory, own->bytes, &chunk->identity, chunk->base_tick);
}

static void own_writer_release(struct own_writer *own)
{
	free(own->memory);
	free(own->numbers);
	text_release(&own->order);
}

/* NO_CALL: there are too many. */
static uint32_t number_of(struct own_writer *own, const struct call *call)
{
	struct encoder *e = &own->encoder;
	uint32_t *number = &own->numbers[call->id];

	if (!*number) {
		if (!encoder_has_call(e))
			return NO_CALL;
		own->ids[e->calls] = call->id;
		e->successor[e->calls] = NO_CALL;
		*number = ++e->calls;
	}
	return *number - 1;
}

static bool write_event(struct own_writer *own, const struct event *event)
{
	struct encoder *e = &own->encoder;
	uint32_t call = number_of(own, event->call);

	if (call == NO_CALL)
		return false;
	if (e->last == NO_CALL || e->successor[e->last] != call) {
		text_add_varint(&own->order, e->events - own->last_ordered);
		text_add_varint(&own->order, call);
		own->last_ordered = e->events;
		if (e->last != NO_CALL)
			e->successor[e->last] = call;
	}
	if (event->polls)
		encode_polls(e, event->polls, event->busy);
	if (event->delay_before | event->delay_inside)
		encode_delay(e, event->delay_before, event->delay_inside);
	if (event->blocked_before)
		encode_blocked(e, event->blocked_before);
	encode_predicted(e, call, event->start, event->end);
	return true;
}

static bool write_item(struct own_writer *own, const struct item *item)
{
	struct encoder *e = &own->encoder;
	const struct call *call = item->kind == RECORD_SKIPPED  ? item->skipped.call
	                          : item->kind == RECORD_SUMMED ? item->summed.call
	                          : item->kind == RECORD_OPEN   ? item->open.call
	                                                        : NULL;
	uint32_t number = call ? number_of(own, call) : 0;

	if (!encoder_has_room(e, item->size + SUMMED_ROOM + DELAY_ROOM + DELAY_ROOM + EVENT_ROOM) ||
	    number == NO_CALL)
		return false;
	switch (item->kind) {
	case ITEM_EVENT:
		return write_event(own, &item->event);
	case RECORD_SKIPPED:
		encode_skipped(e, item->skipped.tick, item->skipped.count, number);
		return true;
	case RECORD_SUMMED:
		encode_summed(e, number, &item->summed.sums);
		return true;
	case RECORD_OPEN:
		encode_open_record(e, number, item->open.start);
		return true;
	default:
		encode_long(e, item->kind, item->body, item->size);
		return true;
	}
}

/* False: the chunk is too irregular. */
static bool write_own(const struct trace_sharing *sharing, const struct stream *stream, struct chunk *chunk,
                      struct own_writer *own)
{
	struct stream only = *stream;
	struct event_iter iter;
	struct item item = {0};

	only.chunks = chunk;
	only.chunk_count = 1;
	own_writer_begin(own, stream->process, chunk);
	reader_events(sharing->reader, &only, &iter);
	for (; reader_next_item(&iter, &item); item.size = 0) {
		if (!write_item(own, &item)) {
			event_iter_release(&iter);
			return false;
		}
	}
	return own->encoder.events == chunk->events;
}

/* A chunk that was written before. */
static void write_chunk(const struct trace_sharing *sharing, uint32_t index, struct own_writer *own)
{
	struct chunk *chunk = &sharing->reader->chunks[index];
	const struct process *process = &sharing->reader->processes[sharing->chunks[index].process];

	write_own(sharing, find_stream(process, chunk->identity.stream), chunk, own);
}

/* The fields of a call, in the arena. */
static struct draft_event draft_call(const struct trace_sharing *sharing, const struct process *process,
                                     const struct call *call, struct arena *arena)
{
	const struct outline *outline = call->outline;
	struct draft_field *fields = arena_array(arena, struct draft_field, outline->field_count + 1);

	for (uint32_t i = 0; i < outline->field_count; i++) {
		struct field field = field_at(call, i);
		fields[i] = (struct draft_field){.key = field.key, .value = field.value};
		if (field_form(field.key) == FORM_name) {
			fields[i].text = field_text(field);
		} else if (field_form(field.key) == FORM_path) {
			const struct path *path = process->paths[field.value];
			struct draft_site *sites = arena_array(arena, struct draft_site, path->depth);
			fields[i].sites = sites;
			for (; path; path = path->caller)
				sites[fields[i].site_count++] = (struct draft_site){path->module,
				                                                    path->offset};
		} else if (is_partner(call, i) && sharing->relative[outline->number] >> i & 1) {
			fields[i].key += FIELD_RELATIVE;
			fields[i].value -= process->rank;
		}
	}
	return (struct draft_event){.name = outline->name,
	                            .has_site = outline->has_site,
	                            .module = outline->module,
	                            .offset = outline->offset,
	                            .fields = fields,
	                            .field_count = outline->field_count};
}

/* An unknown field may have the key of a relative rank. */
static bool is_ambiguous(const struct call *call)
{
	for (uint32_t i = 0; i < field_count(call); i++)
		if (field_key_at(call, i) > FIELD_RELATIVE)
			return true;
	return false;
}

/* NULL: these calls cannot be in a table. */
static const struct interned *write_definitions(struct trace_sharing *sharing, const struct process *process,
                                                const struct own_writer *own)
{
	struct arena arena = {0};
	struct draft_event *calls = arena_array(&arena, struct draft_event, own->encoder.calls + 1);
	const struct interned *table = NULL;
	struct text bytes = {0};
	bool are_clear = true;

	for (uint32_t i = 0; i < own->encoder.calls; i++) {
		const struct call *call = process->calls.items[own->ids[i]];
		calls[i] = draft_call(sharing, process, call, &arena);
		are_clear &= !is_ambiguous(call);
	}
	definitions_write(calls, own->encoder.calls, &bytes);
	if (are_clear)
		table = sharing_table(sharing, &bytes);
	text_release(&bytes);
	arena_release(&arena);
	return table;
}

static size_t varint_size(uint64_t number)
{
	uint8_t bytes[VARINT_MAX];

	return (size_t)(put_varint(bytes, number) - bytes);
}

static void compare_stream(struct trace_sharing *sharing, const struct stream *stream)
{
	struct own_writer *own = memory_new(1, sizeof *own);

	for (struct chunk *chunk = stream->chunks; chunk < stream->chunks + stream->chunk_count; chunk++) {
		struct shared_chunk *shared = &sharing->chunks[chunk - sharing->reader->chunks];
		if (!chunk->sealed || chunk->version == 1)
			continue;
		if (write_own(sharing, stream, chunk, own)) {
			shared->table = write_definitions(sharing, stream->process, own);
			shared->order = (struct order_key){
				hash_bytes(text_get(&own->order), own->order.length), own->order.length,
				crc32_of(text_get(&own->order), own->order.length)};
			shared->length = own->encoder.chunk->length;
		}
		own_writer_release(own);
	}
	free(own);
}

/* The records of a process that its table does not have. */
static void write_rest(const struct trace_sharing *sharing, uint32_t index, struct text *out)
{
	const struct shared_chunk *shared = &sharing->chunks[index];

	common_records_rest(sharing->records, &sharing->reader->processes[shared->process],
	                    &sharing->reader->chunks[index], shared->table->size > 0, out);
}

static void compare_process(void *context, size_t number)
{
	struct trace_sharing *sharing = context;
	const struct process *process = &sharing->reader->processes[number];

	for (size_t i = 0; i < process->stream_count && process->rank != PROCESS_UNKNOWN; i++)
		compare_stream(sharing, &process->streams[i]);
	for (size_t i = 0; i < process->chunk_count; i++) {
		uint32_t chunk = (uint32_t)(process->chunks + i - sharing->reader->chunks);
		struct text rest = {0};
		if (!sharing->chunks[chunk].table)
			continue;
		write_rest(sharing, chunk, &rest);
		sharing->chunks[chunk].length = (uint32_t)rest.length;
		text_release(&rest);
	}
	sharing->count_process(sharing->context);
}

/* Groups */

static bool belongs_to(const struct trace_sharing *sharing, const struct sharing_group *group, uint32_t index)
{
	const uint32_t first = group->members.items[0];
	const struct shared_chunk *a = &sharing->chunks[first], *b = &sharing->chunks[index];
	const struct chunk *x = &sharing->reader->chunks[first], *y = &sharing->reader->chunks[index];

	return a->table == b->table && a->order.hash == b->order.hash && a->order.length == b->order.length &&
	       a->order.crc == b->order.crc && x->identity.world == y->identity.world &&
	       x->identity.stream == y->identity.stream && x->identity.sequence == y->identity.sequence &&
	       (x->identity.stream == STREAM_PROCESS || x->events == y->events) &&
	       group->bytes + b->length <= GROUP_BYTES && group->members.count < GROUP_MAX;
}

static uint64_t group_hash(const struct trace_sharing *sharing, uint32_t index)
{
	const struct shared_chunk *shared = &sharing->chunks[index];
	const struct chunk *chunk = &sharing->reader->chunks[index];

	return hash_word(
		hash_word(hash_word(shared->order.hash, shared->table->number), chunk->identity.sequence),
		chunk->identity.stream);
}

static void add_member(const struct trace_sharing *sharing, struct sharing_group *group, uint32_t index)
{
	const struct chunk *chunk = &sharing->reader->chunks[index];
	uint32_t length = sharing->chunks[index].length;

	group->has_equal_lengths = !group->members.count ||
	                           (group->has_equal_lengths &&
	                            sharing->chunks[group->members.items[0]].length == length);
	array_add(&group->members, index);
	group->bytes += length;
	if (chunk->identity.stream != STREAM_PROCESS)
		group->bytes += varint_size(chunk->base_tick);
	group->length_bytes += varint_size(length);
}

uint64_t group_bytes(const struct sharing_group *group)
{
	return group->bytes + (group->has_equal_lengths ? 0 : group->length_bytes);
}

static uint32_t table_number(struct trace_sharing *sharing, const struct interned *table, struct map *numbers)
{
	uint32_t *number = map_put(numbers, map_key(table->number, 0));

	if (*number == MAP_NONE) {
		*number = (uint32_t)sharing->tables.count;
		array_add(&sharing->tables, table);
	}
	return *number;
}

/* The order of calls of a group's first chunk. */
static const struct interned *order_of(struct trace_sharing *sharing, uint32_t index)
{
	struct own_writer *own = memory_new(1, sizeof *own);
	const struct interned *order;

	write_chunk(sharing, index, own);
	order = sharing_table(sharing, &own->order);
	own_writer_release(own);
	free(own);
	return order;
}

static void new_group(struct trace_sharing *sharing, uint32_t first, struct map *numbers)
{
	struct sharing_group *group = array_new_item(&sharing->groups);

	group->table = table_number(sharing, sharing->chunks[first].table, numbers);
	if (sharing->reader->chunks[first].identity.stream != STREAM_PROCESS)
		group->order = 1 + table_number(sharing, order_of(sharing, first), numbers);
}

/* Chunks are sorted by world and rank, so the members of a group are sorted, too. */
static void make_groups(struct trace_sharing *sharing, const uint32_t *uses)
{
	struct map_index index = {0};
	struct map numbers = {0};

	for (uint32_t i = 0; i < sharing->reader->chunk_count; i++) {
		struct shared_chunk *shared = &sharing->chunks[i];
		uint64_t hash;
		/* A chunk that has shared a table is always written anew. */
		if (!shared->table || (uses[shared->table->number] < 2 && !sharing->reader->chunks[i].shape))
			continue;
		hash = group_hash(sharing, i);
		shared->group = map_index_find(&index, hash, g,
		                               belongs_to(sharing, &sharing->groups.items[g], i));
		if (shared->group == MAP_NONE) {
			shared->group = (uint32_t)sharing->groups.count;
			map_index_add(&index, hash, shared->group);
			new_group(sharing, i, &numbers);
		}
		add_member(sharing, &sharing->groups.items[shared->group], i);
	}
	map_index_release(&index);
	map_release(&numbers);
}

static void group_chunks(struct trace_sharing *sharing)
{
	uint32_t *uses = memory_new(sharing->known_tables.count + 1, sizeof *uses);

	for (size_t i = 0; i < sharing->reader->chunk_count; i++)
		if (sharing->chunks[i].table)
			uses[sharing->chunks[i].table->number]++;
	make_groups(sharing, uses);
	free(uses);
}

static void write_stream(const struct trace_sharing *sharing, uint32_t index, struct text *out)
{
	struct own_writer *own = memory_new(1, sizeof *own);

	write_chunk(sharing, index, own);
	text_add_varint(out, sharing->reader->chunks[index].base_tick);
	text_add_bytes(out, (const char *)own->encoder.payload, own->encoder.chunk->length);
	own_writer_release(own);
	free(own);
}

void group_write_member(const struct trace_sharing *sharing, const struct sharing_group *group,
                        uint32_t index, struct text *out)
{
	if (!group->has_equal_lengths)
		text_add_varint(out, sharing->chunks[index].length);
	if (sharing->reader->chunks[index].identity.stream == STREAM_PROCESS)
		write_rest(sharing, index, out);
	else
		write_stream(sharing, index, out);
}

void group_write_head(const struct trace_sharing *sharing, const struct sharing_group *group,
                      struct text *out)
{
	const uint32_t *members = group->members.items;
	const struct chunk *first = &sharing->reader->chunks[members[0]];
	bool is_process = first->identity.stream == STREAM_PROCESS;
	uint32_t *ranks = memory_new(group->members.count, sizeof *ranks);

	text_add_varint(out, group->table);
	text_add_varint(out, group->order);
	text_add_varint(out, is_process ? 0 : (uint64_t)first->identity.stream + 1);
	text_add_varint(out, first->identity.sequence);
	text_add_varint(out, is_process ? 0 : first->events);
	for (size_t i = 0; i < group->members.count; i++)
		ranks[i] = sharing->reader->chunks[members[i]].identity.process;
	text_add_varint(out, group->members.count);
	put_ranks(out, ranks, group->members.count);
	text_add_varint(out, group->has_equal_lengths ? (uint64_t)sharing->chunks[members[0]].length + 1 : 0);
	free(ranks);
}

/* True if most processes of a sample have few distinct calls. Otherwise nothing is shared, because the
 * calls of all processes would need too much memory. A trace that already shares tables was regular when
 * it was written. */
static bool is_regular(struct reader *reader)
{
	enum { SAMPLES = 8 };
	size_t step = reader->process_count / SAMPLES + 1, samples = 0, irregular = 0;

	for (size_t i = 0; i < reader->chunk_count; i++)
		if (reader->chunks[i].shape)
			return true;
	for (size_t i = 0; i < reader->process_count; i += step, samples++) {
		reader_read_part(reader, i, i + 1);
		irregular += reader->processes[i].calls.count > CALLS_MAX;
	}
	return 2 * irregular < samples;
}

struct trace_sharing *sharing_new(struct reader *reader, unsigned jobs, void (*count_process)(void *context),
                                  void *context)
{
	struct trace_sharing *sharing = memory_new(1, sizeof *sharing);

	sharing->reader = reader;
	sharing->count_process = count_process;
	sharing->context = context;
	sharing->known_tables.arena = &sharing->arena;
	sharing->chunks = memory_new(reader->chunk_count, sizeof *sharing->chunks);
	for (size_t i = 0, process = 0; i < reader->chunk_count; i++) {
		while (reader->processes[process].world != reader->chunks[i].identity.world ||
		       reader->processes[process].rank != reader->chunks[i].identity.process)
			process++;
		sharing->chunks[i].process = (uint32_t)process;
		sharing->chunks[i].group = NO_GROUP;
	}
	if (!is_regular(reader))
		return sharing;
	reader_read_through(reader, jobs);
	/* Damaged chunks are copied as they are. */
	if (reader->damage_count)
		return sharing;
	choose_relative(sharing);
	sharing->records = common_records_new(sharing);
	parallel_run(jobs, reader->process_count, compare_process, sharing);
	group_chunks(sharing);
	return sharing;
}

void sharing_free(struct trace_sharing *sharing)
{
	for (size_t i = 0; i < sharing->groups.count; i++)
		array_release(&sharing->groups.items[i].members);
	array_release(&sharing->groups);
	array_release(&sharing->tables);
	if (sharing->records)
		common_records_free(sharing->records);
	free(sharing->chunks);
	arena_release(&sharing->arena);
	free(sharing);
}
