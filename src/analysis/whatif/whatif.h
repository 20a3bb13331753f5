/* How long a run would take under other conditions: a faster network, less work at one place, without a call.
 *
 *	struct whatif_scenario scenarios[] = {
 *		{.factors = {.transfer = 0, .library = 0, .delay = 1}, .eager = EAGER_RECORDED},
 *	};
 *	struct whatif *whatif = whatif_new(session, &(struct whatif_options){.scenarios = scenarios, .count = 1});
 *	whatif->answers[0].saves_ns
 *	whatif_free(whatif);
 *
 * All scenarios share one replay of the event graph (event_graph.h). A replay before it measures the network, unless estimates are given, and
 * the work of each process, if a scenario depends on it. model/needed_calls.h lists the calls that each call needs.
 *
 * A prediction is doubtful if the program or the library would have decided differently; then `doubt` says why. */
#ifndef TARRY_ANALYSIS_WHATIF_WHATIF_H
#define TARRY_ANALYSIS_WHATIF_WHATIF_H

#include "analysis/causes/causes.h"
#include "analysis/engine/estimates.h"
#include "analysis/model/session.h"
#include "analysis/symbols/symbols.h"
#include "analysis/whatif/event_graph.h"

#define EAGER_RECORDED (-1)

enum change_kind {
	CHANGE_WORK,      /* computing between two calls takes `factor` times as long */
	CHANGE_REMOVE,    /* calls from a place take no time and wait for nobody */
	CHANGE_UNBIND,    /* calls from a place wait for nobody */
	CHANGE_HIDE,      /* transfers that calls from a place wait for take no time */
	CHANGE_SHORTEN,   /* calls from a place take less time, by `ns` in `instances` of them */
	CHANGE_LESS_WORK, /* computing before calls from a place takes less time, by `ns` in all */
	/* Of teams of OpenMP threads, as is CHANGE_UNBIND of calls that take a lock: */
	CHANGE_EVEN_TEAM, /* threads reach barriers at a place at the mean of their times */
	CHANGE_SHARE_TASKS, /* threads do not wait for tasks at a place, and reach the barriers after it at the mean of their times */
	CHANGE_SERIAL_REGION, /* one thread executes regions that begin at a place */
	CHANGE_SHARE_ALONE, /* computing of one thread from the end of a region to the next one takes `factor` times as long */
};

struct whatif_change {
	enum change_kind kind;
	uint32_t process; /* that it concerns; NO_PROCESS: all */
	struct caller from,
		to; /* CHANGE_WORK: the calls before and after it, or after it any (NULL); CHANGE_SHARE_ALONE: both; otherwise `to` */
	double factor; /* CHANGE_WORK, CHANGE_SHARE_ALONE */
	bool is_even; /* CHANGE_WORK, CHANGE_LESS_WORK: no instance takes longer than the mean of all processes, if the causes know it */
	int64_t alone_ns; /* CHANGE_WORK: so much work, which nobody else does, is distributed; 0: all do it */
	int64_t ns;
	uint64_t instances;
};

struct whatif_scenario {
	struct scenario_factors factors;
	int64_t eager;    /* limit in bytes; EAGER_RECORDED */
	bool is_balanced; /* no process computes longer than the mean of all */
	const uint32_t
		*node_of; /* by process, if factors.is_placed: its new node. The same for all scenarios */
	const struct whatif_change *changes;
	size_t change_count;
};

enum whatif_doubt {
	DOUBT_NONE,
	DOUBT_THREADS, /* several threads of a process communicate: how they depend on each other is not known */
	DOUBT_INCOMPLETE, /* calls or messages are missing from the trace */
	DOUBT_WILDCARDS,  /* receives from any source would match differently */
	DOUBT_TESTS,      /* the program tests and works in turn: how often is not known */
	DOUBT_PROGRESS,   /* a partner has to call MPI for progress */
	DOUBT_CROWDED,    /* ranks wait for CPUs: who gets one would change */
	DOUBT_CONTENTION, /* messages share the network: they would share it differently */
	DOUBT_EAGER,      /* messages that were eager would wait for their receivers */
	/* Of a placement: */
	DOUBT_ONE_NODE, /* all ranks run there */
	DOUBT_UNPLACED, /* the ranks cannot be placed */
	DOUBT_WITHIN,   /* how long messages take within nodes is not known … */
	DOUBT_BETWEEN,  /* … or between them */
	/* Of findings: */
	DOUBT_NO_REMEDY,    /* the rule names none */
	DOUBT_NOT_REPLAYED, /* it costs too little, the run has too many threads, or no replay was wanted */
	DOUBTS_END
};

/* In a word for programs, and in a sentence for people. */
extern const char *const whatif_doubt_names[DOUBTS_END];
extern const char *const whatif_doubt_texts[DOUBTS_END];

struct whatif_answer {
	int64_t length_ns; /* of the run */
	int64_t saves_ns;
	double saves_share; /* of the recorded length */
	enum whatif_doubt doubt;
};

struct whatif {
	int64_t length_ns;             /* recorded */
	int64_t error_ns;              /* of the replay without a change */
	uint64_t calls;                /* replayed */
	struct whatif_answer *answers; /* in the order of the scenarios */
	size_t count;
	struct network_model networks[DISTANCES]; /* that times moved messages */
};

struct whatif_options {
	const struct whatif_scenario *scenarios; /* at most SCENARIOS_MAX - 2 */
	size_t count;
	struct symbols *source;            /* that knows layers around MPI; NULL: there are none */
	struct causes *causes;             /* of the same session; NULL: there are none */
	const struct estimates *estimates; /* that the analysis of the session made; NULL: there are none */
	struct network_link links
		[DISTANCES]; /* of other places of ranks, if the trace does not show them; no latency: not known */
	bool uses_threads; /* the graph is replayed beside the trace; answers do not depend on it */
};

struct whatif *whatif_new(struct analysis_session *session, const struct whatif_options *options);
void whatif_free(struct whatif *whatif);

#endif
