/* Open MPI's coll/tuned component. Up to version 5: for each collective, each minimum number of processes and each
 * minimum size: algorithm, fan-out, segment size, and from 5.0.7 on the number of pending requests. Algorithm 0 is the
 * library's own choice. From version 6 on: the same as JSON, with ranges, whose first match counts, and with the
 * distribution of the processes over nodes. */
#include "bench/tuning/tuning_file.h"

#include "base/json.h"
#include "bench/results/plan.h"
#include "bench/tuning/library_text.h"

#include <stdio.h>
#include <string.h>

/* The size that a rule is compared with; from the decision functions of version 4.1.4, each tested with
 * rules of that size. */
enum size_meaning {
	SIZE_OF_MESSAGE, /* as our sizes */
	SIZE_OF_ALL,     /* one block per process */
	SIZE_IGNORED,    /* the library passes 0; for scan and exscan, one element per process */
	/* It is that of the send arguments, which have no meaning in some processes of a scatter, and in
	 * the root of a gather with MPI_IN_PLACE. If a program passes 0 there, processes would use
	 * different rules and compute wrong results. */
	SIZE_UNSAFE,
};

static const struct tuned_collective {
	const char *operation;
	int number;
	enum size_meaning size;
} collectives[] = {
	{"MPI_Allgather", 0, SIZE_OF_ALL},       {"MPI_Allgatherv", 1, SIZE_OF_MESSAGE},
	{"MPI_Allreduce", 2, SIZE_OF_MESSAGE},   {"MPI_Alltoall", 3, SIZE_OF_ALL},
	{"MPI_Alltoallv", 4, SIZE_IGNORED},      {"MPI_Barrier", 6, SIZE_IGNORED},
	{"MPI_Bcast", 7, SIZE_OF_MESSAGE},       {"MPI_Exscan", 8, SIZE_IGNORED},
	{"MPI_Gather", 9, SIZE_UNSAFE},          {"MPI_Reduce", 11, SIZE_OF_MESSAGE},
	{"MPI_Reduce_scatter", 12, SIZE_OF_ALL}, {"MPI_Reduce_scatter_block", 13, SIZE_OF_ALL},
	{"MPI_Scan", 14, SIZE_IGNORED},          {"MPI_Scatter", 15, SIZE_UNSAFE},
};

static bool is_sized(const struct tuned_collective *collective)
{
	return collective->size == SIZE_OF_MESSAGE || collective->size == SIZE_OF_ALL;
}

static const struct tuned_collective *find_collective(const char *operation)
{
	for (size_t i = 0; i < sizeof(collectives) / sizeof(*collectives); i++)
		if (strcmp(collectives[i].operation, operation) == 0)
			return &collectives[i];
	return NULL;
}

const char *algorithm_fact(const struct results *results, const char *operation, const char *variant)
{
	struct text name = {0};
	text_add(&name, "%s %s", operation, variant);
	const char *fact = results_find_fact(results, FACTS_TUNING, text_get(&name));
	text_release(&name);
	return fact;
}

enum rules_version rules_version(const struct results *results)
{
	const char *library = results_find_fact(results, "mpi", "library");
	int major = 0, minor = 0, patch = 0;

	if (!library || sscanf(library, "Open MPI %d.%d.%d", &major, &minor, &patch) < 2)
		return RULES_THREE_NUMBERS;
	if (major >= 6)
		return RULES_JSON;
	return major == 5 && (minor > 0 || patch >= 7) ? RULES_FOUR_NUMBERS : RULES_THREE_NUMBERS;
}

struct rules {
	const struct results *results;
	enum rules_version version;
	const struct tuned_collective *collective;
	struct text *out;
	struct json *json; /* of version 3 */
};

struct rule_numbers {
	int algorithm, fan_out, segment, requests;
};

static enum status find_numbers(const struct rules *rules, const char *variant, struct rule_numbers *numbers)
{
	const char *fact = algorithm_fact(rules->results, rules->collective->operation, variant);

	*numbers = (struct rule_numbers){0};
	if (fact && sscanf(fact, "%d %d %d %d", &numbers->algorithm, &numbers->fan_out, &numbers->segment,
	                   &numbers->requests) >= 3)
		return OK;
	return fail("no number is known for algorithm '%s' of %s", variant, rules->collective->operation);
}

static uint64_t rule_size(const struct rules *rules, uint64_t bytes, int ranks)
{
	return rules->collective->size == SIZE_OF_ALL ? bytes * (uint64_t)ranks : bytes;
}

static enum status add_rule(const struct rules *rules, const struct stretch *stretch, int ranks)
{
	uint64_t size = rule_size(rules, stretch->bytes, ranks);
	struct rule_numbers numbers;

	if (!stretch->variant) {
		text_add(rules->out, "%llu 0 0 0\n", (unsigned long long)size);
		return OK;
	}
	TRY(find_numbers(rules, stretch->variant, &numbers));
	text_add(rules->out, "%llu %d %d %d", (unsigned long long)size, numbers.algorithm, numbers.fan_out,
	         numbers.segment);
	if (rules->version == RULES_FOUR_NUMBERS)
		text_add(rules->out, " %d", numbers.requests);
	text_add(rules->out, " # %s\n", stretch->variant);
	return OK;
}

static void leave_to_library(const struct rules *rules, int ranks)
{
	text_add(rules->out, "%d # processes and more: left to Open MPI\n1\n0 0 0 0\n", ranks);
}

static enum status add_ranks(const struct rules *rules, const struct choice *choices, size_t count)
{
	int ranks = choices->untuned->ranks;
	struct arena arena = {0};
	struct stretch *stretches = arena_array(&arena, struct stretch, 2 * count + 1);
	size_t made = stretches_make(choices, count, is_sized(rules->collective), stretches);
	text_add(rules->out, "%d # processes\n%zu # sizes\n", ranks, made);
	enum status status = OK;
	for (size_t i = 0; i < made && status == OK; i++)
		status = add_rule(rules, &stretches[i], ranks);
	arena_release(&arena);
	return status;
}

static size_t choices_of_operation(const struct choices *choices, size_t first)
{
	size_t count = choices_alike(choices, first);
	while (first + count < choices->count && strcmp(choices->at[first + count].untuned->operation,
	                                                choices->at[first].untuned->operation) == 0)
		count += choices_alike(choices, first + count);
	return count;
}

/* Rules apply from a number of processes on: the library's choice is restored below, between and above the
 * measured numbers. */
static enum status add_collective(const struct rules *rules, const struct choices *all, size_t first,
                                  size_t count)
{
	struct text body = {0};
	struct rules inner = *rules;
	inner.out = &body;
	size_t communicators = 1;
	int next = 0; /* number of processes from which the library's choice applies */
	enum status status = OK;
	leave_to_library(&inner, 0);
	/* Other layouts of as many processes have the same choices. */
	for (size_t i = first; i < first + count && status == OK; i += choices_of_ranks(all, i)) {
		int ranks = all->at[i].untuned->ranks;
		if (next && next < ranks) {
			leave_to_library(&inner, next);
			communicators++;
		}
		status = add_ranks(&inner, &all->at[i], choices_alike(all, i));
		communicators++;
		next = ranks + 1;
	}
	leave_to_library(&inner, next);
	text_add(rules->out, "\n%d # %s\n%zu # numbers of processes\n%s", rules->collective->number,
	         rules->collective->operation, communicators + 1, text_get(&body));
	text_release(&body);
	return status;
}

static void json_open_communicator(struct json *json, int ranks, const char *distribution)
{
	json_open(json, NULL, '{');
	json_number(json, "comm_size_min", ranks);
	json_number(json, "comm_size_max", ranks);
	if (distribution)
		json_text(json, "comm_rank_distribution", distribution);
	json_open(json, "rules", '[');
}

static void json_leave_to_library(struct json *json, int ranks, const char *distribution)
{
	json_open_communicator(json, ranks, distribution);
	json_open(json, NULL, '{');
	json_number(json, "alg", 0);
	json_close_all(json, "}]}");
}

/* How processes are distributed over nodes, by its name in the file. Several processes on each of several nodes have no
 * name: rules for them are those for any distribution, after the others were left to the library. */
enum distribution { UNKNOWN, SINGLE_NODE, ONE_PER_NODE, SEVERAL_NODES };

static const char *const distributions[] = {
	[UNKNOWN] = NULL,
	[SINGLE_NODE] = "single-node",
	[ONE_PER_NODE] = "one-per-node",
	[SEVERAL_NODES] = NULL,
};

static enum distribution distribution_of(const struct results *results, const struct result_point *point)
{
	char name[64];
	const char *fact;
	struct rank_layout layout;
	int64_t nodes = 0;

	snprintf(name, sizeof name, FACT_NODES, point->ranks);
	fact = results_find_fact(results, FACTS_TUNING, name);
	if (layout_read(point->communicator, &layout))
		nodes = layout.nodes;
	else if (!fact || parse_integer(fact, &nodes) != OK)
		return UNKNOWN;
	return nodes == 1 ? SINGLE_NODE : nodes == point->ranks ? ONE_PER_NODE : SEVERAL_NODES;
}

static enum status json_rule(const struct rules *rules, const struct stretch *stretch,
                             const struct stretch *next, int ranks)
{
	struct rule_numbers numbers;
	struct text name = {0};

	TRY(find_numbers(rules, stretch->variant, &numbers));
	text_add_bytes(&name, stretch->variant, strcspn(stretch->variant, ","));
	json_open(rules->json, NULL, '{');
	if (stretch->bytes)
		json_number(rules->json, "msg_size_min", (int64_t)rule_size(rules, stretch->bytes, ranks));
	if (next)
		json_number(rules->json, "msg_size_max", (int64_t)rule_size(rules, next->bytes, ranks) - 1);
	json_text(rules->json, "alg", text_get(&name));
	json_number(rules->json, "faninout", numbers.fan_out);
	json_number(rules->json, "seg_size", numbers.segment);
	json_number(rules->json, "reqs", numbers.requests);
	json_close(rules->json, '}');
	text_release(&name);
	return OK;
}

static enum status json_ranks(const struct rules *rules, const struct choice *choices, size_t count,
                              enum distribution distribution)
{
	int ranks = choices->untuned->ranks;
	struct arena arena = {0};
	struct stretch *stretches = arena_array(&arena, struct stretch, 2 * count + 1);
	size_t made = stretches_make(choices, count, is_sized(rules->collective), stretches);
	enum status status = OK;

	json_open_communicator(rules->json, ranks, distributions[distribution]);
	for (size_t i = 0; i < made && status == OK; i++)
		if (stretches[i].variant)
			status = json_rule(rules, &stretches[i], i + 1 < made ? &stretches[i + 1] : NULL,
			                   ranks);
	json_close_all(rules->json, "]}");
	arena_release(&arena);
	return status;
}

/* The choices with this distribution, of the `count` from `first` on with one number of processes; 0: none. Several
 * layouts with it have the same choices. */
static size_t find_distributed(const struct rules *rules, const struct choices *all, size_t first,
                               size_t count, enum distribution distribution, const struct choice **found)
{
	for (size_t i = first, alike; i < first + count; i += alike) {
		alike = choices_alike(all, i);
		*found = &all->at[i];
		if (distribution_of(rules->results, all->at[i].untuned) == distribution &&
		    any_taken(*found, alike))
			return alike;
	}
	return 0;
}

/* The first match counts, so rules for any distribution come last. */
static enum status json_distributions(const struct rules *rules, const struct choices *all, size_t first,
                                      size_t count)
{
	static const enum distribution order[] = {SINGLE_NODE, ONE_PER_NODE, SEVERAL_NODES, UNKNOWN};
	const struct choice *choices;
	const bool has_several = find_distributed(rules, all, first, count, SEVERAL_NODES, &choices);
	enum status status = OK;

	for (size_t i = 0; i < sizeof order / sizeof *order && status == OK; i++) {
		const size_t found = find_distributed(rules, all, first, count, order[i], &choices);
		if (found)
			status = json_ranks(rules, choices, found, order[i]);
		else if (has_several && distributions[order[i]])
			json_leave_to_library(rules->json, all->at[first].untuned->ranks,
			                      distributions[order[i]]);
	}
	return status;
}

/* "reducescatter" for "MPI_Reduce_scatter". */
static const char *json_name(const char *operation, struct arena *arena)
{
	const char *from = collective_short_name(operation, arena);
	char *name = arena_text(arena, from), *to = name;

	for (; *from; from++)
		if (*from != '_')
			*to++ = *from;
	*to = 0;
	return name;
}

static enum status json_collective(const struct rules *rules, const struct choices *all, size_t first,
                                   size_t count)
{
	struct arena arena = {0};
	enum status status = OK;

	json_open(rules->json, json_name(rules->collective->operation, &arena), '[');
	for (size_t i = first, alike; i < first + count && status == OK; i += alike) {
		alike = choices_of_ranks(all, i);
		status = json_distributions(rules, all, i, alike);
	}
	json_close(rules->json, ']');
	arena_release(&arena);
	return status;
}

/* Versions 1 and 2 do not distinguish distributions, version 3 not all. */
static bool is_same_case(const struct results *results, const struct result_point *first,
                         const struct result_point *second)
{
	return rules_version(results) != RULES_JSON ||
	       distribution_of(results, first) == distribution_of(results, second);
}

void rules_settle(const struct results *results, struct choices *choices)
{
	for (size_t i = 0, alike; i < choices->count; i += alike) {
		const struct tuned_collective *collective = find_collective(
			choices->at[i].untuned->operation);

		alike = choices_alike(choices, i);
		if (!collective)
			choices_give_up(&choices->at[i], alike);
		else if (!is_sized(collective))
			choices_agree_or_give_up(&choices->at[i], alike);
	}
	for (size_t i = 0, count; i < choices->count; i += count) {
		count = choices_of_ranks(choices, i);
		choices_merge(results, &choices->at[i], count, is_same_case);
	}
}

/* Each collective with a taken choice, in the format of the version. Returns their number in `written`. */
static enum status add_collectives(struct rules *rules, const struct choices *choices, size_t *written)
{
	enum status status = OK;

	*written = 0;
	for (size_t first = 0, count; first < choices->count && status == OK; first += count) {
		count = choices_of_operation(choices, first);
		rules->collective = find_collective(choices->at[first].untuned->operation);
		if (!rules->collective || !any_taken(&choices->at[first], count))
			continue;
		status = rules->json ? json_collective(rules, choices, first, count)
		                     : add_collective(rules, choices, first, count);
		++*written;
	}
	return status;
}

static enum status rules_as_json(const struct results *results, const struct choices *choices,
                                 struct text *out)
{
	struct json json = {.out = out};
	struct rules rules = {.results = results, .version = RULES_JSON, .json = &json};
	size_t written;
	enum status status;

	json_open(&json, NULL, '{');
	json_number(&json, "rule_file_version", RULES_JSON);
	json_text(&json, "module", "tuned");
	json_open(&json, "collectives", '{');
	status = add_collectives(&rules, choices, &written);
	json_close_all(&json, "}}");
	text_add(out, "\n");
	return status;
}

enum status rules_file(const struct results *results, const struct choices *choices, struct text *out)
{
	struct text body = {0};
	struct rules rules = {.results = results, .version = rules_version(results), .out = &body};
	size_t written;
	enum status status;

	if (rules.version == RULES_JSON)
		return rules_as_json(results, choices, out);
	status = add_collectives(&rules, choices, &written);
	if (rules.version == RULES_FOUR_NUMBERS)
		text_add(out, "rule-file-version-%d\n", RULES_FOUR_NUMBERS);
	text_add(
		out,
		"# Algorithms of collective operations, for Open MPI's coll_tuned_dynamic_rules_filename.\n"
		"# A rule: from this size on, algorithm, fan-out, segment size%s. Algorithm 0: Open MPI's own choice.\n"
		"%zu # collectives\n%s",
		rules.version == RULES_FOUR_NUMBERS ? ", pending requests" : "", written, text_get(&body));
	text_release(&body);
	return status;
}
