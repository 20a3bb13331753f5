#include "job/record/requests.h"

#include <stdlib.h>
#include <string.h>

struct request_table request_table;

static bool add_blocks(uint32_t limit)
{
	if (limit > (uint32_t)REQUEST_BLOCK * REQUEST_BLOCKS)
		return false;
	for (uint32_t i = 1; i < limit / REQUEST_BLOCK; i++) {
		struct request **block = &request_table.blocks[i];
		if (!*block && !(*block = process_table(REQUEST_BLOCK, sizeof **block)))
			return false;
	}
	return true;
}

/* Newer entries come first: of requests with equal handles, the oldest is found last. */
static void chain_in(uint32_t number)
{
	uint32_t *chain = request_chain(request_get(number)->handle);

	request_get(number)->next = *chain;
	*chain = number;
}

void request_unchain(uint32_t number)
{
	struct request *request = request_get(number);
	uint32_t *link = request_chain(request->handle);

	while (*link != number && *link != NO_REQUEST)
		link = &request_get(*link)->next;
	if (*link == number)
		*link = request->next;
	request->next = request_table.pending;
	request->is_pending = true;
	request_table.pending = number + 1;
}

void requests_chain(void)
{
	uint32_t at = request_table.pending, next, oldest = 0;

	for (; at; at = next) {
		next = request_get(at - 1)->next;
		request_get(at - 1)->next = oldest;
		oldest = at;
	}
	for (at = oldest; at; at = next) {
		next = request_get(at - 1)->next;
		request_get(at - 1)->is_pending = false;
		chain_in(at - 1);
	}
	request_table.pending = 0;
}

static bool grow(void)
{
	uint32_t old = request_table.limit, limit = old ? 2 * old : REQUEST_BLOCK;
	uint64_t *free_bits = process_table(limit / REQUEST_BITS + 1, sizeof *free_bits);
	uint32_t *chains = process_table(limit, sizeof *chains);

	if (!free_bits || !chains || !add_blocks(limit)) {
		free(free_bits);
		free(chains);
		return false;
	}
	requests_chain();
	memset(free_bits + old / REQUEST_BITS, 0xff, (limit - old) / REQUEST_BITS * sizeof *free_bits);
	memset(chains, 0xff, limit * sizeof *chains);
	free(request_table.free);
	free(request_table.chains);
	request_table.free = free_bits;
	request_table.chains = chains;
	request_table.limit = limit;
	for (uint32_t number = 0; number < old; number++)
		chain_in(number);
	return true;
}

bool requests_find_free(void)
{
	uint32_t words = request_table.limit / REQUEST_BITS;

	while (request_table.first_free_word < words && !request_table.free[request_table.first_free_word])
		request_table.first_free_word++;
	return request_table.first_free_word < words || grow();
}

int64_t request_add_shared(uint64_t handle, const void *place, uint32_t traits)
{
	int64_t number;

	process_lock();
	number = request_add_locked(handle, place, traits);
	process_unlock();
	return number;
}

uint32_t request_find(uint64_t handle, const void *place)
{
	uint32_t found;

	process_lock_if_shared();
	found = request_find_locked(handle, place, 0);
	process_unlock_if_shared();
	return found;
}

void request_remove(uint32_t number)
{
	process_lock_if_shared();
	request_remove_locked(number);
	process_unlock_if_shared();
}

static int64_t mark(uint64_t handle, const void *place, uint32_t trait)
{
	uint32_t number = request_find(handle, place);

	if (number == NO_REQUEST)
		return ABSENT;
	request_get(number)->traits |= (uint16_t)trait;
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
