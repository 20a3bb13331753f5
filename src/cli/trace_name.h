/* Names of traces, the same in all commands: "run" is "run.tarry". */
#ifndef TARRY_CLI_TRACE_NAME_H
#define TARRY_CLI_TRACE_NAME_H

#include "base/status.h"
#include "base/text.h"

/* Fails if this cannot be the name of a file. */
enum status trace_name_check(const char *name) MUST_CHECK;
/* The name with its suffix, which may have been left out, is added to `path`. */
enum status trace_name_add(const char *name, struct text *path) MUST_CHECK;

#endif
