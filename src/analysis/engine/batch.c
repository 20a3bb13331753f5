#include "analysis/engine/batch.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/relations.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void batch_init(struct batch *batch, enum relation relation)
{
	*batch = (struct batch){.relation = relation};
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		batch->sizes[i] = relation_infos[relation].sizes[i];
}

uint32_t batch_column(struct batch *batch, enum input_kind kind, enum row_part part, uint32_t offset)
{
	for (uint32_t i = 0; i < batch->column_count; i++) {
		const struct input_column *column = &batch->columns[i];
		if (column->kind == kind && column->part == part && column->offset == offset)
			return i;
	}
	batch->columns = memory_grow(batch->columns, batch->column_count + 1u, sizeof *batch->columns);
	batch->has_text |= kind == INPUT_TEXT;
	batch->text_offset = kind == INPUT_TEXT ? offset : batch->text_offset;
	batch->columns[batch->column_count] = (struct input_column){kind, part, offset, NULL};
	if (kind == INPUT_CALL_BITS)
		batch->columns[batch->column_count].source = batch_call_bits(batch, part, offset);
	if (kind == INPUT_FLAG_BITS)
		batch->columns[batch->column_count].source = batch_flag_bits(batch, part, offset);
	return batch->column_count++;
}

void batch_want(struct batch *batch, uint64_t need)
{
	batch->wants_all |= !need;
	for (uint32_t i = 0; i < batch->need_count; i++)
		if (batch->needs[i] == need)
			return;
	batch->needs = memory_grow(batch->needs, batch->need_count + 1u, sizeof *batch->needs);
	batch->needs[batch->need_count++] = need;
}

static struct bit_source *find_source(struct bit_source *sources, uint32_t *count, enum row_part part,
                                      uint32_t offset)
{
	for (uint32_t i = 0; i < *count; i++)
		if (sources[i].part == part && sources[i].offset == offset)
			return &sources[i];
	if (*count == BIT_SOURCES)
		return NULL;
	sources[*count] = (struct bit_source){
		.part = part, .offset = offset, .slot = UINT32_MAX, .flags = {UINT64_MAX, UINT64_MAX}};
	return &sources[(*count)++];
}

struct bit_source *batch_call_bits(struct batch *batch, enum row_part part, uint32_t offset)
{
	return find_source(batch->calls, &batch->call_count, part, offset);
}

struct bit_source *batch_flag_bits(struct batch *batch, enum row_part part, uint32_t offset)
{
	return find_source(batch->flags, &batch->flag_count, part, offset);
}

/* Bits */

static inline int64_t wide_at(const unsigned char *at)
{
	int64_t wide;

	memcpy(&wide, at, sizeof wide);
	return wide;
}

static inline const struct rule_facts *facts_of(const struct fact_table *table, const unsigned char *at)
{
	return numbered_facts(table, ((const struct call_semantics *)(uintptr_t)wide_at(at))->number);
}

static inline uint64_t bits_of(const struct batch *batch, const void *const row[ROW_PARTS])
{
	uint64_t bits = UINT64_MAX;

	for (uint32_t i = 0; i < batch->call_count; i++) {
		const struct bit_source *source = &batch->calls[i];
		const unsigned char *at = row[source->part];
		bits &= (uint64_t)facts_of(batch->facts, at + source->offset)->common[source->slot];
	}
	for (uint32_t i = 0; i < batch->flag_count; i++) {
		const struct bit_source *source = &batch->flags[i];
		bits &= source->flags[*((const bool *)row[source->part] + source->offset)];
	}
	return bits;
}

bool batch_row_has(const struct batch *batch, const void *group, const void *row, uint64_t need)
{
	const void *parts[ROW_PARTS] = {[PART_ROW] = row, [PART_GROUP] = group};

	return !need || (bits_of(batch, parts) & need) == need;
}

static inline bool is_wanted(struct batch *batch, uint64_t bits)
{
	if (bits == batch->last_bits && batch->is_looked)
		return batch->last_wanted;
	batch->is_looked = true;
	batch->last_bits = bits;
	batch->last_wanted = false;
	for (uint32_t i = 0; i < batch->need_count; i++)
		batch->last_wanted |= (bits & batch->needs[i]) == batch->needs[i];
	return batch->last_wanted;
}

/* Columns */

static inline uint32_t narrow_at(const unsigned char *at)
{
	uint32_t narrow;

	memcpy(&narrow, at, sizeof narrow);
	return narrow;
}

#define FILL(value) \
	if (!rows) { \
		const unsigned char *at = from; \
		for (uint32_t row = 0; row < count; row++, at += size) \
			out[row].i = (value); \
		break; \
	} \
	for (uint32_t k = 0; k < count; k++) { \
		const unsigned char *at = from + (size_t)rows[k] * size; \
		out[rows[k]].i = (value); \
	}

void block_column(const struct batch *batch, const struct row_block *block, const struct input_column *column,
                  const uint32_t *rows, uint32_t count, union word *out)
{
	const unsigned char *from = block->parts[column->part] + column->offset;
	size_t size = batch->sizes[column->part];
	const struct bit_source *source = column->source;
	const struct fact_table *facts = batch->facts;

	switch (column->kind) {
	case INPUT_SERIAL:
		for (uint32_t k = 0; k < count; k++)
			out[rows ? rows[k] : k].i = (int64_t)(block->serial +
			                                      block->group_of[rows ? rows[k] : k]);
		break;
	case INPUT_WORD:
	case INPUT_TEXT:
		FILL(wide_at(at))
		break;
	case INPUT_FACTS:
		FILL(facts_word(facts_of(facts, at)).i)
		break;
	case INPUT_CALL_BITS:
		FILL(facts_of(facts, at)->common[source->slot])
		break;
	case INPUT_FLAG_BITS:
		FILL((int64_t)source->flags[*(const bool *)at])
		break;
	case INPUT_UNSIGNED:
		FILL(narrow_at(at))
		break;
	case INPUT_SIGNED:
		FILL((int32_t)narrow_at(at))
		break;
	case INPUT_BOOL:
		FILL(*(const bool *)at)
		break;
	default:
		break;
	}
}

/* Rows */

static void empty_block(struct batch *batch)
{
	batch->block->rows = batch->block->groups = 0;
	batch->block->serial = 1 + batch->groups;
}

static void run_block(struct batch *batch)
{
	struct row_block *block = batch->block;

	batch->groups += block->groups;
	batch->block = batch->run(batch->context, block);
	if (batch->block)
		empty_block(batch);
}

static void make_room(struct batch *batch, uint32_t count)
{
	struct row_block *block = batch->block;

	if (block && block_has_room(block, count))
		return;
	if (block && block->rows)
		run_block(batch);
	block = batch->block;
	if (block && count <= block->room)
		return;
	row_block_free(block);
	batch->block = row_block_new(batch->relation, count > BLOCK_ROWS ? count + count / 2 : BLOCK_ROWS);
	empty_block(batch);
}

void batch_add(struct batch *batch, const void *group, const void *rows, uint32_t count)
{
	const void *parts[ROW_PARTS] = {[PART_ROW] = rows, [PART_GROUP] = group};
	size_t group_size = batch->sizes[PART_GROUP];
	uint32_t before;

	make_room(batch, count);
	before = batch->block->rows;
	for (uint32_t i = 0; i < count; i++) {
		if (batch->wants_all || is_wanted(batch, bits_of(batch, parts))) {
			struct row_block *block = batch->block;
			size_t size = batch->sizes[PART_ROW];

			memcpy(block->parts[PART_ROW] + block->rows * size, parts[PART_ROW], size);
			if (batch->has_text) {
				unsigned char *copy = block->parts[PART_ROW] + block->rows * size;
				const char *text = (const char *)(uintptr_t)wide_at(copy +
				                                                    batch->text_offset);
				int64_t number = batch->number_of_text(batch->texts, text);

				/* The text is valid only now: store its number instead. */
				memcpy(copy + batch->text_offset, &number, sizeof number);
			}
			block->group_of[block->rows++] = block->groups;
		}
		parts[PART_ROW] = (const char *)parts[PART_ROW] + batch->sizes[PART_ROW];
	}
	if (batch->block->rows == before)
		return;
	if (group_size)
		memcpy(batch->block->parts[PART_GROUP] + batch->block->groups * group_size, group,
		       group_size);
	batch->block->groups++;
}

struct row_block *batch_take(struct batch *batch, struct row_block *block)
{
	if (batch->wants_all && !batch->has_text)
		return batch->run(batch->context, block);
	for (uint32_t row = 0, end; row < block->rows; row = end) {
		end = block_group_end(block, row);
		batch_add(batch,
		          block->parts[PART_GROUP] + (size_t)block->group_of[row] * batch->sizes[PART_GROUP],
		          block->parts[PART_ROW] + (size_t)row * batch->sizes[PART_ROW], end - row);
	}
	return block;
}

void batch_finish(struct batch *batch)
{
	if (batch->block && batch->block->rows)
		run_block(batch);
}

void batch_release(struct batch *batch)
{
	row_block_free(batch->block);
	free(batch->columns);
	free(batch->needs);
}
