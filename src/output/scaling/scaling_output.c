/* Scaling for people and programs. */
#include "base/json.h"
#include "output/scaling/scaling.h"

#include <math.h>
#include <string.h>

enum { SIZE_COLUMN = 7, COLUMN = 9, BAR = 40 };

/* From here on nothing limits a program. */
static const double efficient = 0.95;

static const struct scaling_run *largest(const struct scaling *scaling)
{
	return &scaling->runs[scaling->count - 1];
}

static const char *size_name(const struct scaling *scaling)
{
	return scaling->is_hybrid ? "threads" : "ranks";
}

static void add_cell(struct text *out, const char *words)
{
	size_t width = text_width(words);

	text_add_repeated(out, ' ', width < COLUMN ? COLUMN - width : 1);
	text_add(out, "%s", words);
}

static void add_part(struct text *out, double part)
{
	scoped_text words = {0};

	if (isnan(part))
		text_add(&words, "-");
	else
		text_add(&words, "%.0f %%", 100 * part);
	add_cell(out, text_get(&words));
}

static void add_run(const struct scaling *scaling, const struct scaling_run *run, struct text *out)
{
	scoped_text words = {0};

	text_add(out, "%*llu", SIZE_COLUMN, (unsigned long long)run->threads);
	add_cell(out, AS_SECONDS(run->length_s));
	text_add(&words, "%.3g", run->speed_up);
	add_cell(out, text_get(&words));
	add_part(out, run->global);
	add_part(out, run->parallel);
	add_part(out, run->factors[FACTOR_BALANCE]);
	add_part(out, run->factors[FACTOR_SERIALISATION]);
	add_part(out, run->factors[FACTOR_TRANSFER]);
	if (scaling->is_hybrid)
		add_part(out, run->factors[FACTOR_OPENMP]);
	add_part(out, run->factors[FACTOR_COMPUTATION]);
	text_add(out, "\n");
}

static void add_table(const struct scaling *scaling, struct text *out)
{
	static const char *const heads[] = {"time",    "speed-up", "global", "parallel", "balance",
	                                    "serial.", "transfer", "OpenMP", "comput."};

	text_add(out, "%*s", SIZE_COLUMN, size_name(scaling));
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (scaling->is_hybrid || strcmp(heads[i], "OpenMP") != 0)
			add_cell(out, heads[i]);
	text_add(out, "\n");
	for (size_t i = 0; i < scaling->count; i++)
		add_run(scaling, &scaling->runs[i], out);
}

/* Computation scaling, divided. */
static void add_counters(const struct scaling *scaling, struct text *out)
{
	static const char *const heads[] = {"comput.", "instr.", "IPC", "clock"};

	if (!scaling->is_counted)
		return;
	text_add(
		out,
		"\nComputation scaling = number of instructions × instructions per cycle × clock frequency\n\n%*s",
		SIZE_COLUMN, size_name(scaling));
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		add_cell(out, heads[i]);
	text_add(out, "\n");
	for (size_t i = 0; i < scaling->count; i++) {
		const struct scaling_run *run = &scaling->runs[i];

		text_add(out, "%*llu", SIZE_COLUMN, (unsigned long long)run->threads);
		for (enum scaling_factor j = FACTOR_COMPUTATION; j < SCALING_FACTORS; j++)
			add_part(out, run->factors[j]);
		text_add(out, "\n");
	}
}

static void add_bar(struct text *out, uint64_t size, double part, char letter)
{
	double columns = BAR * fmin(part, 1.5);

	text_add(out, "%*llu |", SIZE_COLUMN, (unsigned long long)size);
	text_add_repeated(out, letter, columns > 0 ? (size_t)lround(columns) : 0);
	text_add(out, " %.0f %%", 100 * part);
}

static void add_plot(const struct scaling *scaling, struct text *out)
{
	text_add(out, "\nGlobal efficiency by %s (#: measured, .: extrapolated, with its 90 %% interval)\n",
	         size_name(scaling));
	for (size_t i = 0; i < scaling->count; i++) {
		add_bar(out, scaling->runs[i].threads, scaling->runs[i].global, '#');
		text_add(out, "\n");
	}
	for (size_t i = 0; i < SCALING_PREDICTIONS; i++) {
		const struct scaling_prediction *prediction = &scaling->predictions[i];

		add_bar(out, prediction->threads, prediction->global.value, '.');
		text_add(out, " (%.0f to %.0f %%): %s (%s to %s)\n", 100 * prediction->global.low,
		         100 * prediction->global.high, AS_SECONDS(prediction->length_s.value),
		         AS_SECONDS(prediction->length_s.low), AS_SECONDS(prediction->length_s.high));
	}
}

static void add_limit(const struct scaling *scaling, struct text *out)
{
	const struct scaling_run *first = &scaling->runs[0], *last = largest(scaling);
	enum scaling_factor limit = scaling_limit(scaling, last);

	if (last->factors[limit] >= efficient)
		text_add(out,
		         "\nNothing limits the program up to %llu %s: all factors are at least %.0f %%.\n",
		         (unsigned long long)last->threads, size_name(scaling), 100 * efficient);
	else
		text_add(out, "\nThe limiting factor is %s: %.0f %% with %llu %s, %.0f %% with %llu.\n",
		         scaling_factor_names[limit], 100 * last->factors[limit],
		         (unsigned long long)last->threads, size_name(scaling), 100 * first->factors[limit],
		         (unsigned long long)first->threads);
}

/* What computation scaling is measured by, if it matters. */
static void add_measure(const struct scaling *scaling, struct text *out)
{
	const struct scaling_run *uncounted = NULL;
	size_t counted = 0;

	for (size_t i = 0; i < scaling->count; i++) {
		bool has = has_counters(&scaling->runs[i]);

		counted += has;
		uncounted = has ? uncounted : &scaling->runs[i];
	}
	if (counted && uncounted)
		text_add(
			out,
			"Computation scaling is a ratio of times, because '%s' has no cycles and instructions.\n",
			uncounted->name);
	else if (uncounted && fabs(largest(scaling)->factors[FACTOR_COMPUTATION] - 1) > 1 - efficient)
		text_add(
			out,
			"Computation scaling is a ratio of times. Runs recorded with --counters cycles,instructions show its reason.\n");
}

static void add_doubts(const struct scaling *scaling, struct text *out)
{
	for (size_t i = 0; i < scaling->count; i++)
		if (scaling->runs[i].doubt)
			text_add(out,
			         "Serialisation and transfer of '%s' cannot be told apart, because %s.\n",
			         scaling->runs[i].name, scaling->runs[i].doubt);
	for (size_t i = 0; i < scaling->count; i++)
		if (!(scaling->runs[i].openmp > 0))
			text_add(
				out,
				"OpenMP is ignored, because its efficiency in '%s' is unknown: several threads of a rank call MPI, or its regions overlap or are incomplete.\n",
				scaling->runs[i].name);
}

void scaling_text(const struct scaling *scaling, struct text *out)
{
	const struct scaling_run *first = &scaling->runs[0];

	text_add(out, "%s scaling%s%s, %llu to %llu ranks", scaling->kind == SCALING_WEAK ? "Weak" : "Strong",
	         *first->program ? " of " : "", first->program, (unsigned long long)first->ranks,
	         (unsigned long long)largest(scaling)->ranks);
	if (scaling->is_hybrid)
		text_add(out, " with %llu to %llu threads", (unsigned long long)first->threads,
		         (unsigned long long)largest(scaling)->threads);
	text_add(out, ": the work %s%s\n\n",
	         scaling->kind == SCALING_WEAK ? "grows with the " : "is the same for all runs",
	         scaling->kind == SCALING_WEAK ? size_name(scaling) : "");
	add_table(scaling, out);
	add_counters(scaling, out);
	add_limit(scaling, out);
	add_measure(scaling, out);
	add_doubts(scaling, out);
	add_plot(scaling, out);
	text_strip_controls(out);
}

/* JSON: docs/efficiency.md */

static const char *const factor_keys[SCALING_FACTORS] = {
	[FACTOR_BALANCE] = "load_balance",
	[FACTOR_COMMUNICATION] = "communication",
	[FACTOR_SERIALISATION] = "serialisation",
	[FACTOR_TRANSFER] = "transfer",
	[FACTOR_OPENMP] = "openmp",
	[FACTOR_COMPUTATION] = "computation_scaling",
	[FACTOR_INSTRUCTIONS] = "instruction_scaling",
	[FACTOR_CYCLES] = "ipc_scaling",
	[FACTOR_FREQUENCY] = "frequency_scaling",
};

static void json_run(struct json *json, const struct scaling *scaling, const struct scaling_run *run)
{
	json_open(json, NULL, '{');
	json_text(json, "trace", run->name);
	json_number(json, "ranks", (int64_t)run->ranks);
	json_number(json, "threads", (int64_t)run->threads);
	json_exact(json, "length_s", run->length_s);
	json_exact(json, "computing_s", run->computing_s);
	json_exact(json, "speed_up", run->speed_up);
	json_exact(json, "global", run->global);
	json_exact(json, "parallel", run->parallel);
	for (enum scaling_factor i = 0; i < SCALING_FACTORS; i++)
		json_exact(json, factor_keys[i],
		           i == FACTOR_OPENMP && !scaling->is_hybrid ? NAN : run->factors[i]);
	json_exact(json, "instructions", has_counters(run) ? run->instructions : NAN);
	json_exact(json, "cycles", has_counters(run) ? run->cycles : NAN);
	json_exact(json, "counted_s", has_counters(run) ? run->counted_s : NAN);
	json_text(json, "doubt", run->doubt);
	json_close(json, '}');
}

static void json_estimate(struct json *json, const char *key, const struct scaling_estimate *estimate)
{
	if (isnan(estimate->value)) {
		json_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_exact(json, "value", estimate->value);
	json_exact(json, "low", estimate->low);
	json_exact(json, "high", estimate->high);
	json_close(json, '}');
}

static void json_prediction(struct json *json, const struct scaling_prediction *prediction)
{
	json_open(json, NULL, '{');
	json_number(json, "ranks", (int64_t)prediction->ranks);
	json_number(json, "threads", (int64_t)prediction->threads);
	json_estimate(json, "length_s", &prediction->length_s);
	json_estimate(json, "global", &prediction->global);
	json_estimate(json, "parallel", &prediction->parallel);
	for (enum scaling_factor i = 0; i < SCALING_FACTORS; i++)
		json_estimate(json, factor_keys[i], &prediction->factors[i]);
	json_close(json, '}');
}

void scaling_json(const struct scaling *scaling, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_number(&json, "version", 1);
	json_text(&json, "program", scaling->runs[0].program);
	json_text(&json, "kind", scaling->kind == SCALING_WEAK ? "weak" : "strong");
	json_text(&json, "computation_by", scaling->is_counted ? "counters" : "time");
	json_text(&json, "limiting_factor", factor_keys[scaling_limit(scaling, largest(scaling))]);
	json_open(&json, "runs", '[');
	for (size_t i = 0; i < scaling->count; i++)
		json_run(&json, scaling, &scaling->runs[i]);
	json_close(&json, ']');
	json_open(&json, "predictions", '[');
	for (size_t i = 0; i < SCALING_PREDICTIONS; i++)
		json_prediction(&json, &scaling->predictions[i]);
	json_close_all(&json, "]}");
}
