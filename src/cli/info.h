/* The page of `tarry info`, as text and as JSON. */
#ifndef TARRY_CLI_INFO_H
#define TARRY_CLI_INFO_H

#include "base/text.h"
#include "model/summary.h"

void info_text(const struct reader *reader, const struct summary *summary, struct text *out);
void info_json(const struct reader *reader, const struct summary *summary, struct text *out);

/* A property of the first process that has it, NULL if none has. */
const char *any_property(const struct reader *reader, const char *key);
/* Calls `use` for each note that the recorder left, in the trace or in its parts folder. */
void each_note(const struct reader *reader, void (*use)(void *context, const char *note), void *context);
double bytes_per_call(const struct reader *reader, const struct summary *summary);

#endif
