/* Advice: text with values in braces. */
#include "analysis/rules/checker.h"

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

struct template_builder {
	struct name_scope *scope;
	struct source_range inside; /* the quotes */
	struct template *template;
	size_t text_count, value_count;
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

static void add_text(struct template_builder *builder, uint32_t begin, uint32_t end)
{
	struct arena *arena = builder->scope->checker->arena;
	struct template *template = builder->template;
	char *text = (char *)string_contents(arena,
	                                     (struct source_range){builder->inside.source, begin, end});

	arena_add(arena, template->texts, builder->text_count, single_braces(text));
}

static bool can_be_shown(struct template_builder *builder, const struct expr *value,
                         struct source_range place)
{
	if (value->type.base != TYPE_EVENT && value->type.base != TYPE_IDENTITY)
		return true;
	add_error(builder->scope->checker->errors, place,
	          "%s cannot be shown as text: name one of its columns, such as 'rank' or 'place'",
	          describe(builder->scope->checker, value));
	return false;
}

static void add_value(struct template_builder *builder, struct source_range place)
{
	struct checker *checker = builder->scope->checker;
	struct template *template = builder->template;
	struct syntax *syntax = parse_expression(checker->arena, place, checker->errors);
	struct expr *value = syntax ? check_expression(builder->scope, syntax) : NULL;

	if (value && can_be_shown(builder, value, place))
		arena_add(checker->arena, template->values, builder->value_count, value);
	else
		builder->is_wrong = true;
}

static uint32_t take_value(struct template_builder *builder, uint32_t at)
{
	const char *text = builder->inside.source->text;
	uint32_t end = find_end(text, at + 1, builder->inside.end);

	if (!end) {
		add_error(builder->scope->checker->errors,
		          (struct source_range){builder->inside.source, at, at + 1},
		          "'}' is missing; a brace that is meant as such is written twice");
		builder->is_wrong = true;
		return builder->inside.end;
	}
	add_value(builder, (struct source_range){builder->inside.source, at + 1, end - 1});
	return end;
}

static bool check_one(struct name_scope *scope, struct source_range string, struct template *template)
{
	struct template_builder builder = {.scope = scope, .template = template, .inside = string};
	const char *text = string.source->text;
	uint32_t begin, at;

	builder.inside.begin++;
	builder.inside.end--;
	*template = (struct template){0};
	for (begin = at = builder.inside.begin; at < builder.inside.end;) {
		if (!is_value(text, at, builder.inside.end)) {
			at += text[at] == '{' ? 2 : 1;
			continue;
		}
		add_text(&builder, begin, at);
		begin = at = take_value(&builder, at);
	}
	add_text(&builder, begin, builder.inside.end);
	template->count = (uint32_t)builder.value_count;
	return !builder.is_wrong;
}

bool check_template(struct name_scope *scope, const struct token *text, struct template *template)
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

/* Texts in several languages. */

void add_language(struct checker *checker, const char *lang)
{
	struct rulebook *book = checker->book;

	for (size_t i = 0; i < book->language_count; i++)
		if (strcmp(book->languages[i], lang) == 0)
			return;
	arena_add(checker->arena, book->languages, book->language_count, lang);
}

const struct translation *translations_of(struct checker *checker, const struct token *text)
{
	const struct translation *first = NULL;

	for (const struct translation_syntax *t = text->others; t; t = t->next) {
		struct translation *other = arena_new(checker->arena, struct translation);
		*other = (struct translation){.lang = t->lang.text, .text = t->text.text, .next = first};
		add_language(checker, other->lang);
		first = other;
	}
	return first;
}

static const struct translation_syntax *find_language(const struct token *text, const char *lang)
{
	const struct translation_syntax *found = text->others;

	while (found && strcmp(found->lang.text, lang) != 0)
		found = found->next;
	return found;
}

static bool is_translated_alike(struct checker *checker, const struct token *before, const struct token *text)
{
	for (const struct translation_syntax *t = text->others; t; t = t->next) {
		const struct translation_syntax *other = find_language(before, t->lang.text);
		if (!other || strcmp(other->text.text, t->text.text) == 0)
			continue;
		add_error(
			checker->errors, t->text.place,
			"\"%s\" has another translation already: texts that are equal in English are one text",
			text->text);
		add_error_note(checker->errors, other->text.place, "it is translated so here");
		return false;
	}
	return true;
}

bool add_phrase(struct checker *checker, const struct token *text)
{
	struct rulebook *book = checker->book;
	struct phrase phrase = {.text = text->text, .others = translations_of(checker, text)};
	size_t count = book->phrase_count;

	if (!text->others)
		return true;
	for (size_t i = 0; i < count; i++)
		if (strcmp(checker->phrases[i].text, text->text) == 0 &&
		    !is_translated_alike(checker, &checker->phrases[i], text))
			return false;
	arena_add(checker->arena, checker->phrases, count, *text);
	arena_add(checker->arena, book->phrases, book->phrase_count, phrase);
	return true;
}

const char *translated(const char *text, const struct translation *others, const char *lang)
{
	for (; others && lang; others = others->next)
		if (strcmp(others->lang, lang) == 0)
			return others->text;
	return text;
}

const char *problem_name(const struct problem *problem, const char *lang)
{
	return translated(problem->name, problem->names, lang);
}

const char *problem_description(const struct problem *problem, const char *lang)
{
	return translated(problem->description, problem->descriptions, lang);
}

const struct template *problem_advice(const struct problem *problem, const char *lang)
{
	for (const struct template *other = problem->advice.next; other && lang; other = other->next)
		if (strcmp(other->lang, lang) == 0)
			return other;
	return &problem->advice;
}

const char *rulebook_translate(const struct rulebook *book, const char *text, const char *lang)
{
	for (size_t i = 0; i < book->phrase_count; i++) {
		const char *found = translated(NULL, book->phrases[i].others, lang);
		if (found && strcmp(book->phrases[i].text, text) == 0)
			return found;
	}
	return text;
}
