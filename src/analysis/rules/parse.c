#include "analysis/rules/parse.h"
#include "analysis/rules/grammar.h"
#include "analysis/rules/lexer.h"

#include <string.h>

static void parse_text(struct rule_parser *parse)
{
	YY_BUFFER_STATE buffer;

	rules_scan_lex_init_extra(parse, &parse->scanner);
	buffer = rules_scan__scan_bytes(parse->source->text + parse->at, (int)(parse->end - parse->at),
	                                parse->scanner);
	/* What it returns is known already: whatever is wrong was reported. */
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

	/* Some editors mark UTF-8 so. */
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
