/* The results of an analysis, for people and for programs. Findings of one problem at the same line are one
 * entry, over all processes and partners; entries are ordered by cause and by the time that the run would save without them.
 *
 *	struct report *report = report_new(analysis, source, &(struct report_options){.all = true});
 *	report_text(report, &(struct report_style){.width = 80}, &out);
 *	report_formats[REPORT_JSON].write(report, &out);
 *	report_free(report);
 *
 * Lives no longer than the analysis and the source. */
#ifndef TARRY_OUTPUT_REPORT_REPORT_H
#define TARRY_OUTPUT_REPORT_REPORT_H

#include "analysis/causes/causes.h"
#include "analysis/engine/analysis.h"
#include "analysis/model/processes.h"
#include "analysis/symbols/symbols.h"
#include "analysis/whatif/whatif.h"
#include "base/source_files.h"
#include "base/text.h"
#include "output/report/trust.h"

/* A call and its place. */
struct call_place {
	const char *call; /* "MPI_Recv" */
	struct location where;
	const char *text; /* "halo.c:42 (exchange)", "app+0x4f0", "" */
};

/* Ascending, each once. */
struct number_list {
	uint32_t *at;
	size_t count;
};

/* By the part of the run that it would save, or of the time of all processes that it costs if that is not known: high from 5 %, medium from 1 %. */
enum impact { IMPACT_LOW, IMPACT_MEDIUM, IMPACT_HIGH, IMPACTS_END };

/* A call at the other end of an entry. */
struct partner {
	struct call_place at;
	struct number_list
		processes; /* of the worst instances on each process that pays a notable part, by index in the reader */
	uint64_t count;
	int64_t total_ns, most_ns; /* all together, and of one charged process */
};

/* Where the processes were that an entry waits for, at the end of the chain of waits. */
struct cause_part {
	uint32_t process;
	double times_mean;
	int64_t ns;
	int64_t own_ns; /* computing: of this process there in the whole run; 0: not known */
};

struct report_cause {
	enum cause_kind kind;
	struct number_list processes; /* that were there, by index in the reader; none: other, or not known */
	struct cause_part *parts;     /* of each of them, before they are summed up */
	size_t part_count;
	/* Computing: the calls before and after it. In a call: `to` is that call. Otherwise without a name. */
	struct call_place from, to;
	const char *region;               /* the user's, of the time between the calls; NULL: none */
	struct caller from_call, to_call; /* the same, of one of these processes */
	uint32_t computing;               /* so many processes compute between these calls; 0: not known */
	double times_mean; /* how much longer these processes take there than the mean of all; 0: not known */
	uint64_t instances; /* of the entry, in which it had a part */
	int64_t total_ns;   /* part of the entry's */
	int64_t in_vain_ns; /* of it, in tests that found nothing */
};

/* A phase of the user, and its part of the time inside the calls of an entry. */
struct entry_phase {
	uint32_t phase; /* in analysis->figures */
	double part;
};

/* What an entry costs one of the processes. */
struct process_cost {
	uint32_t process; /* index in the reader */
	uint64_t count;
	int64_t total_ns, max_ns;
};

struct report_entry {
	const struct problem *problem;
	enum impact impact;
	struct call_place at;
	struct number_list processes; /* that are charged, by index in the reader */
	struct number_list concerned; /* of these, those that pay a notable part */
	struct number_list nodes;     /* that they run on, by number in report->nodes */
	struct number_list threads;   /* of the worst instances on each process, like the next members */
	struct partner *partners;     /* by total, the largest first; none: the problem has no partner */
	size_t partner_count;
	struct number_list partner_processes; /* of all of them */
	struct process_cost *costs;           /* of each process, in the order of `processes` */
	size_t cost_count;
	uint64_t count;
	int64_t total_ns, max_ns;
	uint64_t histogram[HISTOGRAM_BINS];
	struct time_bins over_time;
	const struct finding **findings; /* that it consists of; none: it is an origin (report_order.c) */
	size_t finding_count;
	const struct finding *worst;
	struct whatif_answer answer; /* the run without it; doubt: not predictable */
	enum remedy_kind remedy;     /* that this run differs by */
	const char *advice; /* of the worst, or to do something about what explains it; NULL, "": none */
	/* That its calls were made in, by their part of the time, the largest first; none: in no phase of the user. */
	struct entry_phase *phases;
	size_t phase_count;
	/* By total, the largest first; their totals add up to that of the entry. None: it is no wait for others. */
	struct report_cause *causes;
	size_t cause_count;
	/* Place in the list, from 1, of the entry that explains most of it and that it is listed under; 0: none. */
	size_t explained_by;
	size_t felt_in; /* so many entries are listed under it */
};

/* A sentence. */
struct report_note {
	const char *text;
	bool is_trust; /* the trust line says it in short */
};

/* Contents of a page besides the report. */
struct report_page {
	const struct text *
		check; /* JSON of the findings of `tarry check` in the same run (output/findings); NULL: none */
	bool embeds_all;              /* every call, whatever the size */
	struct source_files *sources; /* whose lines are in it; NULL: none */
};

enum { PLACE_WORDS = 10 };

struct report {
	const struct analysis *analysis;
	struct symbols *source;
	struct nodes *nodes;
	enum paradigm paradigm;
	const char *root;
	bool all;
	struct profile *profile;      /* NULL: not wanted */
	struct report_entry *entries; /* by cause (report_order.c), then by savings, the largest first */
	size_t entry_count;
	size_t shown;            /* of the entries: the others cost next to nothing */
	struct pair_wait *waits; /* how long processes waited for others; none: causes were not searched */
	size_t wait_count;
	int64_t wait_left_out_ns; /* of pairs that there was no room for */
	struct report_path *path; /* the critical one (report_path.c); NULL: it is not known */
	struct report_trust trust;
	struct report_note *notes; /* gaps in the trace, and corrections */
	size_t note_count;
	struct open_calls *open; /* the calls that processes were in at the end; NULL: none were */
	struct report_page page;
	/* Texts of places that were asked for last, by their hash. */
	struct place_text {
		uint64_t where[PLACE_WORDS];
		const char *text;
	} place_texts[256];
	bool is_folded;      /* while it is written for a page: lists of ranks have a bounded length */
	uint64_t unfinished; /* processes that never came to MPI_Finalize or upc_exit */
	struct arena arena;
};

struct report_options {
	bool profile;          /* where the time went, too: analysis->figures have to be there */
	bool all;              /* also what costs next to nothing */
	bool whatif;           /* predict what the run would save; analysis->session has to be there … */
	bool uses_threads;     /* … in another thread */
	struct causes *causes; /* NULL: entries have none; its critical path is taken */
	const char *
		root; /* folder that files of the source are below, where these are to be relative; may be NULL */
};

/* What switches something on may be NULL: there is none of it. */
struct report_style {
	size_t width;                         /* of the terminal, in columns */
	const char *title, *faint;            /* switch on how a text looks … */
	const char *impacts[IMPACTS_END];     /* … by how much a finding costs */
	const char *verdicts[TRUST_VERDICTS]; /* … by how far findings can be relied on */
	const char *none;                     /* and all of that off */
	const char *bar;                      /* one column of it */
};

struct report *report_new(const struct analysis *analysis, struct symbols *source,
                          const struct report_options *options);
void report_free(struct report *report);

/* The first screen: whether it can be relied on, what ran, how efficient it was, and the worst findings in a line each. At most 25
 * lines on 80 columns. */
void report_screen(struct report *report, const struct report_style *style, struct text *out);
/* Adds an entry to those that are shown, as the last of them. */
void report_show(struct report *report, size_t number);

/* All findings that are shown, in detail, and the profile if there is one. */
void report_text(struct report *report, const struct report_style *style, struct text *out);
/* These findings in detail: numbers from 1 to report->entry_count. */
void report_findings(struct report *report, const struct report_style *style,
                     const struct number_list *numbers, struct text *out);
/* Where the time went. The report has to have a profile. */
void report_profile(struct report *report, const struct report_style *style, struct text *out);
/* "rank 2 computing heat.c:84 → heat.c:74, 3.9x the mean"; less of it where there is room for fewer columns. */
void cause_in_short(const struct report *report, const struct report_cause *cause, size_t room,
                    struct text *out);
/* A sentence, with its part of the entry's time. */
void cause_in_full(const struct report *report, const struct report_entry *entry,
                   const struct report_cause *cause, struct text *out);
/* A few lines after a run: the worst entries, and limits of the analysis. */
void report_brief(const struct report *report, struct text *out);

/* What would have to change so that an entry does not occur (analysis/whatif/remedy.h). Of the caller. */
struct remedy;
void entry_remedy(const struct report *report, const struct report_entry *entry, struct remedy *remedy);

/* For programs, docs/report-format.md, and for browsers. */
enum report_format { REPORT_JSON, REPORT_SARIF, REPORT_CSV, REPORT_HTML, REPORT_FORMATS_END };

struct report_back_end {
	const char *name;
	void (*write)(struct report *report, struct text *out);
};

extern const struct report_back_end report_formats[REPORT_FORMATS_END];

/* For a server of the page, which answers requests for windows of the timeline (output/timeline/timeline.h). */
struct time_span;
/* With single calls around the longest instance of each finding, or of `window`, if it is not NULL. */
struct timeline *report_timeline(const struct report *report, uint64_t calls_most,
                                 const struct time_span *window);
void report_served_page(struct report *report, const struct timeline *timeline, struct text *out);

#endif
