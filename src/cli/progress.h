/* A bar on stderr for work that takes a while; nothing when stderr is no terminal that can wipe it, or
 * the work is short.
 *
 *	progress_begin("reading");
 *	progress_show(0.4);
 *	progress_end(); */
#ifndef TARRY_CLI_PROGRESS_H
#define TARRY_CLI_PROGRESS_H

void progress_begin(const char *what);
/* From 0 to 1; cheap enough to be called often. */
void progress_show(double part);
/* Wipes the bar until it is shown again: something else is about to be printed. */
void progress_hide(void);
/* Wipes the bar. */
void progress_end(void);

#endif
