/* The folder of the parts of a trace belongs to one `tarry run` from the start of the job until the trace is
 * made. During this time a file in the folder is locked, so that no other job uses it. Parts of an earlier
 * job are kept under another name.
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

/* An earlier trace of the same name is removed with `replace`, otherwise renamed. Earlier parts without a
 * trace are always renamed. */
enum status parts_lock_take(const struct recording *plan, bool replace, struct parts_lock *lock) MUST_CHECK;
void parts_lock_release(const struct parts_lock *lock);

/* Fails if a `tarry run` is using this folder of parts. */
enum status parts_check_unused(const char *parts) MUST_CHECK;
/* The reason why processes of this user must not write there, as a sentence; NULL: they may. */
const char *parts_obstacle(const char *parts, struct arena *arena);
/* The same; also fails if a process of this machine still writes there. */
enum status parts_check_ended(const char *parts) MUST_CHECK;

/* True if all processes have ended their recording themselves. */
bool parts_are_finished(const char *parts);

/* True if there are parts to which no process writes any more, as far as this machine can tell. Parts of a
 * job that has just begun do not count. */
bool parts_are_left(const char *parts);

#endif
