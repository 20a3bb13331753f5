#include "analysis/model/layers.h"

#include "analysis/model/call_semantics.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MOST = 8, EVENTS_MOST = 1 << 20, CALLS_OF_FUNCTION = 2, CALLERS_LEAST = 2 };

#define CALLED_LEAST 0.9 /* of the calls of a layer: made for others */
#define CALLS_LEAST 0.8  /* of all calls: made by layers */

/* A file that makes calls. */
struct calling_file {
	const char *name;
	uint64_t calls;
	uint64_t called; /* of them, for another file */
	uint32_t functions, sites, callers;
};

struct layer_search {
	struct reader *reader;
	struct symbols *source;
	struct arena arena;
	struct interner files, things; /* things: functions, sites and callers of files */
	struct calling_file *found;
	size_t found_count;
	uint64_t calls;
};

static bool is_new(struct layer_search *search, size_t file, char kind, const char *text, uint64_t number)
{
	size_t before = search->things.count;
	struct text key = {0};

	text_add(&key, "%zu%c%s %llx", file, kind, text ? text : "", (unsigned long long)number);
	intern(&search->things, key.bytes, key.length);
	text_release(&key);
	return search->things.count > before;
}

static struct calling_file *find_calling_file(struct layer_search *search, const char *name)
{
	size_t number = intern(&search->files, name, strlen(name))->number;

	if (number == search->found_count)
		arena_add(&search->arena, search->found, search->found_count,
		          (struct calling_file){.name = name});
	return &search->found[number];
}

/* The first of the callers that is in another file; false: not known. */
static bool find_other(struct layer_search *search, const struct process *process, const struct call *call,
                       const char *file, struct location *other)
{
	struct caller_iter callers = {.of_short_paths = true};

	while (symbols_next_caller(search->source, process, call, &callers)) {
		*other = callers.where;
		if (other->file && strcmp(other->file, file) != 0)
			return true;
	}
	return false;
}

static void add_calls(struct layer_search *search, const struct process *process, const struct call *call,
                      uint64_t count)
{
	struct location where = symbols_find_site(search->source, process, call), other;
	struct calling_file *file;
	size_t number;

	search->calls += count;
	if (!where.file)
		return;
	file = find_calling_file(search, where.file);
	number = (size_t)(file - search->found);
	file->calls += count;
	file->functions += is_new(search, number, 'f', where.inlined ? where.inlined : where.function, 0);
	file->sites += is_new(search, number, 's', call->outline->name, (uint64_t)where.line);
	if (!find_other(search, process, call, where.file, &other))
		return;
	file->called += count;
	file->callers += is_new(search, number, 'c', other.file, (uint64_t)other.line);
}

static bool is_of_interest(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	bool is_edge = info == &all_calls[CALL_Init] || info == &all_calls[CALL_Init_thread] ||
	               info == &all_calls[CALL_Finalize];

	return info && !is_edge && !is_local_call(info) && call->outline->has_site;
}

static void add_process(struct layer_search *search, struct process *process)
{
	ARRAY(uint64_t) counts = {0};
	uint64_t read = 0;
	struct event_iter iter;
	struct event event;

	for (size_t i = 0; i < process->stream_count; i++) {
		reader_events(search->reader, &process->streams[i], &iter);
		while (reader_next(&iter, &event)) {
			array_extend(&counts, (size_t)event.id + 1)->items[event.id] += event.polls
			                                                                        ? event.polls
			                                                                        : 1;
			if (++read == EVENTS_MOST)
				break;
		}
		event_iter_release(&iter);
		if (read == EVENTS_MOST)
			break;
	}
	for (uint32_t i = 0; i < counts.count && i < process->calls.count; i++)
		if (counts.items[i] && is_of_interest(process->calls.items[i]))
			add_calls(search, process, process->calls.items[i], counts.items[i]);
	array_release(&counts);
}

static bool has_paths(const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		if (process_property(&reader->processes[i], "callpath"))
			return true;
	return false;
}

static bool is_layer(const struct calling_file *file)
{
	return (double)file->called >= CALLED_LEAST * (double)file->calls &&
	       file->sites <= CALLS_OF_FUNCTION * file->functions && file->callers >= CALLERS_LEAST &&
	       file->callers >= file->functions;
}

void layers_find(struct reader *reader, struct symbols *source)
{
	struct layer_search search = {.reader = reader, .source = source};
	size_t step = reader->process_count / PROCESSES_MOST + 1;
	uint64_t calls = 0;

	if (!has_paths(reader))
		return;
	search.files.arena = search.things.arena = &search.arena;
	for (size_t i = 0; i < reader->process_count; i += step)
		add_process(&search, &reader->processes[i]);
	for (size_t i = 0; i < search.found_count; i++)
		calls += is_layer(&search.found[i]) ? search.found[i].calls : 0;
	for (size_t i = 0; i < search.found_count && (double)calls >= CALLS_LEAST * (double)search.calls; i++)
		if (is_layer(&search.found[i]))
			symbols_add_layer(source, search.found[i].name);
	arena_release(&search.arena);
}
