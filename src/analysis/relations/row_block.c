#include "analysis/relations/row_sink.h"
#include "base/memory.h"

#include <stdlib.h>

struct row_block *row_block_new(enum relation relation, uint32_t rows)
{
	struct row_block *block = memory_new(1, sizeof *block);

	block->relation = relation;
	block->room = rows;
	block->group_room = BLOCK_GROUPS;
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		block->parts[i] = memory_new(rows, relation_infos[relation].sizes[i] + 1u);
	block->group_of = memory_new(rows, sizeof *block->group_of);
	return block;
}

void row_block_free(struct row_block *block)
{
	if (!block)
		return;
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		free(block->parts[i]);
	free(block->group_of);
	free(block);
}
