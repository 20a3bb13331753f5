/* Types of values: numbers with units, instants, ranks, and objects with equality only. */
#ifndef TARRY_ANALYSIS_RULES_TYPES_H
#define TARRY_ANALYSIS_RULES_TYPES_H

#include "analysis/relations/types.h"
#include "base/arena.h"

extern const struct type type_bool, type_count, type_real, type_time, type_bytes, type_instant, type_rank,
	type_text, type_function, type_event;

/* "a time (s)", "bytes", "a rate (B/s)", "a communicator". In the arena, or static. */
const char *type_describe(struct arena *arena, struct type type);

bool type_is_number(struct type type);
/* Without a unit. */
bool type_is_plain(struct type type);
bool type_is_ordered(struct type type);
/* The same unit and kind: may be compared, or be the two branches of a choice. */
bool types_agree(struct type a, struct type b);

/* By the table of the language: "s", "ms", "KiB", "%". False: unknown. `scale` is in ns and bytes. */
bool unit_named(const char *name, struct type *type, double *scale);
/* Of a cast: "bytes", "seconds", "rank", "text". */
bool cast_find(const char *name, struct type *type, double *scale);
/* Names of all units or casts, in order; NULL after the last. */
const char *unit_name(unsigned number);
const char *cast_name(unsigned number);

#endif
