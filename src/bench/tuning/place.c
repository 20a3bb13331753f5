#include "bench/tuning/place.h"

#include "base/paths.h"
#include "base/shell.h"
#include "base/text.h"
#include "bench/results/output.h"
#include "bench/tuning/library_text.h"
#include "bench/tuning/tuning_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USE_RULES "OMPI_MCA_coll_tuned_use_dynamic_rules"
#define RULES "OMPI_MCA_coll_tuned_dynamic_rules_filename"
#define SELECTION "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"
#define DEVICE_SELECTION "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"

static bool is_openmpi(const char *library)
{
	return strcmp(library, "openmpi") == 0;
}

const char *tuning_default_path(const char *library)
{
	return is_openmpi(library) ? "tuned.rules" : "tuned.json";
}

/* "tuned.device.json" for "tuned.json". */
static const char *device_path(const char *path, struct arena *arena)
{
	size_t stem = strlen(path) - (text_ends(path, ".json") ? strlen(".json") : 0);

	return arena_format(arena, "%.*s.device.json", (int)stem, path);
}

static void add_variable(struct tuning_place *place, const char *name, const char *value)
{
	place->variables[place->count++] = (struct variable){name, value};
}

enum status tuning_place(const struct results *results, const char *path, struct arena *arena,
                         struct tuning_place *place)
{
	const char *library = results_find_fact(results, FACTS_TUNING, FACT_LIBRARY);

	if (!library)
		return fail("nothing was measured that can be tuned");
	*place = (struct tuning_place){.library = arena_text(arena, library)};
	if (!path)
		path = is_openmpi(library) && rules_version(results) == RULES_JSON
		               ? "tuned.json"
		               : tuning_default_path(library);
	TRY(path_absolute(path, arena, &path));
	if (is_openmpi(library)) {
		place->rules = rules_version(results);
		add_variable(place, USE_RULES, "1");
		add_variable(place, RULES, path);
	} else {
		add_variable(place, SELECTION, path);
		add_variable(place, DEVICE_SELECTION, device_path(path, arena));
	}
	return OK;
}

static const char *value_of(const struct tuning_place *place, const char *name)
{
	for (size_t i = 0; i < place->count; i++)
		if (strcmp(place->variables[i].name, name) == 0)
			return place->variables[i].value;
	return NULL;
}

static enum status write_text(enum status status, const char *path, struct text *text)
{
	if (status == OK)
		status = write_whole(path, text);
	text_release(text);
	return status;
}

static enum status write_rules(const struct results *results, struct choices *choices, const char *path)
{
	struct text text = {0};

	rules_settle(results, choices);
	return write_text(rules_file(results, choices, &text), path, &text);
}

static enum status write_trees(const struct results *results, struct choices *choices,
                               const struct tuning_place *place, const struct library_text *library,
                               struct arena *arena)
{
	const char *tree = mpich_selection_tree(library, arena), *device = mpich_device_tree(library, arena);
	struct text text = {0};

	if (!tree)
		return fail("this MPICH has no decision tree that can be changed");
	selection_settle(choices, tree);
	TRY(write_text(selection_file(results, choices, tree, &text), value_of(place, SELECTION), &text));
	if (!device)
		return OK;
	return write_text(device_selection_file(choices, device, &text), value_of(place, DEVICE_SELECTION),
	                  &text);
}

static enum status write_selection(const struct results *results, struct choices *choices,
                                   const struct tuning_place *place)
{
	const char *path = results_find_fact(results, FACTS_TUNING, FACT_LIBRARY_FILE);
	struct library_text library;
	struct arena arena = {0};
	enum status status;

	TRY(library_text_open(path ? path : "", &library));
	status = write_trees(results, choices, place, &library, &arena);
	library_text_close(&library);
	arena_release(&arena);
	return status;
}

enum status tuning_write(const struct results *results, struct choices *choices,
                         const struct tuning_place *place)
{
	if (is_openmpi(place->library))
		return write_rules(results, choices, value_of(place, RULES));
	return write_selection(results, choices, place);
}

/* MPICH without its own device has no second file. */
static bool is_meant(const struct variable *variable)
{
	return *variable->value != '/' || access(variable->value, F_OK) == 0;
}

void tuning_remove(const struct tuning_place *place)
{
	for (size_t i = 0; i < place->count; i++)
		if (*place->variables[i].value == '/')
			unlink(place->variables[i].value);
}

void tuning_set(const struct tuning_place *place)
{
	for (size_t i = 0; i < place->count; i++)
		if (is_meant(&place->variables[i]))
			setenv(place->variables[i].name, place->variables[i].value, 1);
}

void tuning_unset(const struct tuning_place *place)
{
	for (size_t i = 0; i < place->count; i++)
		unsetenv(place->variables[i].name);
}

void tuning_format(const struct tuning_place *place, struct text *out)
{
	if (place->rules)
		text_add(out, "a rule file of version %d for coll/tuned%s", place->rules,
		         place->rules == RULES_JSON ? " (JSON)" : "");
	else
		text_add(out, "a decision tree (JSON)");
}

void tuning_line(const struct tuning_place *place, struct text *out)
{
	char quoted[PATH_MAX];

	text_add(out, "export");
	for (size_t i = 0; i < place->count; i++)
		if (is_meant(&place->variables[i]))
			text_add(out, " %s=%s", place->variables[i].name,
			         shell_quote(place->variables[i].value, quoted, sizeof quoted));
	text_add(out, "\n");
}
