#include "analysis/symbols/symbols.h"

#include "analysis/symbols/debug_info.h"
#include "analysis/symbols/fortran.h"
#include "analysis/symbols/tail_calls.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/text.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Demangles C++ names. */

static char *(*read_name)(const char *name, char *room, size_t *bytes, int *status);

/* The C++ library demangles names. It exists where C++ programs are, and is not needed otherwise. */
static void load_reader(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		library = dlopen("libc++abi.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (library)
		*(void **)&read_name = dlsym(library, "__cxa_demangle");
}

/* The start of the parameter list, which is the last part in brackets; the end of the
 * name if there is none. */
static size_t parameters_at(const char *name)
{
	const char *at = strrchr(name, ')');
	int depth = 0;

	for (; at && at > name; at--) {
		depth += *at == ')';
		depth -= *at == '(';
		if (!depth)
			return (size_t)(at - name);
	}
	return strlen(name);
}

/* For a template, the return type is first: "void f<int>". Spaces inside brackets belong to its arguments. */
static const char *without_result(const char *name, size_t length)
{
	const char *begin = name;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		depth += name[i] == '<' || name[i] == '(';
		depth -= name[i] == '>' || name[i] == ')';
		if (text_begins(name + i, "operator"))
			break;
		if (name[i] == ' ' && !depth)
			begin = name + i + 1;
	}
	return begin;
}

/* "solver::exchange" for "_ZN6solver8exchangeEii": without parameters. The name itself if it is not a C++
 * name, or cannot be demangled. */
static const char *demangled(struct arena *arena, const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *begin, *kept;
	size_t length;
	char *whole;
	int status = 0;

	if (!text_begins(name, "_Z"))
		return name;
	pthread_once(&once, load_reader);
	whole = read_name ? read_name(name, NULL, NULL, &status) : NULL;
	if (!whole)
		return name;
	length = parameters_at(whole);
	begin = without_result(whole, length);
	kept = arena_bytes_as_text(arena, begin, length - (size_t)(begin - whole));
	free(whole);
	return kept;
}

struct symbols {
	struct arena arena;
	const char *folder;
	struct interner file_keys; /* path and build-id */
	ARRAY(struct object_file) files;
	struct interner location_keys; /* file, offset and callee */
	ARRAY(struct location) locations;
	struct interner fortran_paths;
	ARRAY(struct fortran_text *) fortran;
	struct symbol_warnings warnings;
	ARRAY(struct layer) layers;
	struct text key; /* of the lookup */
};

struct symbols *symbols_new(void)
{
	struct symbols *symbols = memory_new(1, sizeof *symbols);

	symbols->file_keys.arena = symbols->location_keys.arena = symbols->fortran_paths.arena =
		&symbols->arena;
	symbols->warnings.arena = &symbols->arena;
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->files.count; i++)
		object_file_close(&symbols->files.items[i]);
	text_release(&symbols->key);
	arena_release(&symbols->arena);
	free(symbols);
}

void symbols_search(struct symbols *symbols, const char *folder)
{
	symbols->folder = folder ? arena_text(&symbols->arena, folder) : NULL;
}

size_t symbols_warnings(const struct symbols *symbols, const char *const **warnings)
{
	*warnings = symbols->warnings.items;
	return symbols->warnings.count;
}

/* Libraries of the system need no -g and are not at fault. */
static bool is_of_system(const char *path)
{
	static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/"};

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (text_begins(path, folders[i]))
			return true;
	return false;
}

static void tell(struct symbols *symbols, struct object_file *file)
{
	if (file->problem && !file->warned_problem)
		warn(&symbols->warnings, "%s", file->problem);
	file->warned_problem = file->problem;
}

static void tell_of_own(struct symbols *symbols, struct object_file *file)
{
	if (!is_of_system(file->path))
		tell(symbols, file);
}

static size_t find_file(struct symbols *symbols, const struct module *module)
{
	struct text *key = &symbols->key;
	size_t number;

	text_clear(key);
	text_add_bytes(key, module->path, strlen(module->path) + 1);
	if (module->build_id_size)
		text_add_bytes(key, (const char *)module->build_id, module->build_id_size);
	number = intern(&symbols->file_keys, key->bytes, key->length)->number;
	if (number == symbols->files.count) {
		array_add_in(&symbols->arena, &symbols->files, (struct object_file){0});
		object_file_open(&symbols->files.items[number], module, symbols->folder, &symbols->arena);
		tell_of_own(symbols, &symbols->files.items[number]);
	}
	return number;
}

/* Input of a call site lookup. */
struct site_lookup {
	struct symbols *symbols;
	struct object_file *file;
	Dwarf_Addr return_address;
	const char *callee; /* NULL: unknown */
};

static const struct fortran_text *load_fortran(struct symbols *symbols, const char *path)
{
	size_t number = intern(&symbols->fortran_paths, path, strlen(path))->number;

	if (number == symbols->fortran.count)
		array_add_in(&symbols->arena, &symbols->fortran, fortran_text_load(&symbols->arena, path));
	return symbols->fortran.items[number];
}

static void correct_fortran_line(const struct site_lookup *lookup, struct compile_unit *unit,
                                 struct location *where)
{
	const struct fortran_text *text = load_fortran(lookup->symbols, where->file);
	struct object_file *file = lookup->file;
	bool is_usable = text && (!file->changed_ns || text->changed_ns <= file->changed_ns);

	if (is_usable) {
		where->is_near = !fortran_find_line(file->opened, unit, lookup->return_address,
		                                    lookup->callee, text, &where->line);
		return;
	}
	if (!file->warned_source)
		warn(&lookup->symbols->warnings,
		     "'%s' %s: a Fortran call may be shown at the beginning of the block around it, as the "
		     "compiler has it; the source that '%s' was built from would show the line",
		     where->file, text ? "was changed since" : "cannot be read", file->path);
	file->warned_source = true;
}

/* As named by the unit. */
static const char *full_path(const struct site_lookup *lookup, struct compile_unit *unit, const char *path)
{
	struct arena *arena = &lookup->symbols->arena;
	Dwarf_Attribute folder;

	if (path[0] != '/' && dwarf_attr(&unit->lines, DW_AT_comp_dir, &folder))
		return arena_format(arena, "%s/%s", dwarf_formstring(&folder), path);
	return arena_text(arena, path);
}

static Dwarf_Word number_in(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &number) == 0 ? number : 0;
}

/* The line from which an inlined function was called. */
static void find_inlined_call(const struct site_lookup *lookup, struct compile_unit *unit, Dwarf_Die *inlined,
                              struct location *where)
{
	Dwarf_Word file = number_in(inlined, DW_AT_call_file), line = number_in(inlined, DW_AT_call_line);
	Dwarf_Files *files;
	size_t count;
	const char *path = NULL;

	if (dwarf_getsrcfiles(&unit->scopes, &files, &count) == 0 && file < count)
		path = dwarf_filesrc(files, file, NULL, NULL);
	if (!path || !line || line > INT_MAX)
		return;
	where->file = full_path(lookup, unit, path);
	where->line = (int)line;
}

static bool is_region(const char *function)
{
	return strstr(function, "._omp_fn.") || strstr(function, ".omp_outlined");
}

const char *function_in_source(const char *function, struct arena *arena)
{
	if (!is_region(function))
		return demangled(arena, arena_text(arena, function));
	if (*function == '.')
		return "OpenMP region";
	return demangled(arena, arena_bytes_as_text(arena, function, strcspn(function, ".")));
}

static const char *name_of(const struct site_lookup *lookup, Dwarf_Die *function)
{
	const char *name = dwarf_diename(function);

	return name ? function_in_source(name, &lookup->symbols->arena) : NULL;
}

/* The function around a Fortran program, which is not in the source. */
static bool is_artificial(struct compile_unit *unit, Dwarf_Die *function)
{
	const char *name = die_link_name(function);

	return name && strcmp(name, "main") == 0 && unit_is_fortran(unit);
}

static void find_names(const struct site_lookup *lookup, struct compile_unit *unit, Dwarf_Addr address,
                       struct location *where)
{
	struct function_scope around;

	if (!unit_function(unit, address, &around))
		return;
	where->function = name_of(lookup, &around.real);
	where->in_region = where->function && is_region(dwarf_diename(&around.real));
	for (uint32_t i = 0; i < around.inlined_count; i++) {
		if (i || !is_artificial(unit, &around.real)) {
			struct location *caller = arena_new(&lookup->symbols->arena, struct location);
			/* The call of an inlined function, from the function `around`. */
			*caller = (struct location){.module = where->module,
			                            .offset = where->offset,
			                            .function = where->function,
			                            .in_region = where->in_region,
			                            .inlined = where->inlined,
			                            .caller = where->caller};
			find_inlined_call(lookup, unit, &around.inlined[i], caller);
			where->caller = caller;
		}
		where->inlined = name_of(lookup, &around.inlined[i]);
	}
}

/* A region begins and ends where the program says so, not in the file that implements it. */
static bool is_own_file(const char *callee, const struct location *where)
{
	const char *name = where->file ? path_name(where->file) : "";

	return callee && text_begins(callee, "tarry_") &&
	       (strcmp(name, "tarry.h") == 0 || strcmp(name, "tarry.f90") == 0);
}

static void describe_address(const struct site_lookup *lookup, Dwarf_Addr address, struct location *where)
{
	struct compile_unit unit;
	struct object_file *file = lookup->file;
	Dwarf_Addr bias;
	GElf_Off offset = 0;
	const char *name;

	if (unit_find(file, address, &unit)) {
		Dwarf_Line *line = dwarf_getsrc_die(&unit.lines, address - unit.bias);
		const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
		if (path && dwarf_lineno(line, &where->line) == 0 && where->line) {
			where->file = full_path(lookup, &unit, path);
			if (lookup->callee && unit_is_fortran(&unit))
				correct_fortran_line(lookup, &unit, where);
		}
		find_names(lookup, &unit, address, where);
		while (is_own_file(lookup->callee, where) && where->caller) {
			const struct location *caller = where->caller;
			where->file = caller->file;
			where->line = caller->line;
			where->inlined = caller->inlined;
			where->caller = caller->caller;
		}
	}
	if (!where->file && !file->problem && !dwfl_module_getdwarf(file->opened, &bias)) {
		file->problem = arena_format(
			&lookup->symbols->arena,
			"'%s' has no debug information: compile with -g to see source lines, or name a folder with the "
			"unstripped file with --symbols",
			file->path);
		tell_of_own(lookup->symbols, file);
	}
	name = object_file_symbol(file, address, &offset);
	where->function_offset = name ? offset + 1 : 0;
	/* An offset without a line refers to the symbol itself. */
	if (!where->function && name) {
		where->in_region = is_region(name);
		where->function = where->file ? function_in_source(name, &lookup->symbols->arena)
		                              : demangled(&lookup->symbols->arena,
		                                          arena_text(&lookup->symbols->arena, name));
	}
}

/* The function that jumps was called from the recorded call site. */
static void add_caller(const struct site_lookup *lookup, struct location *where)
{
	struct site_lookup caller = *lookup;
	struct location *site = arena_new(&lookup->symbols->arena, struct location);
	const struct location **end = &where->caller;

	caller.callee = NULL;
	*site = (struct location){.module = where->module, .offset = where->offset};
	describe_address(&caller, lookup->return_address - 1, site);
	while (*end)
		end = &((struct location *)*end)->caller;
	*end = site;
}

static const struct location *find_or_keep(struct symbols *symbols, const struct module *module,
                                           uint64_t offset, const char *callee)
{
	struct location where = {.offset = offset};
	struct site_lookup lookup = {.symbols = symbols, .return_address = offset, .callee = callee};
	size_t file = find_file(symbols, module), number;
	struct text *key = &symbols->key;

	text_clear(key);
	text_add_bytes(key, (const char *)&file, sizeof file);
	text_add_bytes(key, (const char *)&offset, sizeof offset);
	if (callee)
		text_add_bytes(key, callee, strlen(callee));
	number = intern(&symbols->location_keys, key->bytes, key->length)->number;
	if (number < symbols->locations.count)
		return &symbols->locations.items[number];
	lookup.file = &symbols->files.items[file];
	where.module = path_name(lookup.file->path);
	if (lookup.file->opened && offset) {
		struct tail_call tail = {0};
		if (!lookup.callee ||
		    !tail_call_find(lookup.file, lookup.return_address, lookup.callee, &tail)) {
			describe_address(&lookup, lookup.return_address - 1, &where);
		} else if (tail.address) {
			describe_address(&lookup, tail.address, &where);
			add_caller(&lookup, &where);
		} else {
			struct site_lookup caller = lookup;
			caller.callee = NULL;
			where.through = arena_text(&lookup.symbols->arena, tail.through);
			describe_address(&caller, lookup.return_address - 1, &where);
		}
	}
	array_add_in(&symbols->arena, &symbols->locations, where);
	return &symbols->locations.items[number];
}

/* For all symbols: the libraries for debug information are not thread-safe. */
static pthread_mutex_t lookup_lock = PTHREAD_MUTEX_INITIALIZER;

/* Valid as long as the symbols. */
static const struct location *find_kept(struct symbols *symbols, const struct module *module, uint64_t offset,
                                        const char *callee)
{
	const struct location *found;

	pthread_mutex_lock(&lookup_lock);
	found = find_or_keep(symbols, module, offset, callee);
	pthread_mutex_unlock(&lookup_lock);
	return found;
}

static struct location find(struct symbols *symbols, const struct module *module, uint64_t offset,
                            const char *callee)
{
	if (!module)
		return (struct location){.offset = offset};
	/* Lines from the trace itself. */
	if (module->function) {
		struct location where = {.module = path_name(module->path), .offset = offset};
		where.function = *module->function ? module->function : NULL;
		if (offset && offset <= INT_MAX) {
			where.file = module->path;
			where.line = (int)offset;
		}
		return where;
	}
	return *find_kept(symbols, module, offset, callee);
}

void symbols_warn_of(struct symbols *symbols, const struct process *process, const struct call *call)
{
	const struct module *module = call->outline->has_site ? find_module(process, call->outline->module)
	                                                      : NULL;

	if (!module || module->function)
		return;
	pthread_mutex_lock(&lookup_lock);
	tell(symbols, &symbols->files.items[find_file(symbols, module)]);
	pthread_mutex_unlock(&lookup_lock);
}

struct location symbols_find_callee(struct symbols *symbols, const struct module *module, uint64_t offset,
                                    const char *callee)
{
	return find(symbols, module, offset, callee);
}

static struct location find_step(struct symbols *symbols, const struct process *process,
                                 const struct path *path)
{
	return find(symbols, find_module(process, path->module), path->offset, NULL);
}

/* `path` is the rest of the call path: paths of Fortran regions begin in the module that implements them. */
static struct location find_site(struct symbols *symbols, const struct process *process,
                                 const struct call *call, const struct path **path)
{
	struct location where = find(symbols, find_module(process, call->outline->module),
	                             call->outline->offset, call->outline->name);

	*path = call_path(process, call);
	while (is_own_file(call->outline->name, &where)) {
		if (!*path)
			return (struct location){0};
		where = find_step(symbols, process, *path);
		*path = (*path)->caller;
	}
	return where;
}

struct location symbols_find_site(struct symbols *symbols, const struct process *process,
                                  const struct call *call)
{
	const struct path *path;

	return call->outline->has_site ? find_site(symbols, process, call, &path) : (struct location){0};
}

/* Layers */

const char *location_function(const struct location *where)
{
	return where->inlined ? where->inlined : where->function;
}

bool layer_contains(const struct layer *layer, const struct location *where)
{
	const char *function = location_function(where);

	return strcmp(layer->file, where->file) == 0 &&
	       (!layer->function || (function && strcmp(layer->function, function) == 0));
}

void symbols_add_layer(struct symbols *symbols, struct layer layer)
{
	layer.file = arena_text(&symbols->arena, layer.file);
	layer.function = layer.function ? arena_text(&symbols->arena, layer.function) : NULL;
	array_add_in(&symbols->arena, &symbols->layers, layer);
}

size_t symbols_layers(const struct symbols *symbols, const struct layer **layers)
{
	*layers = symbols->layers.items;
	return symbols->layers.count;
}

bool has_short_paths(const struct process *process)
{
	const char *kind = process_property(process, "callpath");

	return kind && strcmp(kind, "short") == 0;
}

static bool is_in_layer(const struct symbols *symbols, const struct process *process,
                        const struct module *module, const struct location *where)
{
	if (!where->file) {
		const char *program = process_property(process, "program");
		return module && !module->function && program && strcmp(module->path, program) != 0;
	}
	for (size_t i = 0; i < symbols->layers.count; i++)
		if (layer_contains(&symbols->layers.items[i], where))
			return true;
	return false;
}

/* From the inside to the call of the wrapper; `steps` sites of the path. NULL: not in a wrapper, or its
 * caller was not recorded. */
static const struct location *leave_layer(struct symbols *symbols, const struct process *process,
                                          const struct call *call, const struct location **inside,
                                          uint32_t *steps)
{
	const struct module *module = call->outline->has_site ? find_module(process, call->outline->module)
	                                                      : NULL;
	const struct path *path = call_path(process, call);
	const struct location *at;

	*steps = 0;
	if (!module || module->function)
		return NULL;
	*inside = at = find_kept(symbols, module, call->outline->offset, call->outline->name);
	while (is_in_layer(symbols, process, module, at)) {
		if (at->caller) {
			at = at->caller;
			continue;
		}
		module = path ? find_module(process, path->module) : NULL;
		if (!module || module->function)
			return NULL;
		at = find_kept(symbols, module, path->offset, NULL);
		path = path->caller;
		++*steps;
	}
	return at == *inside ? NULL : at;
}

uint32_t symbols_layer_steps(struct symbols *symbols, const struct process *process, const struct call *call)
{
	const struct location *inside;
	uint32_t steps;

	return leave_layer(symbols, process, call, &inside, &steps) ? steps : 0;
}

struct location symbols_find_call(struct symbols *symbols, const struct process *process,
                                  const struct call *call)
{
	const struct location *inside, *outside;
	struct location where;
	uint32_t steps;

	outside = leave_layer(symbols, process, call, &inside, &steps);
	if (!outside)
		return symbols_find_site(symbols, process, call);
	where = *outside;
	where.inside_layer = inside;
	return where;
}

bool symbols_next_caller(struct symbols *symbols, const struct process *process, const struct call *call,
                         struct caller_iter *callers)
{
	if (!callers->has_begun && call->outline->has_site) {
		callers->where = find_site(symbols, process, call, &callers->path);
		/* Short paths only show the callers of wrappers. */
		if (!callers->of_short_paths && has_short_paths(process)) {
			callers->where = symbols_find_call(symbols, process, call);
			callers->path = NULL;
		}
	}
	callers->has_begun = true;
	if (callers->where.caller) {
		callers->where = *callers->where.caller;
		return true;
	}
	if (!callers->path)
		return false;
	callers->where = find_step(symbols, process, callers->path);
	callers->path = callers->path->caller;
	return true;
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
	if (where->file) {
		text_add(out, "%s%s:%d", where->is_near ? "near " : "", path_name(where->file), where->line);
		if (where->inlined)
			text_add(out, " %s (inlined)", where->inlined);
		else if (where->function)
			text_add(out, " %s", where->function);
	} else
		describe_place(where, out);
	if (where->through)
		text_add(out, " through %s", where->through);
	location_add_layer(where, out);
}

void location_add_layer(const struct location *where, struct text *out)
{
	const struct location *inside = where->inside_layer;

	if (!inside)
		return;
	text_add(out, " through ");
	if (inside->file)
		text_add(out, "%s:%d", path_name(inside->file), inside->line);
	else
		describe_place(inside, out);
}
