/* What the back ends of the report share. */
#ifndef TARRY_OUTPUT_REPORT_PARTS_H
#define TARRY_OUTPUT_REPORT_PARTS_H

#include "analysis/model/spans.h"
#include "base/json.h"
#include "output/report/report.h"

/* In a page: rows for ranks, and runs in a list of them. */
enum { FOLDED_RANKS = 256, FOLDED_RUNS = 32 };

/* Part of the time of all processes together, from 0 to 1. */
double share_of_run(const struct report *report, int64_t ns);

static inline int64_t mean_ns(const struct report_entry *entry)
{
	return entry->count ? entry->total_ns / (int64_t)entry->count : 0;
}

/* In which the call stands, in the source; NULL: not known. */
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

/* The back ends for programs. */
void report_json(struct report *report, struct text *out);
void report_sarif(struct report *report, struct text *out);
void report_csv(struct report *report, struct text *out);
/* The same with lists of bounded length, for the page, which has the matrix apart. */
void report_page_json(struct report *report, struct text *out);
/* Who exchanged how much with whom. The report has to have a profile. */
void communication_json(const struct report *report, struct text *out);
/* For browsers. */
void report_html(struct report *report, struct text *out);

/* The verdict and its reasons, as an object `trust`. */
void json_trust(struct json *json, const struct report_trust *trust);

/* The figures of a finding that programs read: one row each, for JSON and CSV alike. docs/report.schema.json has their types. */

enum finding_field_kind { FINDING_TEXT, FINDING_COUNT, FINDING_SECONDS, FINDING_SHARE };

union finding_value {
	const char *text; /* NULL: none */
	int64_t number;   /* a count, or nanoseconds */
	double share;
};

struct finding_field {
	const char *name;
	enum finding_field_kind kind;
	union finding_value (*of)(const struct report *report, const struct report_entry *entry);
};

enum { FINDING_FIELDS = 9 };
extern const struct finding_field finding_fields[FINDING_FIELDS];

struct json;
void finding_field_csv(const struct finding_field *field, const struct report *report,
                       const struct report_entry *entry, struct text *out);

#endif
