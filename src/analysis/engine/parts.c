#include "analysis/engine/parts.h"

#include "analysis/engine/crew.h"
#include "analysis/engine/tally.h"
#include "base/memory.h"

#include <stdlib.h>
#include <unistd.h>

struct parts *parts_new(unsigned threads)
{
	struct parts *parts = memory_new(1, sizeof *parts);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	parts->threads = threads ? threads : cores > 1 ? (unsigned)cores : 1;
	return parts;
}

/* Components */

static uint32_t root_of(uint32_t *above, uint32_t type)
{
	while (above[type] != type)
		type = above[type] = above[above[type]];
	return type;
}

static bool is_composite(const struct event_type *type)
{
	return type->form != FORM_CALL && type->form != FORM_NATIVE;
}

/* By type: another one of its component, and in the end the same for all of it. */
static uint32_t *find_components(const struct rulebook *book)
{
	uint32_t *above = memory_new(book->type_count + 1, sizeof *above);

	for (uint32_t i = 0; i < book->type_count; i++)
		above[i] = i;
	for (uint32_t i = 0; i < book->type_count; i++) {
		const struct event_type *type = book->types[i];
		for (uint32_t j = 0; j < type->member_count; j++)
			if (is_composite(type->members[j].type))
				above[root_of(above, i)] = root_of(above, type->members[j].type->number);
	}
	return above;
}

static uint32_t count_components(const struct rulebook *book, uint32_t *above)
{
	bool *is_counted = memory_new(book->type_count + 1, sizeof *is_counted);
	uint32_t count = 0;

	for (size_t i = 0; i < book->problem_count; i++) {
		bool *counted = &is_counted[root_of(above, book->problems[i]->type->number)];
		count += !*counted;
		*counted = true;
	}
	free(is_counted);
	return count;
}

/* The share that has least to do so far. */
static uint32_t idlest(const struct parts *parts)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < parts->count; i++)
		if (parts->shares[i]->watch_count < parts->shares[best]->watch_count)
			best = i;
	return best;
}

static enum status share_out(struct parts *parts, const struct rulebook *book, uint32_t *above)
{
	struct share **of_type = memory_new(book->type_count + 1, sizeof *of_type);
	enum status status = OK;

	for (size_t i = 0; i < book->problem_count && status == OK; i++) {
		struct share **share = &of_type[root_of(above, book->problems[i]->type->number)];
		if (!*share)
			*share = parts->shares[idlest(parts)];
		status = share_add(*share, book->problems[i]);
	}
	free(of_type);
	return status;
}

enum status parts_compile(struct parts *parts, struct engine *engine)
{
	uint32_t place_slot = fact_slot(&engine->facts, FACT_COLUMN, CALL_COLUMN_PLACE);
	uint32_t *above = find_components(engine->book);
	uint32_t components = count_components(engine->book, above);
	enum status status;

	parts->count = parts->threads > components ? components : parts->threads - 1;
	parts->count = parts->count ? parts->count : 1;
	parts->shares = memory_new(parts->count, sizeof(struct share *));
	for (uint32_t i = 0; i < parts->count; i++)
		parts->shares[i] = share_new(engine);
	status = share_out(parts, engine->book, above);
	for (uint32_t i = 0; i < parts->count; i++)
		for (uint32_t j = 0; j < parts->shares[i]->watch_count; j++)
			tally_new(parts->shares[i]->watches[j], place_slot);
	free(above);
	return status;
}

/* Working */

void parts_start(struct parts *parts)
{
	if (parts->threads > 1)
		parts->crew = crew_new(parts->shares, parts->count);
}

struct row_block *parts_run(void *context, struct row_block *block)
{
	struct parts *parts = context;

	if (parts->crew)
		return crew_hand_over(parts->crew, block);
	share_run(parts->shares[0], block);
	return block;
}

void parts_catch_up(struct parts *parts)
{
	if (parts->crew)
		crew_catch_up(parts->crew);
}

void parts_finish(struct parts *parts)
{
	if (parts->crew)
		crew_finish(parts->crew);
	else
		share_finish(parts->shares[0]);
}

void parts_free(struct parts *parts)
{
	for (uint32_t i = 0; i < parts->count; i++) {
		for (uint32_t j = 0; j < parts->shares[i]->watch_count; j++)
			tally_free(parts->shares[i]->watches[j]->tally);
		share_free(parts->shares[i]);
	}
	crew_free(parts->crew);
	free(parts->shares);
	free(parts);
}
