/* Interns texts, sites and outlines of calls for the whole trace, and distinct calls and paths for a process. */
#include "base/memory.h"
#include "calls/calls.h"
#include "trace/process.h"

#include <string.h>

/* After reader_read_through() all definitions are known and nothing is interned any more, so no lock is
 * needed. Only a part that is still being recorded may change then. */

static void lock_unless_known(struct reader *reader)
{
	if (!reader->is_read_through)
		pthread_mutex_lock(&reader->lock);
}

static void unlock_unless_known(struct reader *reader)
{
	if (!reader->is_read_through)
		pthread_mutex_unlock(&reader->lock);
}

/* NULL: it is not known. */
static const struct interned *intern_unless_known(const struct reader *reader, struct interner *interner,
                                                  struct arena *arena, const void *bytes, size_t size)
{
	if (reader->is_read_through)
		return intern_find(interner, bytes, size);
	interner->arena = arena;
	return intern(interner, bytes, size);
}

const char *reader_text(struct reader *reader, const void *bytes, size_t size)
{
	const struct interned *text;

	lock_unless_known(reader);
	text = intern_unless_known(reader, &reader->texts, &reader->arena, bytes, size);
	unlock_unless_known(reader);
	return text ? (const char *)text->bytes : NULL;
}

uint32_t reader_intern_site(struct reader *reader, uint64_t offset, uint32_t module)
{
	uint64_t hash = hash_word(hash_word(0, offset), module);
	uint32_t number;

	lock_unless_known(reader);
	number = map_index_find(&reader->site_index, hash, i,
	                        reader->sites.items[i].offset == offset &&
	                                reader->sites.items[i].module == module);
	if (number == MAP_NONE && !reader->is_read_through) {
		number = (uint32_t)reader->sites.count;
		map_index_add(&reader->site_index, hash, number);
		array_add(&reader->sites, ((struct site){offset, module}));
	}
	unlock_unless_known(reader);
	return number == MAP_NONE ? NO_SITE : number;
}

/* The calls of a process. A trace of many processes has many tables with few calls. Such a table has no slots; a search compares the hash
 * bytes that follow the items. */

enum { FIRST_ROOM = 16, FEW = 64, FIRST_SLOTS = 4 * FEW };

/* The bytes that identify a call. */
static const void *bytes_of(const struct call *call)
{
	return &call->outline;
}

static uint8_t *tags_of(const struct call_table *table)
{
	return (uint8_t *)(table->items + table->room);
}

static uint8_t tag_of(uint64_t hash)
{
	return (uint8_t)(hash >> 56);
}

static bool is_equal(const struct call *one, const struct call *other, size_t bytes)
{
	return one->size == bytes && memcmp(bytes_of(one), bytes_of(other), bytes) == 0;
}

static const struct call *find_among_few(const struct call_table *table, const struct call *call,
                                         size_t bytes, uint64_t hash)
{
	const uint8_t *tags = tags_of(table), *at = tags, *end = tags + table->count;

	while (at < end && (at = memchr(at, tag_of(hash), (size_t)(end - at)))) {
		const struct call *found = table->items[at++ - tags];
		if (found && is_equal(found, call, bytes))
			return found;
	}
	return NULL;
}

static const struct call *find_among_many(const struct call_table *table, const struct call *call,
                                          size_t bytes, uint64_t hash)
{
	uint32_t mask = table->slot_count - 1;

	for (uint32_t at = (uint32_t)hash & mask; table->slots[at]; at = (at + 1) & mask) {
		uint32_t id = table->slots[at] - 1;
		if (tags_of(table)[id] == tag_of(hash) && is_equal(table->items[id], call, bytes))
			return table->items[id];
	}
	return NULL;
}

/* Grows by a quarter, to keep unused memory small. */
static void make_room(struct call_table *table)
{
	struct call_table larger = *table;

	if (table->count < table->room)
		return;
	larger.room = table->room ? table->room + table->room / 4 : FIRST_ROOM;
	larger.items = memory_new(larger.room, sizeof *larger.items + 1);
	if (table->count) {
		memcpy(larger.items, table->items, table->count * sizeof *table->items);
		memcpy(tags_of(&larger), tags_of(table), table->count);
	}
	free(table->items);
	*table = larger;
}

static void put_into_slot(struct call_table *table, uint32_t id, uint64_t hash)
{
	uint32_t mask = table->slot_count - 1, at = (uint32_t)hash & mask;

	while (table->slots[at])
		at = (at + 1) & mask;
	table->slots[at] = id + 1;
}

/* For one more call. */
static void make_slots(struct call_table *table)
{
	if (table->count < FEW || table->count * 2ull < table->slot_count)
		return;
	free(table->slots);
	table->slot_count = table->slot_count ? 2 * table->slot_count : FIRST_SLOTS;
	table->slots = memory_new(table->slot_count, sizeof *table->slots);
	for (uint32_t id = 0; id < table->count; id++)
		if (table->items[id])
			put_into_slot(table, id,
			              hash_bytes(bytes_of(table->items[id]), table->items[id]->size));
}

/* In a place that is free. */
static const struct call *put(struct call_table *table, struct arena *arena, uint32_t place,
                              const struct call *call, size_t bytes, uint64_t hash)
{
	struct call *added = arena_alloc(arena, 1, offsetof(struct call, outline) + bytes);

	added->id = table->first_id + place;
	added->size = (uint32_t)bytes;
	memcpy(&added->outline, bytes_of(call), bytes);
	table->items[place] = added;
	tags_of(table)[place] = tag_of(hash);
	if (table->slots)
		put_into_slot(table, place, hash);
	return added;
}

static const struct call *add(struct call_table *table, struct arena *arena, const struct call *call,
                              size_t bytes, uint64_t hash)
{
	make_room(table);
	make_slots(table);
	return put(table, arena, table->count++, call, bytes, hash);
}

static const struct call *add_at(struct call_table *table, struct arena *arena, uint32_t id,
                                 const struct call *call, size_t bytes)
{
	while (table->count <= id) {
		make_room(table);
		make_slots(table);
		tags_of(table)[table->count] = 0;
		table->items[table->count++] = NULL;
	}
	return table->items[id] ? table->items[id]
	                        : put(table, arena, id, call, bytes, hash_bytes(bytes_of(call), bytes));
}

static const struct call *call_table_find(const struct call_table *table, const struct call *call,
                                          size_t bytes, uint64_t hash)
{
	return table->slots ? find_among_many(table, call, bytes, hash)
	                    : find_among_few(table, call, bytes, hash);
}

const struct call *call_table_put(struct call_table *table, struct arena *arena, const struct call *call,
                                  size_t bytes)
{
	uint64_t hash = hash_bytes(bytes_of(call), bytes);
	const struct call *found = call_table_find(table, call, bytes, hash);

	return found ? found : add(table, arena, call, bytes, hash);
}

void call_table_release(struct call_table *table)
{
	free(table->items);
	free(table->slots);
	*table = (struct call_table){0};
}

_Static_assert(offsetof(struct call, outline) == offsetof(struct interned, bytes),
               "an interned call is a call");
_Static_assert(offsetof(struct outline, name) == offsetof(struct interned, bytes), "so is an outline");

/* Of what identifies it. */
static size_t outline_bytes(const struct outline *outline)
{
	return sizeof *outline + outline->field_count * sizeof *outline->fields -
	       offsetof(struct outline, name);
}

/* Calls of all processes share one arena, because each process has few. */
const struct call *process_intern_call(struct process *process, struct outline *outline, uint32_t site,
                                       struct call *call, uint32_t own_count)
{
	struct reader *reader = process->reader;
	size_t bytes = sizeof call->outline + own_count * sizeof *call->own;
	const struct call *found = NULL;

	lock_unless_known(reader);
	if (site != NO_SITE) {
		outline->has_site = 1;
		outline->module = reader->sites.items[site].module;
		outline->offset = reader->sites.items[site].offset;
	}
	call->outline = (const struct outline *)intern_unless_known(reader, &reader->outlines, &reader->arena,
	                                                            &outline->name, outline_bytes(outline));
	if (!reader->is_read_through)
		found = call_table_put(&process->calls, &reader->arena, call, bytes);
	else if (call->outline && process->calls.count)
		found = call_table_find(&process->calls, call, bytes, hash_bytes(bytes_of(call), bytes));
	unlock_unless_known(reader);
	return found;
}

const struct call *process_define_call(struct process *process, struct outline *outline, uint32_t id,
                                       struct call *call, uint32_t own_count)
{
	struct reader *reader = process->reader;
	size_t bytes = sizeof call->outline + own_count * sizeof *call->own;
	const struct call *defined;

	pthread_mutex_lock(&reader->lock);
	reader->outlines.arena = &reader->arena;
	if (outline)
		call->outline = (const struct outline *)intern(&reader->outlines, &outline->name,
		                                               outline_bytes(outline));
	defined = add_at(&process->calls, &reader->arena, id, call, bytes);
	pthread_mutex_unlock(&reader->lock);
	return defined;
}

const struct path *process_intern_path(struct process *process, const struct path *caller, uint64_t module,
                                       uint64_t offset)
{
	uint64_t key[3] = {caller ? caller->id + 1 : 0, module, offset};
	size_t count = process->path_ids.count;
	const struct interned *found = intern_unless_known(process->reader, &process->path_ids,
	                                                   &process->arena, key, sizeof key);
	struct path *path;

	if (!found)
		return NULL;
	if (found->number == count) {
		path = arena_new(&process->arena, struct path);
		*path = (struct path){count, caller, module, offset, caller ? caller->depth + 1 : 1};
		process->paths = arena_grown(&process->arena, process->paths, count, sizeof *process->paths);
		process->paths[count] = path;
	}
	return process->paths[found->number];
}

const struct path *call_path(const struct process *process, const struct call *call)
{
	int64_t id;

	return call_field(call, FIELD_PATH, &id) ? process->paths[id] : NULL;
}

const char *call_text(const struct call *call, enum field_key key)
{
	int64_t value;

	return call_field(call, key, &value) ? (const char *)(uintptr_t)value : NULL;
}

bool open_call_knows(uint32_t key)
{
	switch (key) {
	case FIELD_RECEIVED:
	case FIELD_SOURCE:
	case FIELD_SOURCE_TAG:
	case FIELD_CANCELLED:
	case FIELD_RESULT:
	case FIELD_FLAG:
	case FIELD_NEWCOMM:
		return false;
	default:
		return true;
	}
}

bool process_calls(const struct process *process, const char *name)
{
	for (uint32_t i = 0; i < process->calls.count; i++)
		if (process->calls.items[i] && strcmp(process->calls.items[i]->outline->name, name) == 0)
			return true;
	return false;
}

const struct call *call_started(struct process *process, const struct call *prepared,
                                const struct call *start)
{
	struct outline *outline = memory_new(1, sizeof *outline + (field_count(prepared) + 1u) *
	                                                                  sizeof *outline->fields);
	struct call *call = memory_new(1, sizeof *call + sizeof *call->own);
	struct reader *reader = process->reader;
	const struct call *made;
	int64_t path;

	outline->name = start->outline->name;
	outline->offset = start->outline->offset;
	outline->module = start->outline->module;
	outline->has_site = start->outline->has_site;
	/* MPI_Start begins a persistent request, but the arguments are those of the call that prepared the
	 * request. A started call has the function, site and path of MPI_Start and all other fields of the
	 * preparing call. No event in the trace refers to it. */
	for (uint32_t i = 0; i < field_count(prepared); i++)
		if (field_key_at(prepared, i) != FIELD_PATH)
			outline->fields[outline->field_count++] = (struct outline_field){
				.key = field_key_at(prepared, i), .value = field_value_at(prepared, i)};
	if (call_field(start, FIELD_PATH, &path))
		outline->fields[outline->field_count++] = (struct outline_field){.key = FIELD_PATH,
		                                                                 .value = path};
	call->own[0] = (int32_t)prepared->id;
	pthread_mutex_lock(&reader->lock);
	reader->started_outlines.arena = &reader->arena;
	call->outline = (const struct outline *)intern(&reader->started_outlines, &outline->name,
	                                               outline_bytes(outline));
	made = call_table_put(&process->started, &reader->arena, call,
	                      sizeof call->outline + sizeof *call->own);
	pthread_mutex_unlock(&reader->lock);
	free(outline);
	free(call);
	return made;
}

const struct call *call_that_opened(struct process *process, const struct file_record *file)
{
	struct reader *reader = process->reader;
	struct outline outline = {.name = "open",
	                          .offset = file->offset,
	                          .module = (uint32_t)file->module,
	                          .has_site = file->module || file->offset};
	struct call call;
	const struct call *made;

	pthread_mutex_lock(&reader->lock);
	reader->started_outlines.arena = &reader->arena;
	call.outline = (const struct outline *)intern(&reader->started_outlines, &outline.name,
	                                              outline_bytes(&outline));
	made = call_table_put(&process->started, &reader->arena, &call, sizeof call.outline);
	pthread_mutex_unlock(&reader->lock);
	return made;
}

const struct call *call_prepared(const struct process *process, const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);
	int64_t persistent;

	if (!info || !info->starts || !call_field(call, FIELD_PERSISTENT, &persistent) ||
	    call->size < sizeof call->outline + sizeof *call->own || call->own[0] < 0 ||
	    (uint32_t)call->own[0] >= process->calls.count)
		return NULL;
	return process->calls.items[call->own[0]];
}
