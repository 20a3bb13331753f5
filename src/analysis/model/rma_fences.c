/* Fences: the k-th of each process of a window are one, and end the epoch of what was accessed since those before. Told when all
 * of the window's processes in the trace have passed it. */
#include "analysis/model/rma.h"
#include "base/memory.h"

#include <stdlib.h>

/* Fences of a window under way at the most: then one of its processes has lost some, and the first is given up. */
enum { FENCES_MAX = 4096 };

struct fence_row {
	struct fence told;
	bool came;
};

struct fence_meeting {
	struct fence_meeting *next; /* the one after it */
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

static struct fence_meeting *new_meeting(const struct rma *rma, const struct window *window)
{
	uint64_t size = side_of(rma, window)->size;
	struct fence_meeting *meeting = memory_new(1, sizeof *meeting + size * sizeof *meeting->rows);

	meeting->size = (uint32_t)size;
	return meeting;
}

/* It is over, or will not be. */
static void drop_first(struct rma *rma, struct window *window)
{
	struct fence_meeting *meeting = window->fences;

	for (uint32_t i = 0; i < meeting->size; i++)
		if (meeting->rows[i].came)
			rma->parties[meeting->rows[i].told.call.role->process].waiting--;
	window->fences = meeting->next;
	window->first_fence++;
	window->fence_count--;
	free(meeting);
}

/* NULL: it is over without this one. */
static struct fence_meeting *find_meeting(struct rma *rma, struct window *window, uint64_t number)
{
	struct fence_meeting **at = &window->fences;

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
	struct fence_meeting *meeting;
	struct fence *part;

	if (!is_followed(rma, use->window) || target == use->rank)
		return;
	meeting = find_meeting(rma, use->window, use->fences);
	if (!meeting || target >= meeting->size)
		return;
	part = &meeting->rows[target].told;
	part->accesses++;
	part->origins += there->fences != use->fences + 1;
	there->fences = use->fences + 1;
	if (!part->last.role || call->end > part->last.end)
		part->last = *call;
}

static void tell(struct rma *rma, const struct window *window, const struct fence_meeting *meeting)
{
	struct fence *parts = memory_new(meeting->came + 1u, sizeof *parts);
	struct window_fence told = {.window = window->identity, .size = meeting->size};
	uint32_t count = 0;

	for (uint32_t i = 0; i < meeting->size; i++) {
		const struct fence_row *row = &meeting->rows[i];
		if (!row->came)
			continue;
		parts[count] = row->told;
		parts[count].rank = i;
		if (!row->told.last.role)
			parts[count].last = row->told.call;
		count++;
	}
	write_group(rma->rows, RELATION_FENCE, &told, parts, count);
	free(parts);
}

void fence_pass(struct rma *rma, struct use *use, const struct occurrence *call)
{
	struct window *window = use->window;
	struct fence_meeting *meeting;
	uint64_t number = use->fences++;

	if (!is_followed(rma, window))
		return;
	meeting = find_meeting(rma, window, number);
	if (!meeting || use->rank >= meeting->size || meeting->rows[use->rank].came)
		return;
	meeting->rows[use->rank].came = true;
	meeting->rows[use->rank].told.call = *call;
	rma->parties[call->role->process].waiting++;
	if (++meeting->came < side_of(rma, window)->present) {
		if (window->fence_count > FENCES_MAX)
			drop_first(rma, window);
		return;
	}
	tell(rma, window, meeting);
	while (window->first_fence <= number)
		drop_first(rma, window);
}

void fences_release(struct window *window)
{
	while (window->fences) {
		struct fence_meeting *next = window->fences->next;
		free(window->fences);
		window->fences = next;
	}
}
