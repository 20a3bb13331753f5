#include "record/places.h"

#include "record/process.h"

enum { PLACES = 1 << 15, SLOTS = 2 * PLACES };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table {
	struct place places[PLACES];
	uint32_t slots[SLOTS]; /* number + 1; 0: free */
} * table;
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

	return (uint32_t)(hash >> 40) & (SLOTS - 1);
}

static void give_up(void)
{
	if (!is_full)
		process_note(
			"process %u has more than %d places or no memory for them: later calls show only where "
			"they were made, not how the program got there",
			process.rank, PLACES);
	is_full = true;
}

/* The caller holds the lock. */
static uint32_t find_or_add(const struct place *place)
{
	uint32_t at = hash_place(place);

	if (!table && !is_full)
		table = process_claim(sizeof *table);
	for (; table && table->slots[at]; at = (at + 1) & (SLOTS - 1))
		if (is_same(&table->places[table->slots[at] - 1], place))
			return table->slots[at] - 1;
	if (!table || count == PLACES) {
		give_up();
		return NO_PLACE;
	}
	table->places[count] = *place;
	table->slots[at] = count + 1;
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
	return table->places[number];
}
