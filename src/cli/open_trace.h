/* Traces and what can be made one, by whatever name the user has for them. */
#ifndef TARRY_CLI_OPEN_TRACE_H
#define TARRY_CLI_OPEN_TRACE_H

#include "output/exchange/exchange.h"
#include "trace/reader.h"

/* A file of this very name that is one. */
bool is_trace(const char *path);

/* `path` is a trace, with or without its suffix, or the .otf2 file of an archive or the folder that holds it, of which a
 * trace is made that is gone when the reader is closed. What is wrong is said; false then. */
bool open_trace(const char *path, struct reader **reader);

/* Makes a trace of an archive and says what was strange in it. Returns an exit code. */
int import_archive(const struct import_job *job);

#endif
