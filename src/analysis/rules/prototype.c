/* Prototypes of C functions: "ssize_t write(int fd, const void *buf, size_t count)". Plain ones only: what a wrapper can
 * pass on without knowing more than the types. */
#include "analysis/rules/checker.h"

#include <ctype.h>
#include <string.h>

enum { ARGUMENTS_MAX = 32 };

struct prototype_reading {
	struct checker *checker;
	struct word text;
	const char *at;
	bool is_wrong;
};

static void wrong(struct prototype_reading *reading, const char *why)
{
	if (!reading->is_wrong)
		tell_error(reading->checker->told, reading->text.place,
		           "cannot wrap a function by this prototype: %s", why);
	reading->is_wrong = true;
}

static void skip_blanks(struct prototype_reading *reading)
{
	while (*reading->at == ' ' || *reading->at == '\t')
		reading->at++;
}

static bool is_word_letter(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static const char *take_word(struct prototype_reading *reading)
{
	const char *begin;

	skip_blanks(reading);
	begin = reading->at;
	while (is_word_letter(*reading->at))
		reading->at++;
	return arena_bytes_as_text(reading->checker->arena, begin, (size_t)(reading->at - begin));
}

static bool take(struct prototype_reading *reading, char letter)
{
	skip_blanks(reading);
	if (*reading->at != letter)
		return false;
	reading->at++;
	return true;
}

static bool is_qualifier(const char *word)
{
	static const char *const words[] = {"const", "unsigned", "signed",   "long",  "short",  "int",
	                                    "char",  "double",   "float",    "void",  "struct", "enum",
	                                    "union", "volatile", "restrict", "_Bool", "bool",   NULL};

	for (size_t i = 0; words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

static void add_word(struct text *out, const char *word)
{
	if (out->length && out->bytes[out->length - 1] != ' ')
		text_add(out, " ");
	text_add(out, "%s", word);
}

/* A type and the name behind it, "" if there is none: the last word that is not part of a type. */
static const char *take_declared(struct prototype_reading *reading, struct text *type)
{
	const char *name = "";

	for (;;) {
		skip_blanks(reading);
		if (take(reading, '*')) {
			if (*name)
				add_word(type, name);
			name = "";
			add_word(type, "*");
		} else if (is_word_letter(*reading->at)) {
			const char *word = take_word(reading);
			if (*name)
				add_word(type, name);
			name = word;
			if (!is_qualifier(word))
				continue;
			add_word(type, word);
			name = "";
		} else {
			return name;
		}
	}
}

static bool is_number_alone(const char *word)
{
	return isdigit((unsigned char)*word);
}

/* "double *x", "int n", "char name[]". */
static struct argument take_argument(struct prototype_reading *reading)
{
	struct text type = {0};
	struct argument argument = {.name = take_declared(reading, &type)};

	if (take(reading, '[')) {
		take_word(reading);
		add_word(&type, "*");
		if (!take(reading, ']'))
			wrong(reading, "']' is missing");
	}
	if (*reading->at == '.')
		wrong(reading, "arguments whose number varies (...) cannot be passed on");
	else if (*reading->at == '(')
		wrong(reading, "pointers to functions are not supported: write void *NAME in its place");
	else if (!type.length && !*argument.name)
		wrong(reading, "an argument is missing");
	else if (!*argument.name || !type.length || is_number_alone(argument.name))
		wrong(reading, "every argument needs a type and a name");
	argument.c_type = arena_text(reading->checker->arena, text_get(&type));
	text_release(&type);
	return argument;
}

static void take_arguments(struct prototype_reading *reading, struct prototype *prototype)
{
	prototype->arguments = arena_array(reading->checker->arena, struct argument, ARGUMENTS_MAX);
	skip_blanks(reading);
	if (text_begins(reading->at, "void") &&
	    strspn(reading->at + 4, " \t") + 4 == strcspn(reading->at, ")"))
		reading->at += 4;
	if (take(reading, ')'))
		return;
	do {
		if (prototype->argument_count == ARGUMENTS_MAX) {
			wrong(reading, "it has too many arguments");
			return;
		}
		prototype->arguments[prototype->argument_count++] = take_argument(reading);
	} while (!reading->is_wrong && take(reading, ','));
	if (!reading->is_wrong && !take(reading, ')'))
		wrong(reading, "')' is missing");
}

static void check_result(struct prototype_reading *reading, const char *type)
{
	bool is_pointer = strchr(type, '*') != NULL;

	if (!is_pointer && (strstr(type, "struct ") || strstr(type, "union ")))
		wrong(reading, "it returns a structure");
}

static void check_twice(struct prototype_reading *reading, const struct prototype *prototype)
{
	for (uint32_t i = 0; i < prototype->argument_count; i++) {
		const struct argument *argument = &prototype->arguments[i];
		if (!strchr(argument->c_type, '*') &&
		    (strstr(argument->c_type, "struct ") || strstr(argument->c_type, "union ")))
			wrong(reading, "it takes a structure");
		for (uint32_t j = 0; j < i; j++)
			if (strcmp(prototype->arguments[j].name, argument->name) == 0)
				wrong(reading, "two arguments have the same name");
	}
}

const struct prototype *parse_prototype(struct checker *checker, struct word text)
{
	struct prototype_reading reading = {.checker = checker, .text = text, .at = text.text};
	struct prototype *prototype = arena_new(checker->arena, struct prototype);
	struct text type = {0};

	prototype->text = text.text;
	prototype->function = take_declared(&reading, &type);
	prototype->result = arena_text(checker->arena, text_get(&type));
	text_release(&type);
	if (!*prototype->function || !*prototype->result)
		wrong(&reading, "it needs a result and a name, as in \"int close(int fd)\"");
	else if (!take(&reading, '('))
		wrong(&reading, "'(' is missing behind the name");
	else
		take_arguments(&reading, prototype);
	take(&reading, ';');
	skip_blanks(&reading);
	if (*reading.at)
		wrong(&reading, "something follows its ')'");
	check_result(&reading, prototype->result);
	check_twice(&reading, prototype);
	return reading.is_wrong ? NULL : prototype;
}
