/* From a trace and rules to findings.
 *
 *	struct analysis *analysis;
 *	TRY(analyze(reader, book, &(struct analysis_options){.jobs = 2}, &analysis));
 *	for (size_t i = 0; i < analysis->finding_count; i++)
 *		show(&analysis->findings[i]);
 *	analysis_free(analysis);
 *
 * The reader and the rulebook must outlive the analysis. */
#ifndef TARRY_ANALYSIS_ENGINE_ANALYSIS_H
#define TARRY_ANALYSIS_ENGINE_ANALYSIS_H

#include "analysis/engine/histogram.h"
#include "analysis/engine/time_bins.h"
#include "analysis/model/figures.h"
#include "analysis/model/processes.h"
#include "analysis/model/propagated_delay.h"
#include "analysis/model/relations.h"
#include "analysis/rules/rulebook.h"
#include "analysis/symbols/symbols.h"
#include "base/status.h"

/* A call of a finding. */
struct action {
	uint32_t process;        /* index in the reader */
	uint32_t thread;         /* number of its stream */
	const struct call *call; /* function, fields and place */
	int64_t start, end;      /* ns since analysis->counts.start_ns */
};

/* Bin i counts durations from 2^i ns to below 2^(i+1) ns. */
enum { HISTOGRAM_BINS = 48 };

/* One problem on one process at one place, with one place of the partner. */
struct finding {
	const struct problem *problem;
	struct action at; /* of the worst instance, like the next members */
	bool has_partner;
	struct action partner;
	uint32_t at_place,
		partner_place; /* of all findings of an analysis, equal numbers are the same place (model/places.h) */
	uint64_t count;
	int64_t total_ns, max_ns;
	struct histogram histogram; /* HISTOGRAM_BINS */
	/* Cost over the run, for all findings of this problem at these places on all processes. Only the
	 * first of these findings has it; NULL for the others. */
	const struct time_bins *over_time;
	const char *advice; /* with the values of the worst instance */
	struct action *actions;
	uint32_t action_count;
};

struct metric {
	const struct problem *problem; /* a metric or a problem */
	uint64_t count;
	int64_t total_ns;
};

/* The result of a survey: the value of its only instance. */
struct surveyed {
	bool is_known;
	int64_t value;
};

struct analysis {
	const struct rulebook *book;
	struct reader *reader;
	const char *lang; /* of the advice; NULL: English */
	struct analysis_session *session;
	/* Of the session. */
	const struct corrected_time *time;
	const struct propagated_delays *delays; /* NULL: there are none, or no rule needs them */
	const struct run_spans *run;            /* the part of each process that counts as the run */
	struct crowding crowding;
	struct steal steal;
	struct replay_counts counts;
	double run_figures[RUN_FIGURES_END]; /* in ns, bytes or counts */
	struct surveyed *surveys;            /* by number in the book; NULL: none were computed */
	struct finding *findings;            /* by total, the largest first */
	size_t finding_count;
	struct metric *metrics;      /* one for each metric and each problem of the book, in its order */
	struct causes *causes;       /* NULL: no process waits, or not requested */
	struct figures *figures;     /* NULL: not requested */
	struct estimates *estimates; /* of the time of messages; NULL: no rule needs them */
	const char **notes; /* a sentence for each part that could not be analysed, with the reason */
	size_t note_count;
	struct arena arena;
};

struct analysis_options {
	unsigned jobs; /* threads; 0: one per core. Findings do not depend on this number */
	/* Called at the start of each pass with its title, and during a pass with its progress from 0 to 1.
	 * Only the calling thread calls them. Both may be NULL. */
	void (*begin_pass)(const char *title);
	void (*progress)(double part);
	bool causes;  /* find the causes of waits */
	bool figures; /* compute figures; always done if the user marked phases */
	bool calls;   /* run.calls must be exact: it counts each poll, and no records that are not calls */
	struct symbols *source; /* for places in advice; NULL: advice names only the called functions */
	const char *lang; /* of the advice, "ru"; NULL: English. Texts without a translation are English */
	/* Sessions that analyse the trace together (model/session_peers.h); NULL: none. */
	struct session_peers *peers;
	/* Called if the leader analyses alone, because sessions do not exchange all facts that the trace or
	 * the rules need. May be NULL. */
	void (*alone)(void);
};

/* If there are several sessions, only the leader gets an analysis, and it alone finds causes and figures. The
 * others get NULL. */
enum status analyze(struct reader *reader, const struct rulebook *book,
                    const struct analysis_options *options, struct analysis **analysis) MUST_CHECK;
void analysis_free(struct analysis *analysis);

#endif
