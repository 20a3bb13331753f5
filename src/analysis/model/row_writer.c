#include "analysis/model/row_writer.h"

#include "base/array.h"

#include <stdlib.h>

void row_writer_init(struct row_writer *writer, const struct row_sink *sink, struct row_writer *second)
{
	*writer = (struct row_writer){.sink = sink, .second = second};
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		writer->wants[i] = sink->wants[i] || (second && second->wants[i]);
}

void mention_call(struct row_writer *writer, const struct call_semantics *semantics)
{
	array_fit(writer->calls, writer->call_room, writer->call_count + 1u);
	writer->calls[writer->call_count++] = semantics;
	if (writer->second)
		mention_call(writer->second, semantics);
}

void mention_phase(struct row_writer *writer, const struct phase_mention *phase)
{
	array_fit(writer->phases, writer->phase_room, writer->phase_count + 1u);
	writer->phases[writer->phase_count++] = *phase;
	if (writer->second)
		mention_phase(writer->second, phase);
}

static void hand_over(struct row_writer *writer, enum relation relation)
{
	struct row_block *block = writer->blocks[relation];
	struct first_mentions first = {.calls = writer->calls,
	                               .phases = writer->phases,
	                               .call_count = writer->call_count,
	                               .phase_count = writer->phase_count};

	writer->groups[relation] += block->groups;
	writer->blocks[relation] = writer->sink->rows(writer->sink->context, &first, block);
	writer->call_count = writer->phase_count = 0;
}

struct row_block *row_writer_room(struct row_writer *writer, enum relation relation, uint32_t count)
{
	struct row_block *block = writer->blocks[relation];

	if (block && block->rows)
		hand_over(writer, relation);
	block = writer->blocks[relation];
	if (block && count > block->room) {
		row_block_free(block);
		block = NULL;
	}
	if (!block)
		block = row_block_new(relation, count > BLOCK_ROWS ? count + count / 2 : BLOCK_ROWS);
	block->rows = block->groups = 0;
	block->group_room = writer->sink->block_groups ? writer->sink->block_groups : BLOCK_GROUPS;
	block->serial = 1 + writer->groups[relation];
	return writer->blocks[relation] = block;
}

void write_group(struct row_writer *writer, enum relation relation, const void *group, const void *rows,
                 uint32_t count)
{
	const uint32_t *sizes = relation_infos[relation].sizes;
	struct row_block *block;

	if (!count)
		return;
	if (writer->second)
		write_group(writer->second, relation, group, rows, count);
	if (!writer->sink->wants[relation])
		return;
	block = block_for(writer, relation, count);
	memcpy(block->parts[PART_ROW] + (size_t)block->rows * sizes[PART_ROW], rows,
	       (size_t)count * sizes[PART_ROW]);
	if (group)
		memcpy(block->parts[PART_GROUP] + (size_t)block->groups * sizes[PART_GROUP], group,
		       sizes[PART_GROUP]);
	for (uint32_t i = 0; i < count; i++)
		block->group_of[block->rows++] = block->groups;
	block->groups++;
}

void write_row(struct row_writer *writer, enum relation relation, const void *row)
{
	write_group(writer, relation, NULL, row, 1);
}

void row_writer_flush(struct row_writer *writer)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		if (writer->blocks[i] && writer->blocks[i]->rows)
			row_writer_room(writer, (enum relation)i, 0);
}

void row_writer_finish(struct row_writer *writer)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		if (writer->blocks[i] && writer->blocks[i]->rows)
			hand_over(writer, (enum relation)i);
	if (writer->sink->end)
		writer->sink->end(writer->sink->context);
}

void row_writer_release(struct row_writer *writer)
{
	for (uint32_t i = 0; i < RELATIONS_END; i++)
		row_block_free(writer->blocks[i]);
	free(writer->calls);
	free(writer->phases);
}
