#include "engine/intake.h"

#include "base/memory.h"
#include "model/role.h"

#include <stdlib.h>
#include <string.h>

struct block *block_new(uint32_t lane_count, uint32_t rows)
{
	struct block *block = memory_new(1, sizeof *block);

	block->room = rows;
	block->lane_count = lane_count;
	block->lanes = memory_new(lane_count + 1u, sizeof *block->lanes);
	for (uint32_t i = 0; i < lane_count; i++)
		block->lanes[i] = memory_new(rows, sizeof **block->lanes);
	block->group_of = memory_new(rows, sizeof *block->group_of);
	block->group_ends = memory_new(rows, sizeof *block->group_ends);
	return block;
}

static void block_grow(struct block *block, uint32_t rows)
{
	for (uint32_t i = 0; i < block->lane_count; i++)
		block->lanes[i] = memory_grow(block->lanes[i], rows, sizeof **block->lanes);
	block->group_of = memory_grow(block->group_of, rows, sizeof *block->group_of);
	block->group_ends = memory_grow(block->group_ends, rows, sizeof *block->group_ends);
	block->room = rows;
}

void block_free(struct block *block)
{
	if (!block)
		return;
	for (uint32_t i = 0; i < block->lane_count; i++)
		free(block->lanes[i]);
	free(block->lanes);
	free(block->group_of);
	free(block->group_ends);
	free(block);
}

uint32_t intake_lane(struct intake *intake, enum lane_kind kind, enum told told, uint32_t offset)
{
	for (uint32_t i = 0; i < intake->lane_count; i++) {
		const struct lane *lane = &intake->lanes[i];
		if (lane->kind == kind && lane->told == told && lane->offset == offset)
			return i;
	}
	intake->lanes = memory_grow(intake->lanes, intake->lane_count + 1u, sizeof *intake->lanes);
	intake->lanes[intake->lane_count] = (struct lane){kind, told, offset};
	return intake->lane_count++;
}

void intake_want(struct intake *intake, uint64_t need)
{
	for (uint32_t i = 0; i < intake->need_count; i++)
		if (intake->needs[i] == need)
			return;
	intake->needs = memory_grow(intake->needs, intake->need_count + 1u, sizeof *intake->needs);
	intake->needs[intake->need_count++] = need;
}

static struct bit_source *find_source(struct bit_source *sources, uint32_t *count, enum told told,
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

struct bit_source *intake_call_bits(struct intake *intake, enum told told, uint32_t offset)
{
	return find_source(intake->calls, &intake->call_count, told, offset);
}

struct bit_source *intake_flag_bits(struct intake *intake, enum told told, uint32_t offset)
{
	return find_source(intake->flags, &intake->flag_count, told, offset);
}

static inline const void *noted_at(const void *told, uint32_t offset)
{
	const struct role *role;

	memcpy(&role, (const char *)told + offset, sizeof role);
	return role->note;
}

static inline uint64_t bits_of(const struct intake *intake, const void *const told[TOLDS])
{
	uint64_t bits = UINT64_MAX;

	for (uint32_t i = 0; i < intake->call_count; i++) {
		const struct bit_source *source = &intake->calls[i];
		const struct facts *facts = noted_at(told[source->told], source->offset);
		bits &= (uint64_t)facts->values[source->slot];
	}
	for (uint32_t i = 0; i < intake->flag_count; i++) {
		const struct bit_source *source = &intake->flags[i];
		bits &= source->flags[*((const bool *)told[source->told] + source->offset)];
	}
	return bits;
}

static inline bool is_wanted(const struct intake *intake, uint64_t bits)
{
	for (uint32_t i = 0; i < intake->need_count; i++)
		if ((bits & intake->needs[i]) == intake->needs[i])
			return true;
	return false;
}

static inline union word word_at(const void *told, uint32_t offset)
{
	union word word;

	memcpy(&word, (const char *)told + offset, sizeof word);
	return word;
}

static inline union word narrow_at(const struct intake *intake, const struct lane *lane, const void *told,
                                   uint64_t bits)
{
	const char *at = (const char *)told + lane->offset;
	const char *text;
	uint32_t narrow;

	switch (lane->kind) {
	case LANE_UNSIGNED:
	case LANE_SIGNED:
		memcpy(&narrow, at, sizeof narrow);
		return (union word){.i = lane->kind == LANE_SIGNED ? (int32_t)narrow : (int64_t)narrow};
	case LANE_BOOL:
		return (union word){.i = *(const bool *)at};
	case LANE_TEXT:
		memcpy(&text, at, sizeof text);
		return (union word){.i = intake->number_of_text(intake->texts, text)};
	case LANE_SERIAL:
		return (union word){.i = (int64_t)intake->serial};
	default:
		return (union word){.i = (int64_t)bits};
	}
}

static inline void copy_row(struct intake *intake, const void *const told[TOLDS], uint64_t bits)
{
	struct block *block = intake->block;
	uint32_t row = block->rows++;

	block->group_of[row] = block->groups;
	for (uint32_t i = 0; i < intake->lane_count; i++) {
		const struct lane *lane = &intake->lanes[i];
		union word *out = &block->lanes[i][row];
		if (lane->kind == LANE_WORD)
			*out = word_at(told[lane->told], lane->offset);
		else if (lane->kind == LANE_FACTS)
			*out = facts_word(noted_at(told[lane->told], lane->offset));
		else
			*out = narrow_at(intake, lane, told[lane->told], bits);
	}
}

static void flush(struct intake *intake)
{
	if (intake->block->rows)
		intake->flush(intake->context, intake);
	intake->block->rows = intake->block->groups = 0;
}

static void make_room(struct intake *intake, uint32_t count)
{
	if (!intake->block)
		intake->block = block_new(intake->lane_count, intake->block_rows);
	if (intake->block->rows + count <= intake->block->room)
		return;
	flush(intake);
	if (count > intake->block->room)
		block_grow(intake->block, count + count / 2);
}

void intake_add(struct intake *intake, const void *group, const void *rows, size_t row_size, uint32_t count)
{
	const void *told[TOLDS] = {[TOLD_ROW] = rows, [TOLD_GROUP] = group};
	uint32_t before;

	make_room(intake, count);
	before = intake->block->rows;
	intake->serial++;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t bits = bits_of(intake, told);
		if (is_wanted(intake, bits))
			copy_row(intake, told, bits);
		told[TOLD_ROW] = (const char *)told[TOLD_ROW] + row_size;
	}
	if (intake->block->rows > before)
		intake->block->group_ends[intake->block->groups++] = intake->block->rows;
}

void intake_finish(struct intake *intake)
{
	if (intake->block)
		flush(intake);
}

void intake_release(struct intake *intake)
{
	block_free(intake->block);
	free(intake->lanes);
	free(intake->needs);
}
