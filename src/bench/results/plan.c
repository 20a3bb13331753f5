#include "bench/results/plan.h"

#include "base/text.h"
#include "bench/results/plan_options.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A longer list is a typing error: nobody waits that long. */
enum { NUMBERS_MAX = 4096 };

// clang-format off
#define DEFAULTS { \
	.sync_patience = 100, \
	.warm_up_runs = 4, \
	.stage_runs = 8, \
	.wrong_share = 0.25, \
	.widening = 1.1, \
	.runs_max = 100, \
	.right_max = 30, \
	.relative_error = 0.05, \
	.right_min = 10, \
	.trim = 0.25, \
	.confidence = 0.95, \
	.clock_share = 0.1, \
	.time_limit = 10, \
	.seed = 1, \
	.rounds = 5, \
	.alignment = 64, \
}
// clang-format on

struct bench_plan plan = DEFAULTS;
const struct bench_plan plan_defaults = DEFAULTS;

const struct option_spec plan_options[] = {PLAN_OPTIONS, OPTIONS_END};

static enum status add_number(struct uint_list *numbers, uint64_t number)
{
	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->at[i] == number)
			return OK;
	if (numbers->count == NUMBERS_MAX)
		return fail("has more than %d numbers: take larger steps", NUMBERS_MAX);
	numbers->at[numbers->count++] = number;
	return OK;
}

/* The end of a range: "", ":4" or ":+2". */
struct stride {
	uint64_t factor, step;
};

static enum status read_stride(const char *text, struct stride *stride)
{
	bool adds = *text == '+';
	uint64_t number;

	TRY(parse_size(text + adds, &number));
	if (adds && !number)
		return fail("'%s' is not a step: it must be at least 1", text);
	if (!adds && number < 2)
		return fail("'%s' is not a factor: it must be at least 2; for a step, write '+%s'", text,
		            text);
	*stride = adds ? (struct stride){1, number} : (struct stride){number, 0};
	return OK;
}

/* Never 0, which no factor changes; saturates at UINT64_MAX. */
static uint64_t next_number(uint64_t number, const struct stride *stride)
{
	uint64_t next;

	if (__builtin_mul_overflow(number, stride->factor, &next) ||
	    __builtin_add_overflow(next, stride->step, &next))
		return UINT64_MAX;
	return next ? next : 1;
}

static enum status add_range(uint64_t first, uint64_t last, const struct stride *stride,
                             struct uint_list *numbers)
{
	if (first > last)
		return fail("ends before it begins");
	for (uint64_t number = first; number < last; number = next_number(number, stride))
		TRY(add_number(numbers, number));
	return add_number(numbers, last);
}

/* Parses "8", "8-1M", "8-1M:4"; modifies the text. */
static enum status add_part(char *part, struct uint_list *numbers)
{
	char *end = strchr(part, '-'), *rest = end ? strchr(end, ':') : NULL;
	struct stride stride = {2, 0};
	uint64_t first, last;

	if (end)
		*end++ = 0;
	if (rest) {
		*rest++ = 0;
		TRY(read_stride(rest, &stride));
	}
	TRY(parse_size(part, &first));
	if (!end)
		return add_number(numbers, first);
	TRY(parse_size(end, &last));
	return add_range(first, last, &stride, numbers);
}

static enum status read_list(const char *text, struct arena *arena, struct uint_list *numbers)
{
	struct uint_list found = {arena_array(arena, uint64_t, NUMBERS_MAX), 0};
	char *rest = arena_text(arena, text);

	for (char *part = rest; part; part = rest) {
		const char *written;

		rest = strchr(part, ',');
		if (rest)
			*rest++ = 0;
		written = arena_text(arena, part);
		TRY_BECAUSE(add_part(part, &found), "list '%s', '%s'", text, written);
	}
	*numbers = found;
	return OK;
}

enum status plan_sizes(const char *text, struct arena *arena, struct uint_list *numbers)
{
	return read_list(text ? text : PLAN_DEFAULT_SIZES, arena, numbers);
}

static enum status check_ranks(const struct uint_list *numbers, int world)
{
	for (size_t i = 0; i < numbers->count; i++) {
		if (!numbers->at[i])
			return fail("the number of processes must be at least 1");
		if (numbers->at[i] > (uint64_t)world)
			return fail("%llu processes are requested, but the job has %d: start it with more",
			            (unsigned long long)numbers->at[i], world);
	}
	return OK;
}

static struct uint_list single_number(uint64_t number, struct arena *arena)
{
	struct uint_list numbers = {arena_array(arena, uint64_t, 1), 1};

	*numbers.at = number;
	return numbers;
}

enum status plan_ranks(const char *text, int world, struct arena *arena, struct uint_list *numbers)
{
	struct uint_list found = {0};

	if (!text || strcmp(text, "all") == 0) {
		*numbers = single_number((uint64_t)world, arena);
		return OK;
	}
	TRY(read_list(text, arena, &found));
	TRY_BECAUSE(check_ranks(&found, world), "list '%s'", text);
	*numbers = found;
	return OK;
}

bool layout_read(const char *words, struct rank_layout *layout)
{
	int nodes, per_node, length = 0;

	if (sscanf(words, "%5dx%5d%n", &nodes, &per_node, &length) != 2 || words[length] || nodes < 1 ||
	    per_node < 1)
		return false;
	*layout = (struct rank_layout){words, nodes, per_node};
	return (int64_t)nodes * per_node <= INT_MAX;
}

enum status plan_layouts(const char *text, struct arena *arena, struct rank_layout_list *layouts)
{
	char *rest = text ? arena_text(arena, text) : NULL;
	struct rank_layout layout;

	*layouts = (struct rank_layout_list){
		arena_array(arena, struct rank_layout, text ? strlen(text) + 1 : 1), 0};
	for (char *word = rest; word; word = rest) {
		rest = strchr(word, ',');
		if (rest)
			*rest++ = 0;
		if (!layout_read(word, &layout))
			return fail("'%s' is not a layout: write nodes and processes on each, as in 2x4",
			            word);
		layouts->at[layouts->count++] = layout;
	}
	return OK;
}

static enum status read_root(const char *text, int64_t *root)
{
	TRY_BECAUSE(parse_integer(text, root), "a root must be a rank, 'middle' or 'last'");
	if (*root < 0 || *root > INT_MAX)
		return fail("'%s' is not a rank", text);
	return OK;
}

static bool is_word_for_root(const char *text)
{
	return !text || strcmp(text, "middle") == 0 || strcmp(text, "last") == 0;
}

enum status plan_root(const char *text, int ranks, int *root)
{
	int64_t number;

	if (is_word_for_root(text)) {
		*root = !text ? 0 : *text == 'm' ? ranks / 2 : ranks - 1;
		return OK;
	}
	TRY(read_root(text, &number));
	if (number >= ranks)
		return fail("root %s is not among %d process%s: take a lower one", text, ranks,
		            ranks == 1 ? "" : "es");
	*root = (int)number;
	return OK;
}

/* Numbers that are valid only in a range. */
struct option_range {
	const char *option;
	double value;
	double low, high;
	const char *sentence;
};

static enum status check_range(const struct option_range *range)
{
	if (range->value >= range->low && range->value <= range->high)
		return OK;
	if (range->value > range->high && range->high > 1)
		return fail("option '--%s': %g is out of range: take %.0f or less", range->option,
		            range->value, range->high);
	return fail("option '--%s': %g is out of range: %s", range->option, range->value, range->sentence);
}

#define SLIGHTLY 1e-6
#define MANY 1e9
/* Memory for all runs is allocated before the first. */
#define MANY_RUNS 1e6

static enum status check_numbers(const struct bench_plan *wanted)
{
	const struct option_range ranges[] = {
		{"sync-patience", (double)wanted->sync_patience, 1, MANY, "take 1 or more messages"},
		{"warm-up", (double)wanted->warm_up_runs, 1, MANY_RUNS,
	         "the first run differs from the others, so take 1 or more"},
		{"stage", (double)wanted->stage_runs, 1, MANY_RUNS, "take 1 or more runs"},
		{"wrong", wanted->wrong_share, 0, 1 - SLIGHTLY,
	         "take a share from 0 up to, not including, 1"},
		{"widening", wanted->widening, 1 + SLIGHTLY, 1000,
	         "a window must be longer than its run, so take more than 1"},
		{"max-runs", (double)wanted->runs_max, 1, MANY_RUNS, "take 1 or more"},
		{"max-right", (double)wanted->right_max, 1, MANY_RUNS, "take 1 or more"},
		{"min-right", (double)wanted->right_min, 2, MANY_RUNS,
	         "one run has no deviation, so take 2 or more"},
		{"error", wanted->relative_error, 0, 1, "take a share from 0 to 1"},
		{"trim", wanted->trim, 0, 0.5 - SLIGHTLY,
	         "it is dropped at both ends, so take less than 50%"},
		{"confidence", wanted->confidence, 0.5, 1 - SLIGHTLY,
	         "take a share from 50% up to, not including, 100%"},
		{"clock-share", wanted->clock_share, SLIGHTLY, 1, "take a share above 0, up to 1"},
		{"time-limit", (double)wanted->time_limit, 1, MANY, "take 1 second or more"},
		{"world", (double)wanted->world, 0, INT_MAX, "take 0 or more"},
		{"seed", (double)wanted->seed, 0, (double)INT64_MAX, "take 0 or more"},
		{"rounds", (double)wanted->rounds, 1, MANY, "take 1 or more"},
		{"die-after", (double)wanted->die_after, 0, MANY, "take 0 or more"},
	};

	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		TRY(check_range(&ranges[i]));
	return OK;
}

static enum status check_alignment(uint64_t alignment)
{
	if (alignment && !(alignment & (alignment - 1)) && alignment <= UINT64_C(1) << 30)
		return OK;
	return fail("option '--align': %llu is not an alignment: take a power of 2 up to 1G",
	            (unsigned long long)alignment);
}

static enum status check_lists(const struct bench_plan *wanted)
{
	struct arena arena = {0};
	struct uint_list numbers = {0};
	struct rank_layout_list layouts;
	enum status status = OK;
	int64_t root;

	if (plan_sizes(wanted->sizes, &arena, &numbers) != OK)
		status = because("option '--sizes'");
	else if (plan_ranks(wanted->ranks, INT_MAX, &arena, &numbers) != OK)
		status = because("option '--ranks'");
	else if (plan_layouts(wanted->layouts, &arena, &layouts) != OK)
		status = because("option '--layouts'");
	else if (!is_word_for_root(wanted->root) && read_root(wanted->root, &root) != OK)
		status = because("option '--root'");
	arena_release(&arena);
	return status;
}

static bool are_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static enum status check_files(const struct output_files *files)
{
	if (are_same(files->json, "-") || are_same(files->csv, "-") || are_same(files->page, "-"))
		return fail("an output is rewritten after each point, so it cannot be stdout: name a file");
	if (are_same(files->json, files->csv) || are_same(files->json, files->page))
		return fail("'%s' is given for two outputs: give each output its own name", files->json);
	if (are_same(files->csv, files->page))
		return fail("'%s' is given for two outputs: give each output its own name", files->csv);
	return OK;
}

enum status plan_check(const struct bench_plan *wanted)
{
	TRY(check_lists(wanted));
	TRY(check_numbers(wanted));
	TRY(check_alignment(wanted->alignment));
	TRY(check_files(&wanted->files));
	if (wanted->right_min > wanted->right_max)
		return fail(
			"option '--min-right': %lld is more than '--max-right' (%lld): no run could be the last",
			(long long)wanted->right_min, (long long)wanted->right_max);
	if (wanted->ranks && wanted->layouts)
		return fail("options '--ranks' and '--layouts' exclude each other: leave out one");
	if (wanted->memory && wanted->first_call)
		return fail("options '--memory' and '--first-call' measure different things: leave out one");
	if (wanted->first_call && (wanted->ranks || wanted->communicator))
		return fail(
			"option '--first-call' measures all ranks of a fresh job: leave out '--%s', and give their "
			"number with '-n'",
			wanted->ranks ? "ranks" : "communicator");
	if (wanted->memory && wanted->operations.count)
		return fail("option '--memory' measures the whole library: leave out '%s'",
		            wanted->operations.at[0]);
	return OK;
}

/* The address of an option's value in another plan. */
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
