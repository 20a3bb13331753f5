/* Prototypes of C functions: "ssize_t write(int fd, const void *buf, size_t count)". Only plain ones, which a
 * wrapper can forward by their types alone. */
#include "analysis/rules/checker.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS_MAX = 32 };

struct prototype_parser {
	struct checker *checker;
	struct token text;
	const char *at;
	bool is_wrong;
};

static void wrong(struct prototype_parser *parser, const char *why)
{
	if (!parser->is_wrong)
		add_error(parser->checker->errors, parser->text.place,
		          "cannot wrap a function by this prototype: %s", why);
	parser->is_wrong = true;
}

static void skip_blanks(struct prototype_parser *parser)
{
	while (*parser->at == ' ' || *parser->at == '\t')
		parser->at++;
}

static bool is_word_letter(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static const char *take_word(struct prototype_parser *parser)
{
	const char *begin;

	skip_blanks(parser);
	begin = parser->at;
	while (is_word_letter(*parser->at))
		parser->at++;
	return arena_bytes_as_text(parser->checker->arena, begin, (size_t)(parser->at - begin));
}

static bool take(struct prototype_parser *parser, char letter)
{
	skip_blanks(parser);
	if (*parser->at != letter)
		return false;
	parser->at++;
	return true;
}

static void add_word(struct text *out, const char *word)
{
	if (out->length && out->bytes[out->length - 1] != ' ')
		text_add(out, " ");
	text_add(out, "%s", word);
}

/* A type and the name after it: the last word that is not part of a type; "": none. */
static const char *take_declared(struct prototype_parser *parser, struct text *type)
{
	static const char *const parts[] = {"const", "unsigned", "signed",   "long",  "short",  "int",
	                                    "char",  "double",   "float",    "void",  "struct", "enum",
	                                    "union", "volatile", "restrict", "_Bool", "bool"};
	const char *name = "";

	for (;;) {
		bool is_part = take(parser, '*');
		const char *word = is_part ? "*" : take_word(parser);

		if (!*word)
			return name;
		if (*name)
			add_word(type, name);
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			is_part |= strcmp(parts[i], word) == 0;
		if (is_part)
			add_word(type, word);
		name = is_part ? "" : word;
	}
}

/* "double *x", "int n", "char name[]". */
static struct argument take_argument(struct prototype_parser *parser)
{
	struct text type = {0};
	struct argument argument = {.name = take_declared(parser, &type)};

	if (take(parser, '[')) {
		take_word(parser);
		add_word(&type, "*");
		if (!take(parser, ']'))
			wrong(parser, "']' is missing");
	}
	if (*parser->at == '.')
		wrong(parser, "variable arguments (...) cannot be passed on");
	else if (*parser->at == '(')
		wrong(parser, "pointers to functions are not supported: write void *NAME in its place");
	else if (!type.length && !*argument.name)
		wrong(parser, "an argument is missing");
	else if (!*argument.name || !type.length || isdigit((unsigned char)*argument.name))
		wrong(parser, "every argument needs a type and a name");
	argument.c_type = arena_text(parser->checker->arena, text_get(&type));
	text_release(&type);
	return argument;
}

static void take_arguments(struct prototype_parser *parser, struct prototype *prototype)
{
	prototype->arguments = arena_array(parser->checker->arena, struct argument, ARGUMENTS_MAX);
	skip_blanks(parser);
	if (text_begins(parser->at, "void") && strspn(parser->at + 4, " \t") + 4 == strcspn(parser->at, ")"))
		parser->at += 4;
	if (take(parser, ')'))
		return;
	do {
		if (prototype->argument_count == ARGUMENTS_MAX)
			wrong(parser, "it has too many arguments");
		else
			prototype->arguments[prototype->argument_count++] = take_argument(parser);
	} while (!parser->is_wrong && take(parser, ','));
	if (!parser->is_wrong && !take(parser, ')'))
		wrong(parser, "')' is missing");
}

static bool is_structure(const char *type)
{
	return !strchr(type, '*') && (strstr(type, "struct ") || strstr(type, "union "));
}

const struct prototype *parse_prototype(struct checker *checker, struct token text)
{
	struct prototype_parser parser = {.checker = checker, .text = text, .at = text.text};
	struct prototype *prototype = arena_new(checker->arena, struct prototype);
	struct text type = {0};

	prototype->text = text.text;
	prototype->function = take_declared(&parser, &type);
	prototype->result = arena_text(checker->arena, text_get(&type));
	text_release(&type);
	if (!*prototype->function || !*prototype->result)
		wrong(&parser, "it needs a result and a name, as in \"int close(int fd)\"");
	else if (!take(&parser, '('))
		wrong(&parser, "'(' is missing after the name");
	else
		take_arguments(&parser, prototype);
	take(&parser, ';');
	skip_blanks(&parser);
	if (*parser.at)
		wrong(&parser, "nothing may follow its ')'");
	if (is_structure(prototype->result))
		wrong(&parser, "it returns a structure");
	for (uint32_t i = 0; i < prototype->argument_count; i++) {
		const struct argument *argument = &prototype->arguments[i];
		if (is_structure(argument->c_type))
			wrong(&parser, "it takes a structure");
		for (uint32_t j = 0; j < i; j++)
			if (strcmp(prototype->arguments[j].name, argument->name) == 0)
				wrong(&parser, "two arguments have the same name");
	}
	return parser.is_wrong ? NULL : prototype;
}
