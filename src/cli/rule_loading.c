#include "cli/rule_loading.h"

#include "analysis/rules/diagnostics.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Errors in rules are errors of input; errors in --set are wrong usage. */
static int exit_code_of(const struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < diagnostics->count; i++) {
		const char *file = diagnostics->list[i].origin.file;
		if (diagnostics->list[i].severity == SEVERITY_ERROR &&
		    !(file && strcmp(file, RULE_SETTINGS) == 0))
			return EXIT_FAILED;
	}
	return diagnostics->count ? EXIT_USAGE : EXIT_FAILED;
}

int load_rules(struct rule_options options, struct rulebook **book)
{
	struct diagnostics diagnostics = {0};
	struct arena arena = {0};
	enum status status = installation_rules(&arena, &options.shipped);
	int code;

	if (status == OK)
		status = rulebook_check(&options, &diagnostics, book);
	else
		report_failure();
	for (size_t i = 0; i < diagnostics.count; i++) {
		const struct diagnostic *diagnostic = &diagnostics.list[i];
		enum colour colour = diagnostic->severity == SEVERITY_ERROR ? COLOUR_BAD : COLOUR_FAINT;
		struct text place = {0}, source = {0};

		diagnostic_describe_place(diagnostic, &place);
		diagnostic_describe_source(diagnostic, &source);
		fprintf(stderr, "%s%s%s%s\n%s", colour_code(colour, stderr), text_get(&place),
		        colour_code(COLOUR_NONE, stderr), diagnostic->sentence, text_get(&source));
		text_release(&place);
		text_release(&source);
	}
	code = status == OK ? EXIT_FINE : exit_code_of(&diagnostics);
	diagnostics_release(&diagnostics);
	arena_release(&arena);
	return code;
}

/* By number: languages with texts of Tarry, then languages that only rules have; NULL after the last. */
static const char *language_at(const struct rulebook *book, size_t number)
{
	size_t own = 0;

	while (locale_at(own))
		own++;
	if (number < own)
		return locale_at(number)->lang;
	for (size_t i = 0; i < book->language_count; i++) {
		bool is_own = strcmp(locale_of(book->languages[i])->lang, book->languages[i]) == 0;
		if (!is_own && own++ == number)
			return book->languages[i];
	}
	return NULL;
}

bool choose_language(const struct rulebook *book, const char *asked, const char **lang)
{
	const char *known;
	struct text list = {0};

	if (!asked)
		asked = getenv("TARRY_LANG");
	*lang = NULL;
	if (!asked || !*asked)
		return true;
	for (size_t i = 0; (known = language_at(book, i)); i++) {
		if (strcmp(known, asked) != 0)
			continue;
		*lang = i ? known : NULL;
		return true;
	}
	for (size_t i = 0; language_at(book, i); i++)
		text_add(&list, "%s%s", i ? ", " : "", language_at(book, i));
	say("language '%s' is not available: choose one of %s", asked, text_get(&list));
	text_release(&list);
	return false;
}
