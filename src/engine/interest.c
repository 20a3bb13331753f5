#include "engine/interest_cases.h"
#include "model/role.h"

#include <string.h>

static inline int64_t word_at(const unsigned char *const told[TOLDS], struct place place)
{
	int64_t word;

	memcpy(&word, told[place.told] + place.offset, sizeof word);
	return word;
}

static inline const struct role *role_at(const unsigned char *const told[TOLDS], struct place place)
{
	return (const struct role *)(uintptr_t)word_at(told, place);
}

/* Nobody knows what nonsense means: what is too far apart is later. */
static inline bool is_later(const struct test *test, const unsigned char *const told[TOLDS])
{
	int64_t by;

	return __builtin_sub_overflow(word_at(told, test->at), word_at(told, test->since), &by) |
	       (by >= test->least);
}

static inline bool has_flag(const struct test *test, const unsigned char *const told[TOLDS])
{
	return test->need >> told[test->at.told][test->at.offset] & 1;
}

static inline bool is_case(const struct test_case *one, const unsigned char *const told[TOLDS])
{
	for (const struct test *test = one->tests; test < one->tests + one->count; test++)
		if (!(test->kind == TEST_LATER ? is_later(test, told) : has_flag(test, told)))
			return false;
	return true;
}

static inline bool is_told(const struct telling *telling, const unsigned char *const told[TOLDS])
{
	int64_t at, since, by;

	memcpy(&at, told[TOLD_ROW] + telling->at, sizeof at);
	memcpy(&since, told[TOLD_GROUP] + telling->since, sizeof since);
	return __builtin_sub_overflow(at, since, &by) || by >= telling->least;
}

static inline bool is_telling_case(const struct interest *interest, const unsigned char *const told[TOLDS])
{
	for (uint32_t i = 0; i < interest->telling_count; i++)
		if (is_told(&interest->tellings[i], told) && is_case(&interest->cases[i], told))
			return true;
	return false;
}

/* Those of `cases` that calls of a row, or of its group, allow. */
static inline uint64_t allowed_by(const struct interest *interest, enum told whose,
                                  const unsigned char *const told[TOLDS], uint64_t cases)
{
	for (uint32_t i = 0; i < interest->call_count; i++) {
		const struct asked_call *call = &interest->calls[i];
		const struct role *role;
		if (call->at.told != whose)
			continue;
		role = call->is_met ? role_at(told, call->at) : NULL;
		cases &= role && role->is_asked
		                 ? (uint64_t)((const struct facts *)role->note)->common[call->slot]
		                 : ~call->cases;
	}
	return cases;
}

static inline bool is_any_of(const struct interest *interest, uint64_t cases,
                             const unsigned char *const told[TOLDS])
{
	for (; cases; cases &= cases - 1)
		if (is_case(&interest->cases[__builtin_ctzll(cases)], told))
			return true;
	return false;
}

/* First what the group alone tells, then what is telling of a row, and others last. */
bool interest_in(const struct interest *interest, const void *group, const void *rows, uint32_t count)
{
	const unsigned char *told[TOLDS] = {[TOLD_ROW] = rows, [TOLD_GROUP] = group};
	uint64_t cases = allowed_by(interest, TOLD_GROUP, told, interest->others);

	if (is_any_of(interest, cases & interest->of_groups, told))
		return true;
	for (uint32_t i = 0; i < count; i++, told[TOLD_ROW] += interest->row_size)
		if (is_telling_case(interest, told))
			return true;
	cases &= ~interest->of_groups;
	while (cases && count--) {
		told[TOLD_ROW] -= interest->row_size;
		if (is_any_of(interest, allowed_by(interest, TOLD_ROW, told, cases), told))
			return true;
	}
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
