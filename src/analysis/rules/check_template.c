/* Advice: text with values in braces. */
#include "analysis/rules/checker.h"
#include "analysis/rules/lists.h"

#include <string.h>

/* Behind the brace that closes the one before `at`; 0: there is none. */
static uint32_t find_end(const char *text, uint32_t at, uint32_t end)
{
	const char *brace = memchr(text + at, '}', end - at);

	return brace ? (uint32_t)(brace - text) + 1 : 0;
}

/* Two braces are one. */
static bool is_value(const char *text, uint32_t at, uint32_t end)
{
	return text[at] == '{' && !(at + 1 < end && text[at + 1] == '{');
}

struct template_building {
	struct scope *scope;
	struct place inside; /* the quotes */
	struct template *template;
	size_t text_count, text_capacity, value_count, value_capacity;
	bool is_wrong;
};

static const char *single_braces(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		*to++ = *from;
		from += (*from == '{' || *from == '}') && from[1] == *from;
	}
	*to = 0;
	return text;
}

static void add_text(struct template_building *building, uint32_t begin, uint32_t end)
{
	struct arena *arena = building->scope->checker->arena;
	struct template *template = building->template;
	char *text = (char *)string_contents(arena, (struct place){building->inside.source, begin, end});

	LIST_ADD(arena, template->texts, building->text_count, building->text_capacity, single_braces(text));
}

static bool can_be_shown(struct template_building *building, const struct expr *value, struct place place)
{
	if (value->type.base != TYPE_EVENT && value->type.base != TYPE_IDENTITY)
		return true;
	tell_error(building->scope->checker->told, place,
	           "%s cannot be shown as text: name one of its columns, such as 'rank' or 'place'",
	           describe(building->scope->checker, value));
	return false;
}

static void add_value(struct template_building *building, struct place place)
{
	struct checker *checker = building->scope->checker;
	struct template *template = building->template;
	struct syntax *syntax = parse_expression(checker->arena, place, checker->told);
	struct expr *value = syntax ? check_expression(building->scope, syntax) : NULL;

	if (value && can_be_shown(building, value, place))
		LIST_ADD(checker->arena, template->values, building->value_count, building->value_capacity,
		         value);
	else
		building->is_wrong = true;
}

static uint32_t take_value(struct template_building *building, uint32_t at)
{
	const char *text = building->inside.source->text;
	uint32_t end = find_end(text, at + 1, building->inside.end);

	if (!end) {
		tell_error(building->scope->checker->told,
		           (struct place){building->inside.source, at, at + 1},
		           "'}' is missing; a brace that is meant as such is written twice");
		building->is_wrong = true;
		return building->inside.end;
	}
	add_value(building, (struct place){building->inside.source, at + 1, end - 1});
	return end;
}

static bool check_one(struct scope *scope, struct place string, struct template *template)
{
	struct template_building building = {.scope = scope, .template = template, .inside = string};
	const char *text = string.source->text;
	uint32_t begin, at;

	building.inside.begin++;
	building.inside.end--;
	*template = (struct template){0};
	for (begin = at = building.inside.begin; at < building.inside.end;) {
		if (!is_value(text, at, building.inside.end)) {
			at += text[at] == '{' ? 2 : 1;
			continue;
		}
		add_text(&building, begin, at);
		begin = at = take_value(&building, at);
	}
	add_text(&building, begin, building.inside.end);
	template->count = (uint32_t)building.value_count;
	return !building.is_wrong;
}

bool check_template(struct scope *scope, const struct word *text, struct template *template)
{
	struct checker *checker = scope->checker;
	bool is_fine = check_one(scope, text->place, template);

	for (const struct translation_syntax *t = text->others; t; t = t->next) {
		struct template *other = arena_new(checker->arena, struct template);
		is_fine &= check_one(scope, t->text.place, other);
		other->lang = t->lang.text;
		other->next = template->next;
		template->next = other;
		add_language(checker, other->lang);
	}
	return is_fine;
}
