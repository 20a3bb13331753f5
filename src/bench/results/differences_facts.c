/* What is not the same about two measurements, apart from what was measured. */
#include "bench/results/differences.h"

#include <stdlib.h>
#include <string.h>

/* Different whenever somebody measures, and no reason for anything. NULL: all of the section. */
static const struct {
	const char *section, *name;
} incidental[] = {
	{"self-tests", NULL},
	{"memory growth", NULL},
	{"clock", "error"},
	{"clock", "drift"},
	{"clock", "cost of a reading"},
	{"clock", "resolution"},
	{"clock", "shortest round trip"},
	{"clock", "synchronisations"},
	{"clock", "error at the end"},
	{"clock", "true error median"},
	{"clock", "true error max"},
	{"job", "start"},
	{"job", "points"},
	{"job", "command line"},
};

static bool is_incidental(const struct fact *fact)
{
	for (size_t i = 0; i < sizeof incidental / sizeof *incidental; i++)
		if (strcmp(fact->section, incidental[i].section) == 0 &&
		    (!incidental[i].name || strcmp(fact->name, incidental[i].name) == 0))
			return true;
	return false;
}

/* A fact and its place, by which those of a file stay in their order. */
struct placed_fact {
	const struct fact *fact;
	size_t place;
};

static int by_name(const struct fact *left, const struct fact *right)
{
	int order = strcmp(left->section, right->section);

	return order ? order : strcmp(left->name, right->name);
}

static int by_name_of_placed(const void *left, const void *right)
{
	return by_name(((const struct placed_fact *)left)->fact, ((const struct placed_fact *)right)->fact);
}

static int by_place_of_difference(const void *left, const void *right)
{
	const struct fact_difference *a = left, *b = right;

	return (a->place > b->place) - (a->place < b->place);
}

static struct placed_fact *sorted_facts(const struct results *results, struct arena *arena, size_t *count)
{
	size_t all = 0;

	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		all++;
	struct placed_fact *sorted = arena_array(arena, struct placed_fact, all + 1);

	*count = 0;
	for (const struct fact *fact = results->facts; fact; fact = fact->next)
		if (!is_incidental(fact)) {
			sorted[*count] = (struct placed_fact){fact, *count};
			(*count)++;
		}
	qsort(sorted, *count, sizeof *sorted, by_name_of_placed);
	return sorted;
}

static void add_difference(struct differences *differences, const struct placed_fact *known,
                           const char *first, const char *second)
{
	differences->facts[differences->fact_count++] = (struct fact_difference){
		.section = known->fact->section,
		.name = known->fact->name,
		.first = first,
		.second = second,
		.place = known->place,
	};
}

void match_facts(const struct results *first, const struct results *second, struct differences *differences)
{
	size_t a_left, b_left;
	const struct placed_fact *a = sorted_facts(first, &differences->arena, &a_left);
	const struct placed_fact *b = sorted_facts(second, &differences->arena, &b_left);

	differences->facts = arena_array(&differences->arena, struct fact_difference, a_left + b_left + 1);
	while (a_left || b_left) {
		int order = !a_left ? 1 : !b_left ? -1 : by_name(a->fact, b->fact);

		if (order || strcmp(a->fact->value, b->fact->value) != 0)
			add_difference(differences, order <= 0 ? a : b, order <= 0 ? a->fact->value : NULL,
			               order >= 0 ? b->fact->value : NULL);
		a += order <= 0;
		a_left -= order <= 0;
		b += order >= 0;
		b_left -= order >= 0;
	}
	qsort(differences->facts, differences->fact_count, sizeof *differences->facts,
	      by_place_of_difference);
}
