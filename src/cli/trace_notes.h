/* What every command that reads a trace says about its state on stderr: damage, and missing source lines. */
#ifndef TARRY_CLI_TRACE_NOTES_H
#define TARRY_CLI_TRACE_NOTES_H

#include "analysis/symbols/source.h"
#include "trace/reader.h"

/* A line of the table of options of each command that shows source lines. */
// clang-format off
#define SYMBOLS_OPTION(folder) \
	{"symbols", 0, "DIR", "look for the program's files in DIR first: they were moved, or those that ran are stripped", \
	 OPTION_TEXT, &(folder)}
// clang-format on

/* Each damage a line, the last ones counted only. */
void say_damage(const struct reader *reader);
void say_warnings(const struct source *source);

#endif
