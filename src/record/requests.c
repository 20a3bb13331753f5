#include "record/requests.h"

#include "record/process.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, BLOCKS = 1 << 14, BITS = 64 };

static struct {
	struct request *blocks[BLOCKS];
	uint64_t *taken; /* one bit for each number */
	uint32_t *chains;
	uint32_t limit; /* of numbers, BLOCK times a power of two; there are as many chains */
	uint32_t first_free_word;
} table;

static uint32_t chain_of(uint64_t handle)
{
	return (uint32_t)((handle ^ handle >> 20) * 0x9e3779b1u >> 5) & (table.limit - 1);
}

struct request *request_get(uint32_t number)
{
	return &table.blocks[number / BLOCK][number % BLOCK];
}

/* Newer ones first: the oldest of equal handles is found last. */
static void chain_in(uint32_t number)
{
	uint32_t *chain = &table.chains[chain_of(request_get(number)->handle)];

	request_get(number)->next = *chain;
	*chain = number;
}

static bool add_blocks(uint32_t limit)
{
	if (limit > BLOCK * BLOCKS)
		return false;
	for (uint32_t block = table.limit / BLOCK; block < limit / BLOCK; block++)
		if (!table.blocks[block] && !(table.blocks[block] = calloc(BLOCK, sizeof **table.blocks)))
			return false;
	return true;
}

static bool grow(void)
{
	uint32_t old = table.limit, limit = old ? 2 * old : BLOCK;
	uint64_t *taken = calloc(limit / BITS, sizeof *taken);
	uint32_t *chains = malloc(limit * sizeof *chains);

	if (!taken || !chains || !add_blocks(limit)) {
		free(taken);
		free(chains);
		return false;
	}
	if (old)
		memcpy(taken, table.taken, old / BITS * sizeof *taken);
	memset(chains, 0xff, limit * sizeof *chains);
	free(table.taken);
	free(table.chains);
	table.taken = taken;
	table.chains = chains;
	table.limit = limit;
	for (uint32_t number = 0; number < old; number++)
		if (taken[number / BITS] >> number % BITS & 1)
			chain_in(number);
	return true;
}

static uint32_t take_number(void)
{
	uint32_t word = table.first_free_word;

	while (word < table.limit / BITS && table.taken[word] == UINT64_MAX)
		word++;
	table.first_free_word = word;
	if (word == table.limit / BITS && !grow())
		return NO_REQUEST;
	uint32_t bit = (uint32_t)__builtin_ctzll(~table.taken[word]);
	table.taken[word] |= 1ull << bit;
	return word * BITS + bit;
}

int64_t request_add(uint64_t handle, const void *place, uint32_t traits)
{
	uint32_t number;

	process_lock_if_shared();
	number = take_number();
	if (number != NO_REQUEST) {
		struct request *request = request_get(number);
		request->handle = handle;
		request->place = place;
		request->traits = traits;
		chain_in(number);
	}
	process_unlock_if_shared();
	return number == NO_REQUEST ? ABSENT : (int64_t)number;
}

static uint32_t find(uint64_t handle, const void *place, uint32_t unwanted_traits)
{
	uint32_t found = NO_REQUEST;

	if (!table.limit)
		return NO_REQUEST;
	for (uint32_t at = table.chains[chain_of(handle)]; at != NO_REQUEST; at = request_get(at)->next) {
		if (request_get(at)->handle != handle || request_get(at)->traits & unwanted_traits)
			continue;
		found = at;
		if (request_get(at)->place == place)
			break;
	}
	return found;
}

uint32_t request_find(uint64_t handle, const void *place)
{
	uint32_t found;

	process_lock_if_shared();
	found = find(handle, place, 0);
	process_unlock_if_shared();
	return found;
}

uint32_t request_claim(uint64_t handle, const void *place)
{
	uint32_t found;

	process_lock_if_shared();
	found = find(handle, place, REQUEST_CLAIMED);
	if (found != NO_REQUEST)
		request_get(found)->traits |= REQUEST_CLAIMED;
	process_unlock_if_shared();
	return found;
}

void request_unclaim(uint32_t number)
{
	process_lock_if_shared();
	request_get(number)->traits &= ~(uint32_t)REQUEST_CLAIMED;
	process_unlock_if_shared();
}

void request_remove(uint32_t number)
{
	process_lock_if_shared();
	uint32_t *link = &table.chains[chain_of(request_get(number)->handle)];

	while (*link != number && *link != NO_REQUEST)
		link = &request_get(*link)->next;
	if (*link == number) {
		*link = request_get(number)->next;
		table.taken[number / BITS] &= ~(1ull << number % BITS);
		if (number / BITS < table.first_free_word)
			table.first_free_word = number / BITS;
	}
	process_unlock_if_shared();
}

static int64_t mark(uint64_t handle, const void *place, uint32_t trait)
{
	uint32_t number = request_find(handle, place);

	if (number == NO_REQUEST)
		return ABSENT;
	request_get(number)->traits |= trait;
	return number;
}

int64_t request_start(uint64_t handle, const void *place)
{
	return mark(handle, place, REQUEST_STARTED);
}

int64_t request_cancel(uint64_t handle, const void *place)
{
	return mark(handle, place, REQUEST_CANCELLED);
}
