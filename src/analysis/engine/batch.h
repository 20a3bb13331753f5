/* Rows of one relation on their way to the rules. If some rule needs all rows, the blocks of the model are
 * processed as they are. Otherwise only rows that at least one rule may need are copied. The bits of a row
 * show which conditions hold that depend only on its calls.
 *
 *	uint32_t column = batch_column(batch, INPUT_WORD, PART_ROW, offsetof(struct transfer, comm));
 *	batch_want(batch, need);
 *	block = batch_take(batch, block);
 *	… batch->run(batch->context, block) is called with a block: block_column(block, …) …
 *
 * All rows of a group are in one block. Rows are not converted: a column is extracted when it is needed,
 * which for most columns of most rows is never. */
#ifndef TARRY_ANALYSIS_ENGINE_BATCH_H
#define TARRY_ANALYSIS_ENGINE_BATCH_H

#include "analysis/engine/facts.h"
#include "analysis/relations/occurrence.h"
#include "analysis/relations/row_sink.h"

#include <stdbool.h>

enum input_kind {
	INPUT_WORD,
	INPUT_FACTS, /* of the call whose semantics the row has */
	INPUT_UNSIGNED,
	INPUT_SIGNED,
	INPUT_BOOL,
	INPUT_TEXT,
	INPUT_SERIAL,
	INPUT_CALL_BITS, /* of `source` */
	INPUT_FLAG_BITS,
};

/* Conditions on one call of a row, or on one of its flags. */
struct bit_source {
	enum row_part part;
	uint32_t offset;
	uint32_t slot;     /* of the call's facts */
	uint64_t flags[2]; /* bits that may hold when the flag is 0 or 1 */
	uint32_t given[2]; /* bits assigned to "it is set" and "it is not set", counted from 1; 0: none */
};

enum { BITS_MAX = 64, BIT_SOURCES = 16 };

struct input_column {
	enum input_kind kind;
	enum row_part part;
	uint32_t offset;
	const struct bit_source *source;
};

struct batch {
	enum relation relation;
	bool is_used;
	uint32_t sizes[ROW_PARTS]; /* bytes of each part of a row */
	struct input_column *columns;
	uint32_t column_count;
	struct bit_source calls[BIT_SOURCES], flags[BIT_SOURCES];
	uint32_t call_count, flag_count;
	uint32_t bit_count;
	uint64_t *needs;
	uint32_t need_count;
	bool wants_all;
	uint64_t
		last_bits; /* bits of the last row and, in last_wanted, its result: the next row is mostly equal */
	bool last_wanted, is_looked;
	const struct fact_table *facts;
	/* Of rows that are copied. */
	uint64_t groups; /* of all blocks before */
	struct row_block *block;
	void *context;
	/* Takes the block. Returns a block that can be filled again, or NULL. */
	struct row_block *(*run)(void *context, struct row_block *block);
	bool has_text; /* rows have a text at this offset; a relation has at most one */
	uint32_t text_offset;
	void *texts;
	int64_t (*number_of_text)(void *texts, const char *text);
};

uint32_t batch_column(struct batch *batch, enum input_kind kind, enum row_part part, uint32_t offset);
/* Some rule needs rows that have all these bits. */
void batch_want(struct batch *batch, uint64_t need);
/* The source of bits for conditions on the call at this place; NULL: too many sources. A new source has no
 * slot yet (UINT32_MAX). */
struct bit_source *batch_call_bits(struct batch *batch, enum row_part part, uint32_t offset);
struct bit_source *batch_flag_bits(struct batch *batch, enum row_part part, uint32_t offset);

void batch_init(struct batch *batch, enum relation relation);
/* Takes all rows of a block. Returns a block that can be filled again, or NULL. */
struct row_block *batch_take(struct batch *batch, struct row_block *block);
/* True if a row has all these bits; `group` as for batch_add(). */
bool batch_row_has(const struct batch *batch, const void *group, const void *row, uint64_t need);
/* Adds the rows of one group; `group` may be NULL. */
void batch_add(struct batch *batch, const void *group, const void *rows, uint32_t count);
/* Runs the rows that were added so far. */
void batch_finish(struct batch *batch);
void batch_release(struct batch *batch);

/* The values of a column for the rows in the list (NULL: all rows); for a column of groups, the common
 * values. */
void block_column(const struct batch *batch, const struct row_block *block, const struct input_column *column,
                  const uint32_t *rows, uint32_t count, union word *out);

#endif
