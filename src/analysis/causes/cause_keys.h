/* Numbers for the ways in which time is spent, and time totals by these numbers. Internal to the causes.
 *
 *	uint32_t key = cause_key_number(&keys, &(struct cause_key){CAUSE_CALL, NO_PROCESS, NO_PLACE, place, 0, 0});
 *	key_sums_add(&sums, key, ns);
 *	key_sums_clear(&sums);
 *
 * Keys are the same for all processes, so that two processes can be compared. */
#ifndef TARRY_ANALYSIS_CAUSES_CAUSE_KEYS_H
#define TARRY_ANALYSIS_CAUSES_CAUSE_KEYS_H

#include "base/array.h"
#include "base/map.h"

/* A place or, with a process, a cause. */
struct cause_key {
	uint32_t kind;     /* enum cause_kind */
	uint32_t process;  /* NO_PROCESS: any process */
	uint32_t from, to; /* places; NO_PLACE */
	uint32_t region;   /* number of its name + 1; 0: none */
	uint32_t in_vain;  /* 1: unsuccessful tests */
};

enum { KEY_OTHER, KEY_UNKNOWN, KEY_NOISE, KEYS_FIXED };

struct cause_keys {
	struct map_index index;
	ARRAY(struct cause_key) all;
};

void cause_keys_init(struct cause_keys *keys);
void cause_keys_release(struct cause_keys *keys);
/* KEY_OTHER if there are too many. */
uint32_t cause_key_number(struct cause_keys *keys, const struct cause_key *key);

/* Nanoseconds by key, for a few keys; further keys count as KEY_OTHER. */
enum { SUMS_SLOTS = 256, SUMS_MAX = 128 };

struct key_sum {
	int64_t ns;
	int64_t late_ns; /* of it, while the other process waited */
	uint32_t key;
	uint32_t order; /* of parts of a wait: 0 for the last one in time */
	bool is_used;
};

struct key_sums {
	struct key_sum slots[SUMS_SLOTS];
	uint32_t count;
	uint32_t used[SUMS_MAX + 1]; /* slots */
};

/* The slot of a key, which may be new; that of KEY_OTHER if the table is full. */
struct key_sum *key_sums_new(struct key_sums *sums, uint32_t key);
/* NULL: no such key. */
struct key_sum *key_sums_find(struct key_sums *sums, uint32_t key);
void key_sums_clear(struct key_sums *sums);
/* Everything so far was while the other process waited. */
void key_sums_note_late(struct key_sums *sums);

static inline void key_sums_add(struct key_sums *sums, uint32_t key, int64_t ns)
{
	struct key_sum *sum =
		&sums->slots[key % SUMS_SLOTS]; /* keys are numbered in the order of first use */

	if (!sum->is_used || sum->key != key)
		sum = key_sums_new(sums, key);
	sum->ns += ns;
}

#endif
