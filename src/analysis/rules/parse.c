#include "analysis/rules/parse.h"
#include "analysis/rules/grammar.h"
#include "analysis/rules/lexer.h"

#include <string.h>

static void parse_text(struct parse *parse)
{
	YY_BUFFER_STATE buffer;

	rules_scan_lex_init_extra(parse, &parse->scanner);
	buffer = rules_scan__scan_bytes(parse->source->text + parse->at, (int)(parse->end - parse->at),
	                                parse->scanner);
	/* What it returns is known already: whatever is wrong was told. */
	(void)rules_parse(parse);
	rules_scan__delete_buffer(buffer, parse->scanner);
	rules_scan_lex_destroy(parse->scanner);
}

void parse_filled(struct parse *parse, const struct source *filled, uint32_t begin)
{
	struct parse inner = {.arena = parse->arena,
	                      .source = filled,
	                      .told = parse->told,
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

struct declaration *parse_file(struct arena *arena, const struct source *source, bool without_tests,
                               struct diagnostics *told)
{
	struct parse parse = {.arena = arena,
	                      .source = source,
	                      .told = told,
	                      .end = source->size,
	                      .without_tests = without_tests};

	/* Some editors mark UTF-8 so. */
	if (source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
		parse.at = parse.end_now = 3;
	parse_text(&parse);
	return parse.declarations;
}

struct syntax *parse_expression(struct arena *arena, struct place place, struct diagnostics *told)
{
	struct parse parse = {
		.arena = arena, .source = place.source, .told = told, .first = EXPRESSION_ALONE};
	size_t errors = told->error_count;

	parse.expression_only = true;
	parse.at = parse.end_now = place.begin;
	parse.end = place.end;
	parse_text(&parse);
	return told->error_count == errors ? parse.expression : NULL;
}
