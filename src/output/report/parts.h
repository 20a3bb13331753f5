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

/* Part of the time of all processes together, from 0 to 1. */
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

/* The function around the call in the source; NULL: not known. */
static inline const char *function_of(const struct location *where)
{
	return where->inlined ? where->inlined : where->function;
}

/* From where the function was called that made the call, then from where that one was; false at the end. Begin with {0}. */
bool path_next(struct report *report, const struct action *action, struct caller_iter *callers);
/* "main.c:10 (main) > solve.c:20 (solve)": outermost first. Nothing if no caller is known. */
void path_describe(struct report *report, const struct action *action, struct text *out);

/* null if it is not known */
void json_rank(struct json *json, const char *key, const struct process *process);
/* The object `efficiency`; null if it is not known */
void json_efficiency(struct json *json, const struct efficiency *efficiency);

/* "0-2,7" of processes, so many runs at the most. Returns how many processes were left out. */
size_t add_rank_runs(const struct reader *reader, const struct number_list *list, size_t runs_shown,
                     struct text *out);

extern const char *const impact_names[IMPACTS_END];
extern const char *const confidence_names[];

/* "halo.c:42 (exchange)", or what else is known. */
void describe_place(const struct location *where, struct text *out);
/* "halo.c:42 (exchange)", "exchange+0x1c", "app+0x4f0": less of it, for a column. */
void describe_in_short(const struct location *where, struct text *out);
/* A line break in a name from the trace would look like the report's own, and control characters move the cursor: neither is left. */
void text_make_line(struct text *words);
/* "halo.c:42", or what else is known; of more columns than `most` the middle is left out. */
void add_line_of(struct text *out, const struct call_place *place, size_t most);
/* A text of at most so many columns: without its middle, or without its end. */
void add_elided(struct text *out, const char *text, size_t most);
/* Each word of a text. */
void text_elide_words(struct text *words, size_t most);
void add_clipped(struct text *out, const char *text, size_t most);
/* What ran, and with which library of MPI or UPC; nothing where that is not known. Of more columns than `most` the middle is left out. */
void add_programs(const struct reader *reader, size_t most, struct text *words);
void add_library(const struct reader *reader, size_t most, struct text *words);
struct call_place call_place_of(struct report *report, const struct action *action);
/* The same of a finding: a warning says why there is no line. */
struct call_place finding_place_of(struct report *report, const struct action *action);
bool is_same_place(const struct call_place *a, const struct call_place *b);

/* The path of the phase that most of it lies in, "time loop > exchange"; NULL: in none. */
const char *entry_phase(const struct report *report, const struct report_entry *entry);

/* That the sentences of the report are in. */
struct language report_language(const struct report *report);
/* Phrases that live as long as the report: "3 processes", and one with values for "$1", "$2" and so on. */
const char *report_counted(struct report *report, uint64_t number, const char *one, const char *many);
const char *report_filled(struct report *report, const char *words, const char *const *values);

/* The back ends for programs. */
void report_json(struct report *report, struct text *out);
void report_sarif(struct report *report, struct text *out);
void report_csv(struct report *report, struct text *out);
/* The same with lists of bounded length, for the page, which has the matrix apart. */
void report_page_json(struct report *report, struct text *out);
/* Traffic between processes. The report has to have a profile. */
void communication_json(const struct report *report, struct text *out);
/* For browsers. */
void report_html(struct report *report, struct text *out);

/* The verdict and its reasons, as an object `trust`. */
void json_trust(struct json *json, const struct report_trust *trust);

/* The fields of finding_fields.def as members of the open object. */
void json_finding_fields(struct json *json, const struct report *report, const struct report_entry *entry);

/* The figures of a run in a report (model/figures.h): tables by function and by call path, sizes, traffic, and
 * which processes stand out. */

/* Calls of one function, or of one function at one place. */
struct profile_row {
	const char *call;
	struct call_place at; /* of a place, like the next members */
	struct action sample; /* one of its calls, without times */
	const char *path;     /* the way to it, outermost first; "": not recorded */
	const char *identity; /* for the order of rows that cost the same */
	uint64_t calls;
	int64_t inside_ns;
	int64_t run_ns;    /* of that, in the run: its share is of this */
	bool is_local;     /* its time is computing */
	uint64_t bytes;    /* sent; by accesses of UPC, also read */
	int64_t waited_ns; /* an estimate, if there are only sums: see model/figures.h */
	/* of the process that spent most in it */
	uint32_t top_process;
	int64_t top_ns;
	/* while it is added up */
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
	int64_t *waiting_ns; /* by process: what findings with a partner charge it with */
};

/* Lives as long as the report. */
struct profile *profile_new(struct report *report);
void profile_free(struct profile *profile);
struct shown_figures profile_shown(const struct report *report);

/* Why the entries of a report wait: the causes of their findings. Internal to the report.
 *
 *	struct cause_merge merging = {.report = report, .causes = causes};
 *	merge_causes(&merging, entry, finding);       for each finding of an entry
 *	finish_causes(report, entry);                 when its total is known
 *	cause_merge_release(&merging); */

struct cause_merge {
	struct report *report;
	struct causes *causes; /* NULL: they were not searched */
	struct map numbers;    /* of `places`, by call */
	ARRAY(struct call_place) places;
};

void merge_causes(struct cause_merge *merging, struct report_entry *entry, const struct finding *finding);
/* The place of a call, worked out once. */
struct call_place cause_place(struct cause_merge *merging, const struct caller *caller);
/* From the parts of a cause to its processes. */
void name_cause_processes(struct arena *arena, struct report_cause *cause);
void finish_causes(struct report *report, struct report_entry *entry);
/* Adds the reason for the late partner to the advice of the rules: its work, or a call. If there are several causes, their list shows the reasons. */
void advise_on_cause(struct report *report, struct report_entry *entry);
void cause_merge_release(struct cause_merge *merging);

bool is_same_cause(const struct report_cause *a, const struct report_cause *b);

/* Which entries explain others, and the order of entries. Internal to the report.
 *
 *	link_entries(report);            which entries are consequences of others; adds origins of several entries
 *	predict_savings(report, …);      the run without each of those that are shown
 *	order_entries(report); */

/* Waits with one origin that no rule describes: ids of these problems begin with "run.". */
enum origin_kind { ORIGIN_SERIAL, ORIGIN_DELAY, ORIGINS_END };
extern const struct problem origin_problems[ORIGINS_END];

static inline bool is_origin(const struct report_entry *entry)
{
	return !entry->finding_count;
}

/* Of an origin: only one process works there. */
bool is_serial(const struct report_entry *origin);
/* Sorts the lists of processes, nodes and threads of an entry, and adds up its costs. */
void finish_lists(struct report *report, struct report_entry *entry);
void link_entries(struct report *report);
void predict_savings(struct report *report, const struct report_options *options);
/* Consequences follow their cause; groups are ordered by savings, and minor findings come last. */
void order_entries(struct report *report);
/* The time that the run would save or, if this is not predictable, the mean loss of a process. */
int64_t entry_weight(const struct report *report, const struct report_entry *entry);
/* The part of the run that it would save, or of the time of all processes that it costs, from 0 to 1. */
double entry_share(const struct report *report, const struct report_entry *entry);

/* The critical path of a report: its activity, by place. Internal to the report.
 *
 *	report_path_new(report, causes_take_path(causes));       fills report->path; the path may be NULL
 *	add_critical_path(&sheet);                               a paragraph, if it says something
 *	report_path_free(report->path); */

struct sheet;
struct path_place {
	struct report_cause what; /* its part of the path: kind, processes, places and time */
	/* Computing: how much more that is than processes compute there on average, over the whole run. */
	int64_t excess_ns;
};

struct report_path {
	struct critical_path *path;
	struct path_place *places; /* the largest first */
	size_t place_count;
	struct cause_part *ranks; /* time on it of each process that has any, the longest first */
	size_t rank_count;
};

void report_path_new(struct report *report, struct critical_path *path);
void report_path_free(struct report_path *path);
/* A part of the path's length, from 0 to 1. */
double share_of_path(const struct report_path *path, int64_t ns);
/* In a paragraph, or in one line. */
void add_critical_path(const struct sheet *sheet);
void add_critical_path_line(const struct sheet *sheet);
/* Of the notes: what of it is not known. False: this is. */
enum path_doubt { PATH_CUT, PATH_MISSED_WAITS, PATH_DOUBTS };
bool path_in_doubt(const struct report *report, enum path_doubt doubt, struct text *words);

#endif
