#include "job/record/requests.h"

#include <stdlib.h>
#include <string.h>

struct request_table request_table;

static struct request *new_block(void)
{
	struct request *block = calloc(REQUEST_BLOCK, sizeof *block);

	if (!block)
		process_note_lack();
	return block;
}

static bool add_blocks(uint32_t limit)
{
	if (limit > (uint32_t)REQUEST_BLOCK * REQUEST_BLOCKS)
		return false;
	for (uint32_t i = request_table.limit / REQUEST_BLOCK; i < limit / REQUEST_BLOCK; i++) {
		struct request **block = &request_table.blocks[i];
		if (!*block && !(*block = new_block()))
			return false;
	}
	return true;
}

/* Newer ones first: the oldest of equal handles is found last. */
static void chain_in(uint32_t number)
{
	uint32_t *chain = request_chain(request_get(number)->handle);

	request_get(number)->next = *chain;
	*chain = number;
}

static void chain_out(uint32_t number)
{
	uint32_t *link = request_chain(request_get(number)->handle);

	while (*link != number && *link != NO_REQUEST)
		link = &request_get(*link)->next;
	if (*link == number)
		*link = request_get(number)->next;
}

void request_unchain(uint32_t number)
{
	struct request *request = request_get(number);

	chain_out(number);
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

bool requests_grow(void)
{
	uint32_t old = request_table.limit, limit = old ? 2 * old : REQUEST_BLOCK;
	uint64_t *taken = process_table(limit / REQUEST_BITS, sizeof *taken);
	uint32_t *chains = process_table(limit, sizeof *chains);

	if (!taken || !chains || !add_blocks(limit)) {
		free(taken);
		free(chains);
		return false;
	}
	requests_chain();
	if (old)
		memcpy(taken, request_table.taken, old / REQUEST_BITS * sizeof *taken);
	memset(chains, 0xff, limit * sizeof *chains);
	free(request_table.taken);
	free(request_table.chains);
	request_table.taken = taken;
	request_table.chains = chains;
	request_table.limit = limit;
	for (uint32_t number = 0; number < old; number++)
		chain_in(number);
	return true;
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
