#include "analysis/symbols/fortran.h"

#include "analysis/symbols/machine_calls.h"
#include "base/files.h"
#include "base/text.h"

#include <ctype.h>
#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { TEXT_MAX = 16 << 20, CONTINUATION_COLUMN = 5 };

struct fortran_text *fortran_text_load(struct arena *arena, const char *path)
{
	struct fortran_text *text;
	FILE *file = open_regular_stream(AT_FDCWD, path);
	struct stat info;
	char line[4096];
	const char *dot = strrchr(path, '.');

	if (!file)
		return NULL;
	if (fstat(fileno(file), &info) != 0 || info.st_size > TEXT_MAX) {
		fclose(file);
		return NULL;
	}
	text = arena_new(arena, struct fortran_text);
	text->is_fixed = dot && (strcasecmp(dot, ".f") == 0 || strcasecmp(dot, ".for") == 0 ||
	                         strcasecmp(dot, ".ftn") == 0 || strcasecmp(dot, ".f77") == 0);
	text->changed_ns = (uint64_t)info.st_mtim.tv_sec * 1000000000u + (uint64_t)info.st_mtim.tv_nsec;
	while (fgets(line, sizeof line, file))
		array_add_in(arena, text, arena_bytes_as_text(arena, line, strcspn(line, "\r\n")));
	fclose(file);
	return text;
}

static bool is_comment(const struct fortran_text *text, const char *line)
{
	size_t blanks = strspn(line, " \t");

	if (text->is_fixed && *line && strchr("cC*dD", *line))
		return true;
	return !line[blanks] || line[blanks] == '!';
}

/* Length of the line without a trailing comment and the blanks before it. */
static size_t code_length(const struct fortran_text *text, const char *line)
{
	size_t length = 0;
	char quote = 0;

	if (is_comment(text, line))
		return 0;
	for (; line[length] && (quote || line[length] != '!'); length++) {
		if (quote ? line[length] == quote : line[length] == '\'' || line[length] == '"')
			quote = quote ? 0 : line[length];
	}
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	return length;
}

static bool is_letter_of_name(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static bool mentions(const struct fortran_text *text, const char *line, const char *name)
{
	size_t length = code_length(text, line), size = strlen(name);

	for (size_t i = 0; i + size <= length; i++)
		if (strncasecmp(line + i, name, size) == 0 && !(i && is_letter_of_name(line[i - 1])) &&
		    !is_letter_of_name(line[i + size]))
			return true;
	return false;
}

static int find_mention(const struct fortran_text *text, int first, int last, const char *name)
{
	for (int line = first < 1 ? 1 : first; line <= last && line <= (int)text->count; line++)
		if (mentions(text, text->items[line - 1], name))
			return line;
	return 0;
}

static bool continues_before(const struct fortran_text *text, const char *line)
{
	return strnlen(line, CONTINUATION_COLUMN + 1) > CONTINUATION_COLUMN &&
	       strspn(line, " ") == CONTINUATION_COLUMN && line[CONTINUATION_COLUMN] != '0' &&
	       !is_comment(text, line);
}

/* True if the statement of line `line` continues in line `next`, with only comments between them. */
static bool goes_on(const struct fortran_text *text, int line, int next)
{
	const char *before = text->items[line - 1];
	size_t length = code_length(text, before);

	if (text->is_fixed)
		return continues_before(text, text->items[next - 1]);
	return length && before[length - 1] == '&';
}

/* The next line of code in a direction; 0: none. */
static int code_line(const struct fortran_text *text, int line, int step)
{
	for (line += step; line >= 1 && line <= (int)text->count; line += step)
		if (!is_comment(text, text->items[line - 1]))
			return line;
	return 0;
}

static void find_statement(const struct fortran_text *text, int line, int *first, int *last)
{
	int next;

	*first = *last = line;
	if (line < 1 || line > (int)text->count)
		return;
	while ((next = code_line(text, *first, -1)) && goes_on(text, next, *first))
		*first = next;
	while ((next = code_line(text, *last, 1)) && goes_on(text, *last, next))
		*last = next;
}

enum { MENTIONS_MAX = 256 };

bool unit_is_fortran(struct compile_unit *unit)
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

struct line_search {
	struct compile_unit *unit;
	Dwarf_Die procedure;
	const char *callee;
	const struct fortran_text *text;
	int mentions[MENTIONS_MAX]; /* lines of the procedure that name the callee; 0: used */
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

/* gfortran adds a `main` that is not in the source. */
static bool is_written_by_user(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_hasattr(die, DW_AT_declaration) &&
	       !(name && strcmp(name, "main") == 0);
}

/* The line before the start of the next procedure. */
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

/* The line that names the callee in the statement given by the debug information; 0: the statement
 * calls something else. */
static int exact_line(const struct line_search *m, Dwarf_Addr return_address)
{
	Dwarf_Die *die = &m->unit->lines;
	Dwarf_Line *row = dwarf_getsrc_die(die, return_address - 1 - m->unit->bias);
	int line = 0, first, last;

	if (!row || dwarf_lineno(row, &line) != 0 || !line)
		return 0;
	find_statement(m->text, line, &first, &last);
	return find_mention(m->text, first, last, m->callee);
}

static bool same_procedure(struct line_search *m, Dwarf_Addr address)
{
	struct function_scope around;

	return unit_function(m->unit, address, &around) &&
	       dwarf_dieoffset(innermost_function(&around)) == dwarf_dieoffset(&m->procedure);
}

/* Calls of the same procedure without a line: their number, and how many of them precede this one. */
struct unlined_calls {
	int count, before;
};

static void look_at_calls(struct line_search *m, const struct machine_code *code, uint64_t return_address,
                          Dwarf_Addr start, Dwarf_Addr end, struct unlined_calls *unlined)
{
	uint64_t target, other;

	if (!machine_call_target(code, return_address, &target))
		return;
	for (uint64_t at = start; at <= end; at += machine_step(code)) {
		int line;
		if (!machine_call_target(code, at, &other) || other != target || !same_procedure(m, at - 1))
			continue;
		line = exact_line(m, at);
		for (int i = 0; i < m->mention_count; i++)
			if (m->mentions[i] == line)
				m->mentions[i] = 0;
		unlined->count += !line;
		unlined->before += !line && at < return_address;
	}
}

static struct unlined_calls find_unlined(struct line_search *m, Dwfl_Module *module, uint64_t return_address)
{
	struct unlined_calls unlined = {0};
	struct machine_code code;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	if (!machine_code_find(module, return_address - 1, &code))
		return unlined;
	while ((at = dwarf_ranges(&m->procedure, at, &base, &start, &end)) > 0)
		look_at_calls(m, &code, return_address, start + m->unit->bias, end + m->unit->bias, &unlined);
	return unlined;
}

/* Calls without a line and statements without a call are paired in order, if their numbers are equal. */
static int choose_mention(const struct line_search *m, struct unlined_calls unlined)
{
	int left[MENTIONS_MAX], count = 0;

	for (int i = 0; i < m->mention_count; i++)
		if (m->mentions[i])
			left[count++] = m->mentions[i];
	if (count == 1)
		return left[0];
	return count && count == unlined.count ? left[unlined.before] : 0;
}

bool fortran_find_line(Dwfl_Module *module, struct compile_unit *unit, Dwarf_Addr return_address,
                       const char *callee, const struct fortran_text *text, int *line)
{
	struct line_search m = {.unit = unit, .callee = callee, .text = text};
	struct function_scope around;
	int exact = exact_line(&m, return_address);
	int first, last;

	if (exact) {
		*line = exact;
		return true;
	}
	if (!unit_function(unit, return_address - 1, &around))
		return false;
	m.procedure = *innermost_function(&around);
	first = begin_line(&m.procedure);
	last = last_line(&unit->scopes, first, (int)text->count);
	while (m.mention_count < MENTIONS_MAX && (first = find_mention(text, first, last, callee)))
		m.mentions[m.mention_count++] = first++;
	if (!m.mention_count) /* under another name, or in an included file */
		return true;
	exact = choose_mention(&m, find_unlined(&m, module, return_address));
	if (exact)
		*line = exact;
	return exact;
}
