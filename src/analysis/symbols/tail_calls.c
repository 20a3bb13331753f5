#include "analysis/symbols/tail_calls.h"

#include <ctype.h>
#include <dwarf.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 8 };

struct tail_search {
	Dwfl_Module *module;
	Dwarf_Addr bias;
	const char *callee;
	Dwarf_Addr address; /* of the jump found */
	int found;
	int depth;
};

static bool is_call_site(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static bool read_address(Dwarf_Die *site, unsigned name, unsigned old_name, Dwarf_Addr *address)
{
	Dwarf_Attribute attribute;

	return (dwarf_attr(site, name, &attribute) || dwarf_attr(site, old_name, &attribute)) &&
	       dwarf_formaddr(&attribute, address) == 0;
}

static bool read_origin(Dwarf_Die *site, Dwarf_Die *origin)
{
	Dwarf_Attribute attribute;

	return (dwarf_attr(site, DW_AT_call_origin, &attribute) ||
	        dwarf_attr(site, DW_AT_abstract_origin, &attribute)) &&
	       dwarf_formref_die(&attribute, origin);
}

/* The names of MPI's functions: MPI_Send, PMPI_Send, mpi_send_, mpi_send_f08ts_ … */
static const char *without_prefix(const char *name)
{
	if (tolower((unsigned char)*name) == 'p')
		name++;
	return strncasecmp(name, "mpi_", 4) == 0 ? name + 4 : NULL;
}

static bool is_own_name(const char *name)
{
	return without_prefix(name) || strncmp(name, "tarry_", 6) == 0 ||
	       strncasecmp(name, "mpir_", 5) == 0 || strncasecmp(name, "ompi_", 5) == 0;
}

static bool is_named(const char *name, const char *callee)
{
	const char *left = name ? without_prefix(name) : NULL, *right = without_prefix(callee);
	size_t size;

	if (!left || !right)
		return name && strcmp(name, callee) == 0;
	size = strlen(right);
	return strncasecmp(left, right, size) == 0 &&
	       (!left[size] || strcmp(left + size, "_") == 0 || strncmp(left + size, "_f08", 4) == 0);
}

/* Calls `use` for each call site of a function, until it returns true. */
static bool each_call_site(Dwarf_Die *die, bool (*use)(struct tail_search *search, Dwarf_Die *site),
                           struct tail_search *search)
{
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		if (is_call_site(&child)
		            ? use(search, &child)
		            : (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		                      each_call_site(&child, use, search))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/* The abstract instance or the declaration of a function, if it has one. */
static Dwarf_Off identity(Dwarf_Die *die)
{
	Dwarf_Die at = *die;
	Dwarf_Attribute attribute;

	while ((dwarf_attr(&at, DW_AT_abstract_origin, &attribute) ||
	        dwarf_attr(&at, DW_AT_specification, &attribute)) &&
	       dwarf_formref_die(&attribute, &at))
		;
	return dwarf_dieoffset(&at);
}

static bool is_definition_of(Dwarf_Die *die, Dwarf_Die *wanted, const char *name)
{
	const char *own;

	if (dwarf_tag(die) != DW_TAG_subprogram || dwarf_hasattr(die, DW_AT_declaration) ||
	    !(dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges)))
		return false;
	if (identity(die) == identity(wanted))
		return true;
	own = dwarf_hasattr_integrate(die, DW_AT_external) ? die_link_name(die) : NULL;
	return own && dwarf_hasattr_integrate(wanted, DW_AT_external) && strcmp(own, name) == 0;
}

static bool find_definition_in(Dwarf_Die *parent, Dwarf_Die *wanted, const char *name, Dwarf_Die *found)
{
	Dwarf_Die child;

	if (dwarf_child(parent, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		if (is_definition_of(&child, wanted, name)) {
			*found = child;
			return true;
		}
		if ((tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
		     tag == DW_TAG_structure_type) &&
		    find_definition_in(&child, wanted, name, found))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static bool find_definition(struct tail_search *search, Dwarf_Die *wanted, const char *name, Dwarf_Die *found)
{
	Dwarf_Die *unit = NULL, half;
	uint8_t type;

	while ((unit = dwfl_module_nextcu(search->module, unit, &search->bias))) {
		bool is_split = dwarf_cu_info(unit->cu, NULL, &type, NULL, &half, NULL, NULL, NULL) == 0 &&
		                type == DW_UT_skeleton && half.cu;
		if (find_definition_in(is_split ? &half : unit, wanted, name, found))
			return true;
	}
	return false;
}

static bool follow(struct tail_search *search, Dwarf_Die *function);

/* A jump to the MPI function, or to another function that may jump there. Continues with the others. */
static bool try_jump(struct tail_search *search, Dwarf_Die *site)
{
	Dwarf_Die origin;
	Dwarf_Addr address;

	if (!(dwarf_hasattr(site, DW_AT_call_tail_call) || dwarf_hasattr(site, DW_AT_GNU_tail_call)) ||
	    !read_origin(site, &origin))
		return false;
	if (!is_named(die_link_name(&origin), search->callee)) {
		follow(search, &origin);
		return false;
	}
	if (read_address(site, DW_AT_call_pc, DW_AT_call_pc, &address))
		address++;
	else if (!read_address(site, DW_AT_call_return_pc, DW_AT_low_pc, &address))
		return false;
	address += search->bias - 1;
	search->found += !search->found || search->address != address;
	search->address = address;
	return false;
}

static bool follow(struct tail_search *search, Dwarf_Die *function)
{
	const char *name = die_link_name(function);
	Dwarf_Die definition;

	if (!name || is_own_name(name) || search->depth == DEPTH_MAX ||
	    !find_definition(search, function, name, &definition))
		return false;
	search->depth++;
	each_call_site(&definition, try_jump, search);
	search->depth--;
	return true;
}

struct wanted_site {
	struct tail_search search;
	Dwarf_Addr return_address;
	Dwarf_Die origin;
};

static bool returns_here(struct tail_search *search, Dwarf_Die *site)
{
	struct wanted_site *wanted = (struct wanted_site *)search;
	Dwarf_Addr address;

	return read_address(site, DW_AT_call_return_pc, DW_AT_low_pc, &address) &&
	       address == wanted->return_address && read_origin(site, &wanted->origin);
}

bool tail_call_find(struct object_file *file, Dwarf_Addr return_address, const char *callee,
                    struct tail_call *found)
{
	struct wanted_site wanted = {.search = {.module = file->opened, .callee = callee}};
	struct function_scope around;
	struct compile_unit unit;
	const char *called;

	if (!unit_find(file, return_address - 1, &unit) || !unit_function(&unit, return_address - 1, &around))
		return false;
	wanted.return_address = return_address - unit.bias;
	if (!each_call_site(&around.real, returns_here, &wanted.search))
		return false;
	called = die_link_name(&wanted.origin);
	if (!called || is_own_name(called) || is_named(called, callee))
		return false;
	follow(&wanted.search, &wanted.origin);
	found->through = dwarf_diename(&wanted.origin);
	found->address = wanted.search.found == 1 ? wanted.search.address : 0;
	return true;
}
