#include "base/options.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 24, HELP_WIDTH = 80 };

/* The remaining words and the operands found so far. */
struct option_parser {
	const struct option_spec *specs;
	char **word;
	char **end;
	struct operands *operands;
};

static enum status set_choice(const struct option_spec *spec, const char *value)
{
	size_t length = strlen(value);

	for (const char *choice = spec->argument; *choice; choice += strspn(choice, "|")) {
		size_t size = strcspn(choice, "|");
		if (size == length && memcmp(choice, value, size) == 0) {
			*(const char **)spec->target = value;
			return OK;
		}
		choice += size;
	}
	return fail("'%s' is not one of %s", value, spec->argument);
}

static enum status set_list(const char **list, const char *value)
{
	if (*list)
		return fail("is given twice: put all names into one list, '%s,%s'", *list, value);
	*list = value;
	return OK;
}

static enum status add_word(struct string_list *words, const char *value)
{
	words->at = memory_grow(words->at, words->count + 2, sizeof *words->at);
	words->at[words->count++] = value;
	words->at[words->count] = NULL;
	return OK;
}

static enum status set_value(const struct option_spec *spec, const char *value)
{
	switch (spec->kind) {
	case OPTION_TEXT:
		*(const char **)spec->target = value;
		return OK;
	case OPTION_LIST:
		return set_list(spec->target, value);
	case OPTION_WORDS:
		return add_word(spec->target, value);
	case OPTION_NUMBER:
	case OPTION_AMOUNT:
		return parse_integer(value, spec->target);
	case OPTION_COUNT:
		TRY(parse_integer(value, spec->target));
		return *(const int64_t *)spec->target > 0 ? OK : fail("must be at least 1, not %s", value);
	case OPTION_REAL:
		return parse_real(value, spec->target);
	case OPTION_SIZE:
		return parse_size(value, spec->target);
	case OPTION_CHOICE:
		return set_choice(spec, value);
	case OPTION_FLAG:
	case OPTION_HELP:
		break;
	}
	return fail("takes no value, but got '%s'", value);
}

static void set_flag(struct option_parser *parse, const struct option_spec *spec)
{
	if (spec->kind == OPTION_HELP)
		parse->operands->help = true;
	else if (spec->kind == OPTION_AMOUNT)
		*(int64_t *)spec->target = OPTION_NO_VALUE;
	else
		*(bool *)spec->target = true;
}

/* Takes the option's value from the next word. `--` is not a value: it ends the options, so
 * the value is missing. */
static enum status set_from_next(struct option_parser *parse, const struct option_spec *spec)
{
	if (parse->word == parse->end || strcmp(*parse->word, "--") == 0)
		return fail("option '--%s' needs a value: --%s %s", spec->name, spec->name, spec->argument);
	TRY_BECAUSE(set_value(spec, *parse->word++), "option '--%s'", spec->name);
	return OK;
}

static enum status unknown_option(const struct option_parser *parse, const char *name, size_t length)
{
	char word[64];
	struct nearest nearest = {.word = word};

	snprintf(word, sizeof word, "%.*s", (int)length, name);
	for (const struct option_spec *spec = parse->specs; spec->name; spec++)
		if (spec->help)
			nearest_offer(&nearest, spec->name);
	if (nearest_found(&nearest))
		return fail("unknown option '--%s', did you mean '--%s'?", word, nearest_found(&nearest));
	return fail("unknown option '--%s'", word);
}

static enum status parse_letters(struct option_parser *parse, const char *letters)
{
	for (; *letters; letters++) {
		const struct option_spec *spec = parse->specs;
		while (spec->name && spec->letter != *letters)
			spec++;
		if (!spec->name)
			return fail("unknown option '-%c'", *letters);
		if (!spec->argument)
			set_flag(parse, spec);
		else if (!letters[1])
			return set_from_next(parse, spec);
		else
			return set_value(spec, letters + 1) == OK ? OK : because("option '-%c'", *letters);
	}
	return OK;
}

static void take_operand(struct option_parser *parse, char *word)
{
	parse->operands->at[parse->operands->count++] = word;
}

static void take_all_as_operands(struct option_parser *parse)
{
	while (parse->word < parse->end)
		take_operand(parse, *parse->word++);
}

static enum status parse_word(struct option_parser *parse, enum options_order order)
{
	char *word = *parse->word++;

	if (strcmp(word, "--") == 0) {
		if (order == OPTIONS_TO_DASHES)
			take_operand(parse, word);
		take_all_as_operands(parse);
	} else if (text_begins(word, "--")) {
		const char *name = word + 2;
		size_t length = strcspn(name, "=");
		const struct option_spec *spec = parse->specs;

		while (spec->name && (strlen(spec->name) != length || memcmp(spec->name, name, length) != 0))
			spec++;
		if (!spec->name)
			return unknown_option(parse, name, length);
		if (name[length] == '=')
			TRY_BECAUSE(set_value(spec, name + length + 1), "option '--%s'", spec->name);
		else if (spec->argument && spec->kind != OPTION_AMOUNT)
			return set_from_next(parse, spec);
		else
			set_flag(parse, spec);
		return OK;
	} else if (word[0] == '-' && word[1]) {
		return parse_letters(parse, word + 1);
	} else {
		take_operand(parse, word);
		if (order == OPTIONS_FIRST)
			take_all_as_operands(parse);
	}
	return OK;
}

enum status options_parse(const struct option_spec *specs, enum options_order order, int argc, char **argv,
                          struct operands *operands)
{
	struct option_parser parse = {specs, argv, argv + argc, operands};

	*operands = (struct operands){.at = argv};
	while (parse.word < parse.end && !operands->help)
		TRY(parse_word(&parse, order));
	operands->at[operands->count] = NULL;
	return OK;
}

static void add_text(struct text *out, const char *value)
{
	if (value)
		text_add(out, "%s", value);
}

static void add_words(struct text *out, const struct string_list *words)
{
	for (size_t i = 0; i < words->count; i++)
		text_add(out, "%s%s", i ? " " : "", words->at[i]);
}

void option_value(const struct option_spec *spec, const void *target, struct text *out)
{
	switch (spec->kind) {
	case OPTION_FLAG:
		text_add(out, "%s", *(const bool *)target ? "yes" : "no");
		break;
	case OPTION_TEXT:
	case OPTION_LIST:
	case OPTION_CHOICE:
		add_text(out, *(const char *const *)target);
		break;
	case OPTION_NUMBER:
	case OPTION_COUNT:
	case OPTION_AMOUNT:
		text_add(out, "%" PRId64, *(const int64_t *)target);
		break;
	case OPTION_REAL:
		text_add(out, "%.15g", *(const double *)target);
		break;
	case OPTION_SIZE:
		text_add(out, "%" PRIu64, *(const uint64_t *)target);
		break;
	case OPTION_WORDS:
		add_words(out, target);
		break;
	case OPTION_HELP:
		break;
	}
}

void options_help(const struct option_spec *specs, struct text *out)
{
	for (; specs->name; specs++) {
		size_t start = out->length, used;

		if (!specs->help)
			continue;
		if (specs->letter)
			text_add(out, "  -%c, --%s", specs->letter, specs->name);
		else
			text_add(out, "      --%s", specs->name);
		if (specs->argument)
			text_add(out, "%s%s", specs->kind == OPTION_AMOUNT ? "" : " ", specs->argument);
		used = out->length - start;
		if (used + 2 > HELP_COLUMN) {
			text_add(out, "\n");
			used = 0;
		}
		text_add_repeated(out, ' ', HELP_COLUMN - used);
		text_add_wrapped(out, specs->help, HELP_COLUMN, HELP_WIDTH);
	}
}
