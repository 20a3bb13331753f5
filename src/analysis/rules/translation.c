/* Texts in several languages. */
#include "analysis/rules/checker.h"
#include "analysis/rules/lists.h"

#include <string.h>

void add_language(struct checker *checker, const char *lang)
{
	struct rulebook *book = checker->book;

	for (size_t i = 0; i < book->language_count; i++)
		if (strcmp(book->languages[i], lang) == 0)
			return;
	LIST_ADD(checker->arena, book->languages, book->language_count, checker->language_capacity, lang);
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
	LIST_ADD(checker->arena, checker->phrases, count, checker->phrase_capacity, *text);
	LIST_ADD(checker->arena, book->phrases, book->phrase_count, checker->book_phrase_capacity, phrase);
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
