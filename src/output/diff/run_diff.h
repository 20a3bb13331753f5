/* Differences between two runs, aligned by finding, call path and phase, never by line numbers, which change
 * when a program is edited. If a source file is renamed, or a function moves to another file, functions are enough.
 *
 *	struct run_diff *diff = run_diff_new(before, after);
 *	run_diff_text(diff, &out);
 *	run_diff_json(diff, &out);
 *	run_diff_free(diff);
 *
 * Findings are compared by savings. Runs may have different numbers of processes, so other times are means
 * per process. Both reports need a profile, and must outlive the difference. */
#ifndef TARRY_OUTPUT_DIFF_RUN_DIFF_H
#define TARRY_OUTPUT_DIFF_RUN_DIFF_H

#include "output/report/report.h"

enum diff_side { DIFF_BEFORE, DIFF_AFTER, DIFF_SIDES };

/* The change of the time; DIFF_SAME: below THRESHOLD of the first run. */
enum diff_change { DIFF_GONE, DIFF_NEW, DIFF_LESS, DIFF_MORE, DIFF_SAME, DIFF_CHANGES };

extern const char *const diff_change_names[DIFF_CHANGES];

/* One item in one of the runs. */
struct diff_value {
	bool is_there;
	double seconds; /* the compared time: for findings, savings if all are known; otherwise the mean per process */
	double process_s;    /* mean per process */
	double saves_s;      /* finding: savings … */
	bool is_predictable; /* … if known */
	double share;        /* finding: `seconds` as a part of the length of this run, from 0 to 1 */
	double count;
	const char *place; /* "halo.c:42 (exchange)" */
};

struct diff_row {
	const char *name; /* of the finding, call or phase */
	const char *call; /* NULL: not a call */
	const char *id;   /* of a finding's problem; NULL: not a finding */
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
	bool compares_savings; /* of findings */
	struct diff_rows findings, calls, phases;
	struct arena arena;
};

struct run_diff *run_diff_new(struct report *before, struct report *after);
void run_diff_free(struct run_diff *diff);

void run_diff_text(const struct run_diff *diff, struct text *out);
void run_diff_json(const struct run_diff *diff, struct text *out);
void run_diff_html(const struct run_diff *diff, struct text *out);

/* Limits: "slower>5%" for the length of the run; "new>1%" for the savings of a finding that the first run
 * does not have or, if these are not predictable, for the time that processes lose. */
struct diff_limit {
	enum { LIMIT_SLOWER, LIMIT_NEW } kind;
	double share;
	const char *word; /* as the user wrote it */
};

enum status diff_limit_parse(const char *word, struct diff_limit *limit) MUST_CHECK;
/* Adds a sentence if it is exceeded. */
bool diff_limit_is_crossed(const struct diff_limit *limit, const struct run_diff *diff,
                           struct text *sentence);

#endif
