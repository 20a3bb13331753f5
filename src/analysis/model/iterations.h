/* The iteration of a program that nobody marked: the call from one place that all processes make equally often, at regular
 * distances, over most of the run. Of several, the outermost: that which is made least often.
 *
 *	struct iteration_search *search = iteration_search_new();
 *	for each process:
 *		iteration_search_note(search, place, thread, start_ns, computing_ns, call);     of its calls, in order
 *		iteration_search_end_process(search, length_ns);
 *	iteration_search_finish(search, processes, &iteration);
 *
 * Times are those of the run, without pauses of recording. An iteration lasts from one such call to the next. Memory: some numbers for each place, and for each of one process 256 bytes. */
#ifndef TARRY_ANALYSIS_MODEL_ITERATIONS_H
#define TARRY_ANALYSIS_MODEL_ITERATIONS_H

#include "analysis/model/run_spans.h"

/* The calls that begin an iteration are made at least so often. */
enum { ITERATIONS_LEAST = 5 };

struct iteration {
	bool is_known;
	uint64_t count;          /* calls that begin one, of each process */
	const struct call *call; /* that begins them: one of the first process's */
	int64_t mean_ns, min_ns, max_ns;
	int64_t first_third_ns, last_third_ns; /* the mean of the first third of them, and of the last */
	double part;                           /* of the run that lies in iterations */
	struct efficiency efficiency;          /* between the first such call and the last */
};

struct iteration_search;

struct iteration_search *iteration_search_new(void);
void iteration_search_note(struct iteration_search *search, uint32_t place, uint32_t thread,
                           const struct call *call, int64_t start_ns, int64_t computing_ns);
void iteration_search_end_process(struct iteration_search *search, int64_t length_ns);
/* Frees it. */
void iteration_search_finish(struct iteration_search *search, size_t processes, struct iteration *found);

#endif
