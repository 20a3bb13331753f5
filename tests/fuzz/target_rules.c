/* The rule language. Accepted rules must be complete, and rejected ones reported. Bit 0: the input is the
 * value of a rule parameter, as on the command line; otherwise it is a file. */
#include "analysis/rules/diagnostics.h"
#include "analysis/rules/functions.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { IS_SETTING = 1 };

const uint8_t fuzz_modes = 2;

static void check_book(const struct rulebook *book)
{
	bool needed[SELECTABLE] = {false};

	for (size_t i = 0; i < book->problem_count; i++) {
		const struct problem *problem = book->problems[i];
		if (!problem->duration || !problem->at || !problem->name || !problem->advice.texts)
			give_up("a problem was accepted that is not whole");
	}
	for (size_t i = 0; i < book->type_count; i++)
		for (uint32_t j = 0; j < book->types[i]->member_count; j++)
			if (book->types[i]->members[j].type->number >= i)
				give_up("a type comes before its member");
	rulebook_functions(book, needed);
}

static void check_told(const struct diagnostics *told)
{
	struct text text = {0};

	if (!told->error_count || !told->count)
		give_up("rules were refused without a reason");
	for (size_t i = 0; i < told->count; i++)
		diagnostic_describe(&told->list[i], &text);
	text_release(&text);
}

static void load(const struct rule_options *wish)
{
	struct diagnostics told = {0};
	struct rulebook *book;

	if (rulebook_check(wish, &told, &book) == OK) {
		check_book(book);
		rulebook_free(book);
	} else {
		check_told(&told);
	}
	diagnostics_release(&told);
}

static void load_setting(const char *path, const uint8_t *value, size_t size)
{
	static const char file[] = "parameter time = 5 us;\nparameter number = 2.5;\n";
	static const char name[] = "time=";
	char *text = malloc(sizeof name + size);
	const char *settings[] = {text, NULL};
	const char *files[] = {path, NULL};

	if (!text)
		give_up("there is no memory");
	memcpy(text, name, sizeof name - 1);
	memcpy(text + sizeof name - 1, value, size);
	text[sizeof name - 1 + size] = 0;
	scratch_write(path, file, sizeof file - 1);
	load(&(struct rule_options){.files = files, .settings = settings, .without_shipped = true});
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *path;
	const char *files[] = {NULL, NULL};

	if (!size)
		return 0;
	if (!path)
		path = scratch_path("input.rules");
	files[0] = path;
	if (*data & IS_SETTING) {
		load_setting(path, data + 1, size - 1);
		return 0;
	}
	scratch_write(path, data + 1, size - 1);
	load(&(struct rule_options){.files = files, .without_shipped = true});
	return 0;
}
