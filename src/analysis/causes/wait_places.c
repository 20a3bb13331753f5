#include "analysis/causes/wait_places.h"

#include "analysis/model/spans.h"

enum { PLACES_MAX = 1 << 19 };

static uint64_t place_hash(uint32_t process, uint32_t place)
{
	return hash_word(hash_word(0, process), place);
}

static uint64_t exact_hash(uint32_t process, uint32_t place, uint32_t partner)
{
	return hash_word(place_hash(process, place), partner);
}

static bool is_at(const struct waits_at *waits, uint32_t process, uint32_t place)
{
	return waits->process == process && waits->place == place;
}

static struct waits_at *waits_get(const struct wait_places *places, uint32_t number)
{
	return number == MAP_NONE ? NULL : &places->all.items[number];
}

struct waits_at *wait_places_find(const struct wait_places *places, uint32_t process, uint32_t place,
                                  uint32_t partner)
{
	const struct waits_at *all = places->all.items;

	return waits_get(places, map_index_find(&places->exact, exact_hash(process, place, partner), i,
	                                        is_at(&all[i], process, place) && all[i].partner == partner));
}

/* The first entry keeps its position; the others are linked after it. */
struct waits_at *wait_places_first(const struct wait_places *places, uint32_t process, uint32_t place)
{
	return waits_get(places, map_index_find(&places->first, place_hash(process, place), i,
	                                        is_at(&places->all.items[i], process, place)));
}

struct waits_at *wait_places_next(const struct wait_places *places, const struct waits_at *waits)
{
	return waits->next ? &places->all.items[waits->next - 1] : NULL;
}

struct waits_at *wait_places_add(struct wait_places *places, uint32_t process, uint32_t place,
                                 uint32_t partner)
{
	struct waits_at *found = wait_places_find(places, process, place, partner), *first;
	struct waits_at waits = {.process = process, .place = place, .partner = partner};
	uint32_t number = (uint32_t)places->all.count;

	if (found)
		return found;
	if (number >= PLACES_MAX)
		return NULL;
	map_index_add(&places->exact, exact_hash(process, place, partner), number);
	first = wait_places_first(places, process, place);
	if (first) {
		waits.next = first->next;
		first->next = number + 1;
	} else {
		map_index_add(&places->first, place_hash(process, place), number);
	}
	for (int i = 0; i < PLACE_CAUSES; i++)
		waits.causes[i].key = MAP_NONE;
	array_add(&places->all, waits);
	return &places->all.items[number];
}

static void add_to(struct place_cause *cause, int64_t ns, uint32_t instances)
{
	cause->ns = saturating_add(cause->ns, ns);
	cause->instances += instances;
}

/* If all slots are used, the smallest cause is replaced. */
void waits_add_cause(struct waits_at *waits, uint32_t key, int64_t ns)
{
	struct place_cause *smallest = &waits->causes[0];

	for (int i = 0; i < PLACE_CAUSES; i++) {
		struct place_cause *cause = &waits->causes[i];
		if (cause->key == key || cause->key == MAP_NONE) {
			cause->key = key;
			add_to(cause, ns, 1);
			return;
		}
		if (cause->ns < smallest->ns)
			smallest = cause;
	}
	if (ns <= smallest->ns) {
		add_to(&waits->other, ns, 1);
		return;
	}
	add_to(&waits->other, smallest->ns, smallest->instances);
	*smallest = (struct place_cause){key, 1, ns};
}

void wait_places_release(struct wait_places *places)
{
	map_index_release(&places->exact);
	map_index_release(&places->first);
	array_release(&places->all);
}
