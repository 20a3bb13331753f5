#include "analysis/engine/findings.h"

#include "analysis/engine/stateful.h"
#include "analysis/engine/totals.h"
#include "analysis/symbols/symbols.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "language/language.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are kept in ns: rates of them too. */
static void add_number(struct text *text, const struct locale *locale, struct type type, union word word)
{
	double value = type.is_real ? word.r : (double)word.i, size;
	size_t before = text->length;
	char *point;

	if (type.is_instant || (type.seconds == 1 && !type.bytes)) {
		text_add_seconds_in(text, locale, value * 1e-9);
	} else if (!type.seconds && type.bytes == 1) {
		text_add_size_in(text, locale, value > 0 ? (uint64_t)value : 0);
	} else if (type.seconds == -1 && type.bytes == 1) {
		text_add_size_in(text, locale, value > 0 ? (uint64_t)(value * pow(1e-9, -1)) : 0);
		text_add(text, "%s", locale->per_second);
		return;
	} else if (type.is_real || type.seconds || type.bytes) {
		value *= pow(1e-9, type.seconds);
		size = fabs(value);
		/* Three digits are enough, without powers of ten. */
		text_add(text, size >= 100 && size < 1e15 ? "%.0f" : "%.3g", value);
		point = strchr(text->bytes + before, '.');
		if (point)
			*point = locale->point;
	} else {
		text_add(text, "%" PRId64, word.i);
	}
	if (type.seconds && type.seconds != 1)
		text_add(text, " %s^%d", locale->s, type.seconds);
}

/* "halo.c:42", or the function if the line is unknown. */
static void add_place(struct text *text, const struct rule_symbols *symbols, int64_t number)
{
	const struct place *place = number >= 0 && number < symbols->places.count
	                                    ? place_get(&symbols->places, (uint32_t)number)
	                                    : NULL;
	const struct call_info *info;
	struct location where = {0};
	const char *slash;

	if (!place || !place->function) {
		text_add(text, "%s", translate(symbols->lang, "an unknown place"));
		return;
	}
	if (symbols->source && place->call)
		where = symbols_find_call(symbols->source, place->process, place->call);
	if (!where.file) {
		text_add(text, "%s", place->function);
		return;
	}
	slash = strrchr(where.file, '/');
	info = call_find(place->function);
	if (info && info->starts) /* rules name the function that prepared the request */
		text_add(text, "%s%s", place->function, translate(symbols->lang, " at "));
	text_add(text, "%s:%d", slash ? slash + 1 : where.file, where.line);
}

static void add_value(struct text *text, const struct rule_symbols *symbols, struct type type,
                      union word word)
{
	if (type.is_real ? isnan(word.r) : type.base != TYPE_EVENT && word.i == ABSENT) {
		text_add(text, "%s",
		         translate(symbols->lang, type.is_late ? "an unknown time" : "value|none"));
		return;
	}
	switch (type.base) {
	case TYPE_BOOL:
		text_add(text, "%s", translate(symbols->lang, word.i ? "yes" : "no"));
		break;
	case TYPE_NUMBER:
		add_number(text, locale_of(symbols->lang), type, word);
		break;
	case TYPE_TEXT:
		text_add(text, "%s",
		         rulebook_translate(symbols->book, symbols_text_of(symbols, word.i), symbols->lang));
		break;
	case TYPE_FUNCTION:
		text_add(text, "%s", symbols_function_name(symbols, word.i));
		break;
	case TYPE_PLACE:
		add_place(text, symbols, word.i);
		break;
	case TYPE_RANK:
	case TYPE_IDENTITY:
	case TYPE_EVENT:
		text_add(text, "%" PRId64, word.i);
		break;
	}
}

static bool is_subtracted(const struct expr *expr)
{
	bool is_left = expr->kind == EXPR_BINARY && expr->args[0]->type.is_late;

	if (expr->kind != EXPR_BINARY)
		return false;
	return is_left ? is_subtracted(expr->args[0])
	               : is_subtracted(expr->args[1]) != (expr->op == OP_SUBTRACT);
}

static void add_advice(struct text *text, const struct rule_symbols *symbols, const struct template *template,
                       const union word *values)
{
	bool is_shown = true;

	for (uint32_t i = 0; i < template->count; i++) {
		const struct template_part *part = &template->parts[i];
		const struct expr *expr = template->values[i];
		union word value = values[i];
		double time;
		if (is_shown)
			text_add(text, "%s", template->texts[i]);
		/* A sum with an estimate, which is known only now. Conditional text with an unknown estimate
		 * is omitted. */
		if (expr->type.is_late &&
		    estimate_time(symbols->estimates, values[template->count + i].i, &time))
			value.i = whole_add(value.i, llround(is_subtracted(expr) ? -time : time));
		else if (expr->type.is_late &&
		         (expr->kind != EXPR_BINARY || is_subtracted(expr) || value.i <= 0))
			value.i = ABSENT;
		if (part->mark != MARK_VALUE)
			is_shown = part->mark == MARK_END ||
			           (value.i != ABSENT && (expr->type.is_late || value.i));
		else if (is_shown && part->nouns) {
			/* "5 calls", "1 call", "2.5 times": fractions have the form of few. */
			const struct locale *locale = locale_of(symbols->lang);
			size_t before = text->length, form = 1;

			if (expr->type.is_real || value.i < 0)
				add_value(text, symbols, expr->type, value);
			else
				text_add_count(text, (uint64_t)value.i);
			if (!strchr(text->bytes + before, locale->point))
				form = plural_form(
					locale, (uint64_t)(expr->type.is_real ? llround(value.r) : value.i));
			text_add(text, " %s", part->nouns[form]);
		} else if (is_shown)
			add_value(text, symbols, expr->type, value);
	}
	if (template->texts)
		text_add(text, "%s", template->texts[template->count]);
}

static struct action action_of(const struct noted_call *call)
{
	return (struct action){.process = call->facts->process,
	                       .thread = call->thread,
	                       .call = call->facts->call,
	                       .start = call->start,
	                       .end = call->end};
}

static void take_entry(struct analysis *analysis, const struct rule_symbols *symbols,
                       const struct compiled_rule *rule, struct totals_entry *entry)
{
	struct finding *finding = &analysis->findings[analysis->finding_count++];
	struct place_pair *pair = &rule->totals->pairs.items[entry->pair];

	*finding = (struct finding){.problem = rule->problem,
	                            .at = action_of(&entry->at),
	                            .has_partner = rule->has_partner && entry->partner->facts->call,
	                            .at_place = pair->at_place,
	                            .partner_place = pair->partner_place,
	                            .count = entry->count,
	                            .total_ns = entry->total_ns,
	                            .max_ns = entry->max_ns,
	                            .histogram = histogram_take(&entry->histogram),
	                            .advice = ""};
	if (!pair->is_taken) { /* by the first finding of a pair of places */
		struct time_bins *taken = arena_new(&analysis->arena, struct time_bins);
		*taken = pair->over_time;
		finding->over_time = taken;
		pair->is_taken = true;
	}
	if (finding->has_partner)
		finding->partner = action_of(entry->partner);
	if (is_worst(rule->totals, entry)) {
		const struct worst_instance *worst = worst_of(rule->totals, entry);
		struct text text = {0};

		add_advice(&text, symbols, rule->advice, worst->values);
		text_strip_controls(&text);
		finding->advice = arena_text(&analysis->arena, text_get(&text));
		text_release(&text);
		finding->actions = arena_array(&analysis->arena, struct action, worst->actions.count + 1u);
		finding->action_count = worst->actions.count;
		for (uint32_t i = 0; i < worst->actions.count; i++)
			finding->actions[i] = action_of(&worst->actions.items[i]);
	}
}

/* Without a call there is no finding. The totals are freed, because findings take as much memory. */
static void take_totals(struct analysis *analysis, const struct rule_symbols *symbols,
                        struct compiled_rule *rule)
{
	struct problem_totals *totals = rule->totals;
	size_t wanted = analysis->finding_count + totals->entry_count;

	analysis->metrics[rule->problem->number] = (struct metric){
		.problem = rule->problem, .count = totals->count, .total_ns = totals->total_ns};
	if (totals->entry_count)
		analysis->findings = memory_grow(analysis->findings, wanted, sizeof *analysis->findings);
	for (uint32_t i = 0; i < totals->entry_count; i++) {
		struct totals_entry *entry = entry_at(totals, i);
		if (entry->at.facts && entry->at.facts->call)
			take_entry(analysis, symbols, rule, entry);
	}
	totals_free(totals);
	rule->totals = NULL;
}

static void take_notes(struct analysis *analysis, const struct rule_partitions *partitions)
{
	for (uint32_t i = 0; i < partitions->count; i++)
		for (uint32_t j = 0; j < partitions->all[i]->stateful_count; j++) {
			const struct stateful *stateful = partitions->all[i]->statefuls[j];
			uint64_t dropped = stateful_dropped(stateful);

			if (dropped)
				arena_add(
					&analysis->arena, analysis->notes, analysis->note_count,
					arena_format(
						&analysis->arena,
						"'%s' needs more than is given to a rule: %llu events were left out",
						stateful->table->type->name, (unsigned long long)dropped));
		}
}
#define COMPARED(a, b) (((a) > (b)) - ((a) < (b)))

/* By total, the largest first; then by problem and place, so that the order is always the same. */
static int by_weight(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;
	int order = COMPARED(b->total_ns, a->total_ns);

	order = order ? order : COMPARED(a->problem->number, b->problem->number);
	order = order ? order : COMPARED(a->at.process, b->at.process);
	order = order ? order : COMPARED(a->at.call->id, b->at.call->id);
	order = order ? order : COMPARED(a->at.start, b->at.start);
	order = order ? order : COMPARED(a->partner.process, b->partner.process);
	return order ? order : COMPARED(a->partner.start, b->partner.start);
}

void findings_sort(struct analysis *analysis)
{
	if (analysis->finding_count)
		qsort(analysis->findings, analysis->finding_count, sizeof *analysis->findings, by_weight);
}

void findings_take(const struct rule_partitions *partitions, const struct rule_symbols *symbols,
                   struct analysis *analysis)
{
	size_t problems = analysis->book->problem_count;

	analysis->metrics = arena_array(&analysis->arena, struct metric, problems + 1);
	for (size_t i = 0; i < problems; i++)
		analysis->metrics[i].problem = analysis->book->problems[i];
	for (uint32_t i = 0; i < partitions->count; i++)
		for (uint32_t j = 0; j < partitions->all[i]->rule_count; j++)
			take_totals(analysis, symbols, partitions->all[i]->rules[j]);
	findings_sort(analysis);
	take_notes(analysis, partitions);
}
