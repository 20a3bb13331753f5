#include "cli/language.h"

#include "base/units.h"
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* By number: those with words of Tarry's own, then those of rules alone; NULL behind the last. */
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

static void tell_languages(const struct rulebook *book, const char *asked)
{
	struct text list = {0};

	for (size_t i = 0; language_at(book, i); i++)
		text_add(&list, "%s%s", i ? ", " : "", language_at(book, i));
	say("there are no texts in the language '%s': choose one of %s", asked, text_get(&list));
	text_release(&list);
}

bool choose_language(const struct rulebook *book, const char *asked, const char **lang)
{
	const char *known;

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
	tell_languages(book, asked);
	return false;
}
