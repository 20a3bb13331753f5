/* Exposure epochs (MPI_Win_post … MPI_Win_wait) and the access epochs of their origins (MPI_Win_start …
 * MPI_Win_complete). What one side did first waits in the queue of the pair for the other. */
#include "analysis/model/rma.h"
#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>

enum { SLOTS_MAX = 1 << 20, SLOTS_OF_EACH = 32 };

/* Access epochs with the posts that they needed: written when they are complete and the posts of all their targets are known.
 * Targets that are not in the trace, or end without a post, are left out. */

/* NULL if nobody asks for access epochs. */
static struct outgoing *outgoing_new(struct rma *rma, const struct window_member *member,
                                     const struct occurrence *start)
{
	struct outgoing *outgoing;

	if (!wants_rows(rma->rows, RELATION_ACCESS_EPOCH))
		return NULL;
	outgoing = store_take(&rma->outgoing);
	outgoing->values = (struct origin_epoch){.window = member->window->identity, .start = *start};
	return outgoing;
}

static void outgoing_add(struct rma *rma, struct outgoing *outgoing, struct epoch_part *part)
{
	struct target_row *row;

	if (!outgoing)
		return;
	row = store_take(&rma->target_rows);
	row->outgoing = outgoing;
	row->next = outgoing->rows;
	row->values.target = part->target;
	outgoing->rows = row;
	outgoing->missing++;
	part->row = row;
}

static int by_target(const void *a, const void *b)
{
	const struct access_epoch *x = a, *y = b;

	return x->target < y->target ? -1 : x->target > y->target;
}

static void write_access_epoch(struct rma *rma, struct outgoing *outgoing)
{
	uint32_t count = 0;
	struct access_epoch *targets;

	for (const struct target_row *row = outgoing->rows; row; row = row->next)
		count += !row->is_left_out;
	targets = memory_new(count + 1u, sizeof *targets);
	count = 0;
	for (const struct target_row *row = outgoing->rows; row; row = row->next)
		if (!row->is_left_out)
			targets[count++] = row->values;
	qsort(targets, count, sizeof *targets, by_target);
	write_group(rma->rows, RELATION_ACCESS_EPOCH, &outgoing->values, targets, count);
	free(targets);
}

static void end_access_epoch(struct rma *rma, struct outgoing *outgoing)
{
	if (!outgoing->is_over || outgoing->missing)
		return;
	if (!outgoing->is_void)
		write_access_epoch(rma, outgoing);
	while (outgoing->rows) {
		struct target_row *row = outgoing->rows;
		outgoing->rows = row->next;
		store_give(&rma->target_rows, row);
	}
	store_give(&rma->outgoing, outgoing);
}

static void settle_row(struct rma *rma, struct epoch_part *part)
{
	struct outgoing *outgoing = part->row->outgoing;

	part->row = NULL;
	outgoing->missing--;
	end_access_epoch(rma, outgoing);
}

static void outgoing_access(struct epoch_part *part, const struct occurrence *call)
{
	if (part->row && !part->row->values.accesses++)
		part->row->values.first = *call;
}

/* It is known which post the part needed. */
static void outgoing_posted(struct rma *rma, struct epoch_part *part)
{
	if (!part->row)
		return;
	part->row->values.post = part->epoch->post;
	if (part->is_complete)
		settle_row(rma, part);
}

/* Rows whose posts are not known yet stay. */
static void outgoing_part_over(struct rma *rma, struct epoch_part *part)
{
	if (!part->row)
		return;
	part->row->is_left_out = part->is_orphan;
	if (!part->row->values.accesses)
		part->row->values.first = part->values.start;
	if (part->epoch || part->is_orphan)
		settle_row(rma, part);
}

/* `complete` is NULL if its end is missing. */
static void outgoing_over(struct rma *rma, struct outgoing *outgoing, const struct occurrence *complete)
{
	if (!outgoing)
		return;
	outgoing->is_over = true;
	if (complete)
		outgoing->values.complete = *complete;
	else
		outgoing->is_void = true;
	end_access_epoch(rma, outgoing);
}

/* Queues */

static struct map_key pair_of(const struct window_member *member, uint32_t target, uint32_t origin)
{
	return map_key(member->window->identity, (uint64_t)target << 32 | origin);
}

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

static void queue_add(struct rma *rma, struct map_key key, struct epoch *epoch, struct epoch_part *part)
{
	uint32_t *number = map_put(&rma->by_pair, key);
	struct pair_queue *queue = *number == UINT32_MAX ? new_queue(rma, number) : &rma->queues[*number];
	struct epoch_slot *slot = store_take(&rma->slots);

	slot->epoch = epoch;
	slot->part = part;
	slot->process = epoch ? epoch->post.semantics->process : part->values.start.semantics->process;
	rma->processes[slot->process].waiting++;
	rma->slot_count++;
	if (queue->last)
		queue->last->next = slot;
	else
		queue->first = slot;
	queue->last = slot;
}

/* The first that waits in the queue, if it is of the side asked for. */
static bool queue_take(struct rma *rma, struct map_key key, bool of_parts, struct epoch_slot *found)
{
	const uint32_t *number = map_find(&rma->by_pair, key);
	struct pair_queue *queue = number ? &rma->queues[*number] : NULL;
	struct epoch_slot *slot = queue ? queue->first : NULL;

	if (!slot || (slot->part != NULL) != of_parts)
		return false;
	*found = *slot;
	queue->first = slot->next;
	rma->processes[slot->process].waiting--;
	rma->slot_count--;
	store_give(&rma->slots, slot);
	if (!queue->first) {
		queue->next_free = rma->free_queue;
		rma->free_queue = *number;
		map_remove(&rma->by_pair, key);
	}
	return true;
}

/* Exposure epochs */

static int by_origin(const void *a, const void *b)
{
	const struct exposure *x = a, *y = b;

	return x->origin < y->origin ? -1 : x->origin > y->origin;
}

static void write_exposures(struct rma *rma, const struct epoch *epoch)
{
	uint32_t count = 0;
	struct exposure_epoch group = {.window = epoch->window, .post = epoch->post, .wait = epoch->wait};

	array_fit(rma->scratch, rma->scratch_room, epoch->count);
	for (const struct epoch_part *part = epoch->parts; part; part = part->next)
		rma->scratch[count++] = part->values;
	qsort(rma->scratch, count, sizeof *rma->scratch, by_origin);
	write_group(rma->rows, RELATION_EXPOSURE, &group, rma->scratch, count);
}

static void end_exposure_epoch(struct rma *rma, struct epoch *epoch)
{
	if (!epoch->is_over || epoch->missing)
		return;
	if (!epoch->is_unmatchable && epoch->count)
		write_exposures(rma, epoch);
	rma->counts->open_exposures += epoch->is_unmatchable;
	rma->epochs_open--;
	while (epoch->parts) {
		struct epoch_part *part = epoch->parts;
		epoch->parts = part->next;
		store_give(&rma->parts, part);
	}
	store_give(&rma->epochs, epoch);
}

/* The part is complete, and it is known to which epoch it belongs. */
static void add_part(struct rma *rma, struct epoch_part *part)
{
	struct epoch *epoch = part->epoch;

	part->next = epoch->parts;
	epoch->parts = part;
	epoch->count++;
	epoch->missing--;
	epoch->is_unmatchable |= part->is_void;
	end_exposure_epoch(rma, epoch);
}

/* Where one of the two sides was never recorded, the other would wait without end. */
static bool is_followed(const struct rma *rma, const struct window_member *member)
{
	return (wants_rows(rma->rows, RELATION_EXPOSURE) || wants_rows(rma->rows, RELATION_ACCESS_EPOCH)) &&
	       member->window->comm != NO_COMM &&
	       rma->slot_count < SLOTS_MAX + SLOTS_OF_EACH * rma->reader->process_count;
}

/* The target's side */

static void expect_part(struct rma *rma, const struct window_member *member, struct epoch *epoch,
                        uint32_t origin)
{
	struct map_key key = pair_of(member, member->rank, origin);
	uint32_t process = process_at(rma, member, origin);
	struct epoch_slot found;

	if (process == NO_PROCESS)
		return;
	if (queue_take(rma, key, true, &found)) {
		epoch->missing++;
		found.part->epoch = epoch;
		outgoing_posted(rma, found.part);
		if (found.part->is_complete)
			add_part(rma, found.part);
	} else if (rma->processes[process].is_gone) {
		epoch->is_unmatchable = true;
	} else {
		epoch->missing++;
		queue_add(rma, key, epoch, NULL);
	}
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

/* An epoch that is begun inside another: the end of that one is missing, and it will not be written. */
static void abandon_epoch(struct rma *rma, struct window_member *member)
{
	struct epoch *epoch = member->exposed;

	member->exposed = NULL;
	if (!epoch)
		return;
	epoch->is_unmatchable = epoch->is_over = true;
	end_exposure_epoch(rma, epoch);
}

void exposure_post(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	struct epoch *epoch;
	uint32_t at = 0, origin;

	if (!is_followed(rma, member))
		return;
	abandon_epoch(rma, member);
	epoch = store_take(&rma->epochs);
	rma->epochs_open++;
	epoch->window = member->window->identity;
	epoch->post = *call;
	member->exposed = epoch;
	while (next_member(call->semantics->call, &at, &origin))
		expect_part(rma, member, epoch, origin);
}

void exposure_wait(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	struct epoch *epoch = member->exposed;

	if (!epoch || !field_of(call, FIELD_FLAG, 1))
		return;
	member->exposed = NULL;
	epoch->wait = *call;
	epoch->is_over = true;
	end_exposure_epoch(rma, epoch);
}

/* The origin's side */

static void find_epoch(struct rma *rma, const struct window_member *member, struct epoch_part *part)
{
	struct map_key key = pair_of(member, part->target, member->rank);
	uint32_t process = process_at(rma, member, part->target);
	bool is_there = process != NO_PROCESS;
	struct epoch_slot found;

	if (is_there && queue_take(rma, key, false, &found))
		part->epoch = found.epoch;
	else if (is_there && !rma->processes[process].is_gone)
		queue_add(rma, key, NULL, part);
	else
		part->is_orphan = true;
}

static void begin_part(struct rma *rma, struct window_member *member, const struct occurrence *call,
                       uint32_t target)
{
	struct epoch_part *part = store_take(&rma->parts);

	part->values = (struct exposure){
		.start = *call, .first = *call, .last = *call, .origin = member->rank};
	part->target = target;
	part->next = member->parts;
	member->parts = part;
	target_of(member, target)->part = part;
	outgoing_add(rma, member->outgoing, part);
	find_epoch(rma, member, part);
	if (part->epoch)
		outgoing_posted(rma, part);
}

/* `call` is NULL if their end is missing. */
static void end_parts(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	while (member->parts) {
		struct epoch_part *part = member->parts;
		member->parts = part->next;
		target_of(member, part->target)->part = NULL;
		part->is_complete = true;
		if (call)
			part->values.complete = *call;
		else
			part->is_void = true;
		outgoing_part_over(rma, part);
		if (part->is_orphan)
			store_give(&rma->parts, part);
		else if (part->epoch)
			add_part(rma, part);
	}
	outgoing_over(rma, member->outgoing, call);
	member->outgoing = NULL;
}

void exposure_start(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	uint32_t at = 0, target;

	if (!is_followed(rma, member))
		return;
	end_parts(rma, member, NULL);
	member->outgoing = outgoing_new(rma, member, call);
	while (next_member(call->semantics->call, &at, &target))
		begin_part(rma, member, call, target);
}

void exposure_access(struct epoch_part *part, const struct occurrence *call)
{
	if (!part->values.accesses++)
		part->values.first = *call;
	part->values.last = *call;
	outgoing_access(part, call);
}

void exposure_complete(struct rma *rma, struct window_member *member, const struct occurrence *call)
{
	end_parts(rma, member, call);
}
