#include "analysis/model/fortran_lines.h"

#include "analysis/model/machine_calls.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MENTIONS_MAX = 256, LOST_MAX = 256 };

bool unit_is_fortran(struct unit *unit)
{
	switch (dwarf_srclang(&unit->scopes)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

struct mending {
	struct unit *unit;
	Dwarf_Die procedure;
	const char *callee;
	const struct fortran_text *text;
	int mentions
		[MENTIONS_MAX]; /* lines of the procedure that name the callee; 0: taken by a call whose line is right */
	int mention_count;
};

static int begin_line(Dwarf_Die *die)
{
	int line = 0;
	Dwarf_Attribute attribute;
	Dwarf_Word word;

	if (dwarf_attr_integrate(die, DW_AT_decl_line, &attribute) && dwarf_formudata(&attribute, &word) == 0)
		line = (int)word;
	return line;
}

/* gfortran adds a `main` that is in no source. */
static bool is_written_by_user(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_hasattr(die, DW_AT_declaration) &&
	       !(name && strcmp(name, "main") == 0);
}

/* The line before that on which the next procedure begins. */
static int last_line(Dwarf_Die *parent, int first, int last)
{
	Dwarf_Die child;

	if (dwarf_child(parent, &child) != 0)
		return last;
	do {
		int line = is_written_by_user(&child) ? begin_line(&child) : 0;
		if (line > first && line <= last)
			last = line - 1;
		if (dwarf_tag(&child) == DW_TAG_module || dwarf_tag(&child) == DW_TAG_subprogram)
			last = last_line(&child, first, last);
	} while (dwarf_siblingof(&child, &child) == 0);
	return last;
}

static void find_mentions(struct mending *m)
{
	int first = begin_line(&m->procedure);
	int last = last_line(&m->unit->scopes, first, m->text->count);

	while (m->mention_count < MENTIONS_MAX &&
	       (first = fortran_text_mention(m->text, first, last, m->callee)))
		m->mentions[m->mention_count++] = first++;
}

/* The line that names the callee in the statement that debug information tells; 0: the statement calls something else. */
static int exact_line(const struct mending *m, Dwarf_Addr return_address)
{
	Dwarf_Die *die = &m->unit->lines;
	Dwarf_Line *row = dwarf_getsrc_die(die, return_address - 1 - m->unit->bias);
	int line = 0, first, last;

	if (!row || dwarf_lineno(row, &line) != 0 || !line)
		return 0;
	fortran_text_statement(m->text, line, &first, &last);
	return fortran_text_mention(m->text, first, last, m->callee);
}

static void take_mention(struct mending *m, int line)
{
	for (int i = 0; i < m->mention_count; i++)
		if (m->mentions[i] == line)
			m->mentions[i] = 0;
}

static bool same_procedure(struct mending *m, Dwarf_Addr address)
{
	struct function around;

	return unit_function(m->unit, address, &around) &&
	       dwarf_dieoffset(&around.innermost) == dwarf_dieoffset(&m->procedure);
}

/* Calls of the same procedure whose line is lost: how many there are, and how many of them come before this one. */
struct lost {
	int count, before;
};

static void look_at_calls(struct mending *m, const struct machine_code *code, uint64_t return_address,
                          Dwarf_Addr start, Dwarf_Addr end, struct lost *lost)
{
	uint64_t target, other;

	if (!machine_call_target(code, return_address, &target))
		return;
	for (uint64_t at = start; at <= end; at += machine_step(code)) {
		int line;
		if (!machine_call_target(code, at, &other) || other != target || !same_procedure(m, at - 1))
			continue;
		line = exact_line(m, at);
		take_mention(m, line);
		lost->count += !line;
		lost->before += !line && at < return_address;
	}
}

static struct lost find_lost(struct mending *m, Dwfl_Module *module, uint64_t return_address)
{
	struct lost lost = {0};
	struct machine_code code;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	if (!machine_code_find(module, return_address - 1, &code))
		return lost;
	while ((at = dwarf_ranges(&m->procedure, at, &base, &start, &end)) > 0)
		look_at_calls(m, &code, return_address, start + m->unit->bias, end + m->unit->bias, &lost);
	return lost;
}

/* Lost calls and statements that no other call stands for go together in their order, if they are as many. */
static int choose_mention(const struct mending *m, struct lost lost)
{
	int left[MENTIONS_MAX], count = 0;

	for (int i = 0; i < m->mention_count; i++)
		if (m->mentions[i])
			left[count++] = m->mentions[i];
	if (count == 1)
		return left[0];
	return count && count == lost.count ? left[lost.before] : 0;
}

bool fortran_line_mend(Dwfl_Module *module, struct unit *unit, Dwarf_Addr return_address, const char *callee,
                       const struct fortran_text *text, int *line)
{
	struct mending m = {.unit = unit, .callee = callee, .text = text};
	struct function around;
	int exact = exact_line(&m, return_address);

	if (exact) {
		*line = exact;
		return true;
	}
	if (!unit_function(unit, return_address - 1, &around))
		return false;
	m.procedure = around.innermost;
	find_mentions(&m);
	if (!m.mention_count) /* by another name, or in an included file */
		return true;
	exact = choose_mention(&m, find_lost(&m, module, return_address));
	if (exact)
		*line = exact;
	return exact;
}
