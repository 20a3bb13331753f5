#include "base/text.h"
#include "base/user_files.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Manual pages as plain text, if the system has no program for them: reads the part of mdoc(7) that our pages
 * use.
 *
 *	struct text page = {0};
 *	manual_page_render(source, 80, &page);      "NAME\n     tarry-run – start an MPI job …" */

enum { BODY = 5, STEP = 6, LISTS_MAX = 8, WORDS_MAX = 64, WORD_MAX = 256 };

struct mdoc {
	struct text *out;
	struct text
		paragraph; /* its words, each with a blank before it unless it belongs to the previous word */
	size_t width, indent;
	size_t lists; /* that are open */
	char name[WORD_MAX];
	bool is_literal, is_synopsis;
	bool is_begun; /* the section has a line */
	bool is_glued; /* the next word follows without a blank */
};

/* The words of one line of macros. */
struct mdoc_line {
	char words[WORDS_MAX][WORD_MAX];
	size_t count;
};

/* Macros inside lines: the text that they put around each following word, or around all following words. */
static const struct inline_macro {
	const char *name;
	const char *before, *after; /* of each word */
	const char *open, *close;   /* of all */
} inline_macros[] = {
	{"Ar", "", "", "", ""},     {"Fl", "-", "", "", ""},  {"Li", "", "", "", ""},
	{"Pa", "", "", "", ""},     {"Cm", "", "", "", ""},   {"Ev", "", "", "", ""},
	{"Ic", "", "", "", ""},     {"Dv", "", "", "", ""},   {"Sy", "", "", "", ""},
	{"Em", "", "", "", ""},     {"Sx", "", "", "", ""},   {"No", "", "", "", ""},
	{"Lk", "", "", "", ""},     {"Fn", "", "()", "", ""}, {"Op", "", "", "[", "]"},
	{"Pq", "", "", "(", ")"},   {"Sq", "", "", "'", "'"}, {"Ql", "", "", "'", "'"},
	{"Dq", "", "", "\"", "\""}, {"Po", "", "", "(", ""},  {"Pc", "", "", "", ""},
	{"Ns", "", "", "", ""},     {"Xr", "", "", "", ""},   {"Nd", "", "", "", ""},
	{"Nm", "", "", "", ""},
};

static const struct inline_macro *find_macro(const char *word)
{
	for (size_t i = 0; i < sizeof inline_macros / sizeof *inline_macros; i++)
		if (strcmp(inline_macros[i].name, word) == 0)
			return &inline_macros[i];
	return NULL;
}

/* Escapes of troff: \(dq is a quote, \& nothing, \- and \e themselves. */
static void add_text(struct text *to, const char *from, size_t length)
{
	for (const char *end = from + length; from < end; from++) {
		if (*from != '\\' || from + 1 >= end) {
			text_add_bytes(to, from, 1);
		} else if (strncmp(from, "\\(dq", 4) == 0) {
			text_add(to, "\"");
			from += 3;
		} else {
			from++;
			if (*from != '&')
				text_add(to, "%c", *from == 'e' ? '\\' : *from);
		}
	}
}

static void add_word(struct mdoc *mdoc, const char *word)
{
	if (mdoc->paragraph.length && !mdoc->is_glued)
		text_add(&mdoc->paragraph, " ");
	add_text(&mdoc->paragraph, word, strlen(word));
	mdoc->is_glued = false;
}

static void add_glued(struct mdoc *mdoc, const char *word)
{
	mdoc->is_glued = true;
	add_word(mdoc, word);
}

static void end_paragraph(struct mdoc *mdoc)
{
	if (mdoc->paragraph.length) {
		text_add_repeated(mdoc->out, ' ', mdoc->indent);
		text_add_wrapped(mdoc->out, text_get(&mdoc->paragraph), mdoc->indent, mdoc->width);
		mdoc->is_begun = true;
	}
	text_clear(&mdoc->paragraph);
	mdoc->is_glued = false;
}

static void add_blank_line(struct mdoc *mdoc)
{
	const struct text *out = mdoc->out;

	end_paragraph(mdoc);
	if (mdoc->is_begun && strcmp(out->bytes + out->length - 2, "\n\n") != 0)
		text_add(mdoc->out, "\n");
}

/* Words are separated by blanks; quotes keep blanks together. */
static void split(const char *at, const char *end, struct mdoc_line *line)
{
	line->count = 0;
	for (;;) {
		struct text word = {0};
		char stop = ' ';

		while (at < end && *at == ' ')
			at++;
		if (at == end || line->count == WORDS_MAX)
			return;
		if (*at == '"') {
			stop = '"';
			at++;
		}
		for (; at < end && *at != stop; at++)
			text_add_bytes(&word, at, 1);
		at += at < end;
		snprintf(line->words[line->count++], WORD_MAX, "%s", text_get(&word));
		text_release(&word);
	}
}

static bool is_closing(const char *word)
{
	return word[0] && !word[1] && strchr(".,;:)]?!", word[0]);
}

/* Adds the words of an inline macro from `at` on; returns the first word after it. */
static size_t add_own_words(struct mdoc *mdoc, const struct mdoc_line *line, size_t at,
                            const struct inline_macro *macro)
{
	size_t first = at;

	for (; at < line->count && !find_macro(line->words[at]); at++) {
		struct text word = {0};

		if (is_closing(line->words[at])) {
			add_glued(mdoc, line->words[at]);
			continue;
		}
		text_add(&word, "%s%s%s", line->words[at][0] == '|' ? "" : macro->before, line->words[at],
		         macro->after);
		add_word(mdoc, text_get(&word));
		text_release(&word);
	}
	/* A single dash, which belongs to the next dash. */
	if (at == first && *macro->before) {
		add_word(mdoc, macro->before);
		mdoc->is_glued = at < line->count && strcmp(line->words[at], macro->name) == 0;
	}
	return at;
}

static size_t add_macro(struct mdoc *mdoc, const struct mdoc_line *line, size_t at,
                        const struct inline_macro *macro, struct text *closing)
{
	if (strcmp(macro->name, "Xr") == 0) {
		add_word(mdoc, at < line->count ? line->words[at++] : "");
		if (at < line->count && !is_closing(line->words[at])) {
			add_glued(mdoc, "(");
			add_glued(mdoc, line->words[at++]);
			add_glued(mdoc, ")");
		}
		return at;
	}
	if (strcmp(macro->name, "Nm") == 0) {
		/* Without words of its own, it is the name of the page: the first name that was given. */
		if (mdoc->is_synopsis)
			end_paragraph(mdoc);
		if (at == line->count || is_closing(line->words[at])) {
			add_word(mdoc, mdoc->name);
			return at;
		}
		if (!*mdoc->name)
			snprintf(mdoc->name, sizeof mdoc->name, "%s", line->words[at]);
		return add_own_words(mdoc, line, at, find_macro("Nm"));
	}
	if (strcmp(macro->name, "Nd") == 0)
		add_word(mdoc, "–");
	if (strcmp(macro->name, "Pc") == 0)
		add_glued(mdoc, ")");
	if (strcmp(macro->name, "Ns") == 0)
		mdoc->is_glued = true;
	if (*macro->open) {
		add_word(mdoc, macro->open);
		mdoc->is_glued = true;
	}
	for (size_t i = strlen(macro->close); i; i--) {
		char *outer = text_take(closing);
		text_add(closing, "%c%s", macro->close[i - 1], outer ? outer : "");
		free(outer);
	}
	return add_own_words(mdoc, line, at, macro);
}

/* From the word `at` on. A closing text precedes the punctuation at the end of the line. */
static void add_line(struct mdoc *mdoc, struct mdoc_line *line, size_t at)
{
	const struct inline_macro *plain = find_macro("No");
	struct text closing = {0};
	size_t count = line->count, end = count;

	while (end > at && is_closing(line->words[end - 1]))
		end--;
	line->count = end;
	while (at < end) {
		const struct inline_macro *macro = find_macro(line->words[at]);
		at = add_macro(mdoc, line, at + (macro != NULL), macro ? macro : plain, &closing);
	}
	if (closing.length)
		add_glued(mdoc, text_get(&closing));
	for (; end < count; end++)
		add_glued(mdoc, line->words[end]);
	text_release(&closing);
}

static size_t list_indent(const struct mdoc *mdoc)
{
	return BODY + STEP * mdoc->lists;
}

/* A line of macros. Unknown macros are treated as words. */
static void apply(struct mdoc *mdoc, struct mdoc_line *line)
{
	const char *name = line->count ? line->words[0] : "";
	bool is_section = strcmp(name, "Sh") == 0, is_item = strcmp(name, "It") == 0;

	if (strcmp(name, "Dd") == 0 || strcmp(name, "Dt") == 0 || strcmp(name, "Os") == 0)
		return;
	if (is_section || strcmp(name, "Ss") == 0 || is_item) {
		add_blank_line(mdoc);
		mdoc->indent = is_item ? list_indent(mdoc) - (mdoc->lists ? STEP : 0) : is_section ? 0 : 2;
		if (!is_item)
			mdoc->is_synopsis = line->count > 1 && strcmp(line->words[1], "SYNOPSIS") == 0;
		add_line(mdoc, line, 1);
		end_paragraph(mdoc);
		if (!is_item) {
			mdoc->is_begun = false;
			mdoc->lists = 0;
		}
		mdoc->indent = list_indent(mdoc);
	} else if (strcmp(name, "Pp") == 0) {
		add_blank_line(mdoc);
	} else if (strcmp(name, "Bl") == 0) {
		end_paragraph(mdoc);
		mdoc->lists += mdoc->lists < LISTS_MAX;
		mdoc->indent = list_indent(mdoc);
	} else if (strcmp(name, "El") == 0) {
		add_blank_line(mdoc);
		mdoc->lists -= mdoc->lists > 0;
		mdoc->indent = list_indent(mdoc);
	} else if (strcmp(name, "Bd") == 0) {
		add_blank_line(mdoc);
		mdoc->is_literal = true;
	} else if (strcmp(name, "Ed") == 0) {
		mdoc->is_literal = false;
		text_add(mdoc->out, "\n");
	} else {
		add_line(mdoc, line, 0);
	}
}

static void manual_page_render(const char *source, size_t width, struct text *page)
{
	struct mdoc mdoc = {.out = page, .width = width, .indent = BODY};
	struct mdoc_line words;
	struct text text = {0};

	while (*source) {
		size_t length = strcspn(source, "\n");

		if (length && *source == '.') {
			split(source + 1, source + length, &words);
			apply(&mdoc, &words);
		} else if (mdoc.is_literal) {
			text_add_repeated(page, ' ', length ? mdoc.indent + STEP : 0);
			add_text(page, source, length);
			text_add(page, "\n");
			mdoc.is_begun = true;
		} else {
			text_clear(&text);
			text_add_bytes(&text, source, length);
			add_word(&mdoc, text_get(&text));
		}
		source += length + (source[length] == '\n');
	}
	end_paragraph(&mdoc);
	text_release(&mdoc.paragraph);
	text_release(&text);
}

enum { PAGE_WIDTH = 80, PAGE_MAX = 16 << 20 };

static const struct option_spec options[] = {OPTIONS_END};

/* "tarry-bench-compare.1"; in packages of distributions, also with ".gz" at its end. NULL: not installed. */
static const char *find_page(const struct command *command, struct arena *arena)
{
	char *name = arena_format(arena, "tarry-%s.1", command->name);
	const char *path;

	for (char *blank = name; (blank = strchr(blank, ' '));)
		*blank = '-';
	if (installation_manual(name, arena, &path) == OK && access(path, R_OK) == 0)
		return path;
	path = arena_format(arena, "%s.gz", path);
	return access(path, R_OK) == 0 ? path : NULL;
}

static bool unpack_page(const char *path, struct arena *arena, struct text *source)
{
	const char *const words[] = {"gzip", "-dc", path, NULL};
	const char *gzip;

	return program_find(words[0], arena, &gzip) == OK && capture_output(gzip, words, NULL, source) == 0;
}

/* Prints the manual page; if none is installed, the output of --help. */
static int show(const struct command *command, struct arena *arena)
{
	const char *path = find_page(command, arena);
	int code = EXIT_FAILED;

	if (path && isatty(STDOUT_FILENO)) {
		char *words[] = {arena_text(arena, "man"), arena_text(arena, "-l"), arena_text(arena, path),
		                 NULL};
		const char *man;

		/* Returns only if there is no such program. */
		if (program_find(words[0], arena, &man) == OK)
			execv(man, words);
	}
	if (path) {
		struct text source = {0}, page = {0};
		bool is_read = text_ends(path, ".gz") ? unpack_page(path, arena, &source)
		                                      : text_add_user_file(&source, path, PAGE_MAX);

		if (is_read)
			manual_page_render(text_get(&source), PAGE_WIDTH, &page);
		fputs(text_get(&page), stdout);
		text_release(&source);
		text_release(&page);
		code = is_read ? EXIT_FINE : EXIT_FAILED;
	}
	return code == EXIT_FINE ? code : explain(command);
}

static int run_help(const struct invocation *given)
{
	int argc = given->argc;
	char **argv = given->argv;
	const struct command *command = argc ? command_find(argv[0]) : NULL;

	if (argc && !command)
		return unknown_command(argv[0]);
	if (argc == 2)
		command = subcommand_find(command, argv[1]);
	if (argc && !command)
		return misuse(&command_help, "'%s' is not a command of 'tarry %s'", argv[1], argv[0]);
	return command ? show(command, given->arena) : explain(NULL);
}

const struct command command_help = {
	.name = "help",
	.summary = "show the manual page of a command",
	.usage = "[COMMAND [COMMAND]]",
	.example = "tarry help run",
	.options = options,
	.operands = {0, 2},
	.run = run_help,
};
