#include "analysis/model/layers.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/places.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MAX = 8, CALLS_OF_FUNCTION = 2, CALLERS_MIN = 2 };

#define CALLED_MIN 0.9 /* share of the calls of a wrapper made for callers elsewhere */
#define CALLS_MIN 0.8  /* share of all calls made by wrappers */

/* A file or function that makes calls. */
struct calling_code {
	struct layer code;
	uint64_t calls;
	uint64_t called; /* of them, for callers elsewhere */
	uint32_t functions, sites, callers;
};

/* Calls from one spot, with the first of them. */
struct spot_calls {
	const struct call *call;
	uint64_t count;
};

struct layer_search {
	struct reader *reader;
	struct symbols *source;
	struct arena arena;
	struct interner codes, things; /* things: functions, sites and callers of code */
	struct calling_code *found;
	size_t found_count;
	uint64_t calls;
	struct interner spots;
	size_t spots_before;                 /* of other processes */
	ARRAY(struct spot_calls) spot_calls; /* of the current process */
};

static bool is_new(struct layer_search *search, size_t code, char kind, const char *text, uint64_t number)
{
	size_t before = search->things.count;
	struct text key = {0};

	text_add(&key, "%zu%c%s %llx", code, kind, text ? text : "", (unsigned long long)number);
	intern(&search->things, key.bytes, key.length);
	text_release(&key);
	return search->things.count > before;
}

static size_t find_calling_code(struct layer_search *search, const char *file, const char *function)
{
	struct text key = {0};
	size_t number;

	text_add(&key, "%s\n%s", file, function ? function : "");
	number = intern(&search->codes, key.bytes, key.length)->number;
	text_release(&key);
	if (number == search->found_count)
		arena_add(&search->arena, search->found, search->found_count,
		          (struct calling_code){.code = {file, function}});
	return number;
}

/* The first caller elsewhere; false: unknown. */
static bool find_other(struct layer_search *search, const struct process *process, const struct call *call,
                       const struct layer *code, struct location *other)
{
	struct caller_iter callers = {.of_short_paths = true};

	while (symbols_next_caller(search->source, process, call, &callers)) {
		*other = callers.where;
		if (other->file && !layer_contains(code, other))
			return true;
	}
	return false;
}

static void add_calls_of(struct layer_search *search, const struct process *process, const struct call *call,
                         const struct location *where, size_t number, uint64_t count)
{
	struct calling_code *code = &search->found[number];
	struct location other;

	code->calls += count;
	code->functions += is_new(search, number, 'f', location_function(where), 0);
	code->sites += is_new(search, number, 's', call->outline->name, (uint64_t)where->line);
	if (!find_other(search, process, call, &code->code, &other))
		return;
	code->called += count;
	code->callers += is_new(search, number, 'c', other.file, (uint64_t)other.line);
}

static void add_calls(struct layer_search *search, const struct process *process, const struct call *call,
                      uint64_t count)
{
	struct location where = symbols_find_site(search->source, process, call);
	const char *function = location_function(&where);

	search->calls += count;
	if (!where.file)
		return;
	add_calls_of(search, process, call, &where, find_calling_code(search, where.file, NULL), count);
	if (function)
		add_calls_of(search, process, call, &where, find_calling_code(search, where.file, function),
		             count);
}

static bool is_of_interest(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	bool is_edge = info && info->life && !call_is_pgas(info);

	return info && !is_edge && !is_local_call(info) && call->outline->has_site;
}

static void count_spot(struct layer_search *search, const struct process *process, const struct call *call,
                       uint64_t count)
{
	struct call_spot spot = call_spot((uint32_t)(process - search->reader->processes), call);
	size_t number = intern(&search->spots, &spot, sizeof spot)->number - search->spots_before;

	if (number == search->spot_calls.count)
		array_add(&search->spot_calls, ((struct spot_calls){call, 0}));
	search->spot_calls.items[number].count += count;
}

static void add_process(struct layer_search *search, struct process *process)
{
	size_t number = (size_t)(process - search->reader->processes);

	/* Of several processes that analyse a trace together, none has read it yet. */
	if (!process->call_counts)
		reader_read_part(search->reader, number, number + 1);
	for (uint32_t i = 0; process->call_counts && i < process->calls.count; i++)
		if (process->call_counts[i])
			count_spot(search, process, process->calls.items[i], process->call_counts[i]);
	for (size_t i = 0; i < search->spot_calls.count; i++)
		if (is_of_interest(search->spot_calls.items[i].call))
			add_calls(search, process, search->spot_calls.items[i].call,
			          search->spot_calls.items[i].count);
	search->spot_calls.count = 0;
	search->spots_before = search->spots.count;
}

static bool has_paths(const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (process_property(&reader->processes[i], "callpath"))
			return true;
	return false;
}

static bool is_layer(const struct calling_code *code)
{
	return (double)code->called >= CALLED_MIN * (double)code->calls &&
	       code->sites <= CALLS_OF_FUNCTION * code->functions && code->callers >= CALLERS_MIN &&
	       code->callers >= code->functions;
}

/* A file precedes its functions. */
static bool is_known(const struct symbols *source, const char *file)
{
	const struct layer *layers;
	size_t count = symbols_layers(source, &layers);

	for (size_t i = 0; i < count; i++)
		if (!layers[i].function && strcmp(layers[i].file, file) == 0)
			return true;
	return false;
}

void layers_find(struct reader *reader, struct symbols *source)
{
	struct layer_search search = {.reader = reader, .source = source};
	size_t step = reader->process_count / PROCESSES_MAX + 1;
	bool has_files;
	uint64_t calls;

	if (!has_paths(reader))
		return;
	search.codes.arena = search.things.arena = search.spots.arena = &search.arena;
	for (size_t i = 0; i < reader->process_count; i += step)
		add_process(&search, &reader->processes[i]);
	/* Tests whether these files make nearly all calls for others. */
	calls = 0;
	for (size_t i = 0; i < search.found_count; i++)
		if (!search.found[i].code.function && is_layer(&search.found[i]))
			calls += search.found[i].calls;
	has_files = (double)calls >= CALLS_MIN * (double)search.calls;
	for (size_t i = 0; i < search.found_count; i++) {
		const struct layer *code = &search.found[i].code;
		if ((code->function || has_files) && is_layer(&search.found[i]) &&
		    !is_known(source, code->file))
			symbols_add_layer(source, *code);
	}
	array_release(&search.spot_calls);
	arena_release(&search.arena);
}
