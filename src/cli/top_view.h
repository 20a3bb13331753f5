/* A live job as lines of a screen, or as a few sentences.
 *
 *	struct top_view view = {.job = job, .title = "./app", .rows = 24, .columns = 80};
 *	struct top_lines lines = {0};
 *	top_view_draw(&view, &lines);
 *	top_lines_release(&lines); */
#ifndef TARRY_CLI_TOP_VIEW_H
#define TARRY_CLI_TOP_VIEW_H

#include "analysis/live/live_job.h"
#include "base/text.h"
#include "cli/terminal.h"

struct top_view {
	const struct live_job *job;
	const char *title;  /* of the program */
	const char *trace;  /* its name for a command line */
	double seconds;     /* since its start */
	const char *output; /* the last lines of the program's output, each with its newline; may be "" */
	int rows, columns;
};

struct top_lines {
	struct screen_line *items;
	size_t count, room;
};

/* At most `rows` lines of at most `columns` columns. */
void top_view_draw(const struct top_view *view, struct top_lines *lines);
void top_lines_release(struct top_lines *lines);

/* The activities of processes, the ranks that they wait for, and the worst call site: a line each. The last
 * line has no newline. */
void top_view_summary(const struct top_view *view, struct text *out);

#endif
