/* Open MPI's coll/tuned component: for each collective, each minimum number of processes and each minimum
 * size: algorithm, fan-out, segment size. Algorithm 0 is the library's own choice. */
#include "bench/tuning/tuning_file.h"

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

struct rules {
	const struct results *results;
	const struct tuned_collective *collective;
	struct text *out;
};

static uint64_t rule_size(const struct rules *rules, uint64_t bytes, int ranks)
{
	return rules->collective->size == SIZE_OF_ALL ? bytes * (uint64_t)ranks : bytes;
}

static enum status add_rule(const struct rules *rules, const struct stretch *stretch, int ranks)
{
	uint64_t size = rule_size(rules, stretch->bytes, ranks);
	if (!stretch->variant) {
		text_add(rules->out, "%llu 0 0 0\n", (unsigned long long)size);
		return OK;
	}
	const char *numbers = algorithm_fact(rules->results, rules->collective->operation, stretch->variant);
	if (!numbers)
		return fail("no number is known for algorithm '%s' of %s", stretch->variant,
		            rules->collective->operation);
	text_add(rules->out, "%llu %s # %s\n", (unsigned long long)size, numbers, stretch->variant);
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
	for (size_t i = first; i < first + count && status == OK; i += choices_alike(all, i)) {
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

void rules_settle(struct choices *choices)
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
}

enum status rules_file(const struct results *results, const struct choices *choices, struct text *out)
{
	struct text body = {0};
	size_t written = 0;
	enum status status = OK;
	for (size_t first = 0, count; first < choices->count && status == OK; first += count) {
		count = choices_of_operation(choices, first);
		struct rules rules = {results, find_collective(choices->at[first].untuned->operation), &body};
		if (!rules.collective || !any_taken(&choices->at[first], count))
			continue;
		status = add_collective(&rules, choices, first, count);
		written++;
	}
	text_add(
		out,
		"# Algorithms of collective operations, for Open MPI's coll_tuned_dynamic_rules_filename.\n"
		"# A rule: from this size on, algorithm, fan-out, segment size. Algorithm 0: Open MPI's own choice.\n"
		"%zu # collectives\n%s",
		written, text_get(&body));
	text_release(&body);
	return status;
}
