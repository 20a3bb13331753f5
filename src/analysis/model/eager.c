#include "analysis/model/eager.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct eager_inference {
	const struct corrected_time *time;
	struct nodes *nodes;
	int64_t (*bytes)[DISTANCES]; /* by world */
};

bool eager_is_unknown(const struct nodes *nodes)
{
	for (uint32_t world = 0; world < nodes->world_count; world++)
		if (nodes->eager[world][DISTANCE_NODE] < 0 ||
		    (nodes->count > 1 && nodes->eager[world][DISTANCE_NETWORK] < 0))
			return true;
	return false;
}

static bool is_standard_send(const struct call *call)
{
	return strcmp(call->outline->name, "MPI_Send") == 0 || strcmp(call->outline->name, "MPI_Send_c") == 0;
}

/* How far the clocks of two processes may be apart; infinite if they were never compared. */
static double clock_error(const struct eager_inference *inference, const struct message *message)
{
	const struct clocks *clocks = inference->time->clocks;
	double from = clocks_uncertainty_ns(clocks, message->from.process, message->from.end),
	       to = clocks_uncertainty_ns(clocks, message->to.process, message->to.start);

	if (clocks->line_of[message->from.process] == clocks->line_of[message->to.process])
		return 0;
	return from < 0 || to < 0 ? HUGE_VAL : from + to;
}

/* A bound that is too large would hide real waits, so what the clocks do not show for certain does not count. */
static bool returned_before_post(const struct eager_inference *inference, const struct message *message)
{
	int64_t returned = corrected_ns(inference->time, message->from.process, message->from.end),
		posted = corrected_ns(inference->time, message->to.process, message->to.start);

	return (double)(posted - returned) >= clock_error(inference, message);
}

static void see_message(void *context, struct step *step, const struct message *message)
{
	const struct eager_inference *inference = context;
	const struct nodes *nodes = inference->nodes;
	uint32_t from = message->from.process, to = message->to.process;
	enum distance distance = nodes_distance(nodes, from, to);
	int64_t *most = &inference->bytes[nodes->world_of[from]][distance],
		bytes = (int64_t)message_bytes(message);

	(void)step;
	if (!message->probed && from != to && bytes > *most && is_standard_send(message->from.call) &&
	    returned_before_post(inference, message))
		*most = bytes;
}

void eager_infer(struct reader *reader, const struct corrected_time *time, struct nodes *nodes)
{
	struct eager_inference inference = {.time = time, .nodes = nodes};
	struct visitor visitor = {.context = &inference, .message = see_message};
	struct replay_counts counts;

	inference.bytes = memory_new(nodes->world_count + 1, sizeof *inference.bytes);
	memset(inference.bytes, 0xff, (nodes->world_count + 1) * sizeof *inference.bytes);
	replay(reader, &visitor, &counts);
	for (uint32_t world = 0; world < nodes->world_count; world++)
		for (int i = 0; i < DISTANCES; i++)
			if (nodes->eager[world][i] < 0)
				nodes->eager[world][i] = inference.bytes[world][i];
	free(inference.bytes);
}
