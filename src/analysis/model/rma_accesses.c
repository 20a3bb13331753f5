/* Accesses, from the call to the end of their epoch, and fences. The k-th fences of all processes of a window
 * are one fence, which ends the epoch of accesses since the previous one. It is written when all of the
 * window's processes in the trace have passed it. */
#include "analysis/model/rma.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are the lowest free ones; accesses with larger ones, in a damaged trace, end with their epoch. */
enum { LARGEST_REQUEST = 1 << 16 };

static void chain_add(struct access_chain *chain, struct open_access *access, int which)
{
	access->links[which].previous = chain->last;
	access->links[which].next = NULL;
	if (chain->last)
		chain->last->links[which].next = access;
	else
		chain->first = access;
	chain->last = access;
}

static void chain_remove(struct access_chain *chain, struct open_access *access, int which)
{
	struct open_access *next = access->links[which].next, *previous = access->links[which].previous;

	if (next)
		next->links[which].previous = previous;
	else
		chain->last = previous;
	if (previous)
		previous->links[which].next = next;
	else
		chain->first = next;
}

static void note_request(struct rma_process *own, struct open_access *access)
{
	if (access->request < 0 || access->request >= LARGEST_REQUEST)
		return;
	array_fit_zeroed(own->by_request, own->request_room, (uint64_t)access->request + 1);
	own->requests += !own->by_request[access->request];
	own->by_request[access->request] = access;
}

void access_open(struct rma *rma, struct window_member *member, struct member_target *there,
                 const struct occurrence *call)
{
	struct open_access *access = store_take(&rma->accesses);

	access->values = (struct access){.window = member->window->identity,
	                                 .origin = member->rank,
	                                 .target = there->rank,
	                                 .call = *call};
	access->request = call->semantics->does & CALL_HAS_REQUEST ? call->semantics->request : -1;
	access->member = member;
	access->target_index = (uint32_t)(there - member->targets);
	chain_add(&member->accesses, access, CHAIN_WINDOW);
	chain_add(&there->accesses, access, CHAIN_TARGET);
	note_request(&rma->processes[call->semantics->process], access);
}

static void drop(struct rma *rma, struct rma_process *own, struct open_access *access)
{
	struct window_member *member = access->member;

	if (access->request >= 0 && (uint64_t)access->request < own->request_room &&
	    own->by_request[access->request] == access) {
		own->by_request[access->request] = NULL;
		own->requests--;
	}
	chain_remove(&member->accesses, access, CHAIN_WINDOW);
	chain_remove(&member->targets[access->target_index].accesses, access, CHAIN_TARGET);
	store_give(&rma->accesses, access);
}

static void end_access(struct rma *rma, struct open_access *access, const struct occurrence *call)
{
	access->values.close = *call;
	write_row(rma->rows, RELATION_ACCESS, &access->values);
	drop(rma, &rma->processes[call->semantics->process], access);
}

void access_close(struct rma *rma, struct access_chain *chain, const struct occurrence *call)
{
	while (chain->first)
		end_access(rma, chain->first, call);
}

/* Other completions in the same call would be another reason to wait. */
void access_wait(struct rma *rma, const struct rma_process *own, const struct occurrence *call)
{
	const struct semantics_kind *kind = call->semantics->kind;
	struct open_access **found = memory_new(kind->completed_count + 1u, sizeof(struct open_access *));
	uint32_t count = 0;

	for (uint32_t i = 0; i < kind->completed_count; i++) {
		int64_t request = kind->completed[i].request;
		if (request >= 0 && (uint64_t)request < own->request_room && own->by_request[request])
			found[count++] = own->by_request[request];
	}
	if (count == kind->completed_count)
		passive_complete(rma, found, count, call);
	free(found);
}

void access_close_request(struct rma *rma, struct rma_process *own, int64_t request,
                          const struct occurrence *call)
{
	if (request >= 0 && (uint64_t)request < own->request_room && own->by_request[request])
		end_access(rma, own->by_request[request], call);
}

void access_abandon(struct rma *rma, struct window_member *member, struct rma_process *own)
{
	while (member->accesses.first) {
		rma->counts->open_accesses++;
		drop(rma, own, member->accesses.first);
	}
}

/* The most pending fences of a window: then one of its processes has lost some, and the first is dropped. */
enum { FENCES_MAX = 4096 };

struct fence_row {
	struct fence values;
	bool came;
};

struct fence_epoch {
	struct fence_epoch *next; /* the one after it */
	uint32_t came, size;
	struct fence_row rows[]; /* by rank */
};

static const struct side *side_of(const struct rma *rma, const struct window *window)
{
	return &rma->comms->comms[window->comm].sides[0];
}

/* A size inconsistent with the members in the trace is ignored. */
static bool is_followed(const struct rma *rma, const struct window *window)
{
	const struct side *side;

	if (!wants_rows(rma->rows, RELATION_FENCE) || window->comm == NO_COMM)
		return false;
	side = side_of(rma, window);
	return side->size <= 1024 + 16 * (uint64_t)side->present;
}

static struct fence_epoch *new_fence(const struct rma *rma, const struct window *window)
{
	uint64_t size = side_of(rma, window)->size;
	struct fence_epoch *fence = memory_new(1, sizeof *fence + size * sizeof *fence->rows);

	fence->size = (uint32_t)size;
	return fence;
}

/* It is complete, or never will be. */
static void drop_first(struct rma *rma, struct window *window)
{
	struct fence_epoch *fence = window->fences;

	for (uint32_t i = 0; i < fence->size; i++)
		if (fence->rows[i].came)
			rma->processes[fence->rows[i].values.call.semantics->process].waiting--;
	window->fences = fence->next;
	window->first_fence++;
	window->fence_count--;
	free(fence);
}

/* NULL: it was completed without this one. */
static struct fence_epoch *find_fence(struct rma *rma, struct window *window, uint64_t number)
{
	struct fence_epoch **at = &window->fences;

	if (number < window->first_fence)
		return NULL;
	for (uint64_t i = window->first_fence; *at && i < number; i++)
		at = &(*at)->next;
	if (*at)
		return *at;
	*at = new_fence(rma, window);
	window->fence_count++;
	return *at;
}

void fence_access(struct rma *rma, struct window_member *member, struct member_target *there,
                  const struct occurrence *call)
{
	struct fence_epoch *fence;
	struct fence *part;

	if (!is_followed(rma, member->window) || there->rank == member->rank)
		return;
	fence = find_fence(rma, member->window, member->fences);
	if (!fence || there->rank >= fence->size)
		return;
	part = &fence->rows[there->rank].values;
	part->accesses++;
	part->origins += there->fences != member->fences + 1;
	there->fences = member->fences + 1;
	if (!part->last.semantics || call->end > part->last.end)
		part->last = *call;
}

static void write_fence(struct rma *rma, const struct window *window, const struct fence_epoch *fence)
{
	struct fence *parts = memory_new(fence->came + 1u, sizeof *parts);
	struct window_fence group = {.window = window->identity, .size = fence->size};
	uint32_t count = 0;

	for (uint32_t i = 0; i < fence->size; i++) {
		const struct fence_row *row = &fence->rows[i];
		if (!row->came)
			continue;
		parts[count] = row->values;
		parts[count].rank = i;
		if (!row->values.last.semantics)
			parts[count].last = row->values.call;
		count++;
	}
	write_group(rma->rows, RELATION_FENCE, &group, parts, count);
	free(parts);
}

void fence_pass(struct rma *rma, struct window_member *member, struct member_target *there,
                const struct occurrence *call)
{
	struct window *window = member->window;
	struct fence_epoch *fence;
	uint64_t number = member->fences++;

	(void)there;
	if (!is_followed(rma, window))
		return;
	fence = find_fence(rma, window, number);
	if (!fence || member->rank >= fence->size || fence->rows[member->rank].came)
		return;
	fence->rows[member->rank].came = true;
	fence->rows[member->rank].values.call = *call;
	rma->processes[call->semantics->process].waiting++;
	if (++fence->came < side_of(rma, window)->present) {
		if (window->fence_count > FENCES_MAX)
			drop_first(rma, window);
		return;
	}
	write_fence(rma, window, fence);
	while (window->first_fence <= number)
		drop_first(rma, window);
}

void fences_release(struct window *window)
{
	while (window->fences) {
		struct fence_epoch *next = window->fences->next;
		free(window->fences);
		window->fences = next;
	}
}
