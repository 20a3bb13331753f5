#include "analysis/model/counted_work.h"

#include "base/counters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "cycles=123" in the property; NAN: it is not there. */
static double value_of(const char *text, const char *name)
{
	const size_t length = strlen(name);
	uint64_t value;

	for (const char *at = strstr(text, name); at; at = strstr(at + length, name))
		if (at[length] == '=' && (at == text || at[-1] == ' '))
			return sscanf(at + length + 1, "%" SCNu64, &value) == 1 ? (double)value : NAN;
	return NAN;
}

static void find_rates(struct counted_work *work)
{
	work->instructions_per_cycle = work->cycles > 0 ? work->instructions / work->cycles : NAN;
	work->cycles_per_s = work->computing_ns > 0 ? work->cycles / ((double)work->computing_ns / 1e9) : NAN;
}

struct counted_work counted_work_of(const struct process *process)
{
	const double max_us = 1e15; /* a damaged trace may hold any number */
	const char *text = process_property(process, "counters");
	double computing_us = text ? value_of(text, "computing") : NAN;
	struct counted_work work = {.cycles = NAN, .instructions = NAN, .cpu_s = NAN};

	if (text && computing_us >= 0 && computing_us <= max_us) {
		work.is_known = true;
		work.computing_ns = (int64_t)(computing_us * 1e3);
		work.cycles = value_of(text, counter_names[COUNTER_CYCLES]);
		work.instructions = value_of(text, counter_names[COUNTER_INSTRUCTIONS]);
		work.cpu_s = value_of(text, counter_names[COUNTER_TASK_CLOCK]) / 1e9;
	}
	find_rates(&work);
	return work;
}

void counted_work_add(struct counted_work *sum, const struct counted_work *more)
{
	sum->is_known |= more->is_known;
	sum->computing_ns += more->computing_ns;
	sum->cycles += more->cycles;
	sum->instructions += more->instructions;
	sum->cpu_s += more->cpu_s;
	find_rates(sum);
}
