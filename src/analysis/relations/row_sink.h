/* Rows from the model to an analysis: the model fills blocks of rows and hands over full ones.
 *
 *	static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
 *	{
 *		const struct request_life *lives = block_rows(block);
 *		for (uint32_t i = 0; i < block->rows; i++)
 *			look_at(&lives[i]);
 *		return block;
 *	}
 *
 *	struct row_sink sink = {.context = mine, .wants = {[RELATION_REQUEST_LIFE] = true}, .rows = take_rows};
 *	relate(session, &sink, &counts);
 *
 * A row is handed over once, when it is complete. Nothing is returned to the model.
 *
 * A sink can also follow single calls: begin, then message, sent and collective for each operation that the call
 * completed, then call. A sent message is reported as soon as its receive is posted, perhaps after the call. */
#ifndef TARRY_ANALYSIS_RELATIONS_ROW_SINK_H
#define TARRY_ANALYSIS_RELATIONS_ROW_SINK_H

#include "analysis/relations/occurrence.h"
#include "analysis/relations/types.h"

#include <stddef.h>

struct call_semantics;
struct event;

/* A message that a call received or, with a probe, only found: then it is reported again
 * when it is received. */
struct completed_message {
	const struct occurrence *send,
		*post; /* the calls that sent it, and that posted the receive or probe */
	bool is_probed;
};

/* A collective call of a process is complete. */
struct collective_end {
	const struct call_semantics *semantics; /* of the call that this process made or prepared */
	int64_t start;                          /* of this process */
	uint32_t needs;                         /* enum collective_needs */
	/* The last arrival among the processes that this one needed, and its time; NO_PROCESS: it needed
	 * none, or none of them is in the trace. */
	uint32_t cause;
	int64_t cause_moment;
	/* The same for all processes of one collective, and different for others: counted per `order`. */
	uint32_t order;
	uint64_t sequence;
};

/* Rows of a block, unless a group has more, and groups: enough groups to amortize the work per block, but few
 * enough that columns stay in the nearest cache. */
enum { BLOCK_ROWS = 1024, BLOCK_GROUPS = 512 };

/* Rows of one relation. Rows of one group are adjacent; in a relation without groups, each row is one. */
struct row_block {
	enum relation relation;
	uint32_t rows, groups;
	uint32_t room, group_room;
	uint64_t serial; /* of the first group; the others follow */
	unsigned char *parts[ROW_PARTS];
	uint32_t *group_of; /* by row */
};

static inline const void *block_rows(const struct row_block *block)
{
	return block->parts[PART_ROW];
}

static inline const void *block_groups(const struct row_block *block)
{
	return block->parts[PART_GROUP];
}

/* The first row after the group that begins with `row`. */
static inline uint32_t block_group_end(const struct row_block *block, uint32_t row)
{
	uint32_t end = row + 1;

	while (end < block->rows && block->group_of[end] == block->group_of[row])
		end++;
	return end;
}

static inline bool block_has_room(const struct row_block *block, uint32_t count)
{
	return block->rows + count <= block->room && block->groups < block->group_room;
}

struct row_block *row_block_new(enum relation relation, uint32_t rows);
void row_block_free(struct row_block *block);

/* A phase or region of the user. */
struct phase_mention {
	const char *name; /* valid as long as the reader */
	/* It and the regions around it have a number, from 1, in the order of appearance; so have those around it, or 0. */
	uint32_t path, around;
};

/* Objects that no earlier block referred to, in the order of their numbers. */
struct first_mentions {
	const struct call_semantics *const *calls; /* distinct calls, numbered from 0 */
	const struct phase_mention *phases;        /* numbered from 1 */
	uint32_t call_count, phase_count;
};

struct row_sink {
	void *context;
	bool wants[RELATIONS_END]; /* unwanted relations cost nothing */
	/* Functions whose calls are rows of `call`, by enum call_id, and at ALL_CALLS those outside MPI and UPC. NULL: all. */
	const bool *functions;
	/* Transfers of a process are in the order of its completions, even if others were known before: for
	 * rules that depend on this order. Costs memory for delayed rows. */
	bool in_order;
	/* Maximum number of groups in a block; 0: BLOCK_GROUPS. A sink that needs rows soon after their
	 * calls takes small blocks. */
	uint32_t block_groups;
	/* Every few thousand calls all blocks are handed over, full or not. */
	bool is_prompt;
	/* Raw ticks of each process's clock instead of corrected times: no relation can be wanted. The position of a call is then its start, unless `position`
	 * or `begin` sets another. It comes back in the messages that the call sent, and as the moment of a collective's cause. */
	bool in_ticks;
	/* Before `begin`. A sink that sets positions here and not in `begin` can have a thread of its own (model/sink_thread.h); this function runs in the thread
	 * of the replay all the same. May be NULL. */
	uint64_t (*position)(void *context, const struct occurrence *call, const struct event *event);
	/* Any of these may be NULL. Each call when it begins, and when it is over, in the order of its thread. */
	void (*begin)(void *context, struct occurrence *call, const struct event *event);
	void (*message)(void *context, const struct occurrence *call,
	                const struct completed_message *message);
	/* The call sent the message, or completed its send. */
	void (*sent)(void *context, const struct occurrence *call, const struct completed_message *message);
	void (*collective)(void *context, const struct occurrence *call, const struct collective_end *end);
	void (*call)(void *context, const struct occurrence *call, const struct event *event);
	/* Takes the block. Returns one that can be filled again, or NULL. */
	struct row_block *(*rows)(void *context, const struct first_mentions *first, struct row_block *block);
	/* Everything was handed over; distinct calls are valid until it returns. May be NULL. */
	void (*end)(void *context);
	/* A second sink of the same replay. It gets the rows that it wants as soon as they are complete, and calls that are over. It can have a thread of its own.
	 * NULL: none. */
	const struct row_sink *second;
	/* The second sink gets nothing more once an effect has preceded its cause, because the replay will be repeated. */
	bool ends_second;
};

#endif
