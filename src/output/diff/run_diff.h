/* What changed from one run to another: aligned by finding, call path and phase, never by line numbers, which move when a program is
 * edited.
 *
 *	struct run_diff *diff = run_diff_new(before, after);
 *	run_diff_text(diff, &out);
 *	run_diff_json(diff, &out);
 *	run_diff_free(diff);
 *
 * Runs may have different numbers of processes, so times are those of a process on average. Both reports need a profile. Lives no longer than
 * they do. */
#ifndef TARRY_OUTPUT_DIFF_RUN_DIFF_H
#define TARRY_OUTPUT_DIFF_RUN_DIFF_H

#include "output/report/report.h"

enum diff_side { DIFF_BEFORE, DIFF_AFTER, DIFF_SIDES };

/* By how much time it takes: by less than THRESHOLD of the first run it is the same. */
enum diff_change { DIFF_GONE, DIFF_NEW, DIFF_LESS, DIFF_MORE, DIFF_SAME, DIFF_CHANGES };

extern const char *const diff_change_names[DIFF_CHANGES];

/* One thing in one of the runs. */
struct diff_value {
	bool is_there;
	double seconds; /* of a process, on average */
	double count;
	const char *place; /* "halo.c:42 (exchange)" */
};

struct diff_row {
	const char *name; /* of the finding, call or phase */
	const char *call; /* NULL: it is none of a call */
	const char *id;   /* of a finding's problem; NULL: it is none */
	enum diff_change change;
	struct diff_value sides[DIFF_SIDES];
};

struct diff_rows {
	struct diff_row *items; /* the largest change first */
	size_t count, room;
};

struct run_diff {
	struct report *reports[DIFF_SIDES];
	double processes[DIFF_SIDES];
	double length_s[DIFF_SIDES];
	struct efficiency efficiency[DIFF_SIDES];
	struct diff_rows findings, calls, phases;
	struct arena arena;
};

struct run_diff *run_diff_new(struct report *before, struct report *after);
void run_diff_free(struct run_diff *diff);

void run_diff_text(const struct run_diff *diff, struct text *out);
void run_diff_json(const struct run_diff *diff, struct text *out);
void run_diff_html(const struct run_diff *diff, struct text *out);

/* Limits: "slower>5%", by the length of the run; "new>1%", by the share of a finding that the first run does not have. */
struct diff_limit {
	enum { LIMIT_SLOWER, LIMIT_NEW } kind;
	double share;
	const char *word; /* as the user wrote it */
};

enum status diff_limit_parse(const char *word, struct diff_limit *limit) MUST_CHECK;
/* Adds a sentence if it is crossed. */
bool diff_limit_is_crossed(const struct diff_limit *limit, const struct run_diff *diff,
                           struct text *sentence);

#endif
