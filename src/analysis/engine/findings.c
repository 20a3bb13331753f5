#include "analysis/engine/findings.h"

#include "analysis/engine/advice.h"
#include "analysis/engine/stateful.h"
#include "analysis/engine/tally.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct action action_of(const struct noted_call *call)
{
	return (struct action){.process = call->facts->process,
	                       .thread = call->thread,
	                       .call = call->facts->call,
	                       .start = call->start,
	                       .end = call->end};
}

static const char *advice_of(struct analysis *analysis, const struct ground *ground,
                             const struct template *template, const union word *values)
{
	struct text text = {0};
	const char *advice;

	advice_add(&text, ground, template, values);
	text_strip_controls(&text);
	advice = arena_text(&analysis->arena, text_get(&text));
	text_release(&text);
	return advice;
}

static void tell_in_full(struct analysis *analysis, const struct ground *ground,
                         const struct template *advice, const struct worst *worst, struct finding *finding)
{
	finding->advice = advice_of(analysis, ground, advice, worst->values);
	finding->actions = arena_array(&analysis->arena, struct action, worst->action_count + 1u);
	finding->action_count = worst->action_count;
	for (uint32_t i = 0; i < worst->action_count; i++)
		finding->actions[i] = action_of(&worst->actions[i]);
}

static void take_entry(struct analysis *analysis, const struct ground *ground, const struct watch *watch,
                       struct entry *entry)
{
	struct finding *finding = &analysis->findings[analysis->finding_count++];

	*finding = (struct finding){.problem = watch->problem,
	                            .at = action_of(&entry->at),
	                            .has_partner = watch->has_partner && entry->partner->facts->call,
	                            .count = entry->count,
	                            .total_ns = entry->total_ns,
	                            .max_ns = entry->max_ns,
	                            .histogram = bins_take(&entry->histogram),
	                            .advice = ""};
	if (finding->has_partner)
		finding->partner = action_of(entry->partner);
	if (is_worst(watch->tally, entry))
		tell_in_full(analysis, ground, watch->advice, worst_of(watch->tally, entry), finding);
}

/* A call of nobody is charged to nobody. */
static void take_tally(struct analysis *analysis, const struct ground *ground, const struct watch *watch)
{
	const struct tally *tally = watch->tally;
	size_t wanted = analysis->finding_count + tally->entry_count;

	analysis->metrics[watch->problem->number] = (struct metric){
		.problem = watch->problem, .count = tally->count, .total_ns = tally->total_ns};
	if (!tally->entry_count)
		return;
	analysis->findings = memory_grow(analysis->findings, wanted, sizeof *analysis->findings);
	for (uint32_t i = 0; i < tally->entry_count; i++) {
		struct entry *entry = entry_at(tally, i);
		if (entry->at.facts && entry->at.facts->call)
			take_entry(analysis, ground, watch, entry);
	}
}

/* It is given up, as findings take as much memory. */
static void take_watch(struct analysis *analysis, const struct ground *ground, struct watch *watch)
{
	take_tally(analysis, ground, watch);
	tally_free(watch->tally);
	watch->tally = NULL;
}

static void note_dropped(struct analysis *analysis, const struct stateful *stateful, const char ***notes,
                         size_t *count)
{
	uint64_t dropped = stateful->steps ? joins_dropped(stateful) : running_dropped(stateful);

	if (!dropped)
		return;
	*notes = memory_grow(*notes, *count + 1, sizeof **notes);
	(*notes)[(*count)++] = arena_format(
		&analysis->arena, "'%s' needs more than is given to a rule: %llu events were left out",
		stateful->table->type->name, (unsigned long long)dropped);
}

static void take_notes(struct analysis *analysis, const struct parts *parts)
{
	const char **notes = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < parts->count; i++)
		for (uint32_t j = 0; j < parts->shares[i]->stateful_count; j++)
			note_dropped(analysis, parts->shares[i]->statefuls[j], &notes, &count);
	analysis->notes = arena_array(&analysis->arena, const char *, count + 1);
	analysis->note_count = count;
	for (size_t i = 0; i < count; i++)
		analysis->notes[i] = notes[i];
	free(notes);
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By total, the largest first; then by problem and place, so that the order is always the same. */
static int by_weight(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;
	int order = (a->total_ns < b->total_ns) - (a->total_ns > b->total_ns);

	order = order ? order : compare(a->problem->number, b->problem->number);
	order = order ? order : compare(a->at.process, b->at.process);
	order = order ? order : compare(a->at.call->id, b->at.call->id);
	order = order ? order : compare((uint64_t)a->at.start, (uint64_t)b->at.start);
	order = order ? order : compare(a->partner.process, b->partner.process);
	return order ? order : compare((uint64_t)a->partner.start, (uint64_t)b->partner.start);
}

void findings_take(const struct parts *parts, const struct ground *ground, struct analysis *analysis)
{
	size_t problems = analysis->book->problem_count;

	analysis->metrics = arena_array(&analysis->arena, struct metric, problems + 1);
	for (size_t i = 0; i < problems; i++)
		analysis->metrics[i].problem = analysis->book->problems[i];
	for (uint32_t i = 0; i < parts->count; i++)
		for (uint32_t j = 0; j < parts->shares[i]->watch_count; j++)
			take_watch(analysis, ground, parts->shares[i]->watches[j]);
	if (analysis->finding_count)
		qsort(analysis->findings, analysis->finding_count, sizeof *analysis->findings, by_weight);
	take_notes(analysis, parts);
}
