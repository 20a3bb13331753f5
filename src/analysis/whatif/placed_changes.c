#include "analysis/whatif/placed_changes.h"

#include "base/memory.h"

#include <stdlib.h>

bool placed_changes_next(const struct placed_changes *changes, uint32_t process, struct change_cursor *cursor)
{
	const uint32_t lists[] = {process, changes->process_count};

	for (; cursor->list < 2; cursor->list++, cursor->next = 0) {
		uint32_t first = changes->first[lists[cursor->list]];
		if (first + cursor->next >= changes->first[lists[cursor->list] + 1])
			continue;
		cursor->at = &changes->items[first + cursor->next++];
		return true;
	}
	return false;
}

static uint32_t place_of_caller(const struct reader *reader, struct places *places,
                                const struct caller *caller)
{
	return caller->call ? place_of(places, &reader->processes[caller->process], caller->call) : NO_PLACE;
}

void placed_changes_init(struct placed_changes *changes, const struct whatif_options *options,
                         const struct reader *reader, struct places *places)
{
	const uint32_t lists = (uint32_t)reader->process_count + 1;
	uint32_t *next = memory_new(lists, sizeof *next);

	*changes = (struct placed_changes){.first = memory_new(lists + 1u, sizeof *changes->first),
	                                   .process_count = lists - 1};
	for (size_t i = 0; i < options->count; i++)
		for (size_t j = 0; j < options->scenarios[i].change_count; j++) {
			uint32_t process = options->scenarios[i].changes[j].process;
			changes->first[(process == NO_PROCESS ? lists - 1 : process) + 1]++;
		}
	for (size_t i = 0; i < lists; i++)
		changes->first[i + 1] += changes->first[i];
	changes->items = memory_new(changes->first[lists] + 1u, sizeof *changes->items);
	for (uint32_t i = 0; i < options->count; i++)
		for (size_t j = 0; j < options->scenarios[i].change_count; j++) {
			const struct whatif_change *change = &options->scenarios[i].changes[j];
			uint32_t list = change->process == NO_PROCESS ? lists - 1 : change->process;
			changes->change_work |= change->kind == CHANGE_WORK ||
			                        change->kind == CHANGE_LESS_WORK;
			changes->items[changes->first[list] + next[list]++] = (struct placed_change){
				change, i + 1, place_of_caller(reader, places, &change->from),
				place_of_caller(reader, places, &change->to)};
		}
	free(next);
}

void placed_changes_release(struct placed_changes *changes)
{
	free(changes->items);
	free(changes->first);
}
