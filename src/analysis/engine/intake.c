#include "analysis/engine/intake.h"

#include "analysis/model/relations.h"
#include "analysis/model/role.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void intake_init(struct intake *intake, enum relation relation)
{
	*intake = (struct intake){.relation = relation};
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		intake->sizes[i] = relation_infos[relation].sizes[i];
}

uint32_t intake_lane(struct intake *intake, enum lane_kind kind, enum row_part told, uint32_t offset)
{
	for (uint32_t i = 0; i < intake->lane_count; i++) {
		const struct lane *lane = &intake->lanes[i];
		if (lane->kind == kind && lane->told == told && lane->offset == offset)
			return i;
	}
	intake->lanes = memory_grow(intake->lanes, intake->lane_count + 1u, sizeof *intake->lanes);
	intake->has_text |= kind == LANE_TEXT;
	intake->text_offset = kind == LANE_TEXT ? offset : intake->text_offset;
	intake->lanes[intake->lane_count] = (struct lane){kind, told, offset, NULL};
	if (kind == LANE_CALL_BITS)
		intake->lanes[intake->lane_count].source = intake_call_bits(intake, told, offset);
	if (kind == LANE_FLAG_BITS)
		intake->lanes[intake->lane_count].source = intake_flag_bits(intake, told, offset);
	return intake->lane_count++;
}

void intake_want(struct intake *intake, uint64_t need)
{
	intake->wants_all |= !need;
	for (uint32_t i = 0; i < intake->need_count; i++)
		if (intake->needs[i] == need)
			return;
	intake->needs = memory_grow(intake->needs, intake->need_count + 1u, sizeof *intake->needs);
	intake->needs[intake->need_count++] = need;
}

static struct bit_source *find_source(struct bit_source *sources, uint32_t *count, enum row_part told,
                                      uint32_t offset)
{
	for (uint32_t i = 0; i < *count; i++)
		if (sources[i].told == told && sources[i].offset == offset)
			return &sources[i];
	if (*count == BIT_SOURCES)
		return NULL;
	sources[*count] = (struct bit_source){
		.told = told, .offset = offset, .slot = UINT32_MAX, .flags = {UINT64_MAX, UINT64_MAX}};
	return &sources[(*count)++];
}

struct bit_source *intake_call_bits(struct intake *intake, enum row_part told, uint32_t offset)
{
	return find_source(intake->calls, &intake->call_count, told, offset);
}

struct bit_source *intake_flag_bits(struct intake *intake, enum row_part told, uint32_t offset)
{
	return find_source(intake->flags, &intake->flag_count, told, offset);
}

/* Bits */

static inline int64_t wide_at(const unsigned char *at)
{
	int64_t wide;

	memcpy(&wide, at, sizeof wide);
	return wide;
}

static inline const struct facts *facts_of(const struct fact_table *table, const unsigned char *at)
{
	return numbered_facts(table, ((const struct role *)(uintptr_t)wide_at(at))->number);
}

static inline uint64_t bits_of(const struct intake *intake, const void *const told[ROW_PARTS])
{
	uint64_t bits = UINT64_MAX;

	for (uint32_t i = 0; i < intake->call_count; i++) {
		const struct bit_source *source = &intake->calls[i];
		const unsigned char *at = told[source->told];
		bits &= (uint64_t)facts_of(intake->facts, at + source->offset)->common[source->slot];
	}
	for (uint32_t i = 0; i < intake->flag_count; i++) {
		const struct bit_source *source = &intake->flags[i];
		bits &= source->flags[*((const bool *)told[source->told] + source->offset)];
	}
	return bits;
}

static bool look_at_needs(const struct intake *intake, uint64_t bits)
{
	for (uint32_t i = 0; i < intake->need_count; i++)
		if ((bits & intake->needs[i]) == intake->needs[i])
			return true;
	return false;
}

static inline bool is_wanted(struct intake *intake, uint64_t bits)
{
	if (bits != intake->last_bits || !intake->is_looked) {
		intake->is_looked = true;
		intake->last_bits = bits;
		intake->last_wanted = look_at_needs(intake, bits);
	}
	return intake->last_wanted;
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

void block_lane(const struct intake *intake, const struct row_block *block, const struct lane *lane,
                const uint32_t *rows, uint32_t count, union word *out)
{
	const unsigned char *from = block->parts[lane->told] + lane->offset;
	size_t size = intake->sizes[lane->told];
	const struct bit_source *source = lane->source;
	const struct fact_table *facts = intake->facts;

	switch (lane->kind) {
	case LANE_SERIAL:
		for (uint32_t k = 0; k < count; k++)
			out[rows ? rows[k] : k].i = (int64_t)(block->serial +
			                                      block->group_of[rows ? rows[k] : k]);
		break;
	case LANE_WORD:
	case LANE_TEXT:
		FILL(wide_at(at))
		break;
	case LANE_FACTS:
		FILL(facts_word(facts_of(facts, at)).i)
		break;
	case LANE_CALL_BITS:
		FILL(facts_of(facts, at)->common[source->slot])
		break;
	case LANE_FLAG_BITS:
		FILL((int64_t)source->flags[*(const bool *)at])
		break;
	case LANE_UNSIGNED:
		FILL(narrow_at(at))
		break;
	case LANE_SIGNED:
		FILL((int32_t)narrow_at(at))
		break;
	case LANE_BOOL:
		FILL(*(const bool *)at)
		break;
	default:
		break;
	}
}

/* Rows */

static void run_block(struct intake *intake)
{
	struct row_block *block = intake->block;

	intake->groups += block->groups;
	intake->block = intake->run(intake->context, block);
}

static void make_room(struct intake *intake, uint32_t count)
{
	struct row_block *block = intake->block;

	if (block && block_has_room(block, count))
		return;
	if (block && block->rows)
		run_block(intake);
	block = intake->block;
	if (block && count > block->room) {
		row_block_free(block);
		block = NULL;
	}
	if (!block)
		block = row_block_new(intake->relation, count > BLOCK_ROWS ? count + count / 2 : BLOCK_ROWS);
	block->rows = block->groups = 0;
	block->serial = 1 + intake->groups;
	intake->block = block;
}

/* A text lives only now: its number takes its place. */
static void keep_text(const struct intake *intake, unsigned char *row)
{
	const char *text = (const char *)(uintptr_t)wide_at(row + intake->text_offset);
	int64_t number = intake->number_of_text(intake->texts, text);

	memcpy(row + intake->text_offset, &number, sizeof number);
}

static void add_row(struct intake *intake, const void *row)
{
	struct row_block *block = intake->block;
	size_t size = intake->sizes[PART_ROW];

	memcpy(block->parts[PART_ROW] + block->rows * size, row, size);
	if (intake->has_text)
		keep_text(intake, block->parts[PART_ROW] + block->rows * size);
	block->group_of[block->rows++] = block->groups;
}

void intake_add(struct intake *intake, const void *group, const void *rows, uint32_t count)
{
	const void *parts[ROW_PARTS] = {[PART_ROW] = rows, [PART_GROUP] = group};
	size_t group_size = intake->sizes[PART_GROUP];
	uint32_t before;

	make_room(intake, count);
	before = intake->block->rows;
	for (uint32_t i = 0; i < count; i++) {
		if (intake->wants_all || is_wanted(intake, bits_of(intake, parts)))
			add_row(intake, parts[PART_ROW]);
		parts[PART_ROW] = (const char *)parts[PART_ROW] + intake->sizes[PART_ROW];
	}
	if (intake->block->rows == before)
		return;
	if (group_size)
		memcpy(intake->block->parts[PART_GROUP] + intake->block->groups * group_size, group,
		       group_size);
	intake->block->groups++;
}

struct row_block *intake_take(struct intake *intake, struct row_block *block)
{
	if (intake->wants_all && !intake->has_text)
		return intake->run(intake->context, block);
	for (uint32_t row = 0, end; row < block->rows; row = end) {
		end = block_group_end(block, row);
		intake_add(intake,
		           block->parts[PART_GROUP] +
		                   (size_t)block->group_of[row] * intake->sizes[PART_GROUP],
		           block->parts[PART_ROW] + (size_t)row * intake->sizes[PART_ROW], end - row);
	}
	return block;
}

void intake_finish(struct intake *intake)
{
	if (intake->block && intake->block->rows)
		run_block(intake);
}

void intake_release(struct intake *intake)
{
	row_block_free(intake->block);
	free(intake->lanes);
	free(intake->needs);
}
