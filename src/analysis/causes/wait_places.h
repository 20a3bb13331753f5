/* The waits of each process at each place, for calls from one place, with their causes.
 * Internal to the causes.
 *
 *	struct waits_at *waits = wait_places_add(&places, process, place, partner);
 *	waits_add_cause(waits, key, ns);
 *	for (waits = wait_places_first(&places, process, place); waits; waits = wait_places_next(&places, waits))
 *		show(waits);
 *	wait_places_release(&places);
 *
 * Places and keys are numbers (model/places.h, cause_keys.h). Pointers are valid until the
 * next waits are added. */
#ifndef TARRY_ANALYSIS_CAUSES_WAIT_PLACES_H
#define TARRY_ANALYSIS_CAUSES_WAIT_PLACES_H

#include "base/array.h"
#include "base/map.h"

enum { PLACE_CAUSES = 8 }; /* of the waits at one place; others are added up */

struct place_cause {
	uint32_t key; /* MAP_NONE: no more */
	uint32_t instances;
	int64_t ns;
};

struct waits_at {
	uint32_t process, place, partner;
	uint32_t next; /* of the same process and place: number + 1 */
	int64_t ns;
	struct place_cause causes[PLACE_CAUSES];
	struct place_cause other;
};

struct wait_places {
	struct map_index exact, first; /* by process, place and partner, or without it */
	ARRAY(struct waits_at) all;
};

/* NULL: too many. */
struct waits_at *wait_places_add(struct wait_places *places, uint32_t process, uint32_t place,
                                 uint32_t partner);
void waits_add_cause(struct waits_at *waits, uint32_t key, int64_t ns);

/* NULL: none. */
struct waits_at *wait_places_find(const struct wait_places *places, uint32_t process, uint32_t place,
                                  uint32_t partner);
struct waits_at *wait_places_first(const struct wait_places *places, uint32_t process, uint32_t place);
struct waits_at *wait_places_next(const struct wait_places *places, const struct waits_at *waits);
void wait_places_release(struct wait_places *places);

#endif
