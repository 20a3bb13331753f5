/* Recorded data is never overwritten: an earlier trace of the same name is renamed to the next free name,
 * run.old-1.tarry for run.tarry, and so is the folder of its parts. */
#ifndef TARRY_BASE_BACKUP_H
#define TARRY_BASE_BACKUP_H

#include <stdbool.h>

struct own_folder;

/* Renames an existing trace of this name and, if wanted, the folder of its parts. `backup` (PATH_MAX bytes)
 * receives the new name; "": there was nothing to rename. False: errno. */
bool backup_trace(const char *output, bool parts_too, char *backup);
/* The same for a folder whose name ends with `suffix`: app.old-1.check for app.check. `backup` receives its
 * new name (NAME_MAX + 1 bytes). */
bool backup_folder(const struct own_folder *folder, const char *suffix, char *backup);

#endif
