#include "cli/launcher.h"

#include "base/paths.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

#define ENV_LIST "mca_base_env_list"
#define ENV_LIST_VARIABLE "OMPI_MCA_" ENV_LIST
#define PRELOAD "LD_PRELOAD"
#define UPCRUN_LIST "UPC_ENVPREFIX"
#define UPCRUN_NAMES PRELOAD ",TARRY_"

static bool is_option(const struct launch_line *line, int i, const char *name)
{
	const char *word = line->words[i];

	return line->roles[i] == WORD_OPTION && strcmp(word + strspn(word, "-"), name) == 0;
}

static bool has_value(const struct launch_line *line, int i)
{
	return i + 1 < line->count && line->roles[i + 1] == WORD_VALUE;
}

/* "user's;A;B": with what stands there already. */
static char *join_names(const char *before, const char *const *names, struct arena *arena)
{
	struct text list = {0};
	char *joined;

	if (before && *before)
		text_add(&list, "%s", before);
	for (; *names; names++)
		text_add(&list, "%s%s", list.length ? ";" : "", *names);
	joined = arena_text(arena, text_get(&list));
	text_release(&list);
	return joined;
}

static char **copy_words(const struct launch_line *line, struct arena *arena)
{
	char **words = arena_array(arena, char *, (size_t)line->count + 1);

	memcpy(words, line->words, (size_t)line->count * sizeof *words);
	return words;
}

/* `--mca mca_base_env_list VALUE`: the user's list is made longer. */
static char **lengthen_list(const struct launch_line *line, int option, const char *const *names,
                            struct arena *arena)
{
	char **words = copy_words(line, arena);

	words[option + 2] = join_names(words[option + 2], names, arena);
	return words;
}

/* `-x LD_PRELOAD=theirs` would displace ours, which the environment already has. */
static char *with_our_preload(char *value, struct arena *arena)
{
	const char *ours = getenv(PRELOAD);

	if (!ours || !text_begins(value, PRELOAD "="))
		return value;
	return arena_format(arena, PRELOAD "=%s:%s", ours, value + strlen(PRELOAD "="));
}

/* `-x` holds for one program of several, so each gets its own. */
static char **add_exports(const struct launch_line *line, const char *const *names, struct arena *arena)
{
	size_t exports = 0, colons = 1;
	char **words, **at;

	while (names[exports])
		exports++;
	for (int i = 0; i < line->count; i++)
		colons += line->roles[i] == WORD_COLON;
	at = words = arena_array(arena, char *, (size_t)line->count + 1 + 2 * exports * colons);
	for (int i = 0; i < line->count; i++) {
		bool exported = i > 0 && line->roles[i] == WORD_VALUE && is_option(line, i - 1, "x");

		*at++ = exported ? with_our_preload(line->words[i], arena) : line->words[i];
		if (line->roles[i] != WORD_LAUNCHER && line->roles[i] != WORD_COLON)
			continue;
		for (const char *const *name = names; *name; name++) {
			*at++ = arena_text(arena, "-x");
			*at++ = arena_text(arena, *name);
		}
	}
	return words;
}

/* Launchers complain of a variable that is not set. */
static const char *const *those_set(const char *const *names, struct arena *arena)
{
	size_t count = 0, set = 0;
	const char **kept;

	while (names[count])
		count++;
	kept = arena_array(arena, const char *, count + 1);
	for (size_t i = 0; i < count; i++)
		if (getenv(names[i]))
			kept[set++] = names[i];
	return kept;
}

static void tell_upcrun(struct arena *arena)
{
	const char *before = getenv(UPCRUN_LIST);
	bool has_before = before && *before;

	setenv(UPCRUN_LIST,
	       arena_format(arena, "%s%s" UPCRUN_NAMES, has_before ? before : "", has_before ? "," : ""), 1);
}

static bool carries_by_itself(const struct launch_line *line)
{
	const char *name = path_name(line->words[0]);

	return strcmp(name, "srun") == 0 || strcmp(name, "upcrun") == 0;
}

char **launch_line_forward(const struct launch_line *line, const char *const *names, struct arena *arena)
{
	names = those_set(names, arena);
	tell_upcrun(arena);
	/* Behind a script of the user's may stand `mpirun -x`, which the variable would stop. */
	if (!launch_line_has_launcher(line) || carries_by_itself(line))
		return line->words;
	for (int i = 0; i + 2 < line->count; i++)
		if (is_option(line, i, "mca") && has_value(line, i) && has_value(line, i + 1) &&
		    strcmp(line->words[i + 1], ENV_LIST) == 0)
			return lengthen_list(line, i, names, arena);
	for (int i = 0; i < line->count; i++)
		if (is_option(line, i, "x") && has_value(line, i))
			return add_exports(line, names, arena);
	setenv(ENV_LIST_VARIABLE, join_names(getenv(ENV_LIST_VARIABLE), names, arena), 1);
	return line->words;
}
