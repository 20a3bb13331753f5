#include "output/report/gate.h"

#include "base/arena.h"
#include "base/units.h"
#include "output/report/parts.h"
#include "output/report/trust.h"

#include <ctype.h>
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

/* A name as it is written in a limit: "Wait at N×N" is wait-at-nxn. */
static char *limit_name(const char *name, size_t length)
{
	static const char times[] = "×";
	struct text out = {0};

	for (size_t i = 0; i < length; i++) {
		unsigned char letter = (unsigned char)name[i];

		if (strncmp(name + i, times, sizeof times - 1) == 0) {
			text_add(&out, "x");
			i += sizeof times - 2;
		} else if (isalnum(letter) || letter >= 0x80 || strchr("._", letter)) {
			text_add(&out, "%c", tolower(letter));
		} else if (out.length && out.bytes[out.length - 1] != '-') {
			text_add(&out, "-");
		}
	}
	while (out.length && out.bytes[out.length - 1] == '-')
		out.bytes[--out.length] = '\0';
	return text_take(&out);
}

enum status gate_parse(const char *word, struct gate *gate)
{
	size_t length = strcspn(word, "<>=");
	const char *rest = word + length;

	*gate = (struct gate){.word = word};
	if (strspn(word, " ") == length || *rest != '>')
		return fail("'%s' is not a limit: write it like 'late-sender>5%%' or 'any>=0.5s'", word);
	gate->or_equal = rest[1] == '=';
	if (!take_limit(rest + 1 + gate->or_equal, gate))
		return fail("'%s': after '>' give a percentage or a time, such as 5%% or 0.5s", word);
	gate->name = limit_name(word, length);
	return OK;
}

void gate_release(struct gate *gate)
{
	free(gate->name);
	gate->name = NULL;
}

/* Names */

/* Without the variant: "Late Sender (ready send)" and "Late Sender, wrong order" are both Late Sender. */
static size_t family_length(const char *name)
{
	const char *kind = strstr(name, " ("), *comma = strstr(name, ", ");

	if (!kind || (comma && comma < kind))
		kind = comma;
	return kind ? (size_t)(kind - name) : strlen(name);
}

/* The names that a limit may use: the id, the id without its paradigm, and the name used in the field. */
enum { NAMES = 3 };

static void name_problem(const struct problem *problem, char *names[NAMES])
{
	const char *dot = strchr(problem->id, '.'), *name = problem->name ? problem->name : "";

	names[0] = limit_name(problem->id, strlen(problem->id));
	names[1] = dot ? limit_name(dot + 1, strlen(dot + 1)) : NULL;
	names[2] = limit_name(name, family_length(name));
}

static void forget_names(char *names[NAMES])
{
	for (int i = 0; i < NAMES; i++)
		free(names[i]);
}

/* Metrics are in no list of findings. */
static bool is_called(const struct problem *problem, const char *wanted)
{
	char *names[NAMES];
	bool is = false;

	if (problem->is_metric)
		return false;
	name_problem(problem, names);
	for (int i = 0; i < NAMES; i++)
		is = is || (names[i] && strcmp(names[i], wanted) == 0);
	forget_names(names);
	return is;
}

/* Of the rules, then origins. */
static const struct problem *problem_at(const struct rulebook *book, size_t number)
{
	return number < book->problem_count ? book->problems[number]
	                                    : &origin_problems[number - book->problem_count];
}

static enum status unknown_name(const struct gate *gate, const struct rulebook *book)
{
	struct nearest nearest = {.word = gate->name};
	struct arena arena = {0};
	char *names[NAMES];
	enum status status;

	for (size_t i = 0; i < book->problem_count + ORIGINS_END; i++) {
		if (problem_at(book, i)->is_metric)
			continue;
		name_problem(problem_at(book, i), names);
		for (int j = 0; j < NAMES; j++)
			if (names[j])
				nearest_offer(&nearest, arena_text(&arena, names[j]));
		forget_names(names);
	}
	if (nearest_found(&nearest))
		status = fail("'%s': the rules describe no finding '%s', did you mean '%s'?", gate->word,
		              gate->name, nearest_found(&nearest));
	else
		status = fail(
			"'%s': the rules describe no finding '%s'; 'tarry rules list' lists all findings",
			gate->word, gate->name);
	arena_release(&arena);
	return status;
}

enum status gate_check(const struct gate *gate, const struct rulebook *book)
{
	if (strcmp(gate->name, any_problem) == 0)
		return OK;
	for (size_t i = 0; i < book->problem_count + ORIGINS_END; i++)
		if (is_called(problem_at(book, i), gate->name))
			return OK;
	return unknown_name(gate, book);
}

/* Sums */

/* The sum of findings of a kind: the savings or, if one of them is not predictable, the time that all
 * processes lose. */
struct gate_sum {
	int64_t saves_ns, lost_ns;
	bool is_predictable;
};

/* The entry under which it is listed, or the entry itself. */
static size_t leader_of(const struct report *report, size_t number)
{
	return report->entries[number].explained_by ? report->entries[number].explained_by - 1 : number;
}

static bool is_meant(const struct gate *gate, const struct problem *problem, const struct problem *only)
{
	return only ? strcmp(problem->id, only->id) == 0 : is_called(problem, gate->name);
}

/* Consequences of one cause would save the same time, so only the largest counts. */
static int64_t saved_in_group(const struct gate *gate, const struct report *report,
                              const struct problem *only, size_t leader)
{
	int64_t most = 0;

	for (size_t i = 0; i < report->shown; i++)
		if (leader_of(report, i) == leader && is_meant(gate, report->entries[i].problem, only))
			most = max_ns(most, report->entries[i].answer.saves_ns);
	return most;
}

/* The sum over the shown findings. `only`: of this problem; NULL: of all problems that the limit names. */
static struct gate_sum sum_of(const struct gate *gate, const struct report *report,
                              const struct problem *only)
{
	struct gate_sum sum = {.is_predictable = true};

	for (size_t i = 0; i < report->shown; i++) {
		const struct report_entry *entry = &report->entries[i];
		if (leader_of(report, i) == i)
			sum.saves_ns = saturating_add(sum.saves_ns, saved_in_group(gate, report, only, i));
		if (!is_meant(gate, entry->problem, only))
			continue;
		sum.is_predictable &= !entry->answer.doubt;
		sum.lost_ns = saturating_add(sum.lost_ns, entry->total_ns);
	}
	sum.saves_ns = min_ns(sum.saves_ns, (int64_t)report->analysis->run_figures[RUN_LENGTH]);
	return sum;
}

static bool is_crossed(const struct gate *gate, const struct report *report, const char *id,
                       const struct gate_sum *sum, struct text *sentence)
{
	double length = report->analysis->run_figures[RUN_LENGTH];
	int64_t ns = sum->is_predictable ? sum->saves_ns : sum->lost_ns;
	double share = !sum->is_predictable ? share_of_run(report, ns) : length > 0 ? (double)ns / length : 0;
	double value = gate->is_share ? share : (double)ns;

	if (gate->or_equal ? value < gate->limit : value <= gate->limit)
		return false;
	text_add(sentence, "%s'%s': %s ", sentence->length ? "\n" : "", id,
	         sum->is_predictable ? "the run would save" : "savings are not predictable, processes lose");
	text_add_seconds(sentence, (double)ns * 1e-9);
	text_add(sentence, ", %.2f %% of %s: the limit is '%s'", 100 * share,
	         sum->is_predictable ? "its time" : "their time", gate->word);
	return true;
}

bool gate_is_crossed(const struct gate *gate, const struct report *report, struct text *sentence)
{
	const struct rulebook *book = report->analysis->book;
	struct gate_sum sum;
	bool any = false;

	if (strcmp(gate->name, any_problem) != 0) {
		sum = sum_of(gate, report, NULL);
		return is_crossed(gate, report, gate->name, &sum, sentence);
	}
	for (size_t i = 0; i < book->problem_count + ORIGINS_END; i++) {
		const struct problem *problem = problem_at(book, i);
		if (problem->is_metric)
			continue;
		sum = sum_of(gate, report, problem);
		any |= is_crossed(gate, report, problem->id, &sum, sentence);
	}
	return any;
}

static bool is_about_hidden(const struct gate *gate, const struct report *report)
{
	const struct rulebook *book = report->analysis->book;
	bool any = strcmp(gate->name, any_problem) == 0;

	for (size_t i = 0; i < book->problem_count; i++) {
		const struct problem *problem = book->problems[i];
		if ((any ? !problem->is_metric : is_called(problem, gate->name)) &&
		    may_be_hidden(report->trust.functions, book, problem))
			return true;
	}
	return false;
}

const struct trust_reason *gate_obstacle(const struct gate *gate, const struct report *report)
{
	for (size_t i = 0; i < report->trust.reason_count; i++) {
		const struct trust_reason *reason = &report->trust.reasons[i];
		if (reason->hides == HIDES_ANY ||
		    (reason->hides == HIDES_SOME && is_about_hidden(gate, report)))
			return reason;
	}
	return NULL;
}
