/* A live job in the lines of a screen, or in a few sentences.
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
	const char *trace;  /* as a command line would name it */
	double seconds;     /* since its start */
	const char *output; /* its last lines, ended each; "" */
	int rows, columns;
};

struct top_lines {
	struct screen_line *items;
	size_t count, room;
};

/* At most `rows` lines of at most `columns` columns. */
void top_view_draw(const struct top_view *view, struct top_lines *lines);
void top_lines_release(struct top_lines *lines);

/* What processes do, whom they wait for and the worst call site: a line each, without any end of the last one. */
void top_view_summary(const struct top_view *view, struct text *out);

#endif
