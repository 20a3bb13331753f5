/* The program's files and their debug information. A file is found by its path, or in a given folder, and is
 * used only if it is the build that ran. Compilers differ in their debug information: some write no table of
 * addresses, some put most of a unit into another file. */
#ifndef TARRY_ANALYSIS_SYMBOLS_DEBUG_INFO_H
#define TARRY_ANALYSIS_SYMBOLS_DEBUG_INFO_H

#include "analysis/symbols/symbol_table.h"
#include "base/array.h"
#include "trace/reader.h"

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Functions of a compilation unit by address, listed once: a search through the debug information visits
 * every type and variable. */
struct unit_functions;

/* A file that any number of processes loaded. */
struct object_file {
	const char *path;    /* as recorded */
	uint64_t changed_ns; /* since 1970; 0: unknown */
	Dwfl *dwfl;
	Dwfl_Module *opened; /* NULL: unusable */
	const char *problem; /* why it gives no lines, a sentence; NULL: it does, as far as known */
	bool warned_problem; /* the problem was reported, as a warning */
	bool warned_source;  /* a missing source was reported */
	ARRAY(struct unit_functions *) units; /* visited units */
	struct symbol_table *symbols;         /* NULL: not asked yet */
};

struct symbol_warnings {
	struct arena *arena;
	const char **items;
	size_t count, room;
};

void warn(struct symbol_warnings *warnings, const char *format, ...) PRINTF_LIKE(2, 3);

/* Searches `folder` first, if it is not NULL. Errors are in file->problem. */
void object_file_open(struct object_file *file, const struct module *module, const char *folder,
                      struct arena *arena);
void object_file_close(struct object_file *file);

/* The symbol at an address of a module. NULL: none. */
const char *object_file_symbol(struct object_file *file, Dwarf_Addr address, GElf_Off *offset);

/* The compilation unit around an address of a module. */
struct compile_unit {
	Dwarf_Die lines;  /* has the line table */
	Dwarf_Die scopes; /* has functions: the same, or its other half in a .dwo file */
	Dwarf_Addr bias;  /* to be added to an address of the debug information to get one of the module */
	struct unit_functions *functions;
};

bool unit_find(struct object_file *file, Dwarf_Addr address, struct compile_unit *unit);

enum { INLINED_MAX = 64 };

/* The functions around an address: inlined ones, from the outermost inwards, and the real one around them. Of
 * more than INLINED_MAX the innermost is the last. */
struct function_scope {
	Dwarf_Die inlined[INLINED_MAX];
	uint32_t inlined_count;
	Dwarf_Die real;
};

/* False: none. */
bool unit_function(struct compile_unit *unit, Dwarf_Addr address, struct function_scope *function);
/* Inlined or not. */
Dwarf_Die *innermost_function(struct function_scope *function);

/* The linker's name of a function, otherwise the one in its source. NULL: none. */
const char *die_link_name(Dwarf_Die *die);

#endif
