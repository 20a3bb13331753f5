/* Shared by the back ends of the report. */
#ifndef TARRY_OUTPUT_REPORT_PARTS_H
#define TARRY_OUTPUT_REPORT_PARTS_H

#include "analysis/model/data_flow.h"
#include "analysis/model/spans.h"
#include "base/json.h"
#include "base/map.h"
#include "output/report/figures_output.h"
#include "output/report/phrases.h"
#include "output/report/report.h"

/* In a page: rows for ranks, and runs in a list of them. */
enum { FOLDED_RANKS = 256, FOLDED_RUNS = 32 };

static inline size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static inline size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The part of the time of all processes, from 0 to 1. */
double share_of_run(const struct report *report, int64_t ns);

static inline int64_t mean_ns(const struct report_entry *entry)
{
	return entry->count ? entry->total_ns / (int64_t)entry->count : 0;
}

static inline void process_cost_add(struct process_cost *sum, const struct process_cost *more)
{
	sum->count += more->count;
	sum->total_ns = saturating_add(sum->total_ns, more->total_ns);
	sum->max_ns = more->max_ns > sum->max_ns ? more->max_ns : sum->max_ns;
}

/* The function that contains the call in the source; NULL: unknown. */
static inline const char *function_of(const struct location *where)
{
	return where->inlined ? where->inlined : where->function;
}

/* The next caller of the call's function, from the innermost outwards; false at the end. Initialize `callers`
 * with {0}. */
bool path_next(struct report *report, const struct action *action, struct caller_iter *callers);
/* "main.c:10 (main) > solve.c:20 (solve)": outermost first. Nothing if no caller is known. */
void path_describe(struct report *report, const struct action *action, struct text *out);

/* null if unknown */
void json_rank(struct json *json, const char *key, const struct process *process);
/* The object `efficiency`; null if unknown */
void json_efficiency(struct json *json, const struct efficiency *efficiency);

/* "0-2,7": the ranks of processes, in at most `runs_shown` runs. Returns the number of omitted processes. */
size_t add_rank_runs(const struct reader *reader, const struct number_list *list, size_t runs_shown,
                     struct text *out);

extern const char *const impact_names[IMPACTS_END];
extern const char *const confidence_names[];

/* "halo.c:42 (exchange)", or the known part of it. */
void describe_place(const struct location *where, struct text *out);
/* The same, kept by the report: a run of many processes has many calls and findings at few places. */
const char *place_text(struct report *report, const struct location *where);
/* "halo.c:42 (exchange)", "exchange+0x1c", "app+0x4f0": a short form for columns. */
void describe_in_short(const struct location *where, struct text *out);
/* Removes line breaks and control characters, because names from a trace may contain them. */
void text_make_line(struct text *words);
/* "halo.c:42", or the known part of it; longer than `most` columns, it is abbreviated in the middle. */
void add_line_of(struct text *out, const struct call_place *place, size_t most);
/* A text of at most `most` columns: abbreviated in the middle, or cut at the end. */
void add_elided(struct text *out, const char *text, size_t most);
/* The same for each word of a text. */
void text_elide_words(struct text *words, size_t most);
void add_clipped(struct text *out, const char *text, size_t most);
/* The programs, and the library of MPI or UPC; nothing if unknown. Longer than `most` columns, they are
 * abbreviated in the middle. */
void add_programs(const struct reader *reader, size_t most, struct text *words);
void add_library(const struct reader *reader, size_t most, struct text *words);
struct call_place call_place_of(struct report *report, const struct action *action);
/* The same for a finding: if there is no line, a warning gives the reason. */
struct call_place finding_place_of(struct report *report, const struct action *action);
bool is_same_place(const struct call_place *a, const struct call_place *b);

/* The path of the phase with the largest part of the entry, "time loop > exchange"; NULL: no phase. */
const char *entry_phase(const struct report *report, const struct report_entry *entry);

/* The language of the report's sentences. */
struct language report_language(const struct report *report);
/* Phrases that live as long as the report: "3 processes", and a phrase with values for "$1", "$2" and so
 * on. */
const char *report_counted(struct report *report, uint64_t number, const char *one, const char *many);
const char *report_filled(struct report *report, const char *words, const char *const *values);

/* The back ends for programs. */
void report_json(struct report *report, struct text *out);
void report_sarif(struct report *report, struct text *out);
void report_csv(struct report *report, struct text *out);
/* The same for the page: lists have a limited length, and the matrix is missing, because the page has it
 * elsewhere. */
void report_page_json(struct report *report, struct text *out);
/* Traffic between processes. The report must have a profile. */
void communication_json(const struct report *report, struct text *out);
/* For browsers. */
void report_html(struct report *report, struct text *out);

/* The verdict and its reasons, as an object `trust`. */
void json_trust(struct json *json, const struct report_trust *trust);

/* The fields of finding_fields.def as members of the open object. */
void json_finding_fields(struct json *json, const struct report *report, const struct report_entry *entry);

/* The figures of a run in a report (model/figures.h): tables by function and by call path, sizes, traffic,
 * and outliers among processes. */

/* Calls of one function, or of one function at one place. */
struct profile_row {
	const char *call;
	struct call_place at; /* only for places, like the next members */
	struct action sample; /* one of the calls, without times */
	const char *path;     /* call path, outermost first; "": not recorded */
	const char *identity; /* orders rows of equal cost */
	uint64_t calls;
	int64_t inside_ns;
	int64_t run_ns;    /* the part of it in the run, which determines the share */
	bool is_local;     /* its time counts as computing */
	uint64_t bytes;    /* sent; for UPC accesses, also read */
	int64_t waited_ns; /* an estimate, if there are only sums: see model/figures.h */
	/* the process that spent most time in it */
	uint32_t top_process;
	int64_t top_ns;
	/* used while it is added up */
	uint32_t process;
	int64_t process_ns;
};

struct profile_table {
	struct profile_row *rows; /* by time, the longest first */
	size_t count;
};

struct profile {
	const struct figures *figures;
	struct profile_table functions, places;
	struct data_flow *flow;
	int64_t *waiting_ns; /* by process: its cost in findings with a partner */
};

/* Lives as long as the report. */
struct profile *profile_new(struct report *report);
void profile_free(struct profile *profile);
struct shown_figures profile_shown(const struct report *report);

/* The causes of the waits of entries, merged from their findings. Internal to the report.
 *
 *	struct cause_merge merging = {.report = report, .causes = causes};
 *	merge_causes(&merging, entry, finding);       for each finding of an entry
 *	finish_causes(report, entry);                 when the total of the entry is known
 *	cause_merge_release(&merging); */

struct cause_merge {
	struct report *report;
	struct causes *causes; /* NULL: not searched */
	struct map numbers;    /* of `places`, by call */
	ARRAY(struct call_place) places;
};

void merge_causes(struct cause_merge *merging, struct report_entry *entry, const struct finding *finding);
/* The place of a call, computed only once. */
struct call_place cause_place(struct cause_merge *merging, const struct caller *caller);
/* Computes the processes of a cause from its parts. */
void name_cause_processes(struct arena *arena, struct report_cause *cause);
void finish_causes(struct report *report, struct report_entry *entry);
/* Adds the reason for the late partner to the advice of the rules: its work, or a call. If there are several
 * causes, their list shows the reasons. */
void advise_on_cause(struct report *report, struct report_entry *entry);
void cause_merge_release(struct cause_merge *merging);

bool is_same_cause(const struct report_cause *a, const struct report_cause *b);

/* Links entries to the entries that explain them, and orders them. Internal to the report.
 *
 *	link_entries(report);            finds consequences, and adds origins of several entries
 *	predict_savings(report, …);      for each shown entry
 *	order_entries(report); */

/* Problems for waits with a common origin that no rule describes; their ids begin with "run.". */
enum origin_kind { ORIGIN_SERIAL, ORIGIN_DELAY, ORIGINS_END };
extern const struct problem origin_problems[ORIGINS_END];

static inline bool is_origin(const struct report_entry *entry)
{
	return !entry->finding_count;
}

/* For an origin: true if only one process works there. */
bool is_serial(const struct report_entry *origin);
/* Sorts the lists of processes, nodes and threads of an entry, and adds up its costs. */
void finish_lists(struct report *report, struct report_entry *entry);
void link_entries(struct report *report);
void predict_savings(struct report *report, const struct report_options *options);
/* Consequences follow their cause; groups are ordered by savings, and minor findings come last. */
void order_entries(struct report *report);
/* The time that the run would save or, if this is not predictable, the mean loss of a process. */
int64_t entry_weight(const struct report *report, const struct report_entry *entry);
/* The savings as a part of the run, or the cost as a part of the time of all processes, from 0 to 1. */
double entry_share(const struct report *report, const struct report_entry *entry);

/* The critical path of a report: the activities on it, by place. Internal to the report.
 *
 *	report_path_new(report, causes_take_path(causes));       fills report->path; the path may be NULL
 *	add_critical_path(&sheet);                               a paragraph, if the path is informative
 *	report_path_free(report->path); */

struct sheet;
struct path_place {
	struct report_cause what; /* the activity: kind, processes, places and time */
	/* Computing: the time above the mean of all processes there, over the whole run. */
	int64_t excess_ns;
	struct path_visit longest;
	uint32_t longest_process; /* NO_PROCESS: the sum of smaller places has no longest visit */
};

struct report_path {
	struct critical_path *path;
	struct path_place *places; /* the largest first */
	size_t place_count;
	struct cause_part *ranks; /* time of each process on the path, the longest first */
	size_t rank_count;
};

void report_path_new(struct report *report, struct critical_path *path);
void report_path_free(struct report_path *path);
/* A part of the path's length, from 0 to 1. */
double share_of_path(const struct report_path *path, int64_t ns);
/* In a paragraph, or in one line. */
void add_critical_path(const struct sheet *sheet);
void add_critical_path_line(const struct sheet *sheet);
/* Adds a note on an unknown part of the path. False: no such part. */
enum path_doubt { PATH_CUT, PATH_MISSED_WAITS, PATH_DOUBTS };
bool path_in_doubt(const struct report *report, enum path_doubt doubt, struct text *words);

#endif
