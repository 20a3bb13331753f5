/* Which files may be shown as source code. Traces, logs and debug information name any file, and a page is often given to others:
 * so only files below the current folder, the trace, the program and folders that the user names are read, and no link below
 * these folders is followed.
 *
 *	struct source_files *sources = source_files_new();        the current folder
 *	source_files_allow_beside(sources, "runs/app.tarry");
 *	source_files_allow(sources, "/home/u/lib");               named by the user: links may lead there
 *
 *	FILE *file = source_files_open(sources, "halo.c");        NULL: it is not there, or not allowed
 *	…
 *	source_files_refused(sources)                             "/etc/other.c", the first that is there and not allowed; or NULL
 *	source_files_free(sources);
 *
 * A compiler names files as they were given to it: absolute, or relative to the folder that it was started in, which is not known. Such
 * names are looked for from each of the folders. */
#ifndef TARRY_BASE_SOURCE_FILES_H
#define TARRY_BASE_SOURCE_FILES_H

#include <stdio.h>

struct source_files;

struct source_files *source_files_new(void);
void source_files_free(struct source_files *sources); /* may be NULL */

void source_files_allow(struct source_files *sources, const char *folder);
/* The folder that this file or folder is in. */
void source_files_allow_beside(struct source_files *sources, const char *path);

/* A regular file of moderate size whose name ends as names of sources do. */
FILE *source_files_open(struct source_files *sources, const char *name);

const char *source_files_refused(const struct source_files *sources);

#endif
