#include "analysis/engine/interest_cases.h"
#include "analysis/model/role.h"

#include <string.h>

static inline int64_t word_at(const unsigned char *const told[ROW_PARTS], struct place place)
{
	int64_t word;

	memcpy(&word, told[place.told] + place.offset, sizeof word);
	return word;
}

static inline const struct role *role_at(const unsigned char *const told[ROW_PARTS], struct place place)
{
	return (const struct role *)(uintptr_t)word_at(told, place);
}

/* Nobody knows what nonsense means: what is too far apart is later. */
static inline bool is_later(const struct test *test, const unsigned char *const told[ROW_PARTS])
{
	int64_t by;

	return __builtin_sub_overflow(word_at(told, test->at), word_at(told, test->since), &by) |
	       (by >= test->least);
}

static inline bool has_flag(const struct test *test, const unsigned char *const told[ROW_PARTS])
{
	return test->need >> told[test->at.told][test->at.offset] & 1;
}

/* From a test on. */
static inline bool is_case(const struct test_case *one, uint32_t from,
                           const unsigned char *const told[ROW_PARTS])
{
	for (const struct test *test = one->tests + from; test < one->tests + one->count; test++)
		if (!(test->kind == TEST_LATER ? is_later(test, told) : has_flag(test, told)))
			return false;
	return true;
}

static inline bool is_told(const struct telling *telling, int64_t at, const unsigned char *group)
{
	int64_t since, by;

	memcpy(&since, group + telling->since, sizeof since);
	return __builtin_sub_overflow(at, since, &by) ? at > since : by >= telling->least;
}

static inline int64_t word_of(const unsigned char *at)
{
	int64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

static int64_t greatest_of_rows(const struct interest *interest, const unsigned char *at, uint32_t count)
{
	int64_t greatest = INT64_MIN;

	for (; count; count--, at += interest->row_size)
		greatest = word_of(at) > greatest ? word_of(at) : greatest;
	return greatest;
}

/* The greatest of all rows tells whether there is one at all. */
static inline bool is_any_told(const struct interest *interest, const struct telling *telling,
                               const unsigned char *const told[ROW_PARTS], uint32_t count)
{
	int64_t greatest = telling->greatest
	                           ? word_of(told[PART_GROUP] + telling->greatest)
	                           : greatest_of_rows(interest, told[PART_ROW] + telling->at, count);

	return is_told(telling, greatest, told[PART_GROUP]);
}

static bool is_telling_case(const struct interest *interest, uint32_t number,
                            const unsigned char *const told[ROW_PARTS], uint32_t count)
{
	const struct telling *telling = &interest->tellings[number];
	const struct test_case *one = &interest->cases[number];
	const unsigned char *row[ROW_PARTS] = {[PART_ROW] = told[PART_ROW], [PART_GROUP] = told[PART_GROUP]};

	if (!is_any_told(interest, telling, told, count))
		return false;
	if (telling->is_enough)
		return is_case(one, 1, row);
	for (; count; count--, row[PART_ROW] += interest->row_size)
		if (is_case(one, 0, row))
			return true;
	return false;
}

/* Those of `cases` that calls of a row, or of its group, allow. */
static inline uint64_t allowed_by(const struct interest *interest, enum row_part whose,
                                  const unsigned char *const told[ROW_PARTS], uint64_t cases)
{
	for (uint32_t i = 0; i < interest->call_count; i++) {
		const struct asked_call *call = &interest->calls[i];
		const struct role *role;
		if (call->at.told != whose || !call->is_met)
			continue;
		role = role_at(told, call->at);
		cases &= role->is_asked ? (uint64_t)((const struct facts *)role->note)->common[call->slot]
		                        : ~call->cases;
	}
	return cases;
}

static inline bool is_any_of(const struct interest *interest, uint64_t cases,
                             const unsigned char *const told[ROW_PARTS])
{
	for (; cases; cases &= cases - 1)
		if (is_case(&interest->cases[__builtin_ctzll(cases)], 0, told))
			return true;
	return false;
}

/* First what is telling, which needs no facts, then what the group alone tells, and others last. */
bool interest_in(const struct interest *interest, const void *group, const void *rows, uint32_t count)
{
	const unsigned char *told[ROW_PARTS] = {[PART_ROW] = rows, [PART_GROUP] = group};
	uint64_t cases = interest->possible;

	for (uint32_t i = 0; i < interest->telling_count; i++)
		if (is_telling_case(interest, i, told, count))
			return true;
	if (!cases)
		return false;
	cases = allowed_by(interest, PART_GROUP, told, cases);
	if (is_any_of(interest, cases & interest->of_groups, told))
		return true;
	cases &= ~interest->of_groups;
	for (; cases && count; count--, told[PART_ROW] += interest->row_size)
		if (is_any_of(interest, allowed_by(interest, PART_ROW, told, cases), told))
			return true;
	return false;
}

const struct glances *interest_glances(const struct interest *interest, bool is_send)
{
	return interest && interest->has_glances ? &interest->glances[is_send] : NULL;
}

/* From now on, the call at this place is looked at. */
static void ask_in_glances(struct interest *interest, struct place at)
{
	for (int is_send = 0; is_send < 2; is_send++) {
		struct glances *glances = &interest->glances[is_send];
		glances->roles[glances->role_count++] = glance_place(at, is_send);
	}
}

static bool is_allowed(const struct test_case *one, struct place at, const int64_t *common)
{
	for (uint32_t i = 0; i < one->fact_count; i++) {
		const struct test *test = &one->tests[one->count + i];
		if (is_at(test->at, at) && ((uint64_t)common[test->slot] & test->need) != test->need)
			return false;
	}
	return true;
}

/* Those that ask no call which was not met. */
void interest_find_possible(struct interest *interest)
{
	interest->possible = interest->others;
	for (uint32_t i = 0; i < interest->call_count; i++)
		if (!interest->calls[i].is_met)
			interest->possible &= ~interest->calls[i].cases;
}

/* A case that asks for facts is allowed. */
bool interest_meet(struct interest *interest, const int64_t *common)
{
	bool is_any = false;

	for (uint32_t i = 0; i < interest->call_count; i++) {
		struct asked_call *call = &interest->calls[i];
		bool allows = (uint64_t)common[call->slot] & call->cases;
		if (allows && !call->is_met && interest->has_glances)
			ask_in_glances(interest, call->at);
		call->is_met |= allows;
		is_any |= allows;
	}
	interest_find_possible(interest);
	return is_any;
}

void interest_answer(const struct interest *interest, int64_t *common)
{
	for (uint32_t i = 0; i < interest->call_count; i++) {
		uint64_t cases = 0;
		for (uint32_t j = 0; j < interest->count; j++)
			cases |= (uint64_t)is_allowed(&interest->cases[j], interest->calls[i].at, common)
			         << j;
		common[interest->calls[i].slot] = (int64_t)cases;
	}
}
