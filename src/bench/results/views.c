#define _GNU_SOURCE /* qsort_r */
#include "bench/results/views.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Roots that lie at the same place whatever the number of ranks are one kind, else series over ranks would fall apart. */
static int64_t kind_of_root(const struct result_point *point)
{
	if (point->root > 0 && point->root == point->ranks - 1)
		return -2;
	if (point->root > 0 && point->root == point->ranks / 2)
		return -3;
	return point->root;
}

static void add_root(const struct result_point *point, struct text *out)
{
	int64_t kind = kind_of_root(point);

	if (kind == -2)
		text_add(out, "last root");
	else if (kind == -3)
		text_add(out, "middle root");
	else if (point->root >= 0)
		text_add(out, "root %d", point->root);
}

static void add_cache(const struct result_point *point, struct text *out)
{
	text_add(out, *point->cache ? "%s cache" : "%s", point->cache);
}

static void add_ranks(const struct result_point *point, struct text *out)
{
	text_add_counted(out, (uint64_t)(point->ranks > 0 ? point->ranks : 0), "rank", "ranks");
}

static int compare_trait(enum trait trait, const struct result_point *a, const struct result_point *b)
{
	switch (trait) {
	case TRAIT_VARIANT:
		return strcmp(a->variant, b->variant);
	case TRAIT_DATATYPE:
		return strcmp(a->datatype, b->datatype);
	case TRAIT_REDUCTION:
		return strcmp(a->reduction, b->reduction);
	case TRAIT_ROOT:
		return compare_numbers((uint64_t)(kind_of_root(a) + 3), (uint64_t)(kind_of_root(b) + 3));
	case TRAIT_COMMUNICATOR:
		return strcmp(a->communicator, b->communicator);
	case TRAIT_CACHE:
		return strcmp(a->cache, b->cache);
	case TRAIT_IN_PLACE:
		return a->in_place - b->in_place;
	case TRAIT_RANKS:
		return compare_numbers((uint64_t)a->ranks, (uint64_t)b->ranks);
	default:
		return compare_numbers(a->bytes, b->bytes);
	}
}

static void add_trait(enum trait trait, const struct result_point *point, struct text *out)
{
	const char *const words[] = {[TRAIT_VARIANT] = point->variant,
	                             [TRAIT_DATATYPE] = point->datatype,
	                             [TRAIT_REDUCTION] = point->reduction,
	                             [TRAIT_COMMUNICATOR] = point->communicator,
	                             [TRAIT_IN_PLACE] = point->in_place ? "in place" : ""};

	if (trait == TRAIT_ROOT)
		add_root(point, out);
	else if (trait == TRAIT_CACHE)
		add_cache(point, out);
	else if (trait == TRAIT_RANKS)
		add_ranks(point, out);
	else if (trait == TRAIT_BYTES)
		text_add_size(out, point->bytes);
	else
		text_add(out, "%s", words[trait]);
}

const char *traits_name(const struct result_point *point, unsigned traits, struct arena *arena)
{
	struct text name = {0};
	const char *copy;

	for (enum trait trait = 0; trait < TRAIT_COUNT; trait++) {
		size_t before = name.length;

		if (!(traits & 1U << trait))
			continue;
		if (before)
			text_add(&name, ", ");
		add_trait(trait, point, &name);
		if (name.length == before + 2 && before) {
			name.length = before;
			name.bytes[before] = 0;
		}
	}
	copy = arena_text(arena, text_get(&name));
	text_release(&name);
	return copy;
}

unsigned traits_that_differ(const struct point_group *group)
{
	unsigned differ = 0;

	for (enum trait trait = 0; trait < TRAIT_COUNT; trait++) {
		for (size_t i = 1; i < group->count && !(differ & 1U << trait); i++) {
			if (compare_trait(trait, group->points[0], group->points[i]))
				differ |= 1U << trait;
		}
	}
	return differ;
}

/* What tells series apart: all traits but the one that they go over. */
static int compare_but(const struct result_point *a, const struct result_point *b, enum trait over)
{
	for (enum trait trait = 0; trait < TRAIT_COUNT; trait++) {
		int difference = trait == over ? 0 : compare_trait(trait, a, b);

		if (difference)
			return difference;
	}
	return 0;
}

static int by_series(const void *left, const void *right, void *context)
{
	const struct result_point *a = *(const struct result_point *const *)left,
				  *b = *(const struct result_point *const *)right;
	enum trait over = *(const enum trait *)context;
	int difference = compare_but(a, b, over);

	if (!difference)
		difference = compare_trait(over, a, b);
	return difference ? difference : (a > b) - (a < b);
}

static struct point_groups cut(const struct result_point **points, size_t count, struct arena *arena,
                               bool (*is_same)(const struct result_point *a, const struct result_point *b,
                                               enum trait over),
                               enum trait over)
{
	struct point_groups groups = {.at = arena_array(arena, struct point_group, count)};

	for (size_t i = 0; i < count; i++) {
		if (!i || !is_same(points[i - 1], points[i], over))
			groups.at[groups.count++] = (struct point_group){.points = &points[i]};
		groups.at[groups.count - 1].count++;
	}
	return groups;
}

static bool is_same_series(const struct result_point *a, const struct result_point *b, enum trait over)
{
	return !compare_but(a, b, over);
}

struct point_groups group_over(const struct point_group *of, enum trait trait,
                               bool (*is_wanted)(const struct result_point *point), struct arena *arena)
{
	const struct result_point **points = arena_array(arena, const struct result_point *, of->count);
	size_t count = 0;

	for (size_t i = 0; i < of->count; i++) {
		if (is_wanted(of->points[i]))
			points[count++] = of->points[i];
	}
	qsort_r(points, count, sizeof(*points), by_series, &trait);
	return cut(points, count, arena, is_same_series, trait);
}

static bool is_same_operation(const struct result_point *a, const struct result_point *b, enum trait over)
{
	(void)over;
	return !strcmp(a->operation, b->operation);
}

static int by_operation(const void *left, const void *right)
{
	const struct result_point *a = *(const struct result_point *const *)left,
				  *b = *(const struct result_point *const *)right;
	int difference = strcmp(a->operation, b->operation);

	return difference ? difference : (a > b) - (a < b);
}

static int by_appearance(const void *left, const void *right)
{
	const struct point_group *a = left, *b = right;

	return (a->points[0] > b->points[0]) - (a->points[0] < b->points[0]);
}

struct point_groups group_by_operation(const struct results *results, struct arena *arena)
{
	const struct result_point **points = arena_array(arena, const struct result_point *,
	                                                 results->point_count);
	struct point_groups groups;

	for (size_t i = 0; i < results->point_count; i++)
		points[i] = &results->points[i];
	qsort(points, results->point_count, sizeof(*points), by_operation);
	groups = cut(points, results->point_count, arena, is_same_operation, TRAIT_COUNT);
	qsort(groups.at, groups.count, sizeof(*groups.at), by_appearance);
	return groups;
}
