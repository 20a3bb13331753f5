/* Nothing that was recorded is overwritten: an earlier trace of the same name gets the next free name of its kind,
 * run.old-1.tarry for run.tarry, and so does the folder of its parts. */
#ifndef TARRY_BASE_BACKUP_H
#define TARRY_BASE_BACKUP_H

#include <stdbool.h>

/* Gives what stands under the name of this trace another one, which is put into `backup` (PATH_MAX bytes): the trace and,
 * if wanted, the folder of its parts. "": there was nothing. False: errno. */
bool backup_trace(const char *output, bool parts_too, char *backup);

#endif
