/* Advice: text with values in braces. */
#include "analysis/rules/checker.h"
#include "base/units.h"

#include <string.h>

struct template_builder {
	struct name_scope *scope;
	struct source_range inside; /* the quotes */
	struct template *template;
	const struct locale *locale;
	size_t text_count, value_count, part_count;
	struct expr *condition; /* for the current text; NULL: none */
	bool is_wrong;
};

static void add_text(struct template_builder *builder, uint32_t begin, uint32_t end)
{
	struct arena *arena = builder->scope->checker->arena;
	struct template *template = builder->template;
	char *text = (char *)string_contents(arena,
	                                     (struct source_range){builder->inside.source, begin, end});
	char *to = text;

	for (const char *from = text; *from; from++) {
		*to++ = *from;
		from += (*from == '{' || *from == '}') && from[1] == *from;
	}
	*to = 0;
	arena_add(arena, template->texts, builder->text_count, text);
}

static void add_part(struct template_builder *builder, struct expr *value, struct template_part part)
{
	struct arena *arena = builder->scope->checker->arena;

	arena_add(arena, builder->template->values, builder->value_count, value);
	arena_add(arena, builder->template->parts, builder->part_count, part);
}

static void complain(struct template_builder *builder, struct source_range place, const char *what)
{
	add_error(builder->scope->checker->errors, place, "%s", what);
	builder->is_wrong = true;
}

static struct expr *expression_in(struct template_builder *builder, struct source_range place)
{
	struct checker *checker = builder->scope->checker;
	struct syntax *syntax = parse_expression(checker->arena, place, checker->errors);

	return syntax ? check_expression(builder->scope, syntax) : NULL;
}

/* " message | messages": removes the blanks around each. */
static const char *const *nouns_in(struct template_builder *builder, struct source_range place)
{
	struct arena *arena = builder->scope->checker->arena;
	const char **nouns = arena_array(arena, const char *, builder->locale->plural_forms);
	char *text = (char *)string_contents(arena, place), *rest = text, *noun;
	size_t count = 0;

	for (; (noun = strsep(&rest, "|")); count++) {
		noun += strspn(noun, " ");
		for (size_t length = strlen(noun); length && noun[length - 1] == ' ';)
			noun[--length] = 0;
		if (count < builder->locale->plural_forms)
			nouns[count] = noun;
	}
	if (count == builder->locale->plural_forms)
		return nouns;
	complain(builder, place,
	         builder->locale->plural_forms == 2
	                 ? "two forms are needed, as in {calls | call | calls}"
	                 : "three forms are needed, as in {calls | вызов | вызова | вызовов}");
	return NULL;
}

static void add_value(struct template_builder *builder, struct source_range place)
{
	struct checker *checker = builder->scope->checker;
	const char *text = place.source->text;
	const char *bar = memchr(text + place.begin, '|', place.end - place.begin);
	struct source_range nouns = {place.source, bar ? (uint32_t)(bar - text) + 1 : place.end, place.end};
	struct template_part part = {.nouns = bar ? nouns_in(builder, nouns) : NULL};
	struct expr *value;

	if (bar)
		place.end = nouns.begin - 1;
	value = expression_in(builder, place);
	builder->is_wrong |= !value;
	if (!value)
		return;
	if (bar && !type_is_plain(value->type))
		complain(builder, place, "a noun goes with a number that has no unit");
	else if (value->type.base == TYPE_EVENT || value->type.base == TYPE_IDENTITY)
		complain(
			builder, place,
			arena_format(
				&checker->errors->arena,
				"%s cannot be shown as text: name one of its columns, such as 'rank' or 'place'",
				describe(checker, value)));
	else
		add_part(builder, value, part);
}

static bool begins(struct source_range place, const char *word)
{
	size_t length = strlen(word);

	return place.end - place.begin >= length &&
	       memcmp(place.source->text + place.begin, word, length) == 0;
}

/* Takes the content between the brace at `at` and the next closing one; returns where the text continues. */
static uint32_t take_value(struct template_builder *builder, uint32_t at)
{
	static const char when[] = "when ", end[] = "end";
	const char *text = builder->inside.source->text;
	const char *brace = memchr(text + at + 1, '}', builder->inside.end - at - 1);
	struct source_range place = {builder->inside.source, brace ? at + 1 : at,
	                             brace ? (uint32_t)(brace - text) : at + 1};

	if (!brace) {
		complain(builder, place, "'}' is missing; write a literal brace twice");
		return builder->inside.end;
	}
	if (begins(place, when)) {
		struct expr *condition;

		place.begin += sizeof when - 1;
		condition = expression_in(builder, place);
		if (builder->condition)
			complain(builder, place,
			         "a {when …} cannot contain another {when …}: write {end} first");
		else if (condition && condition->type.base != TYPE_BOOL && !condition->type.is_late)
			complain(builder, place,
			         "'when' needs a condition, or an estimate, which may not be known");
		else if (condition)
			add_part(builder, builder->condition = condition,
			         (struct template_part){.mark = MARK_WHEN});
		builder->is_wrong |= !condition;
	} else if (begins(place, end) && place.end - place.begin == sizeof end - 1) {
		if (builder->condition)
			add_part(builder, builder->condition, (struct template_part){.mark = MARK_END});
		else
			complain(builder, place, "this {end} has no {when …} before it");
		builder->condition = NULL;
	} else {
		add_value(builder, place);
	}
	return place.end + 1;
}

static bool check_one(struct name_scope *scope, struct source_range string, const char *lang,
                      struct template *template)
{
	struct template_builder builder = {
		.scope = scope, .template = template, .locale = locale_of(lang), .inside = string};
	const char *text = string.source->text;
	uint32_t begin, at;

	builder.inside.begin++;
	builder.inside.end--;
	*template = (struct template){0};
	for (begin = at = builder.inside.begin; at < builder.inside.end;) {
		/* Two braces are one. */
		bool is_double = at + 1 < builder.inside.end && text[at + 1] == '{';

		if (text[at] != '{' || is_double) {
			at += text[at] == '{' ? 2 : 1;
			continue;
		}
		add_text(&builder, begin, at);
		begin = at = take_value(&builder, at);
	}
	add_text(&builder, begin, builder.inside.end);
	if (builder.condition)
		complain(&builder, string, "{end} is missing after {when …}");
	template->count = (uint32_t)builder.value_count;
	return !builder.is_wrong;
}

bool check_template(struct name_scope *scope, const struct token *text, struct template *template)
{
	struct checker *checker = scope->checker;
	bool is_fine = check_one(scope, text->place, NULL, template);

	for (const struct translation_syntax *t = text->others; t; t = t->next) {
		struct template *other = arena_new(checker->arena, struct template);
		is_fine &= check_one(scope, t->text.place, t->lang.text, other);
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

static bool is_translated_alike(struct checker *checker, const struct token *before, const struct token *text)
{
	for (const struct translation_syntax *t = text->others; t; t = t->next) {
		const struct translation_syntax *other = before->others;

		while (other && strcmp(other->lang.text, t->lang.text) != 0)
			other = other->next;
		if (!other || strcmp(other->text.text, t->text.text) == 0)
			continue;
		add_error(
			checker->errors, t->text.place,
			"\"%s\" already has another translation: give equal English texts equal translations",
			text->text);
		add_error_note(checker->errors, other->text.place, "the other translation is here");
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

const char *problem_name(const struct problem *problem, const char *lang)
{
	return translate_own(lang, problem->name, problem->names);
}

const char *problem_description(const struct problem *problem, const char *lang)
{
	return translate_own(lang, problem->description, problem->descriptions);
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
	const struct translation *own = NULL;

	for (size_t i = 0; i < book->phrase_count && !own; i++)
		own = strcmp(book->phrases[i].text, text) == 0 ? book->phrases[i].others : NULL;
	return translate_own(lang, text, own);
}
