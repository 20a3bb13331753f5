#include "analysis/engine/facts.h"

#include "analysis/relations/types.h"
#include "base/arena.h"
#include "base/memory.h"

#include <stdlib.h>

/* Columns that many calls have in common, and columns that depend on caller and partner. Others are loose. */
enum fact_share { SHARE_LOOSE, SHARE_COMMON, SHARE_OWN };

static const enum fact_share column_shares[CALL_COLUMNS_END] = {
	[CALL_COLUMN_FUNCTION] = SHARE_COMMON,  [CALL_COLUMN_MODE] = SHARE_COMMON,
	[CALL_COLUMN_MOVES] = SHARE_COMMON,     [CALL_COLUMN_IS_NONBLOCKING] = SHARE_COMMON,
	[CALL_COLUMN_COMPLETES] = SHARE_COMMON, [CALL_COLUMN_PLACE] = SHARE_COMMON,
	[CALL_COLUMN_COMM] = SHARE_COMMON,      [CALL_COLUMN_COMM_SIZE] = SHARE_COMMON,
	[CALL_COLUMN_ROOT] = SHARE_COMMON,      [CALL_COLUMN_WINDOW] = SHARE_COMMON,
	[CALL_COLUMN_FILE] = SHARE_COMMON,      [CALL_COLUMN_RESULT] = SHARE_COMMON,
	[CALL_COLUMN_IS_UPC] = SHARE_COMMON,    [CALL_COLUMN_SYNC_IN] = SHARE_COMMON,
	[CALL_COLUMN_SYNC_OUT] = SHARE_COMMON,  [CALL_COLUMN_RANK] = SHARE_OWN,
	[CALL_COLUMN_PROCESS] = SHARE_OWN,      [CALL_COLUMN_NODE] = SHARE_OWN,
	[CALL_COLUMN_COMM_RANK] = SHARE_OWN,    [CALL_COLUMN_DEST] = SHARE_OWN,
	[CALL_COLUMN_SOURCE] = SHARE_OWN,       [CALL_COLUMN_TARGET] = SHARE_OWN,
	[CALL_COLUMN_REQUEST] = SHARE_OWN,
};

static enum fact_share share_of(enum fact_kind kind, uint32_t number)
{
	if (kind == FACT_COLUMN)
		return column_shares[number];
	if (kind == FACT_ENVELOPE)
		return number == ENVELOPE_COMM  ? SHARE_COMMON
		       : number == ENVELOPE_TAG ? SHARE_LOOSE
		                                : SHARE_OWN;
	return kind == FACT_BYTES || kind == FACT_PARAM ? SHARE_LOOSE : SHARE_COMMON;
}

static uint32_t find_slot(struct fact_list *list, enum fact_kind kind, uint32_t number)
{
	for (uint32_t i = 0; i < list->count && kind < FACT_DERIVED; i++)
		if (list->slots[i].kind == kind && list->slots[i].number == number)
			return i;
	if (list->count == list->room) {
		list->room = list->room ? list->room * 2 : 16;
		list->slots = memory_grow(list->slots, list->room, sizeof *list->slots);
	}
	list->slots[list->count] = (struct fact_slot){kind, number};
	return list->count++;
}

uint32_t fact_slot(struct fact_plan *plan, enum fact_kind kind, uint32_t number)
{
	/* Both are the bytes that it sends. */
	if (kind == FACT_COLUMN && number == CALL_COLUMN_SENT)
		return fact_slot(plan, FACT_BYTES, 0);
	if (kind == FACT_COLUMN && number == CALL_COLUMN_PROCESS)
		return FACT_PROCESS;
	switch (share_of(kind, number)) {
	case SHARE_COMMON:
		return find_slot(&plan->common, kind, number);
	case SHARE_OWN:
		return 2 * FACT_SLOTS + find_slot(&plan->own, kind, number);
	default:
		return FACT_SLOTS + find_slot(&plan->loose, kind, number);
	}
}

bool is_derived(const struct fact_plan *plan, uint32_t slot)
{
	return slot < FACT_SLOTS && plan->common.slots[slot].kind >= FACT_DERIVED;
}

void fact_plan_release(struct fact_plan *plan)
{
	free(plan->common.slots);
	free(plan->loose.slots);
	free(plan->own.slots);
	*plan = (struct fact_plan){0};
}

struct rule_facts *new_facts(struct fact_table *table, struct arena *arena, const int64_t *own,
                             uint32_t count)
{
	struct rule_facts *facts;
	unsigned char **page;

	if (!table->pages) {
		size_t own_bytes = count * sizeof(int32_t), align = sizeof(int64_t);

		/* Before other threads look at it. */
		own_bytes = own_bytes < sizeof(int64_t *) ? sizeof(int64_t *) : own_bytes;
		table->stride = (offsetof(struct rule_facts, own) + own_bytes + align - 1) / align * align;
		table->pages = memory_new(FACT_PAGES, sizeof *table->pages);
	}
	page = &table->pages[table->count / FACT_PAGE];
	if (!*page)
		*page = memory_new(FACT_PAGE, table->stride);
	facts = (struct rule_facts *)(void *)(*page + table->count++ % FACT_PAGE * table->stride);
	for (uint32_t i = 0; i < count; i++)
		facts->is_wide |= own[i] != INT64_MIN && (own[i] <= INT32_MIN || own[i] > INT32_MAX);
	if (facts->is_wide) {
		const int64_t *wide = memcpy(arena_array(arena, int64_t, count), own, count * sizeof *own);
		memcpy(facts->own, &wide, sizeof wide);
	}
	for (uint32_t i = 0; i < count && !facts->is_wide; i++)
		facts->own[i] = own[i] == INT64_MIN ? INT32_MIN : (int32_t)own[i];
	return facts;
}

void fact_table_release(struct fact_table *table)
{
	for (uint32_t i = 0; table->pages && i < FACT_PAGES && table->pages[i]; i++)
		free(table->pages[i]);
	free(table->pages);
}
