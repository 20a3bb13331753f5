/* From a trace and rules to findings.
 *
 *	struct analysis *analysis;
 *	TRY(analyze(reader, book, &(struct analysis_options){.jobs = 2}, &analysis));
 *	for (size_t i = 0; i < analysis->finding_count; i++)
 *		show(&analysis->findings[i]);
 *	analysis_free(analysis);
 *
 * Lives no longer than the reader and the rulebook. */
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

/* A call that has to do with a finding. */
struct action {
	uint32_t process;        /* index in the reader */
	uint32_t thread;         /* number of its stream */
	const struct call *call; /* function, fields and place */
	int64_t start, end;      /* ns since analysis->counts.start_ns */
};

/* Bin i counts durations from 2^i ns to below 2^(i+1) ns. */
enum { HISTOGRAM_BINS = 48 };

/* One problem on one process at one place, with one place at the other end. */
struct finding {
	const struct problem *problem;
	struct action at; /* of the worst instance, like the next members */
	bool has_partner;
	struct action partner;
	uint64_t count;
	int64_t total_ns, max_ns;
	struct histogram histogram; /* HISTOGRAM_BINS */
	/* Where in the run it lies, for all findings of this problem at these places on any process: the first of them has it. NULL: another one. */
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
	const char *lang; /* that advice is in; NULL: English */
	struct analysis_session *session;
	/* Of the session. */
	const struct corrected_time *time;
	const struct propagated_delays *delays; /* NULL: there are none, or no rule asked */
	const struct run_spans *run;            /* what of each process is the run */
	struct crowding crowding;
	struct steal steal;
	struct replay_counts counts;
	double run_figures[RUN_FIGURES_END]; /* in ns, bytes or counts */
	struct surveyed *surveys;            /* by their number in the book; NULL: none were made */
	struct finding *findings;            /* by total, the largest first */
	size_t finding_count;
	struct metric
		*metrics; /* one for each problem of the book, metrics and findings alike, in its order */
	struct causes *causes;       /* NULL: nobody waits, or not wanted */
	struct figures *figures;     /* where its time went; NULL: not wanted */
	struct estimates *estimates; /* of the time of messages; NULL: no rule asked */
	const char **notes;          /* what could not be analysed, and why: a sentence each */
	size_t note_count;
	struct arena arena;
};

struct analysis_options {
	unsigned jobs; /* threads; 0: as many as there are cores. Findings do not depend on it */
	/* Only the calling thread calls them. Each may be NULL: a pass with another title begins; and now and then, with a part of it from 0 to 1. */
	void (*begin_pass)(const char *title);
	void (*progress)(double part);
	bool causes;            /* of waits are wanted */
	bool figures;           /* where the time went is wanted; found also if the user marked phases */
	bool calls;             /* run.calls is to be exact: polls one by one, without what is no call */
	struct symbols *source; /* for places in advice; NULL: only the functions that are called there */
	const char *lang;       /* of advice, "ru"; NULL: English, as where the rules have no such words */
	/* Sessions that analyse the trace together (model/session_peers.h); NULL: there are none. */
	struct session_peers *peers;
	/* The leader does it alone: sessions do not pass on all facts that the trace or the rules need. May be NULL. */
	void (*alone)(void);
};

/* Of several sessions only the leader gets an analysis; it finds causes and figures alone. The others get NULL. */
enum status analyze(struct reader *reader, const struct rulebook *book,
                    const struct analysis_options *options, struct analysis **analysis) MUST_CHECK;
void analysis_free(struct analysis *analysis);

#endif
