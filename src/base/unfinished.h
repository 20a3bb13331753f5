/* Files and folders that are being made and have no name of their own yet: whoever is told to end removes them first.
 *
 *	unfinished_add("run.tarry.123.tmp");
 *	…
 *	rename("run.tarry.123.tmp", "run.tarry");
 *	unfinished_forget("run.tarry.123.tmp");
 *
 * There is room for a few; what does not fit is not remembered. One thread at a time. */
#ifndef TARRY_BASE_UNFINISHED_H
#define TARRY_BASE_UNFINISHED_H

void unfinished_add(const char *path);
void unfinished_forget(const char *path);

/* May be called by a signal handler. */
void unfinished_remove(void);

#endif
