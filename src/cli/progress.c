#include "cli/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 40, PATIENCE_NS = 500000000, REDRAW_NS = 100000000 };

static struct {
	const char *what;
	bool wanted;
	bool drawn;
	int64_t next_ns; /* when to draw again */
} bar;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void progress_begin(const char *what)
{
	bar.what = what;
	bar.wanted = isatty(STDERR_FILENO);
	bar.drawn = false;
	bar.next_ns = now_ns() + PATIENCE_NS;
}

void progress_show(double part)
{
	char line[BAR_WIDTH + 1];
	int filled = part < 0 ? 0 : part > 1 ? BAR_WIDTH : (int)(part * BAR_WIDTH);
	int64_t now;

	if (!bar.wanted || (now = now_ns()) < bar.next_ns)
		return;
	memset(line, '.', BAR_WIDTH);
	memset(line, '#', (size_t)filled);
	line[BAR_WIDTH] = 0;
	fprintf(stderr, "\r%s [%s] %3d%%", bar.what, line, filled * 100 / BAR_WIDTH);
	fflush(stderr);
	bar.drawn = true;
	bar.next_ns = now + REDRAW_NS;
}

void progress_hide(void)
{
	if (!bar.drawn)
		return;
	fprintf(stderr, "\r\033[K");
	fflush(stderr);
	bar.drawn = false;
	bar.next_ns = 0;
}

void progress_end(void)
{
	progress_hide();
	bar.wanted = false;
}
