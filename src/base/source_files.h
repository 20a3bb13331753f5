/* Which files may be shown as source code. Traces, logs and debug information may name any file, and pages
 * are often given to others. So only files below the current folder, the folders of the trace and the
 * program, and folders named by the user are read. Links below these folders are not followed.
 *
 *	struct source_files *sources = source_files_new();        the current folder
 *	source_files_allow_beside(sources, "runs/app.tarry");
 *	source_files_allow(sources, "/home/u/lib");               named by the user: links may lead there
 *
 *	FILE *file = source_files_open(sources, "halo.c");        NULL: not found or not allowed
 *	…
 *	source_files_refused(sources)                             "/etc/other.c", the first existing one not allowed; or NULL
 *	source_files_free(sources);
 *
 * A compiler records file names as given: absolute, or relative to its unknown working folder. Relative names
 * are looked up in each of the folders. */
#ifndef TARRY_BASE_SOURCE_FILES_H
#define TARRY_BASE_SOURCE_FILES_H

#include <stdio.h>

struct source_files;

struct source_files *source_files_new(void);
void source_files_free(struct source_files *sources); /* may be NULL */

void source_files_allow(struct source_files *sources, const char *folder);
/* Allows the folder that contains this file or folder. */
void source_files_allow_beside(struct source_files *sources, const char *path);

/* A regular file of moderate size whose name has the suffix of a source file. */
FILE *source_files_open(struct source_files *sources, const char *name);

const char *source_files_refused(const struct source_files *sources);

#endif
