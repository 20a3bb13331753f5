#include "analysis/model/eager.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/needed_calls.h"
#include "analysis/model/relations.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct eager_inference {
	const struct clocks *clocks;
	struct nodes *nodes;
	double *uncertainty_ns;      /* by process; negative: unknown */
	int64_t (*bytes)[DISTANCES]; /* by world */
};

static bool is_unknown(const struct nodes *nodes)
{
	for (uint32_t world = 0; world < nodes->world_count; world++)
		if (nodes->eager[world][DISTANCE_NODE] < 0 ||
		    (nodes->count > 1 && nodes->eager[world][DISTANCE_NETWORK] < 0))
			return true;
	return false;
}

static bool is_standard_send(const struct call_semantics *semantics)
{
	const struct call_info *info = semantics->kind->info;

	return info && info->moves == MOVES_SEND && info->mode == MODE_STANDARD;
}

/* The possible offset between the clocks of two processes; infinite if they were never compared. */
static double clock_error(const struct eager_inference *inference, uint32_t from, uint32_t to)
{
	const double *uncertainty = inference->uncertainty_ns;

	if (inference->clocks->line_of[from] == inference->clocks->line_of[to])
		return 0;
	return uncertainty[from] < 0 || uncertainty[to] < 0 ? HUGE_VAL : uncertainty[from] + uncertainty[to];
}

/* `wait` completed the send. A limit that is too large would hide real waits, so only sends that
 * the clocks prove count. */
static void look_at_send(struct eager_inference *inference, const struct transfer *message,
                         const struct occurrence *wait)
{
	const struct call_semantics *send = message->send.semantics;
	uint32_t from = send->process, to = message->post.semantics->process;
	int64_t *most, bytes;

	if (from == to || !has_time(wait) || !has_time(&message->post) || !is_standard_send(send) ||
	    !call_field(send->call, FIELD_SENT, &bytes))
		return;
	most = &inference
	                ->bytes[inference->nodes->world_of[from]][nodes_distance(inference->nodes, from, to)];
	if (bytes > *most && (double)(message->post.start - wait->end) >= clock_error(inference, from, to))
		*most = bytes;
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	const struct transfer *rows = block_rows(block);
	const struct completion *groups = block_groups(block);

	(void)first;
	for (uint32_t i = 0; i < block->rows; i++)
		if (rows[i].is_send)
			look_at_send(context, &rows[i], &groups[block->group_of[i]].wait);
	return block;
}

static void infer(struct analysis_session *session)
{
	const struct reader *reader = session->reader;
	struct nodes *nodes = session->nodes;
	struct eager_inference inference = {.clocks = session->time->clocks, .nodes = nodes};
	struct row_sink sink = {
		.context = &inference, .wants = {[RELATION_TRANSFER] = true}, .rows = take_rows};
	struct replay_counts counts;

	inference.bytes = memory_new(nodes->world_count + 1, sizeof *inference.bytes);
	memset(inference.bytes, 0xff, (nodes->world_count + 1) * sizeof *inference.bytes);
	inference.uncertainty_ns = memory_new(reader->process_count + 1, sizeof *inference.uncertainty_ns);
	for (uint32_t i = 0; i < reader->process_count; i++)
		inference.uncertainty_ns[i] = clocks_uncertainty_of(session->time->clocks,
		                                                    &reader->processes[i], i);
	relate(session, &sink, &counts);
	if (session->peers)
		peers_combine(session->peers, PEERS_MAX, inference.bytes[0],
		              (size_t)nodes->world_count * DISTANCES);
	for (uint32_t world = 0; world < nodes->world_count; world++)
		for (int i = 0; i < DISTANCES; i++)
			if (nodes->eager[world][i] < 0)
				nodes->eager[world][i] = inference.bytes[world][i];
	free(inference.uncertainty_ns);
	free(inference.bytes);
}

void eager_find(struct analysis_session *session)
{
	struct nodes *nodes = session->nodes;

	if (nodes->eager_is_inferred || !is_unknown(nodes) || paradigm_of(session->reader) == PARADIGM_UPC ||
	    paradigm_of(session->reader) == PARADIGM_SHMEM)
		return;
	infer(session);
	nodes->eager_is_inferred = true;
}

bool send_may_wait(const struct nodes *nodes, const struct call_semantics *send, uint32_t receiver)
{
	const struct call_info *info = send->kind->info;
	int64_t bytes;

	if (info && info->mode == MODE_BUFFERED)
		return false;
	return (info && info->mode == MODE_SYNCHRONOUS) || !call_field(send->call, FIELD_SENT, &bytes) ||
	       bytes > eager_between(nodes, send->process, receiver);
}
