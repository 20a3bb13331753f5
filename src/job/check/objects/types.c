#include "job/check/objects/types.h"

#include "base/hash.h"
#include "check/signature/signature.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/type_contents.h"
#include "job/check/objects/type_defaults.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/flavour.h"
#include "job/mpi/handles.h"

#include <string.h>

enum { TYPE_SLOTS = 4096, TYPE_CACHE = 64 };

static struct announced_type *slots[TYPE_SLOTS]; /* by hash of the content */
static uint32_t type_total;
static struct handles by_handle;

static struct {
	uint64_t handle;
	uint32_t generation;
	struct announced_type *type;
} cache[TYPE_CACHE];

struct predefined_type {
	uint32_t basic;
	const char *name;
	MPI_Datatype type;
};

/* Several predefined types may have the same handle: the first one gives the name. */
static const struct predefined_type *predefined(uint64_t handle)
{
#define BASIC_TYPE(name, class) {BASIC_##name, "MPI_" #name, MPI_##name},
	const struct predefined_type all[] = {
#include "check/signature/basic_types.def"
	};
	static struct predefined_type known[sizeof all / sizeof *all];
	static bool filled;

	if (!filled) {
		memcpy(known, all, sizeof known);
		filled = true;
	}
	if (handle == HANDLE(MPI_DATATYPE_NULL))
		return NULL;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (HANDLE(known[i].type) == handle)
			return &known[i];
	return NULL;
}

const char *type_name(uint64_t handle)
{
	const struct predefined_type *type = predefined(handle);

	return type ? type->name : NULL;
}

static uint64_t hash_content(const struct announced_type *type)
{
	uint64_t hash = hash_word(hash_word(type->basic, type->bytes), type->part_count);

	for (uint32_t i = 0; i < type->part_count; i++)
		hash = hash_word(hash_word(hash, (uint64_t)(uintptr_t)type->parts[i].type),
		                 type->parts[i].times);
	return hash;
}

static bool is_same(const struct announced_type *a, const struct announced_type *b)
{
	return a->hash == b->hash && a->basic == b->basic && a->bytes == b->bytes &&
	       a->part_count == b->part_count &&
	       memcmp(a->parts, b->parts, a->part_count * sizeof *a->parts) == 0;
}

/* The type with this content, which may be `type` itself; otherwise `type` is freed. */
static struct announced_type *enter(struct announced_type *type)
{
	struct announced_type **slot;

	type->hash = hash_content(type);
	slot = &slots[hash_fold(type->hash) % TYPE_SLOTS];
	for (struct announced_type *known = *slot; known; known = known->next)
		if (is_same(known, type)) {
			free(type);
			return known;
		}
	for (uint32_t i = 0; i < type->part_count; i++)
		type->parts[i].type->refs++;
	type->next = *slot;
	*slot = type;
	type_total++;
	return type;
}

static struct announced_type *new_type(size_t parts)
{
	struct announced_type *type = host_table(1, sizeof *type + parts * sizeof *type->parts);

	if (type)
		type->part_count = (uint32_t)parts;
	return type;
}

static struct announced_type *basic(uint32_t basic, uint64_t bytes)
{
	struct announced_type *type = new_type(0);

	if (!type)
		return NULL;
	type->basic = basic;
	type->bytes = (uint32_t)bytes;
	return enter(type);
}

static uint64_t size_of(MPI_Datatype type)
{
	MPI_Count size = 0;

	return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size > 0 ? (uint64_t)size : 0;
}

static struct announced_type *build(MPI_Datatype type);

/* A type with several member types and their counts. */
static struct announced_type *build_struct(const struct type_contents *c) /* NOLINT(misc-no-recursion) */
{
	struct announced_type *made = new_type((size_t)c->type_count);

	if (!made)
		return NULL;
	for (int i = 0; i < c->type_count; i++) {
		made->parts[i].type = build(c->types[i]);
		made->parts[i].times = type_contents_times(c, i);
		if (!made->parts[i].type) {
			free(made);
			return NULL;
		}
	}
	return enter(made);
}

/* All other types repeat one type, as often as follows from their sizes. */
static struct announced_type *build_repeated(const struct type_contents *c,
                                             MPI_Datatype type) /* NOLINT(misc-no-recursion) */
{
	uint64_t one = size_of(c->types[0]);
	struct announced_type *made, *part = build(c->types[0]);

	if (!part || (one && size_of(type) == one))
		return part;
	made = new_type(1);
	if (!made)
		return NULL;
	made->parts[0].type = part;
	made->parts[0].times = one ? size_of(type) / one : 0;
	return enter(made);
}

/* Basic types without a name: by content and size. */
static struct announced_type *build_unnamed(int combiner, uint64_t bytes)
{
	switch (combiner) {
	case MPI_COMBINER_F90_REAL:
		return basic(bytes == 4 ? BASIC_REAL4 : bytes == 8 ? BASIC_REAL8 : BASIC_REAL16, bytes);
	case MPI_COMBINER_F90_COMPLEX:
		return basic(bytes == 8    ? BASIC_COMPLEX8
		             : bytes == 16 ? BASIC_COMPLEX16
		                           : BASIC_COMPLEX32,
		             bytes);
	case MPI_COMBINER_F90_INTEGER:
		return basic(bytes == 1   ? BASIC_INTEGER1
		             : bytes == 2 ? BASIC_INTEGER2
		             : bytes == 4 ? BASIC_INTEGER4
		             : bytes == 8 ? BASIC_INTEGER8
		                          : BASIC_INTEGER16,
		             bytes);
	default:
		return basic(BASIC_PACKED, bytes); /* unknown: matches everything */
	}
}

/* Recursion depth: the nesting of the program's types. */
static struct announced_type *build(MPI_Datatype type) /* NOLINT(misc-no-recursion) */
{
	const struct predefined_type *known = predefined(HANDLE(type));
	struct announced_type *made;
	struct type_contents c;

	if (known)
		return basic(known->basic, size_of(type));
	if (!type_contents_open(&c, type))
		return basic(BASIC_PACKED, size_of(type)); /* unknown: matches everything */
	if (combiner_is_named(c.combiner))
		return build_unnamed(c.combiner, size_of(type));
	if (!type_contents_read(&c, type) || c.type_count < 1)
		made = basic(BASIC_PACKED, size_of(type));
	else
		made = c.combiner == MPI_COMBINER_STRUCT ? build_struct(&c) : build_repeated(&c, type);
	type_contents_release(&c);
	return made;
}

static bool is_live(uint64_t handle)
{
	const struct checked_object *object = object_find(OBJECT_TYPE, handle);

	return object && object->state != OBJECT_FREED;
}

/* Shared with types of the same structure. */
static struct announced_type *build_shared(uint64_t handle)
{
	const struct checked_object *object = object_find(OBJECT_TYPE, handle);
	struct structured_type *known = object && object->state == OBJECT_LIVE
	                                        ? structured_type_get(&object->structure)
	                                        : NULL;
	struct announced_type *type = known ? known->announced : NULL;

	if (!type && (type = build(TYPE_OF(handle))) && known) {
		known->announced = type;
		type->refs++;
	}
	return type;
}

static struct announced_type *type_announce_slowly(uint64_t handle, bool accepted)
{
	struct announced_type *type;

	lock_if_shared();
	type = handles_find(&by_handle, handle);
	if (!type && handle != HANDLE(MPI_DATATYPE_NULL) && (accepted || is_live(handle)) &&
	    (type = build_shared(handle))) {
		type->refs++;
		if (!handles_set(&by_handle, handle, type))
			type = NULL;
	}
	unlock_if_shared();
	return type;
}

struct announced_type *type_announced(uint64_t handle, bool accepted)
{
	const size_t at = (handle ^ handle >> 6 ^ handle >> 12) % TYPE_CACHE;
	const uint32_t generation = RELAXED_LOAD(checked.generation);
	struct announced_type *type;

	if (UNLIKELY(checked.shared))
		return type_announce_slowly(handle, accepted);
	if (LIKELY(cache[at].handle == handle && cache[at].generation == generation && cache[at].type))
		return cache[at].type;
	type = type_announce_slowly(handle, accepted);
	cache[at].handle = handle;
	cache[at].generation = generation;
	cache[at].type = type;
	return type;
}

void type_ended(uint64_t handle)
{
	struct announced_type *type;

	lock_if_shared();
	type = handles_remove(&by_handle, handle);
	if (type)
		type->refs--;
	__atomic_add_fetch(&checked.generation, 1, __ATOMIC_RELAXED);
	unlock_if_shared();
}

uint32_t types_count(void)
{
	return type_total;
}

/* Freeing a type may make its parts unused, so this is repeated until nothing changes. */
void types_free_unused(void)
{
	bool again = true;

	while (again) {
		again = false;
		for (uint32_t i = 0; i < TYPE_SLOTS; i++)
			for (struct announced_type **link = &slots[i], *type; (type = *link);) {
				if (type->refs) {
					link = &type->next;
					continue;
				}
				*link = type->next;
				for (uint32_t part = 0; part < type->part_count; part++)
					type->parts[part].type->refs--;
				free(type);
				type_total--;
				again = true;
			}
	}
	memset(cache, 0, sizeof cache);
}
