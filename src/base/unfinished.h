/* Temporary files and folders of unfinished output: a process that a signal ends removes them first.
 *
 *	unfinished_add("run.tarry.123.tmp");
 *	…
 *	rename("run.tarry.123.tmp", "run.tarry");
 *	unfinished_forget("run.tarry.123.tmp");
 *
 * Only a few are remembered; more are ignored. One thread at a time. */
#ifndef TARRY_BASE_UNFINISHED_H
#define TARRY_BASE_UNFINISHED_H

void unfinished_add(const char *path);
void unfinished_forget(const char *path);

/* Async-signal-safe. */
void unfinished_remove(void);

#endif
