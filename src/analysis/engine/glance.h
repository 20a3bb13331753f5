/* Whether a message can matter to any rule, told by its times alone and before its row is put together: of one that the call
 * of one of its sides completed, and nothing else. There are glances for each side (interest.h).
 *
 *	switch (glance_at(glances, message)) …
 *
 * A message may be wanted in vain, but is never missed. */
#ifndef TARRY_ANALYSIS_ENGINE_GLANCE_H
#define TARRY_ANALYSIS_ENGINE_GLANCE_H

#include "analysis/model/relations.h"
#include "analysis/model/role.h"

#include <string.h>

enum { GLANCES_MOST = 16, ORDERS_MOST = 8, ROLES_MOST = 4 };

/* Of the message, the word at `at` is greater by `least` or more than that at `since`. */
struct order {
	uint32_t at, since;
	int64_t least;
};

struct glances {
	struct glance_case {
		struct order orders[ORDERS_MOST]; /* all of them hold */
		uint32_t count;
	} cases[GLANCES_MOST]; /* one of them is enough */
	uint32_t count;
	uint32_t roles[ROLES_MOST]; /* places of those whose facts may matter */
	uint32_t role_count;
};

enum glance {
	GLANCE_VAIN,
	GLANCE_WANTED,
	GLANCE_UNSURE, /* interest_in() tells */
};

static inline int64_t glance_word(const struct sides *message, uint32_t at)
{
	int64_t word;

	memcpy(&word, (const unsigned char *)message + at, sizeof word);
	return word;
}

static inline bool glance_role_is_asked(const struct sides *message, uint32_t at)
{
	return ((const struct role *)(uintptr_t)glance_word(message, at))->is_asked;
}

/* Nobody knows what nonsense means: what is too far apart is later. */
static inline bool is_in_order(const struct order *order, const struct sides *message)
{
	int64_t by;

	return __builtin_sub_overflow(glance_word(message, order->at), glance_word(message, order->since),
	                              &by) |
	       (by >= order->least);
}

/* Nobody can foresee which one fails, so that none is left out. */
static inline bool is_glanced(const struct glance_case *one, const struct sides *message)
{
	bool is_so = true;

	for (const struct order *order = one->orders; order < one->orders + one->count; order++)
		is_so &= is_in_order(order, message);
	return is_so;
}

static inline enum glance glance_at(const struct glances *glances, const struct sides *message)
{
	for (uint32_t i = 0; i < glances->role_count; i++)
		if (glance_role_is_asked(message, glances->roles[i]))
			return GLANCE_UNSURE;
	for (uint32_t i = 0; i < glances->count; i++)
		if (is_glanced(&glances->cases[i], message))
			return GLANCE_WANTED;
	return GLANCE_VAIN;
}

#endif
