/* The changes of all scenarios, by process, with the numbers of their places. Internal to this layer.
 *
 *	placed_changes_init(&changes, options, reader, &places);
 *	struct change_cursor cursor = {0};
 *	while (placed_changes_next(&changes, process, &cursor))
 *		cursor.at->…
 *	placed_changes_release(&changes); */
#ifndef TARRY_ANALYSIS_WHATIF_PLACED_CHANGES_H
#define TARRY_ANALYSIS_WHATIF_PLACED_CHANGES_H

#include "analysis/model/places.h"
#include "analysis/whatif/whatif.h"

struct placed_change {
	const struct whatif_change *change;
	uint32_t scenario, from, to;
};

struct placed_changes {
	struct placed_change *items; /* by process */
	uint32_t *first;             /* by process; the last: those of all processes */
	uint32_t process_count;
	bool change_work; /* in any scenario */
};

/* The changes that concern a process: its own first, then those of all processes. */
struct change_cursor {
	const struct placed_change *at;
	uint32_t list, next;
};

void placed_changes_init(struct placed_changes *changes, const struct whatif_options *options,
                         const struct reader *reader, struct places *places);
bool placed_changes_next(const struct placed_changes *changes, uint32_t process,
                         struct change_cursor *cursor);
void placed_changes_release(struct placed_changes *changes);

#endif
