/* The folder of the parts of a trace belongs to one `tarry run` from the start of the job until the trace is made. A file in
 * it is locked as long as that one lives, so that no other job gets in between; what an earlier one left is kept under
 * another name.
 *
 *	struct parts_lock lock;
 *	TRY(parts_lock_take(&plan, replace, &lock));
 *	… run the job and merge its parts …
 *	parts_lock_release(&lock); */
#ifndef TARRY_CLI_PARTS_FOLDER_H
#define TARRY_CLI_PARTS_FOLDER_H

#include "base/arena.h"
#include "base/own_folder.h"
#include "base/status.h"
#include "cli/recording.h"

#include <stdbool.h>

struct parts_lock {
	const struct recording *plan;
	struct own_folder folder;
	int owner; /* the locked file in it */
};

/* An earlier trace of the same name goes away with `replace`; otherwise it is kept under another name, and so are parts
 * that nobody has made a trace of. */
enum status parts_lock_take(const struct recording *plan, bool replace, struct parts_lock *lock) MUST_CHECK;
void parts_lock_release(const struct parts_lock *lock);

/* Fails if a `tarry run` is at work in this folder of parts. */
enum status parts_check_unused(const char *parts) MUST_CHECK;
/* Why processes of ours must not write there: a sentence, or NULL. */
const char *parts_obstacle(const char *parts, struct arena *arena);
/* Fails also if a process of this machine still writes there. */
enum status parts_check_ended(const char *parts) MUST_CHECK;

/* Have all processes ended their recording themselves? */
bool parts_are_finished(const char *parts);

/* Are there parts which nobody writes any more, as far as can be seen from this machine? Those of a job that has just begun do not
 * count. */
bool parts_are_left(const char *parts);

#endif
