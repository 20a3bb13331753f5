/* The results of an analysis, for people and for programs. Findings of one problem at the same line are one
 * entry, over all processes and partners. Entries are ordered by cause and by savings: the time that the run
 * would save if they were fixed.
 *
 *	struct report *report = report_new(analysis, source, &(struct report_options){.all = true});
 *	report_text(report, &(struct report_style){.width = 80}, &out);
 *	report_formats[REPORT_JSON].write(report, &out);
 *	report_free(report);
 *
 * The analysis and the source must outlive the report. */
#ifndef TARRY_OUTPUT_REPORT_REPORT_H
#define TARRY_OUTPUT_REPORT_REPORT_H

#include "analysis/causes/causes.h"
#include "analysis/engine/analysis.h"
#include "analysis/model/file_usage.h"
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

/* By the savings as a part of the run or, if these are unknown, by the cost as a part of the time of all
 * processes: high from 5 %, medium from 1 %. */
enum impact { IMPACT_LOW, IMPACT_MEDIUM, IMPACT_HIGH, IMPACTS_END };

/* A partner call of an entry. */
struct partner {
	struct call_place at;
	struct number_list
		processes; /* in the worst instances on each process with a notable part of the cost; index in the reader */
	uint64_t count;
	int64_t total_ns, most_ns; /* of all charged processes, and the maximum of one */
};

/* The activity of one of the processes that cause the waits of an entry, at the end of the chain of waits. */
struct cause_part {
	uint32_t process;
	double times_mean;
	int64_t ns;
	int64_t own_ns; /* computing: time of this process there in the whole run; 0: unknown */
};

/* An OpenMP thread that makes the computing of its rank long. */
struct late_team_thread {
	int64_t ns;           /* it reached a barrier of its team so much later than the others; 0: none */
	uint32_t process;     /* index in the reader */
	uint32_t thread;      /* SEVERAL_THREADS: different ones at different times */
	struct call_place at; /* the barrier */
};

struct report_cause {
	enum cause_kind kind;
	struct number_list
		processes;        /* with this activity, by index in the reader; none: other, or unknown */
	struct cause_part *parts; /* of each of them, before they are summed up */
	size_t part_count;
	/* Computing: the calls before and after it. In a call: `to` is that call. Otherwise without a
	 * name. */
	struct call_place from, to;
	const char *region;               /* the user's region between the calls; NULL: none */
	struct caller from_call, to_call; /* the same calls, of one of these processes */
	uint32_t computing; /* number of processes that compute between these calls; 0: unknown */
	double times_mean;  /* time of these processes there / mean of all processes; 0: unknown */
	struct late_team_thread late;
	uint64_t instances; /* number of waits of the entry to which it contributes */
	int64_t total_ns;   /* its part of the entry's total */
	int64_t in_vain_ns; /* part of total_ns in unsuccessful tests */
	int64_t blocked_ns; /* computing: part of total_ns, blocked in the kernel */
};

/* A phase of the user, with its part of the time inside the calls of an entry. */
struct entry_phase {
	uint32_t phase; /* in analysis->figures */
	double part;
};

/* The cost of an entry for one process. */
struct process_cost {
	uint32_t process; /* index in the reader */
	uint64_t count;
	int64_t total_ns, max_ns;
};

struct report_entry {
	const struct problem *problem;
	enum impact impact;
	struct call_place at;
	struct number_list processes; /* charged ones, by index in the reader */
	struct number_list concerned; /* those with a notable part of the cost */
	struct number_list nodes;     /* of these processes, by number in report->nodes */
	struct number_list threads;   /* in the worst instances on each process, like the next members */
	struct partner *partners;     /* by total, the largest first; none: the problem has no partner */
	size_t partner_count;
	struct number_list partner_processes; /* of all partners */
	struct process_cost *costs;           /* of each process, in the order of `processes` */
	size_t cost_count;
	uint64_t count;
	int64_t total_ns, max_ns;
	uint64_t histogram[HISTOGRAM_BINS];
	struct time_bins over_time;
	const struct finding *
		*findings; /* all findings of the entry; none: it is an origin (report_order.c) */
	size_t finding_count;
	const struct finding *worst;
	struct whatif_answer answer; /* prediction with the entry fixed; doubt: not predictable */
	enum remedy_kind remedy;     /* the predicted fix */
	const char *advice; /* of the worst finding, or to fix the entry that explains it; NULL, "": none */
	/* The phases of its calls, by their part of the time, the largest first; none: no phase of the
	 * user. */
	struct entry_phase *phases;
	size_t phase_count;
	/* By total, the largest first; their totals add up to that of the entry. None: it does not wait for
	 * others. */
	struct report_cause *causes;
	size_t cause_count;
	/* Position in the list, from 1, of the entry that explains most of it, under which it is listed; 0:
	 * none. */
	size_t explained_by;
	size_t felt_in; /* number of entries that are listed under it */
	/* Time that ranks lose because of it: its total, or that of the entries under it if it is longer. */
	int64_t lost_ns;
};

/* A sentence. */
struct report_note {
	const char *text;
	bool is_trust; /* a short form is in the trust line */
};

/* Contents of a page besides the report. */
struct report_page {
	const struct text *
		check; /* JSON of the findings of `tarry check` in the same run (output/findings); NULL: none */
	bool embeds_all;              /* every call, without a limit of the size */
	struct source_files *sources; /* source files to show; NULL: none */
};

enum { PLACE_WORDS = 10 };

struct report {
	const struct analysis *analysis;
	struct symbols *source;
	struct nodes *nodes;
	enum paradigm paradigm;
	const char *root;
	bool all;
	struct profile *profile;  /* NULL: not requested */
	struct file_usage *files; /* NULL: not recorded */
	struct communication_parts communication;
	struct report_entry *entries; /* by cause (report_order.c), then by savings, the largest first */
	size_t entry_count;
	size_t shown;            /* number of shown entries; the others are minor */
	struct pair_wait *waits; /* waits between pairs of processes; none: causes were not searched */
	size_t wait_count;
	int64_t wait_left_out_ns; /* of further pairs, beyond the limit */
	struct report_path *path; /* the critical path (report_path.c); NULL: unknown */
	struct report_trust trust;
	struct report_note *notes; /* gaps in the trace, and corrections */
	size_t note_count;
	struct open_calls *open; /* open calls of processes at the end; NULL: none */
	struct report_page page;
	/* A cache of texts of places, by their hash. */
	struct place_text {
		uint64_t where[PLACE_WORDS];
		const char *text;
	} place_texts[256];
	bool is_folded;      /* set while a page is written: lists of ranks have a limited length */
	uint64_t unfinished; /* processes that did not reach MPI_Finalize or upc_exit */
	struct arena arena;
};

struct report_options {
	bool profile;          /* with a profile; needs analysis->figures */
	bool all;              /* also show minor findings */
	bool whatif;           /* predict savings; needs analysis->session … */
	bool uses_threads;     /* … in another thread */
	struct causes *causes; /* NULL: entries have no causes; the report takes its critical path */
	const char *root;      /* source files below this folder get relative names; may be NULL */
};

/* Codes for the terminal; NULL: none. */
struct report_style {
	size_t width;                         /* of the terminal, in columns */
	const char *title, *faint;            /* begin a text in this style … */
	const char *impacts[IMPACTS_END];     /* … by the impact of a finding */
	const char *verdicts[TRUST_VERDICTS]; /* … by the trust in the findings */
	const char *none;                     /* ends the style */
	const char *bar;                      /* one column of a bar */
};

struct report *report_new(const struct analysis *analysis, struct symbols *source,
                          const struct report_options *options);
void report_free(struct report *report);

/* The first screen: trust, program, efficiency, and a line for each of the worst findings. At most 25 lines
 * of 80 columns. */
void report_screen(struct report *report, const struct report_style *style, struct text *out);
/* Also shows this entry, as the last one. */
void report_show(struct report *report, size_t number);

/* All shown findings in detail, and the profile if there is one. */
void report_text(struct report *report, const struct report_style *style, struct text *out);
/* These findings in detail: numbers from 1 to report->entry_count. */
void report_findings(struct report *report, const struct report_style *style,
                     const struct number_list *numbers, struct text *out);
/* The profile. The report must have one. */
void report_profile(struct report *report, const struct report_style *style, struct text *out);
/* "rank 2 computing heat.c:84 → heat.c:74, 3.9x the mean"; shorter if there is room for fewer columns. */
void cause_in_short(const struct report *report, const struct report_cause *cause, size_t room,
                    struct text *out);
/* A sentence, with the cause's part of the entry's time. */
void cause_in_full(const struct report *report, const struct report_entry *entry,
                   const struct report_cause *cause, struct text *out);
/* A few lines after a run: the worst entries, and limits of the analysis. */
void report_brief(const struct report *report, struct text *out);

/* The fix of an entry (analysis/whatif/remedy.h). The caller owns the result. */
struct remedy;
void entry_remedy(const struct report *report, const struct report_entry *entry, struct remedy *remedy);

/* For programs, docs/report-format.md, and for browsers. */
enum report_format { REPORT_JSON, REPORT_SARIF, REPORT_CSV, REPORT_HTML, REPORT_FORMATS_END };

struct report_back_end {
	const char *name;
	void (*write)(struct report *report, struct text *out);
};

extern const struct report_back_end report_formats[REPORT_FORMATS_END];

/* For a server of the page, which answers requests for windows of the timeline
 * (output/timeline/timeline.h). */
struct time_span;
/* A timeline with single calls around the longest instance of each finding or, if `window` is not NULL, in
 * the window. */
struct timeline *report_timeline(const struct report *report, uint64_t calls_most,
                                 const struct time_span *window);
void report_served_page(struct report *report, const struct timeline *timeline, struct text *out);

#endif
