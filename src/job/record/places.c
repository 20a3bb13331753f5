#include "job/record/places.h"

#include "job/record/process.h"

/* Powers of two: as many as there can be, and where the buffer is small. */
enum { PLACES_MAX = 1 << 15, PLACES_MIN = 1 << 11 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place *places;
static uint32_t *slots; /* twice as many: number + 1; 0: free */
static uint32_t limit;
static uint32_t count;
static bool is_full;

static bool is_same(const struct place *a, const struct place *b)
{
	return a->caller == b->caller && a->module == b->module && a->offset == b->offset;
}

static uint32_t hash_place(const struct place *place)
{
	uint64_t hash = (place->offset ^ place->module << 40 ^ (uint64_t)place->caller << 20) *
	                0x9e3779b97f4a7c15u;

	return (uint32_t)(hash >> 40) & (2 * limit - 1);
}

static void give_up(void)
{
	if (!is_full)
		process_note(
			"process %u has more than %d places or no memory for them: later calls show only where "
			"they were made, not how the program got there",
			process.rank, (int)limit);
	is_full = true;
}

static void claim_table(void)
{
	for (limit = PLACES_MAX; limit >= PLACES_MIN && !places; limit /= 2)
		places = process_claim(limit * (sizeof *places + 2 * sizeof *slots));
	if (!places)
		return;
	limit *= 2; /* as it was when there was room */
	slots = (uint32_t *)(places + limit);
}

/* The caller holds the lock. */
static uint32_t find_or_add(const struct place *place)
{
	uint32_t at;

	if (!places && !is_full)
		claim_table();
	if (!places) {
		give_up();
		return NO_PLACE;
	}
	for (at = hash_place(place); slots[at]; at = (at + 1) & (2 * limit - 1))
		if (is_same(&places[slots[at] - 1], place))
			return slots[at] - 1;
	if (count == limit) {
		give_up();
		return NO_PLACE;
	}
	places[count] = *place;
	slots[at] = count + 1;
	return count++;
}

uint32_t place_add(uint32_t caller, uint64_t module, uint64_t offset)
{
	const struct place place = {caller, module, offset};
	uint32_t number;

	pthread_mutex_lock(&lock);
	number = find_or_add(&place);
	pthread_mutex_unlock(&lock);
	return number;
}

struct place place_get(uint32_t number)
{
	return places[number];
}
