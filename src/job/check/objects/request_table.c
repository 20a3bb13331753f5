#include "job/check/objects/request_table.h"

#include <stdlib.h>
#include <string.h>

struct checked_request_table checked_requests = {.free = NO_REQUEST};

static uint32_t *chain_of(uint64_t handle)
{
	return &checked_requests.chains[(handle >> 3 ^ handle >> 12 ^ handle) & (checked_requests.limit - 1)];
}

static void chain_in(struct checked_request *request)
{
	uint32_t *chain = chain_of(request->handle);

	request->previous = NO_REQUEST;
	request->next = *chain;
	if (request->next != NO_REQUEST)
		request_get(request->next)->previous = request->number;
	*chain = request->number;
}

static void chain_out(const struct checked_request *request)
{
	if (request->previous == NO_REQUEST)
		*chain_of(request->handle) = request->next;
	else
		request_get(request->previous)->next = request->next;
	if (request->next != NO_REQUEST)
		request_get(request->next)->previous = request->previous;
}

static void add_block(uint32_t first)
{
	for (uint32_t i = REQUEST_BLOCK; i-- > 0;) {
		struct checked_request *request = request_get(first + i);
		request->number = first + i;
		request->claim_next = checked_requests.free;
		checked_requests.free = request->number;
	}
}

static bool grow(void)
{
	const uint32_t old = checked_requests.limit, limit = old ? 2 * old : REQUEST_BLOCK;
	uint32_t *chains;

	if (limit > (uint32_t)REQUEST_BLOCK * REQUEST_BLOCKS || !(chains = host_table(limit, sizeof *chains)))
		return false;
	for (uint32_t i = old / REQUEST_BLOCK; i < limit / REQUEST_BLOCK; i++) {
		struct checked_request **block = &checked_requests.blocks[i];
		if (!*block && !(*block = host_table(REQUEST_BLOCK, sizeof **block))) {
			free(chains);
			return false;
		}
	}
	memset(chains, 0xff, limit * sizeof *chains);
	free(checked_requests.chains);
	checked_requests.chains = chains;
	checked_requests.limit = limit;
	for (uint32_t first = limit; first > old; first -= REQUEST_BLOCK)
		add_block(first - REQUEST_BLOCK);
	for (uint32_t number = 0; number < old; number++)
		if (request_get(number)->flags & REQUEST_TAKEN)
			chain_in(request_get(number));
	return true;
}

static uint32_t *variable_slot(const void *variable)
{
	const uintptr_t address = (uintptr_t)variable / sizeof(MPI_Fint);

	return &checked_requests.by_variable[(address ^ address >> 12) % REQUEST_VARIABLES];
}

struct checked_request *request_of_variable(const void *variable)
{
	const uint32_t number = *variable_slot(variable);
	struct checked_request *request = number ? request_get(number - 1) : NULL;

	return request && request->flags & REQUEST_TAKEN && request->variable == variable ? request : NULL;
}

struct checked_request *request_add(uint64_t handle, const void *variable, uint32_t flags)
{
	struct checked_request *request;
	const uint32_t number = checked_requests.free;

	if (UNLIKELY(number == NO_REQUEST))
		return grow() ? request_add(handle, variable, flags) : NULL;
	request = request_get(number);
	checked_requests.free = request->claim_next;
	*request = (struct checked_request){
		.handle = handle, .variable = variable, .number = number, .flags = flags | REQUEST_TAKEN};
	chain_in(request);
	*variable_slot(variable) = number + 1;
	checked_requests.live++;
	return request;
}

bool request_reserve(void)
{
	return checked_requests.free != NO_REQUEST || grow();
}

static struct request_memory *ended_slot(uint64_t handle)
{
	return &checked_requests.ended[(handle >> 3 ^ handle >> 12 ^ handle) % ENDED_REQUESTS];
}

void request_remove(struct checked_request *request, enum call_id ended_by)
{
	chain_out(request);
	*ended_slot(request->handle) = (struct request_memory){.handle = request->handle,
	                                                       .created_by = request->created_by,
	                                                       .created_at = request->created_at,
	                                                       .fortran = request->fortran,
	                                                       .ended_by = ended_by,
	                                                       .known = true};
	request->flags = 0;
	request->claim_next = checked_requests.free;
	checked_requests.free = request->number;
	checked_requests.live--;
}

const struct request_memory *request_find_ended(uint64_t handle)
{
	const struct request_memory *ended = ended_slot(handle);

	return ended->known && ended->handle == handle ? ended : NULL;
}

const struct request_memory *request_find_ended_fortran(int32_t fortran)
{
	for (uint32_t i = 0; i < ENDED_REQUESTS; i++)
		if (checked_requests.ended[i].known && checked_requests.ended[i].fortran == fortran)
			return &checked_requests.ended[i];
	return NULL;
}

uint32_t request_first(uint64_t handle)
{
	return checked_requests.limit ? *chain_of(handle) : NO_REQUEST;
}

struct checked_request *request_look_up(uint64_t handle, const void *variable, uint32_t unwanted_flags)
{
	struct checked_request *found = NULL;

	if (UNLIKELY(!checked_requests.limit))
		return NULL;
	for (uint32_t at = *chain_of(handle); at != NO_REQUEST;) {
		struct checked_request *request = request_get(at);
		if (request->handle == handle && !(request->flags & unwanted_flags)) {
			found = request;
			if (request->variable == variable)
				break;
		}
		at = request->next;
	}
	return found;
}

bool request_next(uint32_t *position, struct checked_request **request)
{
	while (*position < checked_requests.limit) {
		struct checked_request *at = request_get((*position)++);
		if (at->flags & REQUEST_TAKEN) {
			*request = at;
			return true;
		}
	}
	return false;
}
