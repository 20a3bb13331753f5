/* Exposure epochs (MPI_Win_post … MPI_Win_wait) and the access epochs of their origins (MPI_Win_start …
 * MPI_Win_complete). Each origin and target form a pair, which belongs to both epochs. A pair begun by one
 * side is queued for the other side.
 *
 * A pair is settled when its access epoch is complete and its exposure epoch is known. An epoch is
 * written when it has ended and its pairs are settled. Targets that are not in the trace, or end without
 * a post, are ignored. */
#include "analysis/model/rma.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { PAIRS_MAX = 1 << 20, PAIRS_OF_EACH = 32 };

static int by_target(const void *a, const void *b)
{
	const struct access_epoch *x = a, *y = b;

	return x->target < y->target ? -1 : x->target > y->target;
}

static int by_origin(const void *a, const void *b)
{
	const struct exposure *x = a, *y = b;

	return x->origin < y->origin ? -1 : x->origin > y->origin;
}

static void end_epoch(struct rma *rma, struct epoch *epoch)
{
	enum epoch_side side = epoch->side;

	if (!epoch->is_over || epoch->missing)
		return;
	if (!epoch->is_void && side == SIDE_ACCESS) {
		struct origin_epoch group = {
			.window = epoch->window, .start = epoch->begin, .complete = epoch->end};
		struct access_epoch *rows = memory_new(epoch->count + 1u, sizeof *rows);
		uint32_t count = 0;
		for (const struct epoch_pair *pair = epoch->pairs; pair; pair = pair->next[SIDE_ACCESS])
			if (!pair->is_orphan)
				rows[count++] = (struct access_epoch){.target = pair->target,
				                                      .post = pair->post,
				                                      .first = pair->values.first,
				                                      .accesses = pair->values.accesses};
		qsort(rows, count, sizeof *rows, by_target);
		write_group(rma->rows, RELATION_ACCESS_EPOCH, &group, rows, count);
		free(rows);
	} else if (!epoch->is_void) {
		struct exposure_epoch group = {
			.window = epoch->window, .post = epoch->begin, .wait = epoch->end};
		struct exposure *rows = memory_new(epoch->count + 1u, sizeof *rows);
		uint32_t count = 0;
		for (const struct epoch_pair *pair = epoch->pairs; pair; pair = pair->next[SIDE_EXPOSURE])
			rows[count++] = pair->values;
		qsort(rows, count, sizeof *rows, by_origin);
		write_group(rma->rows, RELATION_EXPOSURE, &group, rows, count);
		free(rows);
	}
	if (side == SIDE_EXPOSURE) {
		rma->counts->open_exposures += epoch->is_void;
		rma->exposures_open--;
	}
	while (epoch->pairs) {
		struct epoch_pair *pair = epoch->pairs;
		epoch->pairs = pair->next[side];
		pair->epochs[side] = NULL;
		if (!pair->epochs[!side])
			store_give(&rma->pairs, pair);
	}
	store_give(&rma->epochs, epoch);
}

static void settle(struct rma *rma, struct epoch_pair *pair)
{
	struct epoch *exposure = pair->epochs[SIDE_EXPOSURE], *access = pair->epochs[SIDE_ACCESS];

	if (exposure) {
		exposure->is_void |= access->is_void;
		exposure->missing--;
	}
	access->missing--;
	end_epoch(rma, access);
	if (exposure)
		end_epoch(rma, exposure);
}

/* Queues of pairs that wait for their other side */

static struct pair_queue *new_queue(struct rma *rma, uint32_t *number)
{
	if (rma->free_queue != UINT32_MAX) {
		*number = rma->free_queue;
		rma->free_queue = rma->queues[*number].next_free;
	} else {
		*number = rma->queue_count++;
		array_fit(rma->queues, rma->queue_room, *number + 1u);
	}
	rma->queues[*number] = (struct pair_queue){0};
	return &rma->queues[*number];
}

static void queue_add(struct rma *rma, struct map_key key, struct epoch_pair *pair, uint32_t process)
{
	uint32_t *number = map_put(&rma->by_pair, key);
	struct pair_queue *queue = *number == UINT32_MAX ? new_queue(rma, number) : &rma->queues[*number];

	pair->process = process;
	rma->processes[process].waiting++;
	rma->pair_count++;
	if (queue->last)
		queue->last->next_queued = pair;
	else
		queue->first = pair;
	queue->last = pair;
}

/* The first pair in the queue without this side. */
static struct epoch_pair *queue_take(struct rma *rma, struct map_key key, enum epoch_side side)
{
	const uint32_t *number = map_find(&rma->by_pair, key);
	struct pair_queue *queue = number ? &rma->queues[*number] : NULL;
	struct epoch_pair *pair = queue ? queue->first : NULL;

	if (!pair || pair->is_begun[side])
		return NULL;
	queue->first = pair->next_queued;
	rma->processes[pair->process].waiting--;
	rma->pair_count--;
	if (!queue->first) {
		queue->next_free = rma->free_queue;
		rma->free_queue = *number;
		map_remove(&rma->by_pair, key);
	}
	return pair;
}

/* If one of the two sides was never recorded, the other would wait for ever. */
static bool is_followed(const struct rma *rma, const struct window_member *member)
{
	return (wants_rows(rma->rows, RELATION_EXPOSURE) || wants_rows(rma->rows, RELATION_ACCESS_EPOCH)) &&
	       member->window->comm != NO_COMM &&
	       rma->pair_count < PAIRS_MAX + PAIRS_OF_EACH * rma->reader->process_count;
}

static struct epoch *begin_epoch(struct rma *rma, struct window_member *member, enum epoch_side side,
                                 const struct occurrence *call)
{
	struct epoch *epoch = store_take(&rma->epochs);

	epoch->window = member->window->identity;
	epoch->side = side;
	epoch->begin = *call;
	member->epoch[side] = epoch;
	rma->exposures_open += side == SIDE_EXPOSURE;
	return epoch;
}

/* The pair with this peer, found or new. NULL: the peer does not take part any more. */
static struct epoch_pair *begin_pair(struct rma *rma, struct window_member *member, struct epoch *epoch,
                                     uint32_t peer)
{
	enum epoch_side side = epoch->side;
	uint32_t target = side == SIDE_EXPOSURE ? member->rank : peer,
		 origin = side == SIDE_EXPOSURE ? peer : member->rank,
		 process = process_at(rma, member, peer);
	struct map_key key = map_key(member->window->identity, (uint64_t)target << 32 | origin);
	struct epoch_pair *pair = process == NO_PROCESS ? NULL : queue_take(rma, key, side);
	bool is_new = !pair, is_lost = is_new && (process == NO_PROCESS || rma->processes[process].is_gone);

	if (is_lost && side == SIDE_EXPOSURE) {
		epoch->is_void |= process != NO_PROCESS;
		return NULL;
	}
	if (is_new) {
		pair = store_take(&rma->pairs);
		pair->target = target;
		pair->values.origin = origin;
		pair->is_orphan = is_lost;
	}
	pair->is_begun[side] = true;
	pair->epochs[side] = epoch;
	pair->next[side] = epoch->pairs;
	epoch->pairs = pair;
	epoch->count++;
	epoch->missing++;
	if (is_new && !is_lost)
		queue_add(rma, key, pair, epoch->begin.semantics->process);
	return pair;
}

static bool next_member(const struct call *call, uint32_t *at, uint32_t *rank)
{
	for (; *at < field_count(call); ++*at) {
		struct field field = field_at(call, *at);
		if (field.key == FIELD_MEMBER && field.value >= 0 && field.value < NO_TARGET) {
			*rank = (uint32_t)field.value;
			++*at;
			return true;
		}
	}
	return false;
}

/* `call` is NULL if the end of the epoch is missing: another one began inside it. */
static void close_epoch(struct rma *rma, struct window_member *member, enum epoch_side side,
                        const struct occurrence *call)
{
	struct epoch *epoch = member->epoch[side];

	member->epoch[side] = NULL;
	if (!epoch)
		return;
	epoch->is_void |= !call;
	for (struct epoch_pair *pair = side == SIDE_ACCESS ? epoch->pairs : NULL, *next; pair; pair = next) {
		next = pair->next[SIDE_ACCESS];
		target_of(member, pair->target)->pair = NULL;
		pair->is_complete = true;
		if (call)
			pair->values.complete = *call;
		if (pair->epochs[SIDE_EXPOSURE] || pair->is_orphan)
			settle(rma, pair);
	}
	if (call)
		epoch->end = *call;
	epoch->is_over = true;
	end_epoch(rma, epoch);
}

/* The target's side */

void exposure_post(struct rma *rma, struct window_member *member, struct member_target *there,
                   const struct occurrence *call)
{
	struct epoch *epoch;
	uint32_t at = 0, origin;

	(void)there;
	if (!is_followed(rma, member))
		return;
	close_epoch(rma, member, SIDE_EXPOSURE, NULL);
	epoch = begin_epoch(rma, member, SIDE_EXPOSURE, call);
	while (next_member(call->semantics->call, &at, &origin)) {
		struct epoch_pair *pair = begin_pair(rma, member, epoch, origin);
		if (!pair)
			continue;
		pair->post = *call;
		if (pair->is_complete)
			settle(rma, pair);
	}
}

void exposure_wait(struct rma *rma, struct window_member *member, struct member_target *there,
                   const struct occurrence *call)
{
	(void)there;
	if (field_of(call, FIELD_FLAG, 1))
		close_epoch(rma, member, SIDE_EXPOSURE, call);
}

/* The origin's side */

void exposure_start(struct rma *rma, struct window_member *member, struct member_target *there,
                    const struct occurrence *call)
{
	struct epoch *epoch;
	uint32_t at = 0, target;

	(void)there;
	if (!is_followed(rma, member))
		return;
	close_epoch(rma, member, SIDE_ACCESS, NULL);
	epoch = begin_epoch(rma, member, SIDE_ACCESS, call);
	while (next_member(call->semantics->call, &at, &target)) {
		struct epoch_pair *pair = begin_pair(rma, member, epoch, target);
		pair->values.start = pair->values.first = pair->values.last = *call;
		target_of(member, target)->pair = pair;
	}
}

void exposure_access(struct epoch_pair *pair, const struct occurrence *call)
{
	if (!pair->values.accesses++)
		pair->values.first = *call;
	pair->values.last = *call;
}

void exposure_complete(struct rma *rma, struct window_member *member, struct member_target *there,
                       const struct occurrence *call)
{
	(void)there;
	close_epoch(rma, member, SIDE_ACCESS, call);
}
