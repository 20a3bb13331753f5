#include "analysis/engine/facts.h"

#include "analysis/relations/types.h"
#include "base/memory.h"

#include <stdlib.h>

static bool is_common_column(enum call_column column)
{
	static const bool common[CALL_COLUMNS_END] = {
		[CALL_COLUMN_FUNCTION] = true,  [CALL_COLUMN_PLACE] = true,    [CALL_COLUMN_COMM] = true,
		[CALL_COLUMN_COMM_SIZE] = true, [CALL_COLUMN_ROOT] = true,     [CALL_COLUMN_WINDOW] = true,
		[CALL_COLUMN_FILE] = true,      [CALL_COLUMN_RESULT] = true,   [CALL_COLUMN_IS_UPC] = true,
		[CALL_COLUMN_SYNC_IN] = true,   [CALL_COLUMN_SYNC_OUT] = true,
	};

	return common[column];
}

static bool is_common(enum fact_kind kind, uint32_t number)
{
	switch (kind) {
	case FACT_COLUMN:
		return is_common_column((enum call_column)number);
	case FACT_ENVELOPE:
		return number == ENVELOPE_COMM;
	case FACT_BYTES:
	case FACT_PARAM:
		return false;
	case FACT_WILDCARD:
	case FACT_EAGER:
	case FACT_DERIVED:
	case FACT_BITS:
		break;
	}
	return true;
}

static bool is_column_of_whom(enum call_column column)
{
	static const bool of_whom[CALL_COLUMNS_END] = {
		[CALL_COLUMN_RANK] = true,      [CALL_COLUMN_PROCESS] = true, [CALL_COLUMN_NODE] = true,
		[CALL_COLUMN_COMM_RANK] = true, [CALL_COLUMN_DEST] = true,    [CALL_COLUMN_SOURCE] = true,
		[CALL_COLUMN_TARGET] = true,    [CALL_COLUMN_REQUEST] = true,
	};

	return of_whom[column];
}

static bool is_of_whom(enum fact_kind kind, uint32_t number)
{
	if (kind == FACT_COLUMN)
		return is_column_of_whom((enum call_column)number);
	return kind == FACT_ENVELOPE && (number == ENVELOPE_SOURCE || number == ENVELOPE_DEST);
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
	if (is_common(kind, number))
		return find_slot(&plan->common, kind, number);
	if (is_of_whom(kind, number))
		return 2 * FACT_SLOTS + find_slot(&plan->own, kind, number);
	return FACT_SLOTS + find_slot(&plan->loose, kind, number);
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

void fact_table_add(struct fact_table *table, const struct rule_facts *facts)
{
	uint32_t page = table->count / FACT_PAGE;

	if (!table->pages)
		table->pages = memory_new(FACT_PAGES, sizeof *table->pages);
	if (!table->pages[page])
		table->pages[page] = memory_new(FACT_PAGE, sizeof **table->pages);
	table->pages[page][table->count++ % FACT_PAGE] = facts;
}

void fact_table_release(struct fact_table *table)
{
	for (uint32_t i = 0; table->pages && i < FACT_PAGES && table->pages[i]; i++)
		free(table->pages[i]);
	free(table->pages);
}
