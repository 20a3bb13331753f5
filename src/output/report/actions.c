#include "output/report/actions.h"

#include "calls/calls.h"
#include "output/report/parts.h"
#include "output/report/phrases.h"

#include <inttypes.h>
#include <string.h>

static int64_t ready_at(const struct finding *finding, uint32_t process)
{
	int64_t first = INT64_MAX;

	for (uint32_t i = 0; i < finding->action_count; i++)
		if (finding->actions[i].process == process && finding->actions[i].start < first)
			first = finding->actions[i].start;
	return first;
}

/* When the last of the other processes was ready. */
static int64_t others_ready_at(const struct finding *finding, uint32_t process)
{
	int64_t last = INT64_MIN;

	for (uint32_t i = 0; i < finding->action_count; i++) {
		const uint32_t other = finding->actions[i].process;
		const int64_t ready = other == process ? INT64_MIN : ready_at(finding, other);
		last = ready > last ? ready : last;
	}
	return last;
}

struct action_times action_times(const struct finding *finding, const struct action *action)
{
	const struct call_info *call = call_find(action->call->outline->name);
	const int64_t duration = action->end - action->start;
	const int64_t ready = others_ready_at(finding, action->process);
	struct action_times times = {0};

	if (!call || call_is_local(call))
		return times;
	if (call->persistent || call->starts || call_has(call, KIND_newrequest)) {
		times.preparation_ns = duration;
		return times;
	}
	if (ready == INT64_MIN)
		return times;
	if (ready > action->start)
		times.waiting_ns = ready < action->end ? ready - action->start : duration;
	times.transfer_ns = duration - times.waiting_ns;
	return times;
}

static void add_part(const struct sheet *sheet, struct text *words, const char *gap, int64_t ns,
                     const char *wording)
{
	if (!ns)
		return;
	text_add(words, "%s", gap);
	sheet_seconds(sheet, words, ns);
	text_add(words, " %s", phrase(sheet, wording));
}

/* "2.00 s waiting, 200 ms transfer" */
static void add_times(const struct sheet *sheet, struct text *words, struct action_times times)
{
	const size_t before = words->length;

	add_part(sheet, words, "", times.preparation_ns, "preparation");
	add_part(sheet, words, words->length > before ? ", " : "", times.waiting_ns, "waiting");
	add_part(sheet, words, words->length > before ? ", " : "", times.transfer_ns, "transfer");
}

void add_actions(const struct sheet *sheet, struct report *report, const struct report_entry *entry,
                 bool has_times)
{
	const struct finding *worst = entry->worst;
	struct action_times all = {0};
	struct text words = {0};

	for (uint32_t i = 0; i < worst->action_count; i++) {
		const struct action *action = &worst->actions[i];
		const struct action_times times = action_times(worst, action);
		const struct process *process = &report->analysis->reader->processes[action->process];
		const struct call_place place = call_place_of(report, action);

		text_add(&words, "%s", place.call);
		if (*place.text)
			text_add(&words, "%s%s", phrase(sheet, " at "), place.text);
		if (process->rank != PROCESS_UNKNOWN)
			text_add(&words, ", %s%" PRIu32, phrase(sheet, "rank "), process->rank);
		if (has_times) {
			text_add(&words, ", %s", phrase(sheet, "at "));
			sheet_seconds(sheet, &words, action->start);
			text_add(&words, ": ");
			if (times.preparation_ns + times.waiting_ns + times.transfer_ns)
				add_times(sheet, &words, times);
			else
				sheet_seconds(sheet, &words, action->end - action->start);
		}
		sheet_labelled(sheet, "call", &words);
		all.preparation_ns += times.preparation_ns;
		all.waiting_ns += times.waiting_ns;
		all.transfer_ns += times.transfer_ns;
	}
	if (has_times && worst->action_count > 1)
		add_times(sheet, &words, all);
	if (words.length)
		sheet_labelled(sheet, "in all", &words);
}
