#include "job/check/objects/objects.h"

#include "job/check/objects/type_layout.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/flavour.h"
#include "job/mpi/handles.h"

#include <stdlib.h>
#include <string.h>

enum {
	OBJECT_BLOCK = 256,
	OBJECT_BLOCKS = 1 << 14,
	FREED_MAX = 4096, /* remembered ended objects */
};

struct checked_object *object_cache[OBJECT_KINDS][OBJECT_CACHE];

/* Ended objects in a queue, oldest first: they are reused when there are too many. */
static struct {
	struct handles maps[OBJECT_KINDS];
	struct checked_object *blocks[OBJECT_BLOCKS];
	uint32_t block_count, used; /* in the last block */
	uint32_t counts[OBJECT_KINDS];
	struct checked_object *freed[FREED_MAX];
	uint32_t freed_first, freed_count;
	struct object_reference *spare_references;
} table;

static struct checked_object **cache_of(enum object_kind kind, uint64_t handle)
{
	return &object_cache[kind][OBJECT_SLOT(handle)];
}

struct checked_object *object_find_slowly(enum object_kind kind, uint64_t handle)
{
	struct checked_object *object;

	lock_if_shared();
	object = handles_find(&table.maps[kind], handle);
	unlock_if_shared();
	if (object)
		__atomic_store_n(cache_of(kind, handle), object, __ATOMIC_RELEASE);
	return object;
}

static struct checked_object *new_object(void)
{
	if (!table.block_count || table.used == OBJECT_BLOCK) {
		if (table.block_count == OBJECT_BLOCKS)
			return NULL;
		table.blocks[table.block_count] = host_table(OBJECT_BLOCK, sizeof **table.blocks);
		if (!table.blocks[table.block_count])
			return NULL;
		table.block_count++;
		table.used = 0;
	}
	return &table.blocks[table.block_count - 1][table.used++];
}

/* NULL: the object has come to life again, with the same handle. */
static struct checked_object *take_oldest_freed(void)
{
	struct checked_object *object = table.freed[table.freed_first];

	table.freed_first = (table.freed_first + 1) % FREED_MAX;
	table.freed_count--;
	object->queued = false;
	if (object->state != OBJECT_FREED)
		return NULL;
	handles_remove(&table.maps[object->kind], object->handle);
	RELAXED_STORE(object->handle, UINT64_MAX);
	return object;
}

static void remember_freed(struct checked_object *object)
{
	if (object->queued || table.freed_count == FREED_MAX)
		return;
	object->queued = true;
	table.freed[(table.freed_first + table.freed_count++) % FREED_MAX] = object;
}

/* Clears everything except the handle, which other threads may read at any time. */
static void clear(struct checked_object *object)
{
	const size_t first = offsetof(struct checked_object, kind);

	memset((char *)object + first, 0, sizeof *object - first);
}

static struct checked_object *enter(enum object_kind kind, uint64_t handle)
{
	struct checked_object *object = NULL;

	while (!object && table.freed_count == FREED_MAX)
		object = take_oldest_freed();
	if (!object)
		object = new_object();
	if (!object || !handles_set(&table.maps[kind], handle, object))
		return NULL;
	type_layout_release(object->layout);
	clear(object);
	object->kind = kind;
	RELAXED_STORE(object->handle, handle);
	return object;
}

void objects_start(void)
{
	struct predefined_object predefined;
	size_t position = 0;

	object_limits_start();
	while (predefined_next(&position, &predefined)) {
		struct checked_object *object = enter(predefined.kind, predefined.handle);
		if (!object)
			return;
		object->state = OBJECT_PREDEFINED;
		object->name = predefined.name;
		object->committed = true;
	}
}

/* Makes room for one more reference to a live object: the last one moves to the list. */
static bool push_reference(struct checked_object *object)
{
	struct object_reference *kept = table.spare_references;

	if (kept)
		table.spare_references = kept->next;
	else if (!(kept = malloc(sizeof *kept)))
		return false;
	*kept = object->reference;
	object->reference.next = kept;
	return true;
}

/* A new object has the handle of an ended one, which is forgotten. */
static void begin_life(struct checked_object *object)
{
	const struct type_layout *layout = object->layout;
	const bool queued = object->queued;
	const enum object_kind kind = object->kind;

	clear(object);
	object->kind = kind;
	object->queued = queued;
	object->state = OBJECT_LIVE;
	type_layout_release(layout);
	RELAXED_STORE(table.counts[kind], table.counts[kind] + 1);
}

struct checked_object *object_refer(enum object_kind kind, uint64_t handle,
                                    const struct object_reference *reference)
{
	struct checked_object *object;

	lock_if_shared();
	object = handles_find(&table.maps[kind], handle);
	if (!object)
		object = enter(kind, handle);
	if (object && object->state != OBJECT_PREDEFINED) {
		if (object->state != OBJECT_LIVE)
			begin_life(object);
		else if (!push_reference(object))
			object->unowned = true; /* the number of its references is now unknown */
		struct object_reference *next = object->references ? object->reference.next : NULL;
		object->reference = *reference;
		object->reference.next = next;
	}
	if (object)
		object->references++;
	unlock_if_shared();
	return object;
}

static void give_back(struct object_reference *reference)
{
	reference->next = table.spare_references;
	table.spare_references = reference;
}

/* Removes the reference in this variable, or else the last one. */
static void drop_reference(struct checked_object *object, const void *variable)
{
	struct object_reference **link = &object->reference.next;

	if (!object->reference.next || object->references < 2)
		return;
	if (object->reference.variable != variable)
		while (*link && (*link)->variable != variable)
			link = &(*link)->next;
	if (object->reference.variable == variable || !*link) {
		struct object_reference *second = object->reference.next;
		object->reference = *second;
		give_back(second);
	} else {
		struct object_reference *dropped = *link;
		*link = dropped->next;
		give_back(dropped);
	}
}

void object_end(struct checked_object *object, const void *variable, enum call_id freed_by, uint32_t freed_at)
{
	lock_if_shared();
	if (object->references > 1) {
		drop_reference(object, variable);
		object->references--;
	} else if (object->state == OBJECT_LIVE) {
		object->references = 0;
		object->state = OBJECT_FREED;
		object->freed_by = freed_by;
		object->freed_at = freed_at;
		__atomic_add_fetch(&checked.generation, 1, __ATOMIC_RELAXED);
		RELAXED_STORE(table.counts[object->kind], table.counts[object->kind] - 1);
		remember_freed(object);
	} else if (object->references) {
		object->references--;
	}
	unlock_if_shared();
}

void object_revive(struct checked_object *object, const void *variable)
{
	lock_if_shared();
	if (object->state == OBJECT_FREED) {
		object->state = OBJECT_LIVE;
		RELAXED_STORE(table.counts[object->kind], table.counts[object->kind] + 1);
	}
	object->references++;
	if (object->references > 1 && object->state == OBJECT_LIVE && push_reference(object))
		object->reference.variable = variable;
	unlock_if_shared();
}

void object_release_facts(struct checked_object *object)
{
	const struct type_layout *layout = NULL;

	lock_if_shared();
	if (object->state == OBJECT_FREED) {
		layout = object->layout;
		object->layout = NULL;
	}
	unlock_if_shared();
	type_layout_release(layout);
}

uint32_t object_count(enum object_kind kind)
{
	return RELAXED_LOAD(table.counts[kind]);
}

bool object_next(uint32_t *position, struct checked_object **object)
{
	for (; *position < table.block_count * OBJECT_BLOCK; (*position)++) {
		struct checked_object *at = &table.blocks[*position / OBJECT_BLOCK][*position % OBJECT_BLOCK];
		if (at->state == OBJECT_LIVE) {
			*object = at;
			(*position)++;
			return true;
		}
	}
	return false;
}

struct checked_object *object_find_freed(enum object_kind kind, int32_t fortran)
{
	struct checked_object *found = NULL;

	lock_if_shared();
	for (uint32_t i = 0; i < table.freed_count; i++) {
		struct checked_object *object = table.freed[(table.freed_first + i) % FREED_MAX];

		if (object->kind == kind && object->state == OBJECT_FREED && object->fortran == fortran)
			found = object;
	}
	unlock_if_shared();
	return found;
}

/* True for a handle of another kind of object: its address cannot also be an object of this kind. */
static bool is_of_another_kind(enum object_kind kind, uint64_t handle)
{
	if (sizeof(MPI_Comm) < sizeof(void *) || kind == OBJECT_KEYVAL)
		return false;
	for (enum object_kind other = OBJECT_COMM; other < OBJECT_KINDS; other++) {
		const struct checked_object *object = other == kind || other == OBJECT_KEYVAL
		                                              ? NULL
		                                              : object_find(other, handle);
		if (object && object->state != OBJECT_FREED)
			return true;
	}
	return false;
}

bool handle_is_invalid(enum object_kind kind, uint64_t handle)
{
	if (handle_is_malformed(kind, handle))
		return true;
	return !object_find(kind, handle) && is_of_another_kind(kind, handle);
}
