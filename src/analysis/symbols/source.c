#include "analysis/symbols/source.h"

#include "analysis/symbols/debug_info.h"
#include "analysis/symbols/fortran.h"
#include "analysis/symbols/tail_calls.h"
#include "base/memory.h"
#include "base/paths.h"
#include "trace/grow.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct source {
	struct arena arena;
	const char *folder;
	struct interner keys; /* path and build-id */
	struct object_file *files;
	size_t file_count;
	struct interner places; /* file, offset and what is called there */
	struct location *locations;
	size_t location_count;
	struct interner texts; /* of Fortran sources, by path */
	struct fortran_text **fortran;
	size_t fortran_count;
	struct warnings warnings;
};

struct source *source_new(void)
{
	struct source *source = memory_new(1, sizeof *source);

	source->keys.arena = source->places.arena = source->texts.arena = &source->arena;
	source->warnings.arena = &source->arena;
	return source;
}

void source_free(struct source *source)
{
	for (size_t i = 0; i < source->file_count; i++)
		object_file_close(&source->files[i]);
	arena_release(&source->arena);
	free(source);
}

void source_search(struct source *source, const char *folder)
{
	source->folder = folder ? arena_text(&source->arena, folder) : NULL;
}

size_t source_warnings(const struct source *source, const char *const **warnings)
{
	*warnings = source->warnings.sentences;
	return source->warnings.count;
}

static size_t find_file(struct source *source, const struct module *module)
{
	struct text key = {0};
	size_t number;

	text_add(&key, "%s\n", module->path);
	if (module->build_id_size)
		text_add_bytes(&key, (const char *)module->build_id, module->build_id_size);
	number = intern(&source->keys, key.bytes, key.length)->number;
	text_release(&key);
	if (number == source->file_count) {
		source->files = arena_grown(&source->arena, source->files, number, sizeof *source->files);
		source->file_count++;
		object_file_open(&source->files[number], module, source->folder, &source->warnings);
	}
	return number;
}

/* What a call site is looked up with. */
struct site_lookup {
	struct source *source;
	struct object_file *file;
	Dwarf_Addr return_address;
	const char *callee; /* NULL: not known */
};

static void warn_stripped(const struct site_lookup *lookup)
{
	struct object_file *file = lookup->file;
	Dwarf_Addr bias;

	if (file->warned || dwfl_module_getdwarf(file->opened, &bias))
		return;
	file->warned = true;
	warn(&lookup->source->warnings,
	     "'%s' has no debug information: compile with -g to see source lines, or name a folder that has "
	     "the file as it was before it was stripped with --symbols",
	     file->path);
}

static const struct fortran_text *load_fortran(struct source *source, const char *path)
{
	size_t number = intern(&source->texts, path, strlen(path))->number;

	if (number == source->fortran_count) {
		source->fortran = arena_grown(&source->arena, source->fortran, number,
		                              sizeof *source->fortran);
		source->fortran[source->fortran_count++] = fortran_text_load(&source->arena, path);
	}
	return source->fortran[number];
}

static void correct_fortran_line(const struct site_lookup *lookup, struct compile_unit *unit,
                                 struct location *where)
{
	const struct fortran_text *text = load_fortran(lookup->source, where->file);
	struct object_file *file = lookup->file;
	bool is_usable = text && (!file->changed_ns || text->changed_ns <= file->changed_ns);

	if (is_usable) {
		where->is_near = !fortran_find_line(file->opened, unit, lookup->return_address,
		                                    lookup->callee, text, &where->line);
		return;
	}
	if (!file->warned_source)
		warn(&lookup->source->warnings,
		     "'%s' %s: a Fortran call may be shown at the beginning of the block around it, as the "
		     "compiler has it; the source that '%s' was built from would tell",
		     where->file, text ? "was changed since" : "cannot be read", file->path);
	file->warned_source = true;
}

static void find_line(const struct site_lookup *lookup, struct compile_unit *unit, Dwarf_Addr address,
                      struct location *where)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->lines, address - unit->bias);
	const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	struct arena *arena = &lookup->source->arena;
	Dwarf_Attribute folder;

	if (!path || dwarf_lineno(line, &where->line) != 0 || !where->line)
		return;
	if (path[0] != '/' && dwarf_attr(&unit->lines, DW_AT_comp_dir, &folder))
		where->file = arena_format(arena, "%s/%s", dwarf_formstring(&folder), path);
	else
		where->file = arena_text(arena, path);
	if (lookup->callee && unit_is_fortran(unit))
		correct_fortran_line(lookup, unit, where);
}

static void find_names(const struct site_lookup *lookup, struct compile_unit *unit, Dwarf_Addr address,
                       struct location *where)
{
	struct function around;

	if (!unit_function(unit, address, &around))
		return;
	where->function = dwarf_diename(&around.real);
	if (dwarf_tag(&around.innermost) == DW_TAG_inlined_subroutine)
		where->inlined = arena_text(&lookup->source->arena, dwarf_diename(&around.innermost));
}

static void find_symbol(const struct site_lookup *lookup, Dwarf_Addr address, struct location *where)
{
	GElf_Sym symbol;
	GElf_Off offset = 0;
	const char *name = dwfl_module_addrinfo(lookup->file->opened, address, &offset, &symbol, NULL, NULL,
	                                        NULL);

	where->function_offset = name ? offset + 1 : 0;
	if (!where->function)
		where->function = name;
	if (where->function)
		where->function = arena_text(&lookup->source->arena, where->function);
}

static void describe_address(const struct site_lookup *lookup, Dwarf_Addr address, struct location *where)
{
	struct compile_unit unit;

	if (unit_find(lookup->file->opened, address, &unit)) {
		find_line(lookup, &unit, address, where);
		find_names(lookup, &unit, address, where);
	}
	if (!where->file)
		warn_stripped(lookup);
	find_symbol(lookup, address, where);
}

static void look_up(const struct site_lookup *lookup, struct location *where)
{
	struct tail_call tail = {0};

	if (!lookup->callee ||
	    !tail_call_find(lookup->file->opened, lookup->return_address, lookup->callee, &tail)) {
		describe_address(lookup, lookup->return_address - 1, where);
		return;
	}
	if (!tail.address) {
		struct site_lookup caller = *lookup;
		caller.callee = NULL;
		where->through = arena_text(&lookup->source->arena, tail.through);
		describe_address(&caller, lookup->return_address - 1, where);
		return;
	}
	describe_address(lookup, tail.address, where);
}

/* Lines that the trace itself has. */
static struct location known_line(const struct module *module, uint64_t line)
{
	struct location where = {.module = path_name(module->path), .offset = line};

	where.function = *module->function ? module->function : NULL;
	if (line && line <= INT_MAX) {
		where.file = module->path;
		where.line = (int)line;
	}
	return where;
}

static size_t number_place(struct source *source, size_t file, uint64_t offset, const char *callee)
{
	struct text key = {0};
	size_t number;

	text_add(&key, "%zu %llx %s", file, (unsigned long long)offset, callee ? callee : "");
	number = intern(&source->places, key.bytes, key.length)->number;
	text_release(&key);
	return number;
}

static struct location find(struct source *source, const struct module *module, uint64_t offset,
                            const char *callee)
{
	struct location where = {.offset = offset};
	struct site_lookup lookup = {.source = source, .return_address = offset, .callee = callee};
	size_t file, number;

	if (!module)
		return where;
	if (module->function)
		return known_line(module, offset);
	file = find_file(source, module);
	number = number_place(source, file, offset, callee);
	if (number < source->location_count)
		return source->locations[number];
	lookup.file = &source->files[file];
	where.module = path_name(lookup.file->path);
	if (lookup.file->opened && offset)
		look_up(&lookup, &where);
	source->locations = arena_grown(&source->arena, source->locations, number, sizeof where);
	source->locations[number] = where;
	source->location_count++;
	return where;
}

struct location source_find(struct source *source, const struct module *module, uint64_t offset)
{
	return find(source, module, offset, NULL);
}

struct location source_find_call(struct source *source, const struct process *process,
                                 const struct call *call)
{
	if (!call->outline->has_site)
		return (struct location){0};
	return find(source, find_module(process, call->outline->module), call->outline->offset,
	            call->outline->name);
}

static void describe_line(const struct location *where, struct text *out)
{
	text_add(out, "%s%s:%d", where->is_near ? "near " : "", path_name(where->file), where->line);
	if (where->inlined)
		text_add(out, " %s (inlined)", where->inlined);
	else if (where->function)
		text_add(out, " %s", where->function);
}

static void describe_place(const struct location *where, struct text *out)
{
	if (where->function && where->function_offset)
		text_add(out, "%s+0x%llx in %s", where->function, (unsigned long long)where->function_offset,
		         where->module);
	else if (where->function)
		text_add(out, "%s in %s", where->function, where->module);
	else if (where->offset)
		text_add(out, "%s+0x%llx", where->module, (unsigned long long)where->offset);
	else
		text_add(out, "%s", where->module);
}

void location_describe(const struct location *where, struct text *out)
{
	if (!where->module)
		return;
	if (where->file)
		describe_line(where, out);
	else
		describe_place(where, out);
	if (where->through)
		text_add(out, " through %s", where->through);
}
