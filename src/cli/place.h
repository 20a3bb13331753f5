/* Where a trace comes into being: the folder of its parts belongs to one `tarry run` from the start of the job until the
 * trace is made. A file in it is locked as long as that one lives, so that no other job gets in between; what was left
 * by one that does not live any more is set aside. */
#ifndef TARRY_CLI_PLACE_H
#define TARRY_CLI_PLACE_H

#include "base/arena.h"
#include "base/status.h"
#include "cli/recording.h"

#include <stdbool.h>

struct place {
	const struct recording *plan;
	int owner; /* the locked file */
};

/* An earlier trace of the same name goes away with `replace`; otherwise it is kept under another name, and so are parts
 * that nobody has made a trace of. */
enum status place_take(const struct recording *plan, bool replace, struct place *place) MUST_CHECK;
void place_leave(const struct place *place);

/* Fails if a `tarry run` is at work in this folder of parts. */
enum status place_check_unused(const char *parts) MUST_CHECK;
/* Why processes of ours must not write there: a sentence, or NULL. */
const char *place_obstacle(const char *parts, struct arena *arena);
/* Fails also if a process of this machine still writes there. */
enum status place_check_ended(const char *parts) MUST_CHECK;

#endif
