/* The open calls of processes at the end of the trace, in sentences: a few lines for any number of processes.
 *
 *	open_calls_text(&(struct open_calls_view){open, reader, source, "en"}, "", &out);
 *	rank 0 has been in MPI_Ssend to rank 1 at x.c:8 for 8.0 s, rank 1 likewise
 *	deadlock: ranks 0 -> 1 -> 0 wait for each other */
#ifndef TARRY_OUTPUT_REPORT_OPEN_CALLS_TEXT_H
#define TARRY_OUTPUT_REPORT_OPEN_CALLS_TEXT_H

#include "analysis/model/open_calls.h"
#include "analysis/symbols/symbols.h"
#include "base/text.h"

struct json;

struct open_calls_view {
	struct open_calls *open; /* NULL: no process is in a call */
	struct reader *reader;
	struct symbols *source;
	const char *lang; /* "en", "ru" */
};

/* At most six lines, each after `before`; nothing if no process is in a call. */
void open_calls_text(const struct open_calls_view *view, const char *before, struct text *out);
/* `open_calls`, an array of all open calls, and `deadlock`, the ranks of the ring or null. */
void open_calls_json(const struct open_calls_view *view, struct json *json);

#endif
