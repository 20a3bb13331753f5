#include "analysis/rules/grammar.h"
#include "analysis/rules/lexer.h"
#include "analysis/rules/parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct source_range place_between(struct source_range first, struct source_range last)
{
	return (struct source_range){first.source, first.begin, last.end};
}

struct token word_at(struct rule_parser *parse, struct source_range place)
{
	const char *text = place.source->text + place.begin;

	return (struct token){.text = arena_bytes_as_text(parse->arena, text, place.end - place.begin),
	                      .place = place};
}

struct syntax *syntax_new(struct rule_parser *parse, enum syntax_kind kind, struct source_range place,
                          struct source_range mark)
{
	struct syntax *syntax = arena_new(parse->arena, struct syntax);

	*syntax = (struct syntax){.kind = kind, .place = place, .mark = mark, .depth = 1};
	return syntax;
}

/* Reports and cuts expressions that are too deep. */
struct syntax *syntax_with(struct rule_parser *parse, struct syntax *syntax, struct syntax *args)
{
	uint32_t depth = syntax->where ? syntax->where->depth : 0;

	for (struct syntax *arg = args; arg; arg = arg->next)
		depth = arg->depth > depth ? arg->depth : depth;
	syntax->args = args;
	syntax->depth = depth + 1;
	if (syntax->depth <= SYNTAX_MAX_DEPTH)
		return syntax;
	add_error(
		parse->errors, syntax->mark,
		"this expression is nested too deeply: %d levels are allowed; name parts of it as parameters",
		SYNTAX_MAX_DEPTH);
	return syntax_new(parse, SYNTAX_BOOL, syntax->place, syntax->mark);
}

struct syntax *syntax_binary(struct rule_parser *parse, enum operator op, struct source_range mark,
                             struct syntax *left, struct syntax *right)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_BINARY, place_between(left->place, right->place),
	                                   mark);

	syntax->op = op;
	left->next = right;
	return syntax_with(parse, syntax, left);
}

struct syntax *syntax_unary(struct rule_parser *parse, enum operator op, struct source_range mark,
                            struct syntax *operand)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_UNARY, place_between(mark, operand->place), mark);

	syntax->op = op;
	return syntax_with(parse, syntax, operand);
}

struct syntax *syntax_name(struct rule_parser *parse, struct token name)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_NAME, name.place, name.place);

	syntax->name = name;
	return syntax;
}

int64_t small_number(struct rule_parser *parse, struct token number, const char *what)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(number.text, &end, 10);
	if (!*end && !errno && value >= 0 && value <= INT32_MAX)
		return value;
	add_error(parse->errors, number.place, "%s must be a whole number from 0 to %d", what, INT32_MAX);
	return 0;
}

size_t count_blanks(const char *text)
{
	/* strspn() builds a table first, and most characters are not blank. */
	return (unsigned char)*text > ' ' ? 0 : strspn(text, " \t\r\n");
}

const char *string_contents(struct arena *arena, struct source_range inside)
{
	const char *text = inside.source->text;
	char *out = arena_alloc(arena, inside.end - inside.begin + 1, 1);
	size_t length = 0;

	for (uint32_t at = inside.begin; at < inside.end; at++) {
		size_t blanks = count_blanks(text + at), room = inside.end - at;

		blanks = blanks < room ? blanks : room;
		/* Blanks with a line break become one space. */
		if (memchr(text + at, '\n', blanks)) {
			out[length++] = ' ';
			at += (uint32_t)blanks - 1;
			continue;
		}
		if (text[at] == '\\' && at + 1 < inside.end)
			at++;
		out[length++] = text[at] == 'n' && text[at - 1] == '\\' ? '\n' : text[at];
	}
	return out;
}

/* Parsing */

static void parse_text(struct rule_parser *parse)
{
	YY_BUFFER_STATE buffer;

	rules_scan_lex_init_extra(parse, &parse->scanner);
	buffer = rules_scan__scan_bytes(parse->source->text + parse->at, (int)(parse->end - parse->at),
	                                parse->scanner);
	/* Errors were already reported. */
	(void)rules_parse(parse);
	rules_scan__delete_buffer(buffer, parse->scanner);
	rules_scan_lex_destroy(parse->scanner);
}

void parse_filled(struct rule_parser *parse, const struct rule_source *filled, uint32_t begin)
{
	struct rule_parser inner = {.arena = parse->arena,
	                            .source = filled,
	                            .errors = parse->errors,
	                            .at = begin,
	                            .end_now = begin,
	                            .end = filled->size,
	                            .without_tests = parse->without_tests};

	parse_text(&inner);
	if (!inner.declarations)
		return;
	if (parse->last)
		parse->last->next = inner.declarations;
	else
		parse->declarations = inner.declarations;
	parse->last = inner.last;
}

struct declaration *parse_file(struct arena *arena, const struct rule_source *source, bool without_tests,
                               struct diagnostics *errors)
{
	struct rule_parser parse = {.arena = arena,
	                            .source = source,
	                            .errors = errors,
	                            .end = source->size,
	                            .without_tests = without_tests};

	/* Some editors mark UTF-8 this way. */
	if (source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
		parse.at = parse.end_now = 3;
	parse_text(&parse);
	return parse.declarations;
}

struct syntax *parse_expression(struct arena *arena, struct source_range place, struct diagnostics *errors)
{
	struct rule_parser parse = {
		.arena = arena, .source = place.source, .errors = errors, .first = EXPRESSION_ALONE};
	size_t earlier_errors = errors->error_count;

	parse.expression_only = true;
	parse.at = parse.end_now = place.begin;
	parse.end = place.end;
	parse_text(&parse);
	return errors->error_count == earlier_errors ? parse.expression : NULL;
}
