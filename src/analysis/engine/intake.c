#include "analysis/engine/intake.h"

#include "analysis/model/relations.h"
#include "analysis/model/role.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void intake_init(struct intake *intake, enum relation relation)
{
	*intake = (struct intake){.relation = relation, .block_rows = BLOCK_ROWS, .serial = 1};
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		intake->sizes[i] = relation_infos[relation].sizes[i];
}

static struct block *block_new(const struct intake *intake, uint32_t rows)
{
	struct block *block = memory_new(1, sizeof *block);

	block->room = rows;
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		block->told[i] = memory_new(rows, intake->sizes[i] + 1u);
	block->group_of = memory_new(rows, sizeof *block->group_of);
	return block;
}

void block_free(struct block *block)
{
	if (!block)
		return;
	for (uint32_t i = 0; i < ROW_PARTS; i++)
		free(block->told[i]);
	free(block->group_of);
	free(block);
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

static inline const struct facts *facts_of(const unsigned char *at)
{
	return ((const struct role *)(uintptr_t)wide_at(at))->note;
}

static inline uint64_t bits_of(const struct intake *intake, const void *const told[ROW_PARTS])
{
	uint64_t bits = UINT64_MAX;

	for (uint32_t i = 0; i < intake->call_count; i++) {
		const struct bit_source *source = &intake->calls[i];
		const unsigned char *at = told[source->told];
		bits &= (uint64_t)facts_of(at + source->offset)->common[source->slot];
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

void block_lane(const struct intake *intake, const struct block *block, const struct lane *lane,
                const uint32_t *rows, uint32_t count, union word *out)
{
	const unsigned char *from = block->told[lane->told] + lane->offset;
	size_t size = intake->sizes[lane->told];
	const struct bit_source *source = lane->source;

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
		FILL(facts_word(facts_of(at)).i)
		break;
	case LANE_CALL_BITS:
		FILL(facts_of(at)->common[source->slot])
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

struct common_bits block_flags(const struct intake *intake, const struct block *block,
                               const struct lane *lane)
{
	const unsigned char *at = block->told[lane->told] + lane->offset;
	uint32_t count = lane->told == PART_ROW ? block->rows : block->groups, set = 0;
	size_t size = intake->sizes[lane->told];
	struct common_bits bits = {0, UINT64_MAX};

	for (uint32_t i = 0; i < count; i++, at += size)
		set += *(const bool *)at;
	for (uint32_t value = 0; value < 2; value++) {
		if (value ? !set : set == count)
			continue;
		bits.some |= lane->source->flags[value];
		bits.all &= lane->source->flags[value];
	}
	return bits;
}

/* Rows */

static void begin_block(struct intake *intake, uint32_t rows)
{
	if (!intake->block)
		intake->block = block_new(intake, rows);
	intake->block->rows = intake->block->groups = 0;
	intake->block->serial = intake->serial;
}

/* The block may come back, another one, or none. */
static void flush(struct intake *intake)
{
	intake->serial += intake->block->groups;
	if (intake->block->rows)
		intake->flush(intake->context, intake);
	begin_block(intake, intake->block_rows);
}

void intake_make_room(struct intake *intake, uint32_t count)
{
	if (!intake->block)
		begin_block(intake, intake->block_rows);
	if (block_has_room(intake->block, count))
		return;
	flush(intake);
	if (count > intake->block->room) {
		block_free(intake->block);
		intake->block = NULL;
		begin_block(intake, count + count / 2);
	}
}

static inline bool has_room(const struct intake *intake, uint32_t count)
{
	return intake->block && block_has_room(intake->block, count);
}

/* A text lives only now: its number takes its place. */
static void keep_text(const struct intake *intake, unsigned char *row)
{
	const char *text = (const char *)(uintptr_t)wide_at(row + intake->text_offset);
	int64_t number = intake->number_of_text(intake->texts, text);

	memcpy(row + intake->text_offset, &number, sizeof number);
}

/* The functions that follow are made once for each relation, so that the compiler knows what it copies. */
#define FOR_EACH_SIZE static inline __attribute__((always_inline))

FOR_EACH_SIZE void add_all(struct block *block, const void *rows, uint32_t count, size_t size)
{
	unsigned char *kept = block->told[PART_ROW] + block->rows * size;
	const unsigned char *from = rows;

	for (uint32_t i = 0; i < count; i++) {
		memcpy(kept + i * size, from + i * size, size);
		block->group_of[block->rows + i] = block->groups;
	}
	block->rows += count;
}

FOR_EACH_SIZE void add_wanted(struct intake *intake, const void *group, const void *row, uint32_t count,
                              size_t size)
{
	const void *told[ROW_PARTS] = {[PART_ROW] = row, [PART_GROUP] = group};

	for (uint32_t i = 0; i < count; i++) {
		if (is_wanted(intake, bits_of(intake, told)))
			add_all(intake->block, told[PART_ROW], 1, size);
		told[PART_ROW] = (const char *)told[PART_ROW] + size;
	}
}

FOR_EACH_SIZE void add(struct intake *intake, const void *group, const void *rows, uint32_t count,
                       const uint32_t *sizes)
{
	struct block *block = intake->block;
	uint32_t before = block->rows;

	if (intake->wants_all)
		add_all(block, rows, count, sizes[PART_ROW]);
	else
		add_wanted(intake, group, rows, count, sizes[PART_ROW]);
	if (block->rows == before)
		return;
	for (uint32_t i = before; i < block->rows && intake->has_text; i++)
		keep_text(intake, block->told[PART_ROW] + (size_t)i * sizes[PART_ROW]);
	if (sizes[PART_GROUP])
		memcpy(block->told[PART_GROUP] + (size_t)block->groups * sizes[PART_GROUP], group,
		       sizes[PART_GROUP]);
	block->groups++;
}

/* The most frequent ones have sizes of their own. */

static __attribute__((noinline)) void add_collective(struct intake *intake, const void *group,
                                                     const void *rows, uint32_t count)
{
	static const uint32_t sizes[ROW_PARTS] = {sizeof(struct collective_call),
	                                          sizeof(struct collective_operation)};

	add(intake, group, rows, count, sizes);
}

static __attribute__((noinline)) void add_other(struct intake *intake, const void *group, const void *rows,
                                                uint32_t count)
{
	add(intake, group, rows, count, intake->sizes);
}

void intake_add(struct intake *intake, const void *group, const void *rows, uint32_t count)
{
	if (!count)
		return;
	if (!has_room(intake, count))
		intake_make_room(intake, count);
	if (intake->relation == RELATION_COLLECTIVE_CALL)
		add_collective(intake, group, rows, count);
	else
		add_other(intake, group, rows, count);
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
