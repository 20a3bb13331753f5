/* Access epochs (MPI_Win_start … MPI_Win_complete) with the posts that they needed: written when they are complete and the posts
 * of all their targets are known. Targets that are not in the trace, or end without a post, are left out. */
#include "analysis/model/rma.h"
#include "base/memory.h"

#include <stdlib.h>

struct outgoing *outgoing_new(struct rma *rma, const struct use *use, const struct occurrence *start)
{
	struct outgoing *outgoing;

	if (!wants_rows(rma->rows, RELATION_ACCESS_EPOCH))
		return NULL;
	outgoing = store_take(&rma->outgoing);
	outgoing->values = (struct origin_epoch){.window = use->window->identity, .start = *start};
	return outgoing;
}

void outgoing_add(struct rma *rma, struct outgoing *outgoing, struct epoch_part *part)
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

static void write_rows(struct rma *rma, struct outgoing *outgoing)
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

static void end_if_over(struct rma *rma, struct outgoing *outgoing)
{
	if (!outgoing->is_over || outgoing->missing)
		return;
	if (!outgoing->is_void)
		write_rows(rma, outgoing);
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
	end_if_over(rma, outgoing);
}

void outgoing_access(struct epoch_part *part, const struct occurrence *call)
{
	if (part->row && !part->row->values.accesses++)
		part->row->values.first = *call;
}

void outgoing_posted(struct rma *rma, struct epoch_part *part)
{
	if (!part->row)
		return;
	part->row->values.post = part->epoch->post;
	if (part->is_complete)
		settle_row(rma, part);
}

/* Rows whose posts are not known yet stay. */
void outgoing_part_over(struct rma *rma, struct epoch_part *part)
{
	if (!part->row)
		return;
	part->row->is_left_out = part->is_orphan;
	if (!part->row->values.accesses)
		part->row->values.first = part->values.start;
	if (part->epoch || part->is_orphan)
		settle_row(rma, part);
}

void outgoing_over(struct rma *rma, struct outgoing *outgoing, const struct occurrence *complete)
{
	if (!outgoing)
		return;
	outgoing->is_over = true;
	if (complete)
		outgoing->values.complete = *complete;
	else
		outgoing->is_void = true;
	end_if_over(rma, outgoing);
}
