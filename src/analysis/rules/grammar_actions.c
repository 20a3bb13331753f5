#include "analysis/rules/grammar_actions.h"

#include "base/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void add_declaration(struct rule_parser *parse, struct declaration *declaration, struct source_range place)
{
	declaration->place = place;
	if (parse->last)
		parse->last->next = declaration;
	else
		parse->declarations = declaration;
	parse->last = declaration;
}

struct declaration *declare(struct rule_parser *parse, enum declaration_kind kind, enum declaration_verb verb,
                            struct token name)
{
	struct declaration *declaration = arena_new(parse->arena, struct declaration);

	*declaration = (struct declaration){.kind = kind, .verb = verb, .name = name};
	return declaration;
}

struct member_syntax *member(struct rule_parser *parse, struct token type, struct token name)
{
	struct member_syntax *member = arena_new(parse->arena, struct member_syntax);

	*member = (struct member_syntax){.type = type, .name = name};
	return member;
}

void ordered_member(struct rule_parser *parse, struct member_syntax *member, struct token word,
                    enum member_order order)
{
	bool is_last = order == MEMBER_LAST_BEFORE;

	member->order_word = word;
	if (member->order != order)
		add_error(parse->errors, word.place,
		          "'%s' must be followed by '%s': the %s event %s another event", word.text,
		          is_last ? "before" : "after", word.text, is_last ? "before" : "after");
	member->order = order;
}

struct binding *binding(struct rule_parser *parse, struct token name, struct syntax *value)
{
	struct binding *binding = arena_new(parse->arena, struct binding);

	*binding = (struct binding){.name = name, .value = value};
	return binding;
}

static bool is_bound(const struct rule_parser *parse, struct source_range word)
{
	const char *behind = parse->source->text + word.end;

	return behind[strspn(behind, " \t\n")] == '=';
}

struct syntax *number(struct rule_parser *parse, struct source_range place, struct token unit)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_NUMBER, place, place);

	syntax->number = word_at(parse, place).text;
	syntax->unit = unit;
	/* A word after a number is a unit, but `peer = 1 tag = 2` means two bindings. */
	if (unit.text && !unit_by_name(unit.text) && is_bound(parse, unit.place))
		add_error(parse->errors, unit.place, "missing ',' before '%s'", unit.text);
	return syntax;
}

struct syntax *field(struct rule_parser *parse, struct syntax *of, struct token name)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_FIELD, place_between(of->place, name.place),
	                                   name.place);

	syntax->name = name;
	return syntax_with(parse, syntax, of);
}

struct syntax *element(struct rule_parser *parse, struct syntax *of, struct token number,
                       struct source_range place)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_ELEMENT, place, number.place);

	syntax->element = small_number(parse, number, "an element");
	return syntax_with(parse, syntax, of);
}

struct syntax *call(struct rule_parser *parse, struct token name, struct syntax *args, struct syntax *where,
                    struct source_range place)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_CALL, place, name.place);

	syntax->name = name;
	syntax->where = where;
	return syntax_with(parse, syntax, args);
}

struct syntax *cast(struct rule_parser *parse, struct syntax *value, struct token unit)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_CAST, place_between(value->place, unit.place),
	                                   unit.place);

	syntax->unit = unit;
	return syntax_with(parse, syntax, value);
}

struct syntax *among(struct rule_parser *parse, struct syntax *value, struct syntax *list,
                     struct source_range mark, struct source_range place)
{
	value->next = list;
	return syntax_with(parse, syntax_new(parse, SYNTAX_AMONG, place, mark), value);
}

struct syntax *choice(struct rule_parser *parse, struct syntax *condition, struct syntax *yes,
                      struct syntax *no, struct source_range mark, struct source_range place)
{
	condition->next = yes;
	yes->next = no;
	return syntax_with(parse, syntax_new(parse, SYNTAX_CHOICE, place, mark), condition);
}

void add_translation(struct rule_parser *parse, struct token *text, struct token lang, struct token other)
{
	struct translation_syntax **last = &text->others;

	if (!(strlen(lang.text) == 2 && strspn(lang.text, "abcdefghijklmnopqrstuvwxyz") == 2)) {
		add_error(parse->errors, lang.place,
		          "'%s' between two strings is not a language: write two small letters, such as ru",
		          lang.text);
		return;
	}
	if (strcmp(lang.text, "en") == 0) {
		add_error(parse->errors, lang.place, "the first text must be the English one");
		return;
	}
	for (; *last; last = &(*last)->next) {
		if (strcmp((*last)->lang.text, lang.text) != 0)
			continue;
		add_error(parse->errors, lang.place, "this text has two translations to '%s'", lang.text);
		add_error_note(parse->errors, (*last)->lang.place, "it was given here first");
		return;
	}
	*last = arena_new(parse->arena, struct translation_syntax);
	**last = (struct translation_syntax){.lang = lang, .text = other};
}

struct source_range inside_quotes(struct source_range string)
{
	return (struct source_range){string.source, string.begin + 1, string.end - 1};
}

void add_test_item(struct test_syntax *test, struct test_item item)
{
	if (item.event) {
		*(test->last_event ? &test->last_event->next : &test->events) = item.event;
		test->last_event = item.event;
	}
	if (item.expectation) {
		*(test->last_expectation ? &test->last_expectation->next
		                         : &test->expectations) = item.expectation;
		test->last_expectation = item.expectation;
	}
}

struct test_event *test_place(struct rule_parser *parse, struct token file, struct token line)
{
	struct test_event *event = arena_new(parse->arena, struct test_event);

	*event = (struct test_event){.file = file, .line = small_number(parse, line, "a line")};
	return event;
}

struct test_item test_event(struct rule_parser *parse, struct token rank, struct token function,
                            struct test_event *event)
{
	event->rank = small_number(parse, rank, "a rank");
	event->function = function;
	return (struct test_item){.event = event};
}

struct test_item expectation(struct rule_parser *parse, struct token id)
{
	struct test_expectation *expectation = arena_new(parse->arena, struct test_expectation);

	*expectation = (struct test_expectation){.id = id, .rank = -1};
	return (struct test_item){.expectation = expectation};
}

int64_t times(struct rule_parser *parse, struct token count, struct token unit)
{
	if (strcmp(unit.text, "times") != 0 && strcmp(unit.text, "time") != 0)
		add_error(parse->errors, unit.place, "'times' is expected here");
	return small_number(parse, count, "how often");
}

struct repeat_syntax repeat(struct rule_parser *parse, int64_t count, struct token word, struct syntax *every)
{
	if (strcmp(word.text, "every") != 0)
		add_error(parse->errors, word.place, "'every' is expected here, and a time");
	return (struct repeat_syntax){count, every};
}

static bool is_expected(const char *token, const char *const *expected, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(expected[i], token) == 0)
			return true;
	return false;
}

/* A longer list of expected tokens would not help. */
enum { LISTED = 5 };

/* In a list in parentheses, after a complete item, if the next token could start another one. */
static bool is_missing_comma(const struct rule_parser *parse, struct token found, const char *const *expected,
                             int count)
{
	unsigned char first = (unsigned char)found.text[0];

	if (!is_expected("','", expected, count) || !is_expected("')'", expected, count))
		return false;
	return isdigit(first) || first == '"' || is_bound(parse, found.place) ||
	       ((isalpha(first) || first == '_' || first >= 0x80) && !is_keyword(found.text));
}

static void describe_unexpected(struct rule_parser *parse, struct token found, const char *const *expected,
                                int count, struct text *out)
{
	bool is_broken = strchr(found.text, '\n');
	struct nearest nearest = {.word = found.text};
	const char *meant;

	for (int i = 0; i < count && !is_keyword(found.text); i++) {
		size_t length = strlen(expected[i]);

		/* Keywords are quoted. */
		if (length >= 4 && *expected[i] == '\'')
			nearest_offer(&nearest,
			              arena_bytes_as_text(parse->arena, expected[i] + 1, length - 2));
	}
	meant = nearest_found(&nearest);
	if (is_missing_comma(parse, found, expected, count) && (!meant || is_bound(parse, found.place))) {
		if (is_broken)
			text_add(out, "missing ',' before this string");
		else
			text_add(out, "missing ',' before '%s'", found.text);
		return;
	}
	if (meant) {
		text_add(out, "unknown word '%s': did you mean '%s'?", found.text, meant);
		return;
	}
	if (is_broken)
		text_add(out, "a string is not allowed here");
	else
		text_add(out, "'%s' is not allowed here", found.text);
	if (strcmp(found.text, "in") == 0) {
		text_add(out, ": a list in parentheses must follow it");
	} else if (is_expected("number", expected, count) && is_expected("'('", expected, count)) {
		text_add(out, ": a value is expected");
	} else if (count > LISTED && is_expected("name", expected, count)) {
		text_add(out, ": a name is expected");
	} else if (count > 0 && count <= LISTED) {
		for (int i = 0; i < count; i++)
			text_add(out, "%s%s", i == 0 ? ": " : i + 1 < count ? ", " : " or ", expected[i]);
		text_add(out, " is expected");
	}
}

void error_unexpected(struct rule_parser *parse, struct source_range place, bool is_end,
                      const char *const *expected, int count)
{
	const char *text = parse->source->text, *found = is_end ? "" : word_at(parse, place).text;
	struct source_range before = {parse->source, parse->end_before, parse->end_before};
	struct text sentence = {0};

	if (is_end && parse->is_cut)
		return;
	/* Two letters after a string are a language: only the word after `"…" at` shows that `at`
	 * is the next parameter. */
	if (strcmp(found, "=") == 0 && count == 1 && strcmp(expected[0], "string") == 0)
		while (before.begin && islower((unsigned char)text[before.begin - 1]))
			before.begin--;
	/* A missing end of a declaration is noticed only at the first word of the next one. */
	if (is_expected("';'", expected, count) && before.end < place.begin &&
	    memchr(text + before.end, '\n', place.begin - before.end)) {
		place = before;
		text_add(&sentence, "';' is missing here");
	} else if (is_end) {
		text_add(&sentence, "%s",
		         parse->expression_only ? "a value is missing here"
		         : is_expected("';'", expected, count)
		                 ? "';' is missing at the end of the file"
		                 : "the file ends in the middle of a declaration");
	} else if (before.begin < before.end) {
		place = before;
		text_add(&sentence, "missing ',' before '%s'", word_at(parse, before).text);
	} else {
		describe_unexpected(parse, word_at(parse, place), expected, count, &sentence);
	}
	add_error(parse->errors, place, "%s", text_get(&sentence));
	text_release(&sentence);
}
