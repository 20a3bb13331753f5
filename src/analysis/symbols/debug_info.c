#include "analysis/symbols/debug_info.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/text.h"

#include <dwarf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libdw's own search path, and with a folder in it: only one source with another folder is open at a time. */
static char search_path[PATH_MAX + 32];
static char *debug_path;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debug_path,
};

void warn(struct symbol_warnings *warnings, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	array_add_in(warnings->arena, warnings, arena_text(warnings->arena, text));
}

static bool is_recorded_build(Dwfl_Module *opened, const struct module *module)
{
	const unsigned char *bits;
	GElf_Addr address;
	int size = dwfl_module_build_id(opened, &bits, &address);

	if (!module->build_id_size)
		return size <= 0 || !module->has_stamp;
	return size > 0 && (size_t)size == module->build_id_size &&
	       memcmp(bits, module->build_id, module->build_id_size) == 0;
}

/* Without a build-id, size and modification time identify the file. */
static bool has_recorded_stamp(const struct stat *info, const struct module *module)
{
	uint64_t changed_ns = (uint64_t)info->st_mtim.tv_sec * 1000000000u + (uint64_t)info->st_mtim.tv_nsec;

	return module->build_id_size || !module->has_stamp ||
	       ((uint64_t)info->st_size == module->stamp.bytes && changed_ns == module->stamp.changed_ns);
}

struct function_addresses {
	Dwarf_Addr begin, end;
	Dwarf_Die die;
};

struct unit_functions {
	Dwarf_CU *unit;
	/* Without and with nested procedures. */
	struct function_list {
		ARRAY(struct function_addresses) ranges;
		bool is_complete;
	} lists[2];
};

void object_file_close(struct object_file *file)
{
	for (size_t i = 0; i < file->units.count; i++) {
		array_release(&file->units.items[i]->lists[false].ranges);
		array_release(&file->units.items[i]->lists[true].ranges);
		free(file->units.items[i]);
	}
	array_release(&file->units);
	symbol_table_free(file->symbols);
	file->symbols = NULL;
	if (file->dwfl)
		dwfl_end(file->dwfl);
	file->dwfl = NULL;
	file->opened = NULL;
}

/* With base 0 its addresses are those of the ELF file, like a module's offsets. Returns
 * NULL, or the problem. */
static const char *open_at(struct object_file *file, const char *path)
{
	int fd = open_regular(AT_FDCWD, path, O_RDONLY);

	if (fd < 0)
		return file_error();
	file->dwfl = dwfl_begin(&callbacks);
	if (file->dwfl) {
		dwfl_report_begin(file->dwfl);
		file->opened = dwfl_report_elf(file->dwfl, path, path, fd, 0, true);
		dwfl_report_end(file->dwfl, NULL, NULL);
	}
	if (file->opened)
		return NULL;
	object_file_close(file);
	close(fd);
	return dwfl_errmsg(-1);
}

static bool open_in_folder(struct object_file *file, const struct module *module, const char *folder)
{
	const char *const endings[] = {"", ".debug"};
	const char *const names[] = {module->path, path_name(module->path)};
	char path[PATH_MAX];

	for (size_t i = 0; i < 4; i++) {
		if (snprintf(path, sizeof path, "%s/%s%s", folder, names[i / 2], endings[i % 2]) >=
		            PATH_MAX ||
		    open_at(file, path))
			continue;
		if (is_recorded_build(file->opened, module))
			return true;
		object_file_close(file);
	}
	return false;
}

void object_file_open(struct object_file *file, const struct module *module, const char *folder,
                      struct arena *arena)
{
	const char *problem;
	struct stat info;

	file->path = arena_text(arena, module->path);
	debug_path = NULL;
	if (folder && snprintf(search_path, sizeof search_path, ":.debug:/usr/lib/debug:%s", folder) <
	                      (int)sizeof search_path)
		debug_path = search_path;
	if (folder && open_in_folder(file, module, folder))
		return;
	problem = open_at(file, module->path);
	if (problem) {
		file->problem = arena_format(
			arena,
			"cannot read '%s' (%s): its call sites have no lines; name the folder where the file is now "
			"with --symbols",
			module->path, problem);
		return;
	}
	if (stat(module->path, &info) == 0)
		file->changed_ns = (uint64_t)info.st_mtim.tv_sec * 1000000000u +
		                   (uint64_t)info.st_mtim.tv_nsec;
	if (is_recorded_build(file->opened, module) && has_recorded_stamp(&info, module))
		return;
	file->problem = arena_format(
		arena,
		"'%s' was rebuilt after the recording: its call sites have no lines; record again, or name a "
		"folder with the recorded build with --symbols",
		module->path);
	object_file_close(file);
}

const char *object_file_symbol(struct object_file *file, Dwarf_Addr address, GElf_Off *offset)
{
	if (!file->symbols)
		file->symbols = symbol_table_new(file->opened);
	return symbol_table_find(file->symbols, address, offset);
}

/* Without a table of addresses, all units are searched. */
static Dwarf_Die *search_units(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *die = NULL;

	while ((die = dwfl_module_nextcu(module, die, bias)))
		if (dwarf_haspc(die, address - *bias) > 0)
			return die;
	return NULL;
}

static struct unit_functions *find_functions(struct object_file *file, Dwarf_CU *unit)
{
	struct unit_functions *functions;

	for (size_t i = 0; i < file->units.count; i++)
		if (file->units.items[i]->unit == unit)
			return file->units.items[i];
	functions = memory_new(1, sizeof *functions);
	functions->unit = unit;
	array_add(&file->units, functions);
	return functions;
}

bool unit_find(struct object_file *file, Dwarf_Addr address, struct compile_unit *unit)
{
	Dwarf_Die *found = dwfl_module_addrdie(file->opened, address, &unit->bias);
	Dwarf_Die half;
	uint8_t type;

	if (!found)
		found = search_units(file->opened, address, &unit->bias);
	if (!found)
		return false;
	unit->lines = unit->scopes = *found;
	if (dwarf_cu_info(found->cu, NULL, &type, NULL, &half, NULL, NULL, NULL) == 0 &&
	    type == DW_UT_skeleton && half.cu)
		unit->scopes = half;
	unit->functions = find_functions(file, unit->scopes.cu);
	return true;
}

static bool is_container(int tag)
{
	return tag == DW_TAG_module || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type;
}

static void list_functions(Dwarf_Die *parent, bool nested, struct function_list *list)
{
	Dwarf_Die child;

	if (dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);
		struct function_addresses range = {.die = child};
		Dwarf_Addr base;
		ptrdiff_t at = 0;
		while (tag == DW_TAG_subprogram &&
		       (at = dwarf_ranges(&child, at, &base, &range.begin, &range.end)) > 0)
			array_add(&list->ranges, range);
		if (is_container(tag) || (nested && tag == DW_TAG_subprogram))
			list_functions(&child, nested, list);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static void enter_scope(Dwarf_Die *die, struct function_scope *function)
{
	uint32_t last = function->inlined_count < INLINED_MAX ? function->inlined_count : INLINED_MAX - 1;
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_subprogram) {
		function->real = *die;
		function->inlined_count = 0;
	} else if (tag == DW_TAG_inlined_subroutine) {
		function->inlined[last] = *die;
		function->inlined_count = last + 1;
	}
}

/* Scopes in a function or a block. `nested`: also in procedures at other addresses. */
static bool enter_scopes(Dwarf_Die *parent, Dwarf_Addr address, bool nested, struct function_scope *function)
{
	Dwarf_Die child;

	if (dwarf_child(parent, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		bool is_scope = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
		                tag == DW_TAG_lexical_block;
		if (is_scope && dwarf_haspc(&child, address) > 0) {
			enter_scope(&child, function);
			enter_scopes(&child, address, nested, function);
			return true;
		}
		if ((is_container(tag) || (nested && tag == DW_TAG_subprogram)) &&
		    enter_scopes(&child, address, nested, function))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* libdw's own search skips Fortran modules, which have no addresses, and nested procedures, which have other
 * addresses. `nested`: search those too. */
static bool find_function(struct compile_unit *unit, Dwarf_Addr address, bool nested,
                          struct function_scope *function)
{
	struct function_list *list = &unit->functions->lists[nested];

	if (!list->is_complete)
		list_functions(&unit->scopes, nested, list);
	list->is_complete = true;
	for (size_t i = 0; i < list->ranges.count; i++) {
		struct function_addresses *range = &list->ranges.items[i];
		if (address < range->begin || address >= range->end)
			continue;
		enter_scope(&range->die, function);
		enter_scopes(&range->die, address, nested, function);
		return true;
	}
	return false;
}

bool unit_function(struct compile_unit *unit, Dwarf_Addr address, struct function_scope *function)
{
	function->inlined_count = 0;
	return find_function(unit, address - unit->bias, false, function) ||
	       find_function(unit, address - unit->bias, true, function);
}

Dwarf_Die *innermost_function(struct function_scope *function)
{
	return function->inlined_count ? &function->inlined[function->inlined_count - 1] : &function->real;
}

const char *die_link_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}
