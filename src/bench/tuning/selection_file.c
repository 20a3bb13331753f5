/* MPICH decides by trees of nested JSON objects whose keys are conditions, tested in order, and whose leaves name an
 * algorithm:
 *
 *	{"collective=bcast": {"comm_type=intra": {"avg_msg_size<=12288": {"algorithm=MPIR_Bcast_intra_binomial": {}},
 *	                                          "avg_msg_size=any": {"algorithm=…": {}}}}, …}
 *
 * A file replaces the whole tree, and a missing case ends the program. So we take the library's own tree and add
 * conditions around the branch of a collective: the branch remains valid for all other processes, sizes and
 * circumstances. */
#include "bench/tuning/tuning_file.h"

#include "bench/tuning/library_text.h"

#include <limits.h>
#include <string.h>

/* A subtree: "{…}". */
struct json_branch {
	const char *at;
	size_t length;
};

/* `at` is at its opening brace. Keys contain no braces. */
static size_t object_length(const char *at)
{
	size_t depth = 0;
	for (size_t i = 0; at[i]; i++) {
		if (at[i] == '{')
			depth++;
		else if (at[i] == '}' && --depth == 0)
			return i + 1;
	}
	return 0;
}

static bool find_branch(const char *tree, size_t length, const char *condition, struct json_branch *branch)
{
	struct text key = {0};
	text_add(&key, "\"%s\":{", condition);
	const char *at = memmem(tree, length, text_get(&key), key.length);
	if (at)
		*branch = (struct json_branch){at + key.length - 1, object_length(at + key.length - 1)};
	text_release(&key);
	return at && branch->length;
}

/* The branch of a collective on one group of processes. */
static bool find_collective(const char *tree, const char *name, struct json_branch *branch)
{
	struct text condition = {0};
	text_add(&condition, "collective=%s", name);
	bool found = find_branch(tree, strlen(tree), text_get(&condition), branch);
	text_release(&condition);
	if (found)
		find_branch(branch->at, branch->length, "comm_type=intra", branch);
	return found;
}

static bool mentions(const struct json_branch *branch, const char *word)
{
	return memmem(branch->at, branch->length, word, strlen(word)) != NULL;
}

/* Other circumstances, such as a non-commutative reduction, may rule an algorithm out. If the library's
 * branch tests them, we do too. Conditions are tested in order: "count=any" is only right after the other
 * one. */
static const struct circumstance {
	const char *word;
	const char *first;
	const char *second;
	bool measured_first;
} circumstances[] = {
	{"is_sendbuf_inplace", "is_sendbuf_inplace=no", "is_sendbuf_inplace=yes", true},
	{"is_commutative", "is_commutative=yes", "is_commutative=no", true},
	{"is_op_built_in", "is_op_built_in=yes", "is_op_built_in=no", true},
	{"count<pow2", "count<pow2", "count=any", false},
};

struct selection_writer {
	const struct results *results;
	const struct json_branch *own; /* the library's branch */
	const char *
		whole; /* in the device's tree: the leaf that keeps collectives whole; NULL: the other tree */
	struct text *out;
};

static void add_own(const struct selection_writer *selection)
{
	text_add_bytes(selection->out, selection->own->at, selection->own->length);
}

static enum status add_leaf(const struct selection_writer *selection, const char *operation,
                            const char *variant)
{
	if (!variant) {
		add_own(selection);
		return OK;
	}
	if (selection->whole) {
		text_add(selection->out, "{\"%s\":{}}", selection->whole);
		return OK;
	}
	const char *function = algorithm_fact(selection->results, operation, variant);
	if (!function)
		return fail("no function is known for algorithm '%s' of %s", variant, operation);
	text_add(selection->out, "{\"algorithm=%s\":{}}", function);
	return OK;
}

/* The library's own condition on sizes for this collective; it knows no other. */
static const char *size_key(const struct json_branch *own)
{
	if (mentions(own, "avg_msg_size"))
		return "avg_msg_size";
	return mentions(own, "total_msg_size") ? "total_msg_size" : NULL;
}

static enum status add_sizes(const struct selection_writer *selection, const struct choice *choices,
                             size_t count)
{
	const struct result_point *point = choices->untuned;
	const char *key = size_key(selection->own);
	uint64_t blocks = key && text_begins(key, "total") ? (uint64_t)point->ranks : 1;
	struct arena arena = {0};
	struct stretch *stretches = arena_array(&arena, struct stretch, 2 * count + 1);
	size_t made = stretches_make(choices, count, key != NULL, stretches);
	enum status status = OK;
	size_t i = 0;
	text_add(selection->out, made > 1 ? "{" : "");
	for (; i + 1 < made && stretches[i + 1].bytes * blocks <= INT_MAX && status == OK; i++) {
		text_add(selection->out, "\"%s<=%llu\":", key,
		         (unsigned long long)(stretches[i + 1].bytes * blocks - 1));
		status = add_leaf(selection, point->operation, stretches[i].variant);
		text_add(selection->out, ",");
	}
	if (made > 1)
		text_add(selection->out, "\"%s=any\":", key);
	if (status == OK)
		status = add_leaf(selection, point->operation, stretches[i].variant);
	text_add(selection->out, made > 1 ? "}" : "");
	arena_release(&arena);
	return status;
}

static enum status add_circumstances(const struct selection_writer *selection, size_t next,
                                     const struct choice *choices, size_t count)
{
	size_t known = sizeof(circumstances) / sizeof(*circumstances);
	while (next < known && !mentions(selection->own, circumstances[next].word))
		next++;
	if (next == known)
		return add_sizes(selection, choices, count);
	const struct circumstance *circumstance = &circumstances[next];
	text_add(selection->out, "{\"%s\":", circumstance->first);
	if (!circumstance->measured_first) {
		add_own(selection);
		text_add(selection->out, ",\"%s\":", circumstance->second);
	}
	TRY(add_circumstances(selection, next + 1, choices, count));
	if (circumstance->measured_first) {
		text_add(selection->out, ",\"%s\":", circumstance->second);
		add_own(selection);
	}
	text_add(selection->out, "}");
	return OK;
}

/* Adds the new branch of an operation; false: unchanged. */
static enum status add_processes(const struct selection_writer *selection, const struct choices *choices,
                                 const char *operation, bool *changed)
{
	int below = 0; /* processes up to here are done */
	*changed = false;
	for (size_t i = 0, alike; i < choices->count; i += alike) {
		const struct choice *choice = &choices->at[i];
		int ranks = choice->untuned->ranks;
		alike = choices_alike(choices, i);
		/* Other layouts have the same choices. */
		if (strcmp(choice->untuned->operation, operation) != 0 || !any_taken(choice, alike) ||
		    ranks == below)
			continue;
		text_add(selection->out, *changed ? "," : "{");
		*changed = true;
		if (below < ranks - 1) {
			text_add(selection->out, "\"comm_size<=%d\":", ranks - 1);
			add_own(selection);
			text_add(selection->out, ",");
		}
		text_add(selection->out, "\"comm_size<=%d\":", ranks);
		TRY(add_circumstances(selection, 0, choice, alike));
		below = ranks;
	}
	if (*changed) {
		text_add(selection->out, ",\"comm_size=any\":");
		add_own(selection);
		text_add(selection->out, "}");
	}
	return OK;
}

/* The last leaf of the device's branch is the one for groups of processes without node information. */
static const char *last_composition(const struct json_branch *own, struct arena *arena)
{
	const char *last = NULL, *end = own->at + own->length;
	for (const char *at = own->at; (at = memmem(at, (size_t)(end - at), "\"composition=", 13)); at++)
		last = at + 1;
	return last ? arena_bytes_as_text(
			      arena, last,
			      (size_t)((const char *)memchr(last, '"', (size_t)(end - last)) - last))
	            : NULL;
}

/* Replaces the branch of one operation in `tree`. */
static enum status tune_operation(const struct results *results, const struct choices *choices,
                                  const char *operation, struct text *tree)
{
	struct arena arena = {0};
	struct text changed = {0};
	struct json_branch own;
	bool is_changed = false;
	enum status status = OK;
	if (find_collective(text_get(tree), collective_short_name(operation, &arena), &own)) {
		struct selection_writer selection = {
			results, &own, results ? NULL : last_composition(&own, &arena), &changed};
		size_t before = (size_t)(own.at - tree->bytes);
		text_add_bytes(&changed, tree->bytes, before);
		if (results || selection.whole)
			status = add_processes(&selection, choices, operation, &is_changed);
		text_add(&changed, "%s", own.at + own.length);
	}
	if (is_changed) {
		text_clear(tree);
		text_add_bytes(tree, changed.bytes, changed.length);
	}
	text_release(&changed);
	arena_release(&arena);
	return status;
}

static enum status tune_tree(const struct results *results, const struct choices *choices, const char *tree,
                             struct text *out)
{
	struct text tuned = {0};
	enum status status = OK;
	text_add(&tuned, "%s", tree);
	for (size_t i = 0; i < choices->count && status == OK; i++) {
		const char *operation = choices->at[i].untuned->operation;
		if (!i || strcmp(choices->at[i - 1].untuned->operation, operation) != 0)
			status = tune_operation(results, choices, operation, &tuned);
	}
	text_add(out, "%s\n", text_get(&tuned));
	text_release(&tuned);
	return status;
}

/* The tree does not ask for nodes. */
static bool is_same_case(const struct results *results, const struct result_point *first,
                         const struct result_point *second)
{
	(void)results, (void)first, (void)second;
	return true;
}

static void settle_ranks(struct choice *choices, size_t count, const char *tree, struct arena *arena)
{
	struct json_branch own;

	choices_merge(NULL, choices, count, is_same_case);
	if (!find_collective(tree, collective_short_name(choices->untuned->operation, arena), &own))
		choices_give_up(choices, count);
	else if (!size_key(&own))
		choices_agree_or_give_up(choices, count);
}

void selection_settle(struct choices *choices, const char *tree)
{
	struct arena arena = {0};

	for (size_t i = 0, count; i < choices->count; i += count) {
		count = choices_of_ranks(choices, i);
		settle_ranks(&choices->at[i], count, tree, &arena);
	}
	arena_release(&arena);
}

enum status selection_file(const struct results *results, const struct choices *choices, const char *tree,
                           struct text *out)
{
	return tune_tree(results, choices, tree, out);
}

enum status device_selection_file(const struct choices *choices, const char *tree, struct text *out)
{
	return tune_tree(NULL, choices, tree, out);
}
