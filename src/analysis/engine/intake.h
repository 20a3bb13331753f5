/* What the model tells of one relation, collected into blocks of rows. Only rows are kept that at least one rule may want:
 * bits of a row tell which conditions that depend on its calls alone hold.
 *
 *	uint32_t lane = intake_lane(intake, LANE_WORD, PART_ROW, offsetof(struct transfer, comm));
 *	intake_want(intake, need);
 *	intake_add(intake, gathering, gathering->rows, gathering->count);
 *	… intake->flush(intake->context, intake) is called with a full block: block_lane(block, …) …
 *
 * Rows of one group are always in one block. They stay as they were told: a column is made of them when it is asked for,
 * which for most columns of most rows is never. */
#ifndef TARRY_ANALYSIS_ENGINE_INTAKE_H
#define TARRY_ANALYSIS_ENGINE_INTAKE_H

#include "analysis/engine/facts.h"
#include "analysis/relations/occurrence.h"
#include "analysis/relations/types.h"

#include <stdbool.h>

/* Rows of a block, unless a group has more, and groups: what is done once for each block should be done for many groups, but
 * columns that are made for all of them should stay in the nearest cache. */
enum { BLOCK_ROWS = 1024, BLOCK_GROUPS = 512 };

struct block {
	uint32_t rows, groups;
	uint32_t room;
	unsigned char *told[2]; /* by enum row_part: rows, and what the rows of a group have in common */
	uint32_t *group_of;     /* by row */
	uint64_t serial;        /* of the first group; those of the others follow */
};

enum lane_kind {
	LANE_WORD,
	LANE_FACTS, /* of the call whose role stands there */
	LANE_UNSIGNED,
	LANE_SIGNED,
	LANE_BOOL,
	LANE_TEXT,
	LANE_SERIAL,
	LANE_CALL_BITS, /* of `source` */
	LANE_FLAG_BITS,
	LANE_KINDS,
};

/* Conditions on one call of a row, or on one of its flags. */
struct bit_source {
	enum row_part told;
	uint32_t offset;
	uint32_t slot;     /* of the call's facts */
	uint64_t flags[2]; /* bits that may hold when the flag is 0 or 1 */
	uint32_t given[2]; /* bits given out for "it is set" and "it is not set", counted from 1; 0: none */
};

enum { BITS_MAX = 64, BIT_SOURCES = 16 };

struct lane {
	enum lane_kind kind;
	enum row_part told;
	uint32_t offset;
	const struct bit_source *source;
};

struct intake {
	enum relation relation;
	bool is_used;
	uint32_t sizes[ROW_PARTS]; /* bytes of what is told */
	struct lane *lanes;
	uint32_t lane_count;
	struct bit_source calls[BIT_SOURCES], flags[BIT_SOURCES];
	uint32_t call_count, flag_count;
	uint32_t bit_count;
	uint64_t *needs;
	uint32_t need_count;
	bool wants_all;
	uint64_t last_bits; /* whether such a row was wanted: mostly the next one is like it */
	bool last_wanted, is_looked;
	uint64_t serial; /* of the block's first group */
	struct block *block;
	uint32_t block_rows;
	void *context;
	void (*flush)(void *context, struct intake *intake);
	bool has_text; /* of a row, at this place: a relation has one at the most */
	uint32_t text_offset;
	void *texts;
	int64_t (*number_of_text)(void *texts, const char *text);
};

uint32_t intake_lane(struct intake *intake, enum lane_kind kind, enum row_part told, uint32_t offset);
/* Somebody wants rows that have all these bits. */
void intake_want(struct intake *intake, uint64_t need);
/* The source for conditions on the call at this place; NULL: there are too many. A new one has no slot yet
 * (UINT32_MAX). */
struct bit_source *intake_call_bits(struct intake *intake, enum row_part told, uint32_t offset);
struct bit_source *intake_flag_bits(struct intake *intake, enum row_part told, uint32_t offset);

void intake_init(struct intake *intake, enum relation relation);
void intake_add(struct intake *intake, const void *group, const void *rows, uint32_t count);
/* The same, if all rows are wanted, for who fills in the block itself before anything else is done with the intake: where
 * the next group belongs, and its rows. */
static inline void *intake_room(struct intake *intake, uint32_t count, void **rows);
void intake_finish(struct intake *intake);
void intake_release(struct intake *intake);

void intake_make_room(struct intake *intake, uint32_t count);

/* How far behind what is being filled in it is fetched: another core may have looked at it last, from where it takes a while
 * to come. */
enum { FETCHED_AHEAD = 640 };

static inline bool block_has_room(const struct block *block, uint32_t count)
{
	return block->rows + count <= block->room && block->groups < BLOCK_GROUPS;
}

static inline void *intake_room(struct intake *intake, uint32_t count, void **rows)
{
	size_t size = intake->sizes[PART_ROW];
	struct block *block = intake->block;
	uint32_t *group_of, groups;
	unsigned char *row, *group;

	if (__builtin_expect(!block || !block_has_room(block, count), 0)) {
		intake_make_room(intake, count);
		block = intake->block;
	}
	groups = block->groups++;
	group = block->told[PART_GROUP] + (size_t)groups * intake->sizes[PART_GROUP];
	group_of = block->group_of + block->rows;
	*rows = row = block->told[PART_ROW] + block->rows * size;
	block->rows += count;
	__builtin_prefetch(group + FETCHED_AHEAD, 1);
	for (uint32_t i = 0; i < count; i++, row += size) {
		group_of[i] = groups;
		__builtin_prefetch(row + FETCHED_AHEAD, 1);
		__builtin_prefetch(row + FETCHED_AHEAD + size / 2, 1);
	}
	return group;
}

void block_free(struct block *block);
/* The values of a lane: of the rows in the list, or of all; for groups, of what they have in common. */
void block_lane(const struct intake *intake, const struct block *block, const struct lane *lane,
                const uint32_t *rows, uint32_t count, union word *out);
/* The bits of a lane of flags, of all rows. */
struct common_bits block_flags(const struct intake *intake, const struct block *block,
                               const struct lane *lane);

#endif
