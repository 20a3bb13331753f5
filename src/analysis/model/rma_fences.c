/* Fences: the k-th of each process of a window are one, and end the epoch of what was accessed since those before. Told when all
 * of the window's processes in the trace have passed it. */
#include "analysis/model/rma.h"
#include "base/memory.h"

#include <stdlib.h>

/* Fences of a window under way at the most: then one of its processes has lost some, and the first is given up. */
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

/* A size that has nothing to do with the members of the trace is not believed. */
static bool is_followed(const struct rma *rma, const struct window *window)
{
	const struct side *side;

	if (!wants_rows(rma->rows, RELATION_FENCE) || window->comm == NO_COMM)
		return false;
	side = side_of(rma, window);
	return side->size <= 1024 + 16 * (uint64_t)side->present;
}

static struct fence_epoch *new_meeting(const struct rma *rma, const struct window *window)
{
	uint64_t size = side_of(rma, window)->size;
	struct fence_epoch *fence = memory_new(1, sizeof *fence + size * sizeof *fence->rows);

	fence->size = (uint32_t)size;
	return fence;
}

/* It is over, or will not be. */
static void drop_first(struct rma *rma, struct window *window)
{
	struct fence_epoch *fence = window->fences;

	for (uint32_t i = 0; i < fence->size; i++)
		if (fence->rows[i].came)
			rma->parties[fence->rows[i].values.call.semantics->process].waiting--;
	window->fences = fence->next;
	window->first_fence++;
	window->fence_count--;
	free(fence);
}

/* NULL: it is over without this one. */
static struct fence_epoch *find_fence(struct rma *rma, struct window *window, uint64_t number)
{
	struct fence_epoch **at = &window->fences;

	if (number < window->first_fence)
		return NULL;
	for (uint64_t i = window->first_fence; *at && i < number; i++)
		at = &(*at)->next;
	if (*at)
		return *at;
	*at = new_meeting(rma, window);
	window->fence_count++;
	return *at;
}

void fence_access(struct rma *rma, struct use *use, uint32_t target, const struct occurrence *call)
{
	struct target_use *there = target_of(use, target);
	struct fence_epoch *fence;
	struct fence *part;

	if (!is_followed(rma, use->window) || target == use->rank)
		return;
	fence = find_fence(rma, use->window, use->fences);
	if (!fence || target >= fence->size)
		return;
	part = &fence->rows[target].values;
	part->accesses++;
	part->origins += there->fences != use->fences + 1;
	there->fences = use->fences + 1;
	if (!part->last.semantics || call->end > part->last.end)
		part->last = *call;
}

static void write_rows(struct rma *rma, const struct window *window, const struct fence_epoch *fence)
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

void fence_pass(struct rma *rma, struct use *use, const struct occurrence *call)
{
	struct window *window = use->window;
	struct fence_epoch *fence;
	uint64_t number = use->fences++;

	if (!is_followed(rma, window))
		return;
	fence = find_fence(rma, window, number);
	if (!fence || use->rank >= fence->size || fence->rows[use->rank].came)
		return;
	fence->rows[use->rank].came = true;
	fence->rows[use->rank].values.call = *call;
	rma->parties[call->semantics->process].waiting++;
	if (++fence->came < side_of(rma, window)->present) {
		if (window->fence_count > FENCES_MAX)
			drop_first(rma, window);
		return;
	}
	write_rows(rma, window, fence);
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
