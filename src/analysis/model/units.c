#include "analysis/model/units.h"

#include <dwarf.h>

/* Without a table of addresses, one unit after the other is asked. */
static Dwarf_Die *search_units(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias)
{
	Dwarf_Die *die = NULL;

	while ((die = dwfl_module_nextcu(module, die, bias)))
		if (dwarf_haspc(die, address - *bias) > 0)
			return die;
	return NULL;
}

bool unit_find(Dwfl_Module *module, Dwarf_Addr address, struct unit *unit)
{
	Dwarf_Die *found = dwfl_module_addrdie(module, address, &unit->bias);
	Dwarf_Die half;
	uint8_t type;

	if (!found)
		found = search_units(module, address, &unit->bias);
	if (!found)
		return false;
	unit->lines = unit->scopes = *found;
	if (dwarf_cu_info(found->cu, NULL, &type, NULL, &half, NULL, NULL, NULL) == 0 &&
	    type == DW_UT_skeleton && half.cu)
		unit->scopes = half;
	return true;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
}

static bool is_container(int tag)
{
	return tag == DW_TAG_module || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type;
}

/* libdw's own search passes over Fortran's modules, which have no addresses, and procedures in procedures, which lie
 * elsewhere. `nested`: look into those too. */
static bool find_function(Dwarf_Die *parent, Dwarf_Addr address, bool nested, struct function *function)
{
	Dwarf_Die child;

	if (dwarf_child(parent, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		bool is_here = is_scope(tag) && dwarf_haspc(&child, address) > 0;
		if (is_here && tag == DW_TAG_subprogram)
			function->real = child;
		if (is_here && tag != DW_TAG_lexical_block)
			function->innermost = child;
		if (is_here) {
			find_function(&child, address, nested, function);
			return true;
		}
		if ((is_container(tag) || (nested && tag == DW_TAG_subprogram)) &&
		    find_function(&child, address, nested, function))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool unit_function(struct unit *unit, Dwarf_Addr address, struct function *function)
{
	return find_function(&unit->scopes, address - unit->bias, false, function) ||
	       find_function(&unit->scopes, address - unit->bias, true, function);
}

const char *die_link_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		return dwarf_formstring(&attribute);
	return dwarf_diename(die);
}
