#include "bench/results/guidelines.h"

#include "base/text.h"
#include "bench/results/point_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An alternative must be faster by more than this. */
static const double TOLERANCE = 1.05;

/* Size of the other operation. */
enum term_size {
	SAME,
	ALL_BLOCKS, /* a block of each process */
	ONE_PART,   /* the part of one process */
	ANY_SIZE,
};

enum { TERMS_MAX = 2 };

static const struct composition {
	const char *operation;
	struct term {
		const char *operation;
		enum term_size size;
	} terms[TERMS_MAX];
} compositions[] = {
	{"MPI_Barrier", {{"MPI_Allreduce", ANY_SIZE}}},
	{"MPI_Barrier", {{"MPI_Allgather", ANY_SIZE}}},
	{"MPI_Bcast", {{"MPI_Scatter", ONE_PART}, {"MPI_Allgather", ONE_PART}}},
	{"MPI_Gather", {{"MPI_Allgather", SAME}}},
	{"MPI_Gather", {{"MPI_Reduce", ALL_BLOCKS}}},
	{"MPI_Scatter", {{"MPI_Bcast", ALL_BLOCKS}}},
	{"MPI_Allgather", {{"MPI_Gather", SAME}, {"MPI_Bcast", ALL_BLOCKS}}},
	{"MPI_Allgather", {{"MPI_Alltoall", SAME}}},
	{"MPI_Allgather", {{"MPI_Allreduce", ALL_BLOCKS}}},
	{"MPI_Reduce", {{"MPI_Allreduce", SAME}}},
	{"MPI_Reduce", {{"MPI_Reduce_scatter_block", ONE_PART}, {"MPI_Gather", ONE_PART}}},
	{"MPI_Allreduce", {{"MPI_Reduce", SAME}, {"MPI_Bcast", SAME}}},
	{"MPI_Allreduce", {{"MPI_Reduce_scatter_block", ONE_PART}, {"MPI_Allgather", ONE_PART}}},
	{"MPI_Reduce_scatter_block", {{"MPI_Allreduce", ALL_BLOCKS}}},
	{"MPI_Reduce_scatter_block", {{"MPI_Reduce", ALL_BLOCKS}, {"MPI_Scatter", SAME}}},
	/* Instead of the local reduction that is missing from Exscan, which is not measured: this one contains it. */
	{"MPI_Scan", {{"MPI_Exscan", SAME}, {"MPI_Allreduce", SAME}}},
};

/* The best alternative so far for a point and a rule. */
struct alternative {
	double bound; /* without the intervals; INFINITY: none */
	double high;  /* with them */
	const char *words;
};

struct guideline_check {
	const struct result_point **sorted; /* usable points, by series_order() */
	size_t count;
	struct arena *arena;
	struct guidelines *found;
};

static bool is_usable(const struct result_point *point)
{
	return !point->marks && !point->in_place && point->summary.count > 1 &&
	       isfinite(point->summary.mean) && isfinite(point->summary.half_width) &&
	       (!*point->variant || strstr(point->operation, "eighbor")); /* no single algorithms */
}

/* Points that differ only in size are adjacent, the smallest first. */
static int series_order(const struct result_point *left, const struct result_point *right)
{
	struct result_point a = *left, b = *right;
	int order = strcmp(left->operation, right->operation);

	if (order)
		return order;
	a.bytes = b.bytes = 0;
	order = point_order(&a, &b);
	return order ? order : (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

static int by_series(const void *left, const void *right)
{
	return series_order(*(const struct result_point *const *)left,
	                    *(const struct result_point *const *)right);
}

static bool in_series(const struct result_point *left, const struct result_point *right)
{
	struct result_point same_size = *right;

	same_size.bytes = left->bytes;
	return point_order(left, &same_size) == 0;
}

static double high_of(const struct result_point *point)
{
	return point->summary.mean + point->summary.half_width;
}

static void keep_better(struct alternative *best, double bound, double high, const char *words)
{
	if (high < best->high)
		*best = (struct alternative){bound, high, words};
}

static void add_result(struct guideline_check *check, const struct result_point *point, const char *rule,
                       const struct alternative *best)
{
	struct guidelines *found = check->found;

	if (!isfinite(best->high))
		return;
	found->checked++;
	if (point->summary.mean - point->summary.half_width <= TOLERANCE * best->high)
		return;
	struct guideline_violation violation = {point, rule, best->words, best->bound};
	arena_add(check->arena, found->violations, found->violation_count, violation);
}

static const char *size_words(const struct guideline_check *check, const struct result_point *point)
{
	struct text size = {0};

	text_add_point_size(&size, point);
	const char *words = arena_text(check->arena, text_get(&size));
	text_release(&size);
	return words;
}

/* Other sizes of the same operation: the points from `first` to before `end`. */
static void check_sizes(struct guideline_check *check, const struct result_point *point, size_t first,
                        size_t end)
{
	struct alternative larger = {.high = INFINITY}, parts = {.high = INFINITY};

	for (size_t i = first; i < end; i++) {
		const struct result_point *other = check->sorted[i];
		uint64_t calls = other->bytes ? point->bytes / other->bytes : 0;

		if (other->bytes > point->bytes)
			keep_better(&larger, other->summary.mean, high_of(other),
			            arena_format(check->arena, "with %s", size_words(check, other)));
		else if (calls > 1 && point->bytes % other->bytes == 0)
			keep_better(&parts, (double)calls * other->summary.mean,
			            (double)calls * high_of(other),
			            arena_format(check->arena, "as %llu calls with %s",
			                         (unsigned long long)calls, size_words(check, other)));
	}
	add_result(check, point, "size", &larger);
	add_result(check, point, "split", &parts);
}

static size_t end_of_series(const struct guideline_check *check, size_t first)
{
	size_t end = first + 1;

	while (end < check->count && in_series(check->sorted[first], check->sorted[end]))
		end++;
	return end;
}

/* Bytes are the default type of most operations, integers that of reductions: they are as large. */
static bool same_type(const struct result_point *left, const struct result_point *right)
{
	bool is_usual = strcmp(left->datatype, "byte") == 0 || strcmp(left->datatype, "int") == 0;
	bool is_other_usual = strcmp(right->datatype, "byte") == 0 || strcmp(right->datatype, "int") == 0;

	return strcmp(left->datatype, right->datatype) == 0 || (is_usual && is_other_usual);
}

#define ANY_BYTES UINT64_MAX

/* The smallest size if any will do. `root`: -1: any; becomes that of the found point. */
static const struct result_point *find_term(const struct guideline_check *check,
                                            const struct result_point *like, const char *operation,
                                            uint64_t bytes, int *root)
{
	size_t low = 0, high = check->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(check->sorted[middle]->operation, operation) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < check->count && strcmp(check->sorted[low]->operation, operation) == 0; low++) {
		const struct result_point *point = check->sorted[low];
		if ((bytes != ANY_BYTES && point->bytes != bytes) || point->ranks != like->ranks ||
		    strcmp(point->variant, like->variant) != 0 ||
		    (*root >= 0 && point->root >= 0 && point->root != *root) || !same_type(point, like) ||
		    strcmp(point->communicator, like->communicator) != 0 ||
		    strcmp(point->cache, like->cache) != 0 ||
		    (*point->reduction && *like->reduction && strcmp(point->reduction, like->reduction) != 0))
			continue;
		if (point->root >= 0)
			*root = point->root;
		return point;
	}
	return NULL;
}

/* false: there is no such size. */
static bool term_bytes(const struct result_point *point, enum term_size size, uint64_t *bytes)
{
	uint64_t ranks = (uint64_t)point->ranks;

	*bytes = size == ANY_SIZE     ? ANY_BYTES
	         : size == ALL_BLOCKS ? point->bytes * ranks
	         : size == ONE_PART   ? point->bytes / ranks
	                              : point->bytes;
	return size != ONE_PART || (*bytes && point->bytes % ranks == 0);
}

static void add_term_words(struct text *words, const struct result_point *point,
                           const struct result_point *term)
{
	text_add(words, "%s %s", words->length ? " +" : "as", term->operation);
	if (term->bytes != point->bytes) {
		text_add(words, " of ");
		text_add_point_size(words, term);
	}
}

static void check_composition(struct guideline_check *check, const struct result_point *point,
                              const struct composition *composition, struct alternative *best)
{
	struct text words = {0};
	double bound = 0, high = 0;
	int root = point->root;
	bool is_measured = strcmp(composition->operation, point->operation) == 0;

	for (size_t i = 0; i < TERMS_MAX && composition->terms[i].operation && is_measured; i++) {
		const struct result_point *term = NULL;
		uint64_t bytes;

		if (term_bytes(point, composition->terms[i].size, &bytes))
			term = find_term(check, point, composition->terms[i].operation, bytes, &root);
		is_measured = term;
		if (!term)
			break;
		add_term_words(&words, point, term);
		bound += term->summary.mean;
		high += high_of(term);
	}
	if (is_measured)
		keep_better(best, bound, high, arena_text(check->arena, text_get(&words)));
	text_release(&words);
}

/* "MPI_Ibcast" for "MPI_Bcast". */
static const char *nonblocking_name(const struct guideline_check *check, const char *operation)
{
	char *name = arena_format(check->arena, "MPI_I%s", operation + strlen("MPI_"));

	name[5] = (char)tolower((unsigned char)name[5]);
	return name;
}

static void check_others(struct guideline_check *check, const struct result_point *point)
{
	struct alternative composed = {.high = INFINITY}, nonblocking = {.high = INFINITY};
	const struct result_point *other;
	int root = point->root;

	if (strncmp(point->operation, "MPI_", 4) != 0)
		return;
	for (size_t i = 0; i < sizeof compositions / sizeof *compositions; i++)
		check_composition(check, point, &compositions[i], &composed);
	other = find_term(check, point, nonblocking_name(check, point->operation), point->bytes, &root);
	if (other)
		keep_better(&nonblocking, other->summary.mean, high_of(other),
		            arena_format(check->arena, "as %s with MPI_Wait", other->operation));
	add_result(check, point, "composition", &composed);
	add_result(check, point, "nonblocking", &nonblocking);
}

static int by_place(const void *left, const void *right)
{
	const struct guideline_violation *a = left, *b = right;

	return a->point != b->point ? (a->point > b->point) - (a->point < b->point)
	                            : strcmp(a->rule, b->rule);
}

void guidelines_check(const struct results *results, struct arena *arena, struct guidelines *guidelines)
{
	struct guideline_check check = {
		.sorted = arena_array(arena, const struct result_point *, results->point_count + 1),
		.arena = arena,
		.found = guidelines};

	*guidelines = (struct guidelines){0};
	if (!results->is_complete)
		return;
	for (size_t i = 0; i < results->point_count; i++)
		if (is_usable(&results->points[i]))
			check.sorted[check.count++] = &results->points[i];
	qsort(check.sorted, check.count, sizeof *check.sorted, by_series);
	for (size_t first = 0, end; first < check.count; first = end) {
		end = end_of_series(&check, first);
		for (size_t i = first; i < end; i++) {
			check_sizes(&check, check.sorted[i], first, end);
			check_others(&check, check.sorted[i]);
		}
	}
	if (guidelines->violation_count)
		qsort(guidelines->violations, guidelines->violation_count, sizeof *guidelines->violations,
		      by_place);
}
