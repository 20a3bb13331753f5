/* The history of a program: its runs by commit, machine and number of ranks, in one SQLite file, and their
 * trends.
 *
 *	TRY(history_add("runs.db", &run, json, &is_new));
 *
 *	struct history history = {0};
 *	TRY(history_read("runs.db", &filter, &history));
 *	history_find_trends(&history);
 *	history_text(&history, &out);
 *	history_release(&history);
 *
 * Several processes may add runs at the same time. docs/history.md has the tables. */
#ifndef TARRY_OUTPUT_HISTORY_HISTORY_H
#define TARRY_OUTPUT_HISTORY_HISTORY_H

#include "base/arena.h"
#include "base/text.h"
#include "output/scaling/scaling.h"

/* One run. `scaling.name` is its trace. */
struct history_run {
	int64_t id;
	const char *commit, *machine;
	const char *added;    /* "2026-11-18 17:00:00", UTC */
	const char *identity; /* of the recorded job; NULL: unknown */
	uint64_t nodes;
	double parallel; /* efficiency, including that of OpenMP if it is known; 0: unknown */
	double balance;  /* 0: unknown */
	bool can_judge;  /* the trace can be trusted to evaluate limits */
	struct scaling_run scaling;
};

/* A change of the times to a new level. */
struct history_change {
	size_t run;              /* the first run of the new level, in the series */
	double ratio, low, high; /* new time / old time, with its 95 % interval */
};

/* Runs of one program on one machine with one number of ranks and threads, by commit. */
struct history_series {
	const struct history_run *runs; /* commits in the order of their first run in the file */
	size_t count;
	struct history_change *changes;
	size_t change_count;
	size_t newest;       /* the first run of the newest commit */
	double newest_s;     /* median of the newest commit */
	double level_s;      /* median of the level with which the newest commit is compared; 0: none */
	bool is_significant; /* the difference is larger than the noise of that level */
};

struct history {
	const char *path;
	struct history_run *runs;
	size_t count;
	struct history_series *series;
	size_t series_count;
	struct arena arena;
};

/* NULL and 0: any. */
struct history_filter {
	const char *program, *machine;
	uint64_t ranks;
};

/* `json`: the report with the findings. `*is_new` becomes false if the file already has this run. */
enum status history_add(const char *path, const struct history_run *run, const char *json,
                        bool *is_new) MUST_CHECK;
enum status history_read(const char *path, const struct history_filter *filter,
                         struct history *history) MUST_CHECK;
/* Adds a sentence for each finding above this share of the time that only the newest commit has, not the
 * commit before it. */
enum status history_new_findings(const struct history *history, const struct history_series *series,
                                 double share, struct text *sentences) MUST_CHECK;
void history_release(struct history *history);

/* A whole report as a database. */
enum status report_as_sqlite(const char *json, struct text *bytes) MUST_CHECK;

void history_find_trends(struct history *history);
/* Finds the first runs of new levels; returns their number. The caller frees the list. */
size_t find_change_points(const double *values, size_t count, size_t **points);

/* "4 ranks", or with OpenMP "4 ranks, 32 threads" */
void add_run_size(const struct history_run *run, struct text *out);
void history_text(const struct history *history, struct text *out);
void history_json(const struct history *history, struct text *out);
void history_html(const struct history *history, struct text *out);
/* A picture for README files: the efficiency of the newest run, and whether it became slower. */
void history_badge(const struct history *history, struct text *out);

#endif
