#include "model/source.h"

#include "base/memory.h"
#include "trace/grow.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One file, whichever processes loaded it. */
struct object_file {
	const char *path;
	Dwfl *dwfl;
	Dwfl_Module *opened; /* NULL: cannot be used, and a warning says why */
	bool warned;
};

struct source {
	struct arena arena;
	struct interner keys; /* path and build-id */
	struct object_file *files;
	size_t file_count;
	struct interner places; /* file and offset */
	struct location *locations;
	size_t location_count;
	const char **warnings;
	size_t warning_count;
};

static char *debug_path; /* NULL: libdw's own search path */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

struct source *source_new(void)
{
	struct source *source = memory_new(1, sizeof *source);

	source->keys.arena = source->places.arena = &source->arena;
	return source;
}

void source_free(struct source *source)
{
	for (size_t i = 0; i < source->file_count; i++)
		if (source->files[i].dwfl)
			dwfl_end(source->files[i].dwfl);
	arena_release(&source->arena);
	free(source);
}

size_t source_warnings(const struct source *source, const char *const **warnings)
{
	*warnings = source->warnings;
	return source->warning_count;
}

static void warn(struct source *source, const char *format, ...) PRINTF_LIKE(2, 3);

static void warn(struct source *source, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	source->warnings = arena_grown(&source->arena, source->warnings, source->warning_count,
	                               sizeof(char *));
	source->warnings[source->warning_count++] = arena_text(&source->arena, text);
}

static bool is_recorded_build(Dwfl_Module *opened, const struct module *module)
{
	const unsigned char *bits;
	GElf_Addr address;
	int size = dwfl_module_build_id(opened, &bits, &address);

	if (size <= 0 || !module->build_id_size)
		return true;
	return (size_t)size == module->build_id_size &&
	       memcmp(bits, module->build_id, module->build_id_size) == 0;
}

/* Where there is no build-id to tell, the file's size and time of change do. */
static bool is_recorded_file(const char *path, const struct module *module)
{
	struct stat info;
	uint64_t changed_ns;

	if (module->build_id_size || !module->has_stamp || stat(path, &info) != 0)
		return true;
	changed_ns = (uint64_t)info.st_mtim.tv_sec * 1000000000u + (uint64_t)info.st_mtim.tv_nsec;
	return (uint64_t)info.st_size == module->stamp.bytes && changed_ns == module->stamp.changed_ns;
}

/* With base 0 its addresses are the ELF file's own, as are a module's offsets. */
static Dwfl_Module *report_file(struct source *source, Dwfl *dwfl, const struct module *module)
{
	int fd = open(module->path, O_RDONLY | O_CLOEXEC);
	Dwfl_Module *opened;

	if (fd < 0) {
		warn(source,
		     "cannot open '%s' (%s): its call sites have no lines; put the file there, or look at the "
		     "trace where the program is",
		     module->path, strerror(errno));
		return NULL;
	}
	dwfl_report_begin(dwfl);
	opened = dwfl_report_elf(dwfl, module->path, module->path, fd, 0, true);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!opened) {
		warn(source, "cannot read '%s' (%s): its call sites have no lines", module->path,
		     dwfl_errmsg(-1));
		close(fd);
	}
	return opened;
}

static void open_file(struct source *source, const struct module *module, struct object_file *file)
{
	file->path = arena_text(&source->arena, module->path);
	file->dwfl = dwfl_begin(&callbacks);
	if (!file->dwfl)
		return;
	file->opened = report_file(source, file->dwfl, module);
	if (file->opened &&
	    (!is_recorded_build(file->opened, module) || !is_recorded_file(module->path, module))) {
		warn(source,
		     "'%s' was built anew since the recording: its call sites have no lines; record again, or "
		     "put the recorded build there",
		     module->path);
		file->opened = NULL;
	}
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
		open_file(source, module, &source->files[number]);
	}
	return number;
}

static void find_line(struct source *source, struct object_file *file, Dwarf_Addr address,
                      struct location *where)
{
	Dwfl_Line *line = dwfl_module_getsrc(file->opened, address);
	const char *path = line ? dwfl_lineinfo(line, NULL, &where->line, NULL, NULL, NULL) : NULL;
	Dwarf_Addr bias;

	if (path) {
		where->file = arena_text(&source->arena, path);
		return;
	}
	where->line = 0;
	if (!file->warned && !dwfl_module_getdwarf(file->opened, &bias)) {
		file->warned = true;
		warn(source, "'%s' has no debug information: compile with -g to see source lines",
		     file->path);
	}
}

/* The innermost function is the inlined one, if any; the first that is none of these is the real one. */
static void find_scopes(Dwfl_Module *module, Dwarf_Addr address, struct location *where)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
	Dwarf_Die *scopes = NULL;
	int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;

	for (int i = 0; i < count; i++) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag == DW_TAG_inlined_subroutine && !where->inlined)
			where->inlined = dwarf_diename(&scopes[i]);
		if (tag != DW_TAG_subprogram)
			continue;
		where->function = dwarf_diename(&scopes[i]);
		break;
	}
	free(scopes);
}

static void find_function(struct source *source, const struct object_file *file, Dwarf_Addr address,
                          struct location *where)
{
	GElf_Sym symbol;
	GElf_Off offset = 0;
	const char *name;

	find_scopes(file->opened, address, where);
	name = dwfl_module_addrinfo(file->opened, address, &offset, &symbol, NULL, NULL, NULL);
	where->function_offset = name ? offset + 1 : 0;
	if (!where->function)
		where->function = name;
	if (where->function)
		where->function = arena_text(&source->arena, where->function);
	if (where->inlined)
		where->inlined = arena_text(&source->arena, where->inlined);
}

/* Lines that the trace itself has. */
static struct location known_line(const struct module *module, uint64_t line)
{
	struct location where = {.module = text_base_name(module->path), .offset = line};

	where.function = *module->function ? module->function : NULL;
	if (line && line <= INT_MAX) {
		where.file = module->path;
		where.line = (int)line;
	}
	return where;
}

struct location source_find(struct source *source, const struct module *module, uint64_t offset)
{
	struct location where = {.offset = offset};
	struct object_file *file;
	uint64_t place[2] = {0, offset};
	size_t number;

	if (!module)
		return where;
	if (module->function)
		return known_line(module, offset);
	place[0] = find_file(source, module);
	number = intern(&source->places, place, sizeof place)->number;
	if (number < source->location_count)
		return source->locations[number];
	file = &source->files[place[0]];
	where.module = text_base_name(file->path);
	if (file->opened && offset) {
		find_line(source, file, offset - 1, &where);
		find_function(source, file, offset - 1, &where);
	}
	source->locations = arena_grown(&source->arena, source->locations, number, sizeof where);
	source->locations[number] = where;
	source->location_count++;
	return where;
}

void location_describe(const struct location *where, struct text *out)
{
	if (!where->module)
		return;
	if (where->file) {
		text_add(out, "%s:%d", text_base_name(where->file), where->line);
		if (where->inlined)
			text_add(out, " %s (inlined)", where->inlined);
		else if (where->function)
			text_add(out, " %s", where->function);
	} else if (where->function && where->function_offset) {
		text_add(out, "%s+0x%llx in %s", where->function, (unsigned long long)where->function_offset,
		         where->module);
	} else if (where->function) {
		text_add(out, "%s in %s", where->function, where->module);
	} else if (where->offset) {
		text_add(out, "%s+0x%llx", where->module, (unsigned long long)where->offset);
	} else {
		text_add(out, "%s", where->module);
	}
}
