/* The distinct calls of a process, by their ids: equal ones are one.
 *
 *	struct call_table table = {0};
 *	const struct call *call = call_table_put(&table, &arena, &draft, bytes);
 *	table.items[call->id] == call
 *	call_table_release(&table);
 *
 * A trace of many processes has as many tables of few calls: those are told apart by a byte for each. */
#ifndef TARRY_TRACE_CALL_TABLE_H
#define TARRY_TRACE_CALL_TABLE_H

#include "base/arena.h"

#include <stdint.h>

struct call;

struct call_table {
	const struct call **items; /* behind them is a byte of the hash of each */
	uint32_t count, room;
	uint32_t *slots; /* one above the id, 0: none; NULL as long as the calls are few */
	uint32_t slot_count;
};

/* The one with the same `bytes` from its outline on; a new one is copied into the arena, with the next id. */
const struct call *call_table_put(struct call_table *table, struct arena *arena, const struct call *call,
                                  size_t bytes);
void call_table_release(struct call_table *table);

#endif
