#include "base/json.h"
#include "cli/info.h"

#include <inttypes.h>
#include <math.h>

/* The clocks of a trace, taken together. */
struct clock_facts {
	const struct clock_line *first; /* that says what kind it is */
	uint32_t used;                  /* by processes */
	uint32_t compared;
	uint32_t comparisons;
	double uncertainty_ns;
	double least_ppm, most_ppm; /* drift against the reference */
};

static struct clock_facts facts_of(const struct info_input *input)
{
	const struct clocks *clocks = input->time->clocks;
	struct clock_facts facts = {0};

	for (uint32_t i = 0; i < clocks->line_count; i++) {
		const struct clock_line *line = &clocks->lines[i];
		double uncertainty_ns = input->summary->uncertainty_ns[i];
		double drift = clock_drift_ppm(line);

		if (!line->processes)
			continue;
		facts.used++;
		if (!facts.first && *line->name)
			facts.first = line;
		if (!line->is_compared)
			continue;
		facts.compared++;
		facts.comparisons += line->measured;
		facts.uncertainty_ns = fmax(facts.uncertainty_ns, uncertainty_ns);
		facts.least_ppm = fmin(facts.least_ppm, drift);
		facts.most_ppm = fmax(facts.most_ppm, drift);
	}
	return facts;
}

static void add_order(const struct corrected_time *time, struct text *out)
{
	uint64_t early = time->before.messages + time->before.collectives;
	uint64_t left = time->after.messages + time->after.collectives;

	if (!time->counts.messages && !time->counts.collectives)
		return;
	info_add_label(out, "order");
	if (!early) {
		text_add(out, "no message arrives before it was sent\n");
		return;
	}
	text_add(out, "by these clocks ");
	if (time->before.messages)
		text_add(out, "%s received before being sent",
		         AS_COUNTED(time->before.messages, "message", "messages"));
	if (time->before.collectives)
		text_add(out, "%s%s left before others arrived", time->before.messages ? ", " : "",
		         AS_COUNTED(time->before.collectives, "collective call", "collective calls"));
	text_add(out, ", by up to %s;\n", AS_SECONDS((double)time->before.worst_ns * 1e-9));
	info_add_label(out, "");
	if (left)
		text_add(out, "corrected times leave %" PRIu64 " of them\n", left);
	else
		text_add(out, "corrected times have none\n");
}

/* What the trace has no other half of, as its process was killed or not recorded. */
static void add_unmatched(const struct replay_counts *counts, struct text *out)
{
	const struct {
		uint64_t count;
		const char *one, *many;
	} parts[] = {
		{counts->unmatched_sends, "message without a recorded receive",
	         "messages without a recorded receive"},
		{counts->unmatched_receives, "receive without a recorded send",
	         "receives without a recorded send"},
		{counts->incomplete_collectives, "collective call without all members",
	         "collective calls without all members"},
		{counts->unrecorded, "message or collective call was recorded only in part",
	         "messages and collective calls were recorded only in part"},
	};
	size_t listed = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i].count)
			continue;
		if (listed++)
			text_add(out, ", ");
		else
			info_add_label(out, "unmatched");
		text_add_counted(out, parts[i].count, parts[i].one, parts[i].many);
	}
	text_add(out, listed ? "\n" : "");
}

void info_add_clocks(const struct info_input *input, struct text *out)
{
	struct clock_facts facts = facts_of(input);

	info_add_label(out, "clock");
	if (facts.first)
		text_add(out, "%s, %.6g MHz", facts.first->name, (double)facts.first->rate * 1e-6);
	else
		text_add(out, "not recorded: assuming 1 ns per tick");
	if (facts.used == 1 && facts.first && facts.first->processes > 1)
		text_add(out, ", the same for all processes");
	text_add(out, "\n");
	/* How well they agree. */
	if (facts.compared > 1) {
		info_add_label(out, "");
		text_add(out, "%u clocks, compared %s: corrected to within %s", facts.compared,
		         AS_COUNTED(facts.comparisons, "time", "times"),
		         AS_SECONDS(facts.uncertainty_ns * 1e-9));
		if (facts.most_ppm - facts.least_ppm >= 1e-3)
			text_add(out, ", drift from %.3g to %.3g ppm", facts.least_ppm, facts.most_ppm);
		text_add(out, "\n");
	}
	if (facts.used > facts.compared && facts.first) {
		info_add_label(out, "");
		if (facts.compared > 1)
			text_add(out, "%u more were not compared: their processes use the time of day\n",
			         facts.used - facts.compared);
		else
			text_add(out,
			         "clocks were not compared: times of different clocks use the time of day\n");
	}
	add_order(input->time, out);
	/* What was not recorded may have come in between: to guess would be to invent violations. */
	if (input->time->counts.passed_over) {
		info_add_label(
			out, input->time->counts.messages || input->time->counts.collectives ? "" : "order");
		text_add(out, "%s not checked: calls that were lost or not recorded may belong to %s\n",
		         AS_COUNTED(input->time->counts.passed_over, "call was", "calls were"),
		         input->time->counts.passed_over == 1 ? "it" : "them");
	}
	add_unmatched(&input->time->counts, out);
}

static void add_violations(const char *key, const struct violations *violations, struct json *json)
{
	json_open(json, key, '{');
	json_number(json, "messages", (int64_t)violations->messages);
	json_number(json, "collectives", (int64_t)violations->collectives);
	json_number(json, "worst_ns", violations->worst_ns);
	json_close(json, '}');
}

void info_add_clocks_json(const struct info_input *input, struct json *json)
{
	const struct corrected_time *time = input->time;

	json_open(json, "clocks", '[');
	for (uint32_t i = 0; i < time->clocks->line_count; i++) {
		const struct clock_line *line = &time->clocks->lines[i];
		double uncertainty_ns = input->summary->uncertainty_ns[i];
		bool is_reference = i == time->clocks->reference;

		/* Drift in parts in 10^9: a whole number is precise enough. */
		json_open(json, NULL, '{');
		json_text(json, "identity", line->identity);
		json_text(json, "name", line->name);
		json_number(json, "ticks_per_second", (int64_t)line->rate);
		json_number(json, "processes", line->processes);
		json_bool(json, "reference", is_reference);
		json_bool(json, "compared", line->is_compared);
		json_number(json, "hops", line->hops);
		json_number(json, "comparisons", line->measured);
		json_number(json, "comparisons_used", line->knot_count);
		json_number(json, "drift_ppb", (int64_t)llround(clock_drift_ppm(line) * 1e3));
		if (uncertainty_ns < 0)
			json_null(json, "uncertainty_ns");
		else
			json_number(json, "uncertainty_ns", (int64_t)fmin(ceil(uncertainty_ns), 9e18));
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "matching", '{');
	json_number(json, "messages", (int64_t)time->counts.messages);
	json_number(json, "unmatched_sends", (int64_t)time->counts.unmatched_sends);
	json_number(json, "unmatched_receives", (int64_t)time->counts.unmatched_receives);
	json_number(json, "cancelled", (int64_t)time->counts.cancelled);
	json_number(json, "collectives", (int64_t)time->counts.collectives);
	json_number(json, "incomplete_collectives", (int64_t)time->counts.incomplete_collectives);
	json_number(json, "mixed_collectives", (int64_t)time->counts.mixed_collectives);
	json_number(json, "forced", (int64_t)time->counts.forced);
	json_number(json, "passed_over", (int64_t)time->counts.passed_over);
	json_number(json, "recorded_in_part", (int64_t)time->counts.unrecorded);
	json_close(json, '}');
	add_violations("violations", &time->before, json);
	add_violations("violations_left", &time->after, json);
}
