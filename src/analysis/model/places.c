#include "analysis/model/places.h"

#include "base/arena.h"
#include "base/hash.h"

#include <assert.h>
#include <string.h>

/* The identity of a place. */
struct key {
	uint64_t offset;
	uint32_t module;   /* 0: the offset is an address; NO_PLACE: the site is unknown */
	uint32_t caller;   /* NO_PLACE */
	uint32_t function; /* 0: a step; otherwise the function's number + 1 */
	uint32_t reserved;
};

/* A letter tells the kinds of names apart. Each process has modules of its own, so this is done often. */
static void add_identity(struct text *text, const struct module *module)
{
	if (module->function) {
		text_add_bytes(text, "s", 1);
		text_add_bytes(text, module->path, strlen(module->path) + 1);
		text_add_bytes(text, module->function, strlen(module->function));
	} else if (module->build_id_size) {
		text_add_bytes(text, "b", 1);
		text_add_bytes(text, (const char *)module->build_id, module->build_id_size);
	} else {
		text_add_bytes(text, "p", 1);
		text_add_bytes(text, module->path, strlen(module->path));
	}
}

/* Paths and names of functions are interned. */
static bool is_same_file(const struct module *a, const struct module *b)
{
	return a->path == b->path && a->function == b->function && a->build_id_size == b->build_id_size &&
	       (!a->build_id_size || memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

static uint32_t module_number(struct places *places, const struct process *process, uint64_t number)
{
	const struct module *module = number ? find_module(process, number) : NULL;

	if (!module)
		return 0;
	if (places->last_number && is_same_file(module, &places->last_module))
		return places->last_number;
	text_clear(&places->scratch);
	add_identity(&places->scratch, module);
	places->last_module = *module;
	places->last_number =
		(uint32_t)intern(&places->modules, places->scratch.bytes, places->scratch.length)->number + 1;
	return places->last_number;
}

static uint32_t find_or_add(struct places *places, struct key key, struct place place)
{
	uint64_t number = intern(&places->keys, &key, sizeof key)->number;

	assert(number < NO_PLACE);
	if (number == places->count)
		arena_add(&places->arena, places->items, places->count, place);
	return (uint32_t)number;
}

/* From the outermost inwards, at most PATH_DEPTH_MAX. Only this number of steps of the path counts. */
static uint32_t step_of(struct places *places, const struct process *process, const struct path *path,
                        uint32_t steps)
{
	uint32_t caller = path->caller && steps > 1 ? step_of(places, process, path->caller, steps - 1)
	                                            : NO_PLACE;
	struct key key = {.offset = path->offset,
	                  .module = module_number(places, process, path->module),
	                  .caller = caller};

	return find_or_add(places, key,
	                   (struct place){.caller = caller,
	                                  .process = process,
	                                  .module = path->module,
	                                  .offset = path->offset});
}

static uint32_t steps_that_count(struct places *places, const struct process *process,
                                 const struct call *call)
{
	if (!has_short_paths(process))
		return PATH_DEPTH_MAX;
	return places->source ? symbols_layer_steps(places->source, process, call) : 0;
}

static uint32_t find_place(struct places *places, const struct process *process, const struct call *call)
{
	const struct path *path = call_path(process, call);
	uint32_t steps = path ? steps_that_count(places, process, call) : 0;
	const struct interned *function;
	struct key key = {.module = NO_PLACE, .caller = NO_PLACE};

	places->functions.arena = places->modules.arena = places->keys.arena = &places->arena;
	if (steps)
		key.caller = step_of(places, process, path, steps);
	if (call->outline->has_site) {
		key.offset = call->outline->offset;
		key.module = module_number(places, process, call->outline->module);
	}
	function = intern(&places->functions, call->outline->name, strlen(call->outline->name));
	key.function = (uint32_t)function->number + 1;
	return find_or_add(places, key,
	                   (struct place){.caller = key.caller,
	                                  .function = (const char *)function->bytes,
	                                  .process = process,
	                                  .call = call,
	                                  .module = call->outline->module,
	                                  .offset = call->outline->offset});
}

struct call_spot call_spot(uint32_t process, const struct call *call)
{
	const struct outline *outline = call->outline;

	return (struct call_spot){.function = outline->name,
	                          .offset = outline->has_site ? outline->offset : 0,
	                          .path = field_or(call, FIELD_PATH, -1),
	                          .module = outline->has_site ? outline->module : UINT32_MAX,
	                          .process = process};
}

uint32_t place_of(struct places *places, const struct process *process, const struct call *call)
{
	enum { KNOWN = sizeof places->spots / sizeof *places->spots };
	struct call_spot spot = call_spot((uint32_t)(process - process->reader->processes), call);
	struct known_spot *known = &places->spots[hash_fold(hash_bytes(&spot, sizeof spot)) % KNOWN];

	if (memcmp(&known->spot, &spot, sizeof spot) != 0)
		*known = (struct known_spot){spot, find_place(places, process, call)};
	return known->number;
}

const struct place *place_get(const struct places *places, uint32_t number)
{
	assert(number < places->count);
	return &places->items[number];
}

void places_release(struct places *places)
{
	text_release(&places->scratch);
	arena_release(&places->arena);
	*places = (struct places){0};
}
