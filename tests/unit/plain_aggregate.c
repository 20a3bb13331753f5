#include "plain_aggregate.h"

#include <string.h>

double real_of_word(int64_t word)
{
	double real;

	memcpy(&real, &word, sizeof real);
	return real;
}

int64_t word_of_real(double real)
{
	int64_t word;

	memcpy(&word, &real, sizeof word);
	return word;
}

static bool has_value(enum aggregate aggregate)
{
	return aggregate != AGGREGATE_COUNT && aggregate != AGGREGATE_FIRST && aggregate != AGGREGATE_LAST;
}

static bool takes_part(const struct tuple_aggregate *aggregate, const int64_t *tuple)
{
	if (aggregate->filter != NO_WORD && !tuple[aggregate->filter])
		return false;
	if (!has_value(aggregate->aggregate))
		return true;
	return aggregate->is_real ? !isnan(real_of_word(tuple[aggregate->value]))
	                          : tuple[aggregate->value] != ABSENT;
}

static double number_of(const struct tuple_aggregate *aggregate, const int64_t *tuple)
{
	return aggregate->is_real ? real_of_word(tuple[aggregate->value]) : (double)tuple[aggregate->value];
}

static bool is_chosen_before(const struct tuple_aggregate *aggregate, const int64_t *tuple,
                             const int64_t *other)
{
	switch (aggregate->aggregate) {
	case AGGREGATE_MIN:
	case AGGREGATE_ARGMIN:
		return number_of(aggregate, tuple) < number_of(aggregate, other);
	case AGGREGATE_MAX:
	case AGGREGATE_ARGMAX:
		return number_of(aggregate, tuple) > number_of(aggregate, other);
	default:
		return aggregate->aggregate == AGGREGATE_LAST;
	}
}

static bool has_equal_before(const struct tuple_aggregate *aggregate, const int64_t *tuples, uint32_t width,
                             uint32_t i)
{
	for (uint32_t j = 0; j < i; j++)
		if (takes_part(aggregate, tuples + j * width) &&
		    number_of(aggregate, tuples + j * width) == number_of(aggregate, tuples + i * width))
			return true;
	return false;
}

int64_t plain_aggregate(const struct tuple_aggregate *aggregate, const int64_t *tuples, uint32_t width,
                        uint32_t count)
{
	const int64_t *chosen = NULL;
	int64_t present = 0, distinct = 0;
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		const int64_t *tuple = tuples + i * width;
		if (!takes_part(aggregate, tuple))
			continue;
		present++;
		if (!chosen || is_chosen_before(aggregate, tuple, chosen))
			chosen = tuple;
		if (has_value(aggregate->aggregate)) {
			sum += number_of(aggregate, tuple);
			distinct += !has_equal_before(aggregate, tuples, width, i);
		}
	}
	switch (aggregate->aggregate) {
	case AGGREGATE_COUNT:
		return present;
	case AGGREGATE_DISTINCT:
		return distinct;
	case AGGREGATE_SUM:
		return aggregate->is_real ? word_of_real(sum) : (int64_t)sum;
	case AGGREGATE_MEAN:
		return word_of_real(present ? sum / (double)present : NAN);
	case AGGREGATE_MIN:
	case AGGREGATE_MAX:
		return chosen ? chosen[aggregate->value] : aggregate->is_real ? word_of_real(NAN) : ABSENT;
	default:
		return chosen ? chosen[aggregate->result] : aggregate->absent.i;
	}
}
