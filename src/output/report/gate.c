#include "output/report/gate.h"

#include "base/memory.h"
#include "base/units.h"
#include "output/report/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char any_problem[] = "any";

/* Words */

static bool take_limit(const char *text, struct gate *gate)
{
	char *end;
	double value = strtod(text, &end);
	const struct unit *unit;

	if (end == text || !isfinite(value) || value < 0)
		return false;
	unit = unit_by_name(end + strspn(end, " "));
	if (!unit || unit->kind == UNIT_SIZE)
		return false;
	gate->limit = value * unit->scale;
	gate->is_share = unit->kind == UNIT_SHARE;
	return true;
}

enum status gate_parse(const char *word, struct gate *gate)
{
	size_t length = strcspn(word, "<>= ");
	const char *rest = word + length + strspn(word + length, " ");

	*gate = (struct gate){.word = word};
	if (!length || *rest != '>')
		return fail("'%s' is no limit: write as 'late-sender>5%%' or 'any>=0.5s'", word);
	gate->or_equal = rest[1] == '=';
	if (!take_limit(rest + 1 + gate->or_equal, gate))
		return fail("'%s': behind '>' stands a share or a time, such as 5%% or 0.5s", word);
	gate->id = memory_new(length + 1, 1);
	memcpy(gate->id, word, length);
	return OK;
}

void gate_release(struct gate *gate)
{
	free(gate->id);
	gate->id = NULL;
}

/* Names */

static bool is_metric_of(const struct problem *problem, const char *id)
{
	return problem->is_metric && strcmp(problem->id, id) == 0;
}

static bool is_finding_of(const struct problem *problem, const char *id)
{
	return !problem->is_metric && problem_is_called(problem, id);
}

static bool has(const struct rulebook *book, const char *id, bool (*is)(const struct problem *, const char *))
{
	for (size_t i = 0; i < book->problem_count; i++)
		if (is(book->problems[i], id))
			return true;
	return false;
}

enum status gate_check(const struct gate *gate, const struct rulebook *book)
{
	struct nearest nearest = {.word = gate->id};

	if (strcmp(gate->id, any_problem) == 0 || has(book, gate->id, is_metric_of) ||
	    has(book, gate->id, is_finding_of))
		return OK;
	for (size_t i = 0; i < book->problem_count; i++)
		nearest_offer(&nearest, book->problems[i]->id);
	if (nearest_found(&nearest))
		return fail("'%s': the rules describe no '%s', did you mean '%s'?", gate->word, gate->id,
		            nearest_found(&nearest));
	return fail("'%s': the rules describe no '%s'; 'tarry rules list' shows what they do", gate->word,
	            gate->id);
}

/* Sums */

static bool is_above(const struct gate *gate, const struct report *report, int64_t ns)
{
	double value = gate->is_share ? share_of_run(report, ns) : (double)ns;

	return gate->or_equal ? value >= gate->limit : value > gate->limit;
}

static void add_sentence(const struct gate *gate, const struct report *report, const char *id, int64_t ns,
                         struct text *sentence)
{
	text_add(sentence, "%s'%s' costs ", sentence->length ? "\n" : "", id);
	text_add_seconds(sentence, (double)ns * 1e-9);
	text_add(sentence, ", %.2f %% of total time: the limit is '%s'", 100 * share_of_run(report, ns),
	         gate->word);
}

static bool is_any_crossed(const struct gate *gate, const struct report *report, struct text *sentence)
{
	const struct analysis *analysis = report->analysis;
	bool is_crossed = false;

	for (size_t i = 0; i < analysis->book->problem_count; i++) {
		const struct metric *metric = &analysis->metrics[i];
		if (metric->problem->is_metric || !is_above(gate, report, metric->total_ns))
			continue;
		add_sentence(gate, report, metric->problem->id, metric->total_ns, sentence);
		is_crossed = true;
	}
	return is_crossed;
}

/* Of a problem and its metric, the metric counts. */
static bool counts(const struct gate *gate, const struct rulebook *book, const struct problem *problem)
{
	if (!is_metric_of(problem, gate->id) && !is_finding_of(problem, gate->id))
		return false;
	for (size_t i = 0; i < book->problem_count; i++)
		if (is_metric_of(book->problems[i], gate->id) && is_metric_for(book->problems[i], problem))
			return false;
	return true;
}

bool gate_is_crossed(const struct gate *gate, const struct report *report, struct text *sentence)
{
	const struct analysis *analysis = report->analysis;
	int64_t total_ns = 0;

	if (strcmp(gate->id, any_problem) == 0)
		return is_any_crossed(gate, report, sentence);
	for (size_t i = 0; i < analysis->book->problem_count; i++) {
		const struct metric *metric = &analysis->metrics[i];
		if (counts(gate, analysis->book, metric->problem))
			total_ns = sum_of_ns(total_ns, metric->total_ns);
	}
	if (!is_above(gate, report, total_ns))
		return false;
	add_sentence(gate, report, gate->id, total_ns, sentence);
	return true;
}
