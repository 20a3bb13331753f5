/* The blocks of rows that a replay is filling. Internal to the replay and its followers.
 *
 *	write_row(rows, RELATION_REQUEST_LIFE, &life);
 *	write_group(rows, RELATION_FENCE, &fence, parts, count);
 *	transfers = write_transfers(rows, count, &completion);        fill them before the next write: for the first sink
 *	copy_transfers(rows->second, count, completion, transfers);   for the second one
 *	row_writer_finish(rows);                                      hands over the rest
 *	row_writer_release(rows); */
#ifndef TARRY_ANALYSIS_MODEL_ROW_WRITER_H
#define TARRY_ANALYSIS_MODEL_ROW_WRITER_H

#include "analysis/relations/row_sink.h"
#include "analysis/relations/rows.h"

#include <string.h>

struct row_writer {
	const struct row_sink *sink;
	struct row_writer *second; /* of the second sink; NULL: none */
	bool wants[RELATIONS_END]; /* one of both */
	struct row_block *blocks[RELATIONS_END];
	uint64_t groups[RELATIONS_END]; /* of all blocks before */
	/* Not mentioned in earlier blocks. */
	const struct call_semantics **calls;
	struct phase_mention *phases;
	uint32_t call_count, call_room, phase_count, phase_room;
};

/* All other members are 0. */
void row_writer_init(struct row_writer *writer, const struct row_sink *sink, struct row_writer *second);

static inline bool wants_rows(const struct row_writer *writer, enum relation relation)
{
	return writer->wants[relation];
}

/* In the order of their numbers. */
void mention_call(struct row_writer *writer, const struct call_semantics *semantics);
void mention_phase(struct row_writer *writer, const struct phase_mention *phase);

/* For both sinks. Does nothing if they are not wanted. */
void write_row(struct row_writer *writer, enum relation relation, const void *row);
void write_group(struct row_writer *writer, enum relation relation, const void *group, const void *rows,
                 uint32_t count);

/* Hands over the current blocks of this writer alone, like the next two. */
void row_writer_flush(struct row_writer *writer);
void row_writer_finish(struct row_writer *writer);
void row_writer_release(struct row_writer *writer);

/* A block with room for one group of so many rows. */
struct row_block *row_writer_room(struct row_writer *writer, enum relation relation, uint32_t count);

static inline struct row_block *block_for(struct row_writer *writer, enum relation relation, uint32_t count)
{
	struct row_block *block = writer->blocks[relation];

	return block && block_has_room(block, count) ? block : row_writer_room(writer, relation, count);
}

static inline struct transfer *write_transfers(struct row_writer *writer, uint32_t count,
                                               struct completion **group)
{
	struct row_block *block = block_for(writer, RELATION_TRANSFER, count);
	uint32_t *group_of = block->group_of + block->rows, groups = block->groups++;
	struct transfer *transfers = (struct transfer *)block->parts[PART_ROW] + block->rows;

	for (uint32_t i = 0; i < count; i++)
		group_of[i] = groups;
	block->rows += count;
	*group = (struct completion *)block->parts[PART_GROUP] + groups;
	return transfers;
}

/* NULL: there is no such sink. */
static inline void copy_transfers(struct row_writer *second, uint32_t count, const struct completion *group,
                                  const struct transfer *transfers)
{
	struct completion *completion;

	if (!second || !second->wants[RELATION_TRANSFER])
		return;
	memcpy(write_transfers(second, count, &completion), transfers, count * sizeof *transfers);
	*completion = *group;
}

#endif
