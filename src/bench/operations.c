/* The table of operations, and what users call them. */
#include "bench/operation.h"

#include "base/memory.h"
#include "bench/self_test.h"
#include "bench/trial.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int run_barrier(struct trial *trial)
{
	return MPI_Barrier(trial->comm);
}

static const struct operation barrier = {
	.name = "MPI_Barrier", .group = "blocking", .help = "nothing", .ranks_min = 1, .run = run_barrier};

const struct operation *const operations[] = {&wait_pattern_null, &wait_pattern_up, &barrier,
                                              &demonstrations[0], NULL};

static bool is_meant(const struct operation *operation, const char *word)
{
	if (strcmp(word, "all") == 0)
		return !(operation->traits & IS_SELF_TEST);
	return strcmp(word, operation->group) == 0 || strcasecmp(word, operation->name) == 0 ||
	       (text_begins(operation->name, "MPI_") && strcasecmp(word, operation->name + 4) == 0);
}

static size_t choose_by(const char *word, const struct operation **chosen, size_t count)
{
	for (const struct operation *const *at = operations; *at; at++)
		if (is_meant(*at, word))
			chosen[count++] = *at;
	return count;
}

enum status operations_choose(const char *const *words, size_t count, const struct operation ***chosen,
                              size_t *chosen_count)
{
	static const char *const usual[] = {"blocking"};
	const struct operation **list;
	size_t length = 0;

	if (!count) {
		words = usual;
		count = 1;
	}
	list = memory_new(count * (sizeof operations / sizeof *operations), sizeof(*list));
	for (size_t i = 0; i < count; i++) {
		size_t before = length;
		length = choose_by(words[i], list, length);
		if (length == before) {
			free(list);
			return fail("unknown operation '%s': '--list' shows which there are", words[i]);
		}
	}
	*chosen = list;
	*chosen_count = length;
	return OK;
}
