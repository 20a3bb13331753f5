#include "plain_figure.h"

#include <math.h>
#include <string.h>

static double real_of(int64_t word)
{
	double real;

	memcpy(&real, &word, sizeof real);
	return real;
}

static int64_t word_of(double real)
{
	int64_t word;

	memcpy(&word, &real, sizeof word);
	return word;
}

struct view {
	const struct figure *figure;
	const int64_t *rows;
	uint32_t width, count;
};

static const int64_t *row_of(const struct view *view, uint32_t i)
{
	return view->rows + i * view->width;
}

static bool takes_part(const struct view *view, uint32_t i)
{
	return view->figure->filter == NO_WORD || row_of(view, i)[view->figure->filter];
}

static int64_t value_of(const struct view *view, uint32_t i)
{
	return row_of(view, i)[view->figure->value];
}

static double number_of(const struct view *view, uint32_t i)
{
	return view->figure->is_real ? real_of(value_of(view, i)) : (double)value_of(view, i);
}

/* Which row the aggregate chooses; `count` if there is none. */
static uint32_t chosen(const struct view *view)
{
	enum aggregate aggregate = view->figure->aggregate;
	uint32_t best = view->count;

	for (uint32_t i = 0; i < view->count; i++) {
		bool is_least = aggregate == AGGREGATE_MIN || aggregate == AGGREGATE_ARGMIN;
		bool is_greatest = aggregate == AGGREGATE_MAX || aggregate == AGGREGATE_ARGMAX;

		if (!takes_part(view, i))
			continue;
		if (best == view->count || aggregate == AGGREGATE_LAST ||
		    (is_least && number_of(view, i) < number_of(view, best)) ||
		    (is_greatest && number_of(view, i) > number_of(view, best)))
			best = i;
	}
	return best;
}

static int64_t count_of(const struct view *view)
{
	int64_t count = 0;

	for (uint32_t i = 0; i < view->count; i++)
		count += takes_part(view, i);
	return count;
}

static int64_t distinct_of(const struct view *view)
{
	int64_t distinct = 0;

	for (uint32_t i = 0; i < view->count; i++) {
		bool is_new = takes_part(view, i);
		for (uint32_t j = 0; j < i; j++)
			if (takes_part(view, j) && value_of(view, j) == value_of(view, i))
				is_new = false;
		distinct += is_new;
	}
	return distinct;
}

static double sum_of(const struct view *view)
{
	double sum = 0;

	for (uint32_t i = 0; i < view->count; i++)
		if (takes_part(view, i))
			sum += number_of(view, i);
	return sum;
}

static void give_words(const struct view *view, uint32_t row, uint32_t from, int64_t *result)
{
	for (uint32_t i = 0; i < figure_words(view->figure); i++)
		result[i] = row < view->count ? row_of(view, row)[from + i] : ABSENT;
}

void plain_figure(const struct figure *figure, const int64_t *rows, uint32_t width, uint32_t count,
                  int64_t *result)
{
	struct view view = {figure, rows, width, count};

	switch (figure->aggregate) {
	case AGGREGATE_COUNT:
		*result = count_of(&view);
		break;
	case AGGREGATE_DISTINCT:
		*result = distinct_of(&view);
		break;
	case AGGREGATE_SUM:
		*result = figure->is_real ? word_of(sum_of(&view)) : (int64_t)sum_of(&view);
		break;
	case AGGREGATE_MEAN:
		*result = word_of(count_of(&view) ? sum_of(&view) / (double)count_of(&view) : NAN);
		break;
	case AGGREGATE_ARGMIN:
	case AGGREGATE_ARGMAX:
		give_words(&view, chosen(&view), figure->result, result);
		break;
	default:
		give_words(&view, chosen(&view), figure->value, result);
		if (*result == ABSENT && figure->is_real && figure->aggregate <= AGGREGATE_MAX)
			*result = word_of(NAN);
	}
}
