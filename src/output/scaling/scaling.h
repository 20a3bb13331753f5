/* How a program scales: the efficiencies of the POP project for runs with different numbers of ranks, the factor that limits the program, and an
 * extrapolation to more ranks.
 *
 *	struct scaling scaling = {0};
 *	TRY(scaling_add(&scaling, &run));              copies it
 *	TRY(scaling_finish(&scaling, SCALING_DETECT));
 *	scaling_text(&scaling, &out);
 *	scaling_release(&scaling);
 *
 * Efficiencies are factors from 0 to 1:
 *
 *	global         = parallel * computation scaling
 *	parallel       = load balance * communication * OpenMP
 *	communication  = serialisation * transfer
 *	computation scaling = instructions * instructions per cycle * frequency
 *
 * The size of a run is the number of its threads: without OpenMP, that of its ranks.
 *
 *	load balance         mean computing time / longest
 *	serialisation        longest computing time / length of the run on an ideal network
 *	transfer             length of the run on an ideal network / length of the run
 *	OpenMP               useful time of the threads / computing time of the ranks * threads; 1 without OpenMP
 *	computation scaling  useful time of the smallest run / that of this run: of all threads together, or, for weak scaling, of a thread; may be
 *	                     more than 1
 *
 *	instructions, instructions per cycle, frequency    how computation scaling comes about, if the processor's counters were recorded
 *
 * Without counters in each run, computation scaling stays undivided. If the run on an ideal network cannot be predicted for each run, communication stays undivided. If the OpenMP efficiency is not known for each
 * run, OpenMP is ignored. */
#ifndef TARRY_OUTPUT_SCALING_SCALING_H
#define TARRY_OUTPUT_SCALING_SCALING_H

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum scaling_kind { SCALING_DETECT, SCALING_STRONG, SCALING_WEAK };

enum scaling_factor {
	FACTOR_BALANCE,
	FACTOR_COMMUNICATION,
	FACTOR_SERIALISATION,
	FACTOR_TRANSFER,
	FACTOR_OPENMP,
	FACTOR_COMPUTATION,
	FACTOR_INSTRUCTIONS,
	FACTOR_CYCLES,    /* instructions per cycle */
	FACTOR_FREQUENCY, /* cycles in a second of computing */
	SCALING_FACTORS
};

/* "load balance" */
extern const char *const scaling_factor_names[SCALING_FACTORS];

struct scaling_run {
	const char *name;    /* of the trace */
	const char *program; /* "": not known */
	uint64_t ranks;
	uint64_t threads; /* without OpenMP as many as ranks */
	double length_s;
	double computing_s;    /* of all ranks */
	double longest_s;      /* computing time of the rank that computes longest */
	double ideal_length_s; /* on an ideal network; 0: not predictable */
	const char *doubt;     /* why not; NULL: it is */
	double openmp;         /* efficiency; 1: no OpenMP, 0: not known */
	/* 0: not known */
	double counted_s; /* computing time of all threads that the two counters cover */
	double cycles, instructions;
	/* Made by scaling_finish(): */
	double factors[SCALING_FACTORS]; /* NAN: not known */
	double parallel, global;
	double speed_up; /* over the smallest run; for weak scaling, of a problem that grows */
};

/* A prediction with its 90 % interval. */
struct scaling_estimate {
	double value, low, high;
};

struct scaling_prediction {
	uint64_t ranks, threads;
	struct scaling_estimate factors[SCALING_FACTORS], parallel, global, length_s;
};

/* 2, 4 and 16 times the size of the largest run. */
enum { SCALING_PREDICTIONS = 3 };

struct scaling {
	enum scaling_kind kind;   /* strong or weak */
	struct scaling_run *runs; /* by size */
	size_t count, room;
	bool is_divided; /* communication, into serialisation and transfer */
	bool is_hybrid;  /* with OpenMP */
	bool is_counted; /* computation scaling is divided */
	struct scaling_prediction predictions[SCALING_PREDICTIONS];
	struct arena arena;
};

enum status scaling_add(struct scaling *scaling, const struct scaling_run *run) MUST_CHECK;
/* Fails if the runs do not belong together. */
enum status scaling_finish(struct scaling *scaling, enum scaling_kind kind) MUST_CHECK;
void scaling_release(struct scaling *scaling);

bool has_counters(const struct scaling_run *run);
/* A factor of the product that is the global efficiency. */
bool scaling_has_factor(const struct scaling *scaling, enum scaling_factor factor);
/* The smallest of these factors. */
enum scaling_factor scaling_limit(const struct scaling *scaling, const struct scaling_run *run);

void scaling_text(const struct scaling *scaling, struct text *out);
void scaling_json(const struct scaling *scaling, struct text *out);
/* A plot of the efficiencies over the number of ranks. */
void scaling_svg(const struct scaling *scaling, struct text *out);

/* A run as a report and a replay show it. */
struct report;
struct whatif;
struct scaling_run scaling_run_of(const struct report *report, const struct whatif *whatif,
                                  struct arena *arena);

#endif
