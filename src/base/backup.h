/* Nothing that was recorded is overwritten: an earlier trace of the same name gets the next free name of its kind,
 * run.old-1.tarry for run.tarry, and so does the folder of its parts. */
#ifndef TARRY_BASE_BACKUP_H
#define TARRY_BASE_BACKUP_H

#include <stdbool.h>

struct own_folder;

/* Gives what stands under the name of this trace another one, which is put into `backup` (PATH_MAX bytes): the trace and,
 * if wanted, the folder of its parts. "": there was nothing. False: errno. */
bool backup_trace(const char *output, bool parts_too, char *backup);
/* The same for a folder whose name ends with `suffix`: app.old-1.check for app.check. `backup` is its new name (NAME_MAX + 1 bytes). */
bool backup_folder(const struct own_folder *folder, const char *suffix, char *backup);

#endif
