#include "analysis/model/fortran_text.h"

#include "base/text.h"
#include "trace/grow.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { TEXT_MAX = 16 << 20, CONTINUATION_COLUMN = 5 };

static bool has_fixed_form(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (strcasecmp(dot, ".f") == 0 || strcasecmp(dot, ".for") == 0 ||
	               strcasecmp(dot, ".ftn") == 0 || strcasecmp(dot, ".f77") == 0);
}

static void add_line(struct arena *arena, struct fortran_text *text, const char *line, size_t size)
{
	text->lines = arena_grown(arena, text->lines, (size_t)text->count, sizeof *text->lines);
	text->lines[text->count++] = arena_bytes_as_text(arena, line, size);
}

struct fortran_text *fortran_text_load(struct arena *arena, const char *path)
{
	struct fortran_text *text;
	FILE *file = fopen(path, "re");
	struct stat info;
	char line[4096];

	if (!file)
		return NULL;
	if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size > TEXT_MAX) {
		fclose(file);
		return NULL;
	}
	text = arena_new(arena, struct fortran_text);
	text->is_fixed = has_fixed_form(path);
	text->changed_ns = (uint64_t)info.st_mtim.tv_sec * 1000000000u + (uint64_t)info.st_mtim.tv_nsec;
	while (fgets(line, sizeof line, file))
		add_line(arena, text, line, strcspn(line, "\r\n"));
	fclose(file);
	return text;
}

static bool is_remark(const struct fortran_text *text, const char *line)
{
	size_t blanks = strspn(line, " \t");

	if (text->is_fixed && *line && strchr("cC*dD", *line))
		return true;
	return !line[blanks] || line[blanks] == '!';
}

/* Length of the line without a remark at its end and the blanks before it. */
static size_t code_length(const struct fortran_text *text, const char *line)
{
	size_t length = 0;
	char quote = 0;

	if (is_remark(text, line))
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

int fortran_text_mention(const struct fortran_text *text, int first, int last, const char *name)
{
	for (int line = first < 1 ? 1 : first; line <= last && line <= text->count; line++)
		if (mentions(text, text->lines[line - 1], name))
			return line;
	return 0;
}

static bool continues_before(const struct fortran_text *text, const char *line)
{
	return strnlen(line, CONTINUATION_COLUMN + 1) > CONTINUATION_COLUMN &&
	       strspn(line, " ") == CONTINUATION_COLUMN && line[CONTINUATION_COLUMN] != '0' &&
	       !is_remark(text, line);
}

/* Does the statement of line `line` go on in line `next`? Only remarks stand between them. */
static bool goes_on(const struct fortran_text *text, int line, int next)
{
	const char *before = text->lines[line - 1];
	size_t length = code_length(text, before);

	if (text->is_fixed)
		return continues_before(text, text->lines[next - 1]);
	return length && before[length - 1] == '&';
}

/* The next line of code in a direction; 0 if there is none. */
static int code_line(const struct fortran_text *text, int line, int step)
{
	for (line += step; line >= 1 && line <= text->count; line += step)
		if (!is_remark(text, text->lines[line - 1]))
			return line;
	return 0;
}

void fortran_text_statement(const struct fortran_text *text, int line, int *first, int *last)
{
	int next;

	*first = *last = line;
	if (line < 1 || line > text->count)
		return;
	while ((next = code_line(text, *first, -1)) && goes_on(text, next, *first))
		*first = next;
	while ((next = code_line(text, *last, 1)) && goes_on(text, *last, next))
		*last = next;
}
