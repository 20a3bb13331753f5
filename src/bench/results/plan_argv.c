#include "base/text.h"
#include "bench/results/plan.h"
#include "bench/results/plan_options.h"

#include <string.h>

/* Where an option's value is in another plan. */
static const void *in_plan(const struct option_spec *spec, const struct bench_plan *other)
{
	return (const char *)other + ((const char *)spec->target - (const char *)&plan);
}

static const struct {
	const char *option, *value;
} spelled_out[] = {
	{"sizes", PLAN_DEFAULT_SIZES},
	{"ranks", "all"},
	{"root", "0"},
	{"datatype", "byte, of reductions int"},
	{"reduction", "sum"},
	{"communicator", "world"},
	{"topology", "cartesian"},
	{"cache", "cold"},
	{"method", "window"},
	{"timer", "auto"},
	{"sync", "tree"},
};

static void add_default(const char *option, struct text *out)
{
	for (size_t i = 0; i < sizeof spelled_out / sizeof *spelled_out; i++)
		if (strcmp(spelled_out[i].option, option) == 0)
			text_add(out, "%s", spelled_out[i].value);
}

void plan_value(const struct option_spec *spec, const struct bench_plan *wanted, struct text *out)
{
	size_t before = out->length;

	option_value(spec, in_plan(spec, wanted), out);
	if (out->length == before)
		add_default(spec->name, out);
}

bool plan_has_parameter(const struct option_spec *spec)
{
	static const char *const others[] = {"json", "csv", "html", "quiet", "dry-run", "list", NULL};

	if (!spec->help || !spec->target)
		return false;
	for (const char *const *other = others; *other; other++)
		if (strcmp(*other, spec->name) == 0)
			return false;
	return true;
}

static char *value_in(const struct option_spec *spec, const struct bench_plan *other, struct arena *arena)
{
	struct text text = {0};
	char *value;

	option_value(spec, in_plan(spec, other), &text);
	value = arena_text(arena, text_get(&text));
	text_release(&text);
	return value;
}

static char *word_for(const struct option_spec *spec, const struct bench_plan *wanted, struct arena *arena)
{
	const char *value = value_in(spec, wanted, arena);

	if (strcmp(value, value_in(spec, &plan_defaults, arena)) == 0)
		return NULL;
	if (spec->kind == OPTION_FLAG)
		return arena_format(arena, "--%s", spec->name);
	return arena_format(arena, "--%s=%s", spec->name, value);
}

static size_t option_count(void)
{
	size_t count = 0;

	while (plan_options[count].name)
		count++;
	return count;
}

char **plan_argv(const struct bench_plan *wanted, struct arena *arena)
{
	char **words = arena_array(arena, char *, option_count() + wanted->operations.count + 1),
	     **at = words;

	for (const struct option_spec *spec = plan_options; spec->name; spec++) {
		char *word = spec->target ? word_for(spec, wanted, arena) : NULL;
		if (word)
			*at++ = word;
	}
	for (size_t i = 0; i < wanted->operations.count; i++)
		*at++ = arena_text(arena, wanted->operations.at[i]);
	return words;
}
