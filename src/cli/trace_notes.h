/* What every command that reads a trace says about its state on stderr: damage, and missing source lines. */
#ifndef TARRY_CLI_TRACE_NOTES_H
#define TARRY_CLI_TRACE_NOTES_H

#include "model/source.h"
#include "trace/reader.h"

/* Each damage a line, the last ones counted only. */
void say_damage(const struct reader *reader);
void say_warnings(const struct source *source);

#endif
