/* The table of operations, and their short names. */
#include "base/array.h"
#include "bench/run/operation.h"

#include "base/arena.h"
#include "base/memory.h"
#include "bench/run/collectives.h"
#include "bench/run/overlap.h"
#include "bench/run/self_test.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct bench_operation *const tables[] = {
	blocking_operations,
	nonblocking_operations,
	persistent_operations,
	communicator_operations,
	pair_operations,
	one_sided_operations,
	self_tests,
	demonstrations,
	overlap_truths,
};

enum { TABLES = sizeof tables / sizeof *tables, NAME_COLUMNS = 32 };

const struct operation_group operation_groups[] = {
	{"blocking", "collectives that return when the local part is done"},
	{"non-blocking", "collectives that are started and waited for, alone and while the process computes"},
	{"persistent", "collectives that are set up once: MPI_Start and MPI_Wait are measured"},
	{"neighbourhood",
         "collectives of neighbours in a virtual topology ('--topology'), in all three forms"},
	{"communicators", "making communicators"},
	{"point-to-point", "messages between the first and the last process"},
	{"one-sided", "access to memory of the next process, from fence to fence"},
	{"self-test", "operations with a known result; the patterns are always run first"},
	{"demonstration", "operations that loops measure wrongly: see docs/naive-loop.md"},
	{0},
};

/* The operations that most programs use. */
static const char *const usual[] = {"barrier",   "bcast",    "gather", "scatter",
                                    "allgather", "alltoall", "reduce", "allreduce"};

struct operation_walk {
	const struct bench_operation *at;
	size_t table; /* index of the next table */
};

static bool walk_next(struct operation_walk *walk)
{
	if (walk->at)
		walk->at++;
	while (!walk->at || !walk->at->name) {
		if (walk->table == TABLES)
			return false;
		walk->at = tables[walk->table++];
	}
	return true;
}

static bool is_named(const struct bench_operation *operation, const char *word)
{
	return strcasecmp(word, operation->name) == 0 ||
	       (text_begins(operation->name, "MPI_") &&
	        strcasecmp(word, operation->name + strlen("MPI_")) == 0);
}

static bool is_meant(const struct bench_operation *operation, const char *word)
{
	if (strcmp(word, "all") == 0)
		return !(operation->traits & IS_SELF_TEST);
	return strcmp(word, operation->group) == 0 || is_named(operation, word);
}

/* As users write it: "bcast". */
static const char *spoken_name(const struct bench_operation *operation, struct arena *arena)
{
	char *name = arena_text(arena, operation->name + (text_begins(operation->name, "MPI_") ? 4 : 0));

	for (char *letter = name; *letter; letter++)
		*letter = (char)tolower((unsigned char)*letter);
	return name;
}

/* Words that MPI abbreviates and people do not. */
static const char *as_named(const char *word)
{
	return word && strcmp(word, "broadcast") == 0 ? "bcast" : word;
}

static enum status complain(const char *word)
{
	struct nearest nearest = {.word = word};
	struct operation_walk walk = {0};
	struct arena arena = {0};
	enum status status;

	nearest_offer(&nearest, "broadcast");
	while (walk_next(&walk)) {
		nearest_offer(&nearest, walk.at->name);
		nearest_offer(&nearest, walk.at->group);
		nearest_offer(&nearest, spoken_name(walk.at, &arena));
	}
	if (nearest_found(&nearest))
		status = fail("unknown operation '%s': do you mean '%s'?", word,
		              as_named(nearest_found(&nearest)));
	else
		status = fail("unknown operation '%s': '--list' shows all", word);
	arena_release(&arena);
	return status;
}

static bool is_among(const struct bench_operation *operation, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_meant(operation, words[i]))
			return true;
	return false;
}

static enum status check_words(const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct operation_walk walk = {0};
		bool found = false;

		while (!found && walk_next(&walk))
			found = is_meant(walk.at, words[i]);
		if (!found)
			return complain(words[i]);
	}
	return OK;
}

enum status operations_choose(const char *const *words, size_t count, const struct bench_operation ***chosen,
                              size_t *chosen_count)
{
	ARRAY(const struct bench_operation *) list = {0};
	struct operation_walk walk = {0};

	TRY(check_words(words, count));
	while (walk_next(&walk))
		if (count ? is_among(walk.at, words, count)
		          : is_among(walk.at, usual, sizeof usual / sizeof *usual))
			array_add(&list, walk.at);
	*chosen = list.items;
	*chosen_count = list.count;
	return OK;
}

static void list_group(const struct operation_group *group, struct text *out)
{
	struct operation_walk walk = {0};

	text_add(out, "%s: %s\n", group->name, group->help);
	while (walk_next(&walk))
		if (strcmp(walk.at->group, group->name) == 0)
			text_add(out, "  %-*s%s%s\n", NAME_COLUMNS, walk.at->name, walk.at->help,
			         walk.at->run ? "" : " (missing in this MPI library)");
}

void operations_list(struct text *out)
{
	for (const struct operation_group *group = operation_groups; group->name; group++)
		list_group(group, out);
}
