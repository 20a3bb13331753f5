/* Accesses from the call to what ends their epoch. */
#include "analysis/model/rma.h"
#include "base/array.h"

#include <string.h>

/* Numbers are the lowest that are free; accesses with larger ones, of a damaged trace, end with their epoch. */
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

static void note_request(struct party *party, struct open_access *access)
{
	if (access->request < 0 || access->request >= LARGEST_REQUEST)
		return;
	array_fit_zeroed(party->by_request, party->request_room, (uint64_t)access->request + 1);
	party->requests += !party->by_request[access->request];
	party->by_request[access->request] = access;
}

void access_open(struct rma *rma, struct use *use, uint32_t target, const struct occurrence *call)
{
	struct open_access *access = store_take(&rma->accesses);
	struct target_use *there = target_of(use, target);

	access->values = (struct access){
		.window = use->window->identity, .origin = use->rank, .target = target, .call = *call};
	access->request = call->semantics->does & CALL_HAS_REQUEST ? call->semantics->request : -1;
	access->use = use;
	access->target_index = (uint32_t)(there - use->targets);
	chain_add(&use->accesses, access, CHAIN_WINDOW);
	chain_add(&there->accesses, access, CHAIN_TARGET);
	note_request(&rma->parties[call->semantics->process], access);
}

static bool has_request(const struct party *party, const struct open_access *access)
{
	return access->request >= 0 && (uint64_t)access->request < party->request_room &&
	       party->by_request[access->request] == access;
}

static void drop(struct rma *rma, struct party *party, struct open_access *access)
{
	struct use *use = access->use;

	if (has_request(party, access)) {
		party->by_request[access->request] = NULL;
		party->requests--;
	}
	chain_remove(&use->accesses, access, CHAIN_WINDOW);
	chain_remove(&use->targets[access->target_index].accesses, access, CHAIN_TARGET);
	store_give(&rma->accesses, access);
}

static void end_access(struct rma *rma, struct open_access *access, const struct occurrence *call)
{
	access->values.close = *call;
	write_row(rma->rows, RELATION_ACCESS, &access->values);
	drop(rma, &rma->parties[call->semantics->process], access);
}

void access_close_target(struct rma *rma, struct use *use, uint32_t target, const struct occurrence *call)
{
	const uint32_t *index = map_find(&use->by_target, map_key(target, 0));

	while (index && use->targets[*index].accesses.first)
		end_access(rma, use->targets[*index].accesses.first, call);
}

void access_close_all(struct rma *rma, struct use *use, const struct occurrence *call)
{
	while (use->accesses.first)
		end_access(rma, use->accesses.first, call);
}

void access_close_request(struct rma *rma, struct party *party, int64_t request,
                          const struct occurrence *call)
{
	if (request >= 0 && (uint64_t)request < party->request_room && party->by_request[request])
		end_access(rma, party->by_request[request], call);
}

void access_abandon(struct rma *rma, struct use *use, struct party *party)
{
	while (use->accesses.first) {
		rma->counts->open_accesses++;
		drop(rma, party, use->accesses.first);
	}
}
