#include "engine/parts.h"

#include "base/memory.h"
#include "engine/tally.h"

#include <stdlib.h>

struct parts *parts_new(unsigned threads)
{
	struct parts *parts = memory_new(1, sizeof *parts);

	parts->threads = threads;
	return parts;
}

enum status parts_compile(struct parts *parts, struct engine *engine)
{
	uint32_t place_slot = fact_slot(&engine->facts, FACT_COLUMN, CALL_COLUMN_PLACE);
	struct share *share = share_new(engine);

	parts->shares = memory_new(1, sizeof(struct share *));
	parts->shares[parts->count++] = share;
	for (size_t i = 0; i < engine->book->problem_count; i++)
		TRY(share_add(share, engine->book->problems[i]));
	for (uint32_t i = 0; i < share->watch_count; i++)
		tally_new(share->watches[i], place_slot);
	return OK;
}

void parts_start(struct parts *parts)
{
	(void)parts;
}

void parts_run(void *context, struct intake *intake)
{
	struct parts *parts = context;

	for (uint32_t i = 0; i < parts->count; i++)
		share_run(parts->shares[i], intake->relation, intake->block);
}

void parts_finish(struct parts *parts)
{
	for (uint32_t i = 0; i < parts->count; i++)
		share_finish(parts->shares[i]);
}

void parts_free(struct parts *parts)
{
	for (uint32_t i = 0; i < parts->count; i++) {
		for (uint32_t j = 0; j < parts->shares[i]->watch_count; j++)
			tally_free(parts->shares[i]->watches[j]->tally);
		share_free(parts->shares[i]);
	}
	free(parts->shares);
	free(parts);
}
