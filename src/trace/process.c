#include "trace/process.h"

#include <string.h>

bool run_is_possible(uint64_t first, int64_t stride, uint64_t count)
{
	int64_t last, span;

	if (first > INT32_MAX || count > INT32_MAX || count == 0)
		return false;
	if (__builtin_mul_overflow(stride, (int64_t)count - 1, &span) ||
	    __builtin_add_overflow((int64_t)first, span, &last))
		return false;
	return last >= 0 && last <= INT32_MAX;
}

static const char *take_runs(struct cursor *body, struct rank_run *runs, size_t count)
{
	for (struct rank_run *run = runs; run < runs + count; run++) {
		uint64_t first, members;
		run->world = take_u64(body);
		first = take_varint(body);
		run->stride = take_signed(body);
		members = take_varint(body);
		if (!run_is_possible(first, run->stride, members))
			return "a communicator has a run of impossible ranks";
		run->first = (uint32_t)first;
		run->count = (uint32_t)members;
	}
	return NULL;
}

static const char *take_list(struct arena *arena, struct cursor *body, enum member_form form, void *value)
{
	enum { POINT_BYTES = 2, RUN_BYTES = 8 + 3 };
	struct record_list list = {.count = take_varint(body)};
	const char *problem = NULL;

	if (form == MEMBER_BYTES) {
		list.items = take_bytes(body, list.count);
	} else if (form == MEMBER_POINTS) {
		struct clock_point *points;
		if (list.count > cursor_left(body) / POINT_BYTES)
			return "a clock has more points than bytes";
		list.items = points = arena_array(arena, struct clock_point, list.count);
		for (size_t i = 0; i < list.count; i++) {
			points[i].tick = take_varint(body);
			points[i].ns = take_varint(body);
		}
	} else {
		struct rank_run *runs;
		if (list.count > cursor_left(body) / RUN_BYTES)
			return "a communicator has more runs of members than bytes";
		list.items = runs = arena_array(arena, struct rank_run, list.count);
		problem = take_runs(body, runs, list.count);
	}
	memcpy(value, &list, sizeof list);
	return problem;
}

static const char *take_member(struct reader *reader, struct arena *arena, struct cursor *body,
                               enum member_form form, void *value)
{
	uint64_t size;
	const uint8_t *at;

	switch (form) {
	case MEMBER_NUMBER:
		*(uint64_t *)value = take_varint(body);
		return NULL;
	case MEMBER_FIXED:
		*(uint64_t *)value = take_u64(body);
		return NULL;
	case MEMBER_FLAG:
		*(bool *)value = take_varint(body) != 0;
		return NULL;
	case MEMBER_MARK:
		*(bool *)value = !body->bad && cursor_left(body) && take_varint(body) != 0;
		return NULL;
	case MEMBER_STRING:
	case MEMBER_REST:
		size = form == MEMBER_REST ? cursor_left(body) : take_varint(body);
		at = take_bytes(body, size);
		*(const char **)value = at ? reader_text(reader, at,
		                                         strnlen((const char *)at, (size_t)(body->at - at)))
		                           : "";
		return NULL;
	default:
		return take_list(arena, body, form, value);
	}
}

const char *take_record(struct reader *reader, struct arena *arena, enum record_kind kind,
                        struct cursor *body, union any_record *record)
{
	const struct record_member *rest = NULL;
	const char *problem = NULL;

	*record = (union any_record){0};
	for (const struct record_member *member = record_layouts[kind].members; member->form && !problem;
	     member++)
		if (member->form == MEMBER_REST)
			rest = member;
		else if (member->form != MEMBER_OTHERS || record->comm.kind == COMM_INTER)
			problem = take_member(reader, arena, body, member->form,
			                      (char *)record + member->offset);
	if (rest && !problem)
		problem = take_member(reader, arena, body, MEMBER_REST, (char *)record + rest->offset);
	if (!problem && body->bad)
		problem = "a record is too short";
	if (kind == RECORD_THREAD)
		record->thread.known = !problem;
	return problem;
}

static const char *note_base(struct process *process, struct cursor *body)
{
	uint64_t number = take_varint(body), base = take_varint(body);

	for (size_t i = 0; i < process->module_count && !body->bad; i++)
		if (process->modules[i].number == number && !process->modules[i].function)
			process->modules[i].base = base;
	return body->bad ? "a record is too short" : NULL;
}

static const char *note_world(struct process *process, const struct world_record *record)
{
	if (record->world != process->world || record->rank != process->rank)
		return "the WORLD record belongs to another process";
	if (process->has_size)
		return "there is a second WORLD record";
	process->size = record->size;
	process->run = record->run;
	process->has_size = true;
	return NULL;
}

uint64_t group_members(const struct group *group)
{
	uint64_t members = 0;

	for (size_t i = 0; i < group->run_count; i++)
		members += group->runs[i].count;
	return members;
}

static bool is_whole(const struct group *group, uint64_t size)
{
	return !group->run_count || group_members(group) == size;
}

/* The first communicators of a process are looked up without a map: most processes have no others, and a trace has many processes. */
enum { FEW_COMMS = 8 };

static const char *note_comm(struct process *process, const struct comm *comm)
{
	uint32_t *number;

	if (!is_whole(&comm->local, comm->size) || !is_whole(&comm->remote, comm->remote_size))
		return "the number of a communicator's members differs from its size";
	if (process->comm_count < FEW_COMMS)
		return NULL;
	number = map_put(&process->comm_numbers, map_key(comm->identity, 0));
	if (*number == MAP_NONE)
		*number = (uint32_t)process->comm_count;
	return NULL;
}

static const struct {
	size_t items, count; /* offsets in struct process; both 0: no list */
} lists[KIND_MASK + 1] = {
#define LIST(items, count) \
	{ \
		offsetof(struct process, items), offsetof(struct process, count) \
	}
	[RECORD_LOSS] = LIST(losses, loss_count),      [RECORD_PROPERTY] = LIST(properties, property_count),
	[RECORD_CLOCK] = LIST(clocks, clock_count),    [RECORD_MODULE] = LIST(modules, module_count),
	[RECORD_SOURCE] = LIST(modules, module_count), [RECORD_STAMP] = LIST(stamps, stamp_count),
	[RECORD_COMM] = LIST(comms, comm_count),       [RECORD_OBJECT] = LIST(objects, object_count),
	[RECORD_EAGER] = LIST(eagers, eager_count),    [RECORD_COMPARE] = LIST(comparisons, comparison_count),
	[RECORD_FILE] = LIST(files, file_count),       [RECORD_ACCESS] = LIST(accesses, access_count),
#undef LIST
};

const void *process_record_at(const struct process *process, uint8_t kind, size_t index)
{
	struct record_list list = {0};

	memcpy(&list.items, (const char *)process + lists[kind].items, sizeof list.items);
	return (const char *)list.items + index * record_layouts[kind].size;
}

static const char *note_record(struct process *process, uint8_t kind, const union any_record *record)
{
	const size_t size = record_layouts[kind].size;
	size_t *count = (size_t *)((char *)process + lists[kind].count);
	const char *problem = kind == RECORD_WORLD  ? note_world(process, &record->world)
	                      : kind == RECORD_COMM ? note_comm(process, &record->comm)
	                                            : NULL;
	void *items;

	if (problem || !lists[kind].items)
		return problem;
	memcpy(&items, (char *)process + lists[kind].items, sizeof items);
	items = arena_grown(&process->arena, items, *count, size);
	memcpy((char *)items + (*count)++ * size, record, size);
	memcpy((char *)process + lists[kind].items, &items, sizeof items);
	if (kind == RECORD_STAMP) {
		for (size_t i = 0; i < process->module_count; i++) {
			struct module *module = &process->modules[i];
			if (module->number == record->stamp.module) {
				module->has_stamp = true;
				module->stamp = record->stamp;
			}
		}
	}
	return NULL;
}

static bool is_known(uint8_t kind)
{
	return lists[kind].items || kind == RECORD_WORLD;
}

/* Ranks in a shared table are relative to that of the process. */
static void add_rank(const struct process *process, uint8_t kind, union any_record *record)
{
	if (kind == RECORD_WORLD)
		record->world.rank += process->rank;
	else if (kind == RECORD_COMM)
		record->comm.rank += process->rank;
}

/* Most records of a process have the same bytes as those of the process before it, also in the same order. So each is compared with the record that
 * has the same number there, which is much faster than decoding it. */
struct similar_records {
	ARRAY(struct similar_record {
		const uint8_t *body;
		size_t size;
		uint8_t kind;
		union any_record record;
	})
	known;
	size_t next; /* number of the next record of the process */
};

struct similar_records *similar_records_new(void)
{
	return memory_new(1, sizeof(struct similar_records));
}

void similar_records_free(struct similar_records *similar)
{
	if (!similar)
		return;
	array_release(&similar->known);
	free(similar);
}

/* The place of the next record; NULL: nothing is compared. */
static struct similar_record *next_similar(struct similar_records *similar)
{
	return similar ? array_extend(&similar->known, ++similar->next)->items + similar->next - 1 : NULL;
}

static bool has_same_bytes(const struct similar_record *one, uint8_t kind, const struct cursor *body)
{
	return one->body && one->kind == kind && one->size == cursor_left(body) &&
	       (one->body == body->at || memcmp(one->body, body->at, one->size) == 0);
}

static const char *take_process_record(struct process *process, uint8_t kind, struct cursor body,
                                       bool is_shared, struct similar_records *records)
{
	const struct cursor whole = body;
	struct similar_record *similar;
	union any_record record;
	const char *problem;

	if (kind == RECORD_BASE)
		return note_base(process, &body);
	if (!is_known(kind))
		return NULL;
	similar = next_similar(records);
	if (similar && has_same_bytes(similar, kind, &whole)) {
		record = similar->record;
	} else {
		problem = take_record(process->reader, &process->arena, kind, &body, &record);
		if (problem)
			return problem;
		if (similar)
			*similar = (struct similar_record){whole.at, cursor_left(&whole), kind, record};
	}
	if (is_shared)
		add_rank(process, kind, &record);
	return note_record(process, kind, &record);
}

/* Takes the next record. False: the end, or damage, which sets `problem`. */
static bool next_long(struct cursor *payload, uint8_t *kind, struct cursor *body, const char **problem)
{
	uint64_t size;

	if (!cursor_left(payload))
		return false;
	if (*payload->at < HEAD_LONG) {
		*problem = "a chunk without a thread has an event";
		return false;
	}
	*kind = *payload->at++ & KIND_MASK;
	size = take_varint(payload);
	body->at = take_bytes(payload, size);
	body->end = payload->at;
	body->bad = false;
	if (!body->at)
		*problem = "a record reaches beyond the payload's end";
	return body->at;
}

struct record_walk walk_records(const struct chunk *chunk)
{
	const struct chunk_shape *shape = chunk->shape;
	struct record_walk walk = {.own = {chunk->payload, chunk->payload + chunk->length, false}};

	if (shape)
		walk.table = (struct cursor){shape->table, shape->table + shape->table_length, false};
	return walk;
}

bool walk_next(struct record_walk *walk, uint8_t *kind, struct cursor *body, const char **problem)
{
	while (cursor_left(&walk->table)) {
		walk->is_shared = true;
		if (!next_long(&walk->table, kind, body, problem))
			return false;
		if (*kind != RECORD_OWN)
			return true;
		if (cursor_left(&walk->own))
			break;
	}
	walk->is_shared = false;
	return next_long(&walk->own, kind, body, problem);
}

static void read_chunk(struct reader *reader, struct process *process, struct chunk *chunk,
                       struct similar_records *similar)
{
	struct record_walk walk = walk_records(chunk);
	const uint8_t *at;
	struct cursor body;
	const char *problem = NULL;
	uint8_t kind = 0;

	/* Begins after the records that were read before, because the chunk may have grown (follow.h). */
	walk.own.at += chunk->noted;
	part_touch(reader, chunk->part, chunk->payload);
	for (at = walk.own.at; walk_next(&walk, &kind, &body, &problem); at = walk.own.at)
		if ((problem = take_process_record(process, kind, body, walk.is_shared, similar)))
			break;
	chunk->noted = (uint32_t)(at - chunk->payload);
	if (problem) {
		size_t rest = chunk->length - chunk->noted;
		note_damage(reader, chunk->part, chunk->offset, rest, "%s: %s; %zu bytes skipped",
		            name_chunk(reader, chunk), problem, rest);
	}
}

void read_process(struct reader *reader, struct process *process, struct similar_records *similar)
{
	if (similar)
		similar->next = 0;
	for (size_t i = 0; i < process->chunk_count; i++)
		read_chunk(reader, process, &process->chunks[i], similar);
}

bool process_next_record(const struct process *process, struct record_iter *iter,
                         struct process_record *record)
{
	for (; iter->chunk < process->chunk_count; iter->chunk++, iter->place = iter->table_place = 0) {
		const struct chunk *chunk = &process->chunks[iter->chunk];
		struct record_walk walk = walk_records(chunk);
		struct cursor body;
		const char *problem;
		uint8_t kind = 0;
		bool found;
		walk.own.end = chunk->payload + chunk->noted;
		walk.own.at += iter->place;
		walk.table.at += iter->table_place;
		do /* modules have their bases */
			found = walk_next(&walk, &kind, &body, &problem);
		while (found && kind == RECORD_BASE);
		if (!found)
			continue;
		iter->place = (uint32_t)(walk.own.at - chunk->payload);
		iter->table_place = chunk->shape ? (uint32_t)(walk.table.at - chunk->shape->table) : 0;
		*record = (struct process_record){
			.kind = kind,
			.understood = is_known(kind),
			.index = iter->counts[kind == RECORD_SOURCE ? RECORD_MODULE : kind]++,
			.body = body.at,
			.size = (uint32_t)cursor_left(&body)};
		return true;
	}
	return false;
}

void read_thread(struct stream *stream)
{
	const struct chunk *chunk = stream->chunks;
	struct cursor payload = {chunk->payload, chunk->payload + chunk->length, false};
	struct cursor body;
	const char *problem;
	uint8_t kind;

	part_touch(stream->process->reader, chunk->part, chunk->payload);
	stream->thread.name = "";
	while (next_long(&payload, &kind, &body, &problem)) {
		if (kind == RECORD_THREAD) {
			union any_record record;
			take_record(stream->process->reader, NULL, kind, &body, &record);
			stream->thread = record.thread;
			return;
		}
	}
}

const char *process_property(const struct process *process, const char *key)
{
	for (size_t i = 0; i < process->property_count; i++)
		if (strcmp(process->properties[i].key, key) == 0)
			return process->properties[i].value;
	return NULL;
}

const struct module *find_module(const struct process *process, uint64_t number)
{
	for (size_t i = 0; i < process->module_count; i++)
		if (process->modules[i].number == number)
			return &process->modules[i];
	return NULL;
}

const struct comm *find_comm(const struct process *process, uint64_t identity)
{
	const uint32_t *number;

	for (size_t i = 0; i < process->comm_count && i < FEW_COMMS; i++)
		if (process->comms[i].identity == identity)
			return &process->comms[i];
	number = map_find(&process->comm_numbers, map_key(identity, 0));
	return number ? &process->comms[*number] : NULL;
}

/* Streams are in ascending order and mostly numbered from 0. */
struct stream *find_stream(const struct process *process, uint32_t number)
{
	size_t low = 0, high = process->stream_count;

	if (number < high && process->streams[number].number == number)
		return &process->streams[number];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (process->streams[middle].number == number)
			return &process->streams[middle];
		if (process->streams[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
