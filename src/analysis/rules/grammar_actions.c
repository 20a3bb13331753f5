#include "analysis/rules/grammar_actions.h"

#include <stdlib.h>
#include <string.h>

void add_declaration(struct parse *parse, struct declaration *declaration, struct place place)
{
	declaration->place = place;
	if (parse->last)
		parse->last->next = declaration;
	else
		parse->declarations = declaration;
	parse->last = declaration;
}

struct declaration *declare(struct parse *parse, enum declaration_kind kind, enum declaration_verb verb,
                            struct word name)
{
	struct declaration *declaration = arena_new(parse->arena, struct declaration);

	*declaration = (struct declaration){.kind = kind, .verb = verb, .name = name};
	return declaration;
}

struct member_syntax *member(struct parse *parse, struct word type, struct word name)
{
	struct member_syntax *member = arena_new(parse->arena, struct member_syntax);

	*member = (struct member_syntax){.type = type, .name = name};
	return member;
}

void ordered_member(struct parse *parse, struct member_syntax *member, struct word word,
                    enum member_order order)
{
	bool is_last = order == MEMBER_LAST_BEFORE;

	member->order_word = word;
	if (member->order != order)
		tell_error(parse->told, word.place, "'%s' goes with '%s': the %s event %s another one",
		           word.text, is_last ? "before" : "after", word.text, is_last ? "before" : "after");
	member->order = order;
}

struct binding *binding(struct parse *parse, struct word name, struct syntax *value)
{
	struct binding *binding = arena_new(parse->arena, struct binding);

	*binding = (struct binding){.name = name, .value = value};
	return binding;
}

struct syntax *number(struct parse *parse, struct place place, struct word unit)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_NUMBER, place, place);

	syntax->number = word_at(parse, place).text;
	syntax->unit = unit;
	return syntax;
}

struct syntax *field(struct parse *parse, struct syntax *of, struct word name)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_FIELD, place_between(of->place, name.place),
	                                   name.place);

	syntax->name = name;
	return syntax_with(parse, syntax, of);
}

struct syntax *call(struct parse *parse, struct word name, struct syntax *args, struct syntax *where,
                    struct place place)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_CALL, place, name.place);

	syntax->name = name;
	syntax->where = where;
	return syntax_with(parse, syntax, args);
}

struct syntax *cast(struct parse *parse, struct syntax *value, struct word unit)
{
	struct syntax *syntax = syntax_new(parse, SYNTAX_CAST, place_between(value->place, unit.place),
	                                   unit.place);

	syntax->unit = unit;
	return syntax_with(parse, syntax, value);
}

struct syntax *among(struct parse *parse, struct syntax *value, struct syntax *list, struct place mark,
                     struct place place)
{
	value->next = list;
	return syntax_with(parse, syntax_new(parse, SYNTAX_AMONG, place, mark), value);
}

struct syntax *choice(struct parse *parse, struct syntax *condition, struct syntax *yes, struct syntax *no,
                      struct place mark, struct place place)
{
	condition->next = yes;
	yes->next = no;
	return syntax_with(parse, syntax_new(parse, SYNTAX_CHOICE, place, mark), condition);
}

static bool is_language(const char *text)
{
	return strlen(text) == 2 && strspn(text, "abcdefghijklmnopqrstuvwxyz") == 2;
}

void add_translation(struct parse *parse, struct word *text, struct word lang, struct word other)
{
	struct translation_syntax **last = &text->others;

	if (!is_language(lang.text)) {
		tell_error(
			parse->told, lang.place,
			"'%s' cannot stand between two strings: a language is meant by two small letters, as in ru",
			lang.text);
		return;
	}
	if (strcmp(lang.text, "en") == 0) {
		tell_error(parse->told, lang.place, "the text that stands first is the English one");
		return;
	}
	for (; *last; last = &(*last)->next) {
		if (strcmp((*last)->lang.text, lang.text) != 0)
			continue;
		tell_error(parse->told, lang.place, "this text is given in '%s' twice", lang.text);
		tell_note(parse->told, (*last)->lang.place, "it was given here first");
		return;
	}
	*last = arena_new(parse->arena, struct translation_syntax);
	**last = (struct translation_syntax){.lang = lang, .text = other};
}

struct place inside_quotes(struct place string)
{
	return (struct place){string.source, string.begin + 1, string.end - 1};
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

struct test_event *test_place(struct parse *parse, struct word file, struct word line)
{
	struct test_event *event = arena_new(parse->arena, struct test_event);

	*event = (struct test_event){.file = file, .line = small_number(parse, line, "a line")};
	return event;
}

struct test_item test_event(struct parse *parse, struct word rank, struct word function,
                            struct test_event *event)
{
	event->rank = small_number(parse, rank, "a rank");
	event->function = function;
	return (struct test_item){.event = event};
}

struct test_item expectation(struct parse *parse, struct word id)
{
	struct test_expectation *expectation = arena_new(parse->arena, struct test_expectation);

	*expectation = (struct test_expectation){.id = id, .rank = -1};
	return (struct test_item){.expectation = expectation};
}

int64_t times(struct parse *parse, struct word count, struct word unit)
{
	if (strcmp(unit.text, "times") != 0 && strcmp(unit.text, "time") != 0)
		tell_error(parse->told, unit.place, "'times' is expected here");
	return small_number(parse, count, "how often");
}

struct repeat_syntax repeat(struct parse *parse, int64_t count, struct word word, struct syntax *every)
{
	if (strcmp(word.text, "every") != 0)
		tell_error(parse->told, word.place, "'every' is expected here, and a time");
	return (struct repeat_syntax){count, every};
}

/* A keyword without its quotes; NULL if the token is none. */
static char *bare_keyword(struct arena *arena, const char *token)
{
	size_t length = strlen(token);

	if (length < 4 || *token != '\'')
		return NULL;
	return arena_bytes_as_text(arena, token + 1, length - 2);
}

static const char *meant_keyword(struct parse *parse, const char *word, const char *const *expected,
                                 int count)
{
	struct nearest nearest = {.word = word};

	for (int i = 0; i < count; i++) {
		char *candidate = bare_keyword(parse->arena, expected[i]);
		if (candidate)
			nearest_offer(&nearest, candidate);
	}
	return nearest_found(&nearest);
}

static bool is_expected(const char *token, const char *const *expected, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(expected[i], token) == 0)
			return true;
	return false;
}

/* Where almost anything may stand, a list of it helps nobody. */
enum { LISTED = 5 };

static void add_expected(const char *const *expected, int count, struct text *out)
{
	if (is_expected("number", expected, count) && is_expected("'('", expected, count)) {
		text_add(out, ": a value is expected");
	} else if (count > LISTED && is_expected("name", expected, count)) {
		text_add(out, ": a name is expected");
	} else if (count > 0 && count <= LISTED) {
		for (int i = 0; i < count; i++)
			text_add(out, "%s%s", i == 0 ? ": " : i + 1 < count ? ", " : " or ", expected[i]);
		text_add(out, " is expected");
	}
}

/* A declaration that has no end is noticed only at the first word of the next one. */
static bool is_missing_end(const struct parse *parse, struct place place, const char *const *expected,
                           int count)
{
	const char *text = parse->source->text;

	return is_expected("';'", expected, count) && parse->end_before < place.begin &&
	       memchr(text + parse->end_before, '\n', place.begin - parse->end_before);
}

static void describe_unexpected(struct parse *parse, struct word found, const char *const *expected,
                                int count, struct text *out)
{
	const char *meant = is_keyword(found.text) ? NULL : meant_keyword(parse, found.text, expected, count);

	if (meant) {
		text_add(out, "unknown word '%s': did you mean '%s'?", found.text, meant);
		return;
	}
	if (strchr(found.text, '\n'))
		text_add(out, "a string cannot stand here");
	else
		text_add(out, "'%s' cannot stand here", found.text);
	if (strcmp(found.text, "in") == 0) {
		text_add(out, ": behind it a list in parentheses is expected");
		return;
	}
	add_expected(expected, count, out);
}

void tell_unexpected(struct parse *parse, struct place place, bool is_end, const char *const *expected,
                     int count)
{
	struct text text = {0};

	if (is_end && parse->is_cut)
		return;
	if (is_missing_end(parse, place, expected, count)) {
		place = (struct place){parse->source, parse->end_before, parse->end_before};
		text_add(&text, "';' is missing here");
	} else if (is_end) {
		text_add(&text, "%s",
		         parse->expression_only ? "a value is missing here"
		         : is_expected("';'", expected, count)
		                 ? "';' is missing at the end of the file"
		                 : "the file ends in the middle of a declaration");
	} else {
		describe_unexpected(parse, word_at(parse, place), expected, count, &text);
	}
	tell_error(parse->told, place, "%s", text_get(&text));
	text_release(&text);
}
