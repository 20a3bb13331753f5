/* Counters of the processor while ranks compute: the property `counters` of a process.
 *
 *	struct counted_work sum = counted_work_of(&processes[0]);
 *	counted_work_add(&sum, &other);
 *	sum.instructions_per_cycle                    NAN unless all processes have both
 *
 * A value is NAN if it was not counted. */
#ifndef TARRY_ANALYSIS_MODEL_COUNTED_WORK_H
#define TARRY_ANALYSIS_MODEL_COUNTED_WORK_H

#include "trace/reader.h"

#include <stdbool.h>
#include <stdint.h>

struct counted_work {
	bool is_known;        /* something was counted */
	int64_t computing_ns; /* time that the counts cover, of all threads */
	double cycles, instructions;
	double cpu_s; /* of that time, with a CPU */
	double instructions_per_cycle, cycles_per_s;
};

struct counted_work counted_work_of(const struct process *process);
void counted_work_add(struct counted_work *sum, const struct counted_work *more);

#endif
