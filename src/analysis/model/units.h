/* Where debug information of an address lies. Compilers differ in what they leave out: some have no table of
 * addresses, some put most of a unit into another file. */
#ifndef TARRY_ANALYSIS_MODEL_UNITS_H
#define TARRY_ANALYSIS_MODEL_UNITS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* The compilation unit that an address of a module lies in. */
struct unit {
	Dwarf_Die lines;  /* has the line table */
	Dwarf_Die scopes; /* has functions: the same, or its other half in a .dwo file */
	Dwarf_Addr bias;  /* add it to an address of the debug information to get one of the module */
};

bool unit_find(Dwfl_Module *module, Dwarf_Addr address, struct unit *unit);

/* The innermost function around an address, inlined or not, and the real one around that. False: there is none. */
struct function {
	Dwarf_Die innermost;
	Dwarf_Die real;
};

bool unit_function(struct unit *unit, Dwarf_Addr address, struct function *function);

/* The name that the linker knows a function by, or else the one in its source. NULL if it has none. */
const char *die_link_name(Dwarf_Die *die);

#endif
