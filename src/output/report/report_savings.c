/* The savings of the findings of a report, by one replay for all of them (analysis/whatif). */
#include "analysis/whatif/remedy.h"
#include "output/report/parts.h"

enum {
	/* The maximum number of replayed fixes. Two scenarios belong to whatif.h itself, and one is the ideal network. */
	REMEDIES_MAX = SCENARIOS_MAX - 3,
	/* The maximum number of threads of the run. With more, the times of calls that others may still need
	 * would take too much memory. */
	THREADS_MAX = 4096,
	NOT_ASKED = REMEDIES_MAX,
};

/* Remedies that differ, each a scenario. */
struct remedy_list {
	struct remedy items[REMEDIES_MAX];
	size_t count;
};

/* The work of an origin is distributed over all processes if only one does it, otherwise evenly. */
static void share_work(const struct report *report, const struct report_cause *cause, bool is_alone,
                       struct remedy *remedy)
{
	for (size_t i = 0; i < cause->part_count; i++) {
		const struct cause_part *part = &cause->parts[i];
		double factor = is_alone ? remedy_left_of_shared(
						   part->own_ns, part->ns,
						   (uint32_t)report->analysis->reader->process_count)
		                         : 1 / part->times_mean;
		if (part->own_ns > 0 && part->times_mean > 0 && factor < 1)
			remedy_add(remedy, &(struct whatif_change){.kind = CHANGE_WORK,
			                                           .process = part->process,
			                                           .from = cause->from_call,
			                                           .to = cause->to_call,
			                                           .factor = factor,
			                                           .is_even = !is_alone});
	}
}

static void remedy_origin(const struct report *report, const struct report_entry *entry,
                          struct remedy *remedy)
{
	*remedy = (struct remedy){.kind = is_serial(entry) ? REMEDY_SHARE : REMEDY_WORK};
	for (size_t i = 0; i < entry->cause_count; i++)
		share_work(report, &entry->causes[i], is_serial(entry), remedy);
}

static void find_remedy(const struct report *report, const struct report_entry *entry, bool shares,
                        struct remedy *remedy)
{
	if (is_origin(entry))
		remedy_origin(report, entry, remedy);
	else
		remedy_find(report->analysis, entry->findings, entry->finding_count,
		            shares ? (uint32_t)report->analysis->reader->process_count : 0, remedy);
}

void entry_remedy(const struct report *report, const struct report_entry *entry, struct remedy *remedy)
{
	find_remedy(report, entry, entry->remedy == REMEDY_SHARE, remedy);
}

/* Scenarios of an entry: the late call is made in time; work of one process alone is shared. Mostly both are
 * the same scenario. NOT_ASKED: there is no remedy, or no room for it. */
struct asked_remedies {
	size_t scenarios[2];
	enum remedy_kind kinds[2];
};

static size_t ask_about(struct remedy_list *list, struct remedy *remedy)
{
	for (size_t i = 0; i < list->count && remedy->changes.count; i++)
		if (remedy_is_same(&list->items[i], remedy)) {
			remedy_release(remedy);
			return i;
		}
	if (!remedy->changes.count || list->count == REMEDIES_MAX) {
		remedy_release(remedy);
		return NOT_ASKED;
	}
	list->items[list->count] = *remedy;
	return list->count++;
}

static struct asked_remedies ask(struct remedy_list *list, const struct report *report,
                                 struct report_entry *entry)
{
	struct asked_remedies asked;

	for (int i = 0; i < 2; i++) {
		struct remedy remedy;
		find_remedy(report, entry, i, &remedy);
		asked.kinds[i] = remedy.kind;
		entry->answer.doubt = remedy.changes.count ? DOUBT_NOT_REPLAYED : DOUBT_NO_REMEDY;
		asked.scenarios[i] = ask_about(list, &remedy);
	}
	entry->remedy = asked.kinds[0];
	return asked;
}

/* The scenario that saves more. If a scenario makes the run longer, it is not a fix. */
static void take_answer(struct report_entry *entry, const struct asked_remedies *asked,
                        const struct whatif *whatif)
{
	for (int i = 0; i < 2; i++) {
		const struct whatif_answer *answer = &whatif->answers[asked->scenarios[i]];
		if (asked->scenarios[i] == NOT_ASKED || (i && (answer->doubt > entry->answer.doubt ||
		                                               answer->saves_ns <= entry->answer.saves_ns)))
			continue;
		entry->answer = *answer;
		entry->remedy = asked->kinds[i];
	}
	if (entry->answer.saves_ns <= 0)
		entry->answer = (struct whatif_answer){.length_ns = whatif->length_ns,
		                                       .doubt = entry->answer.doubt};
}

static void replay(struct report *report, const struct report_options *options,
                   const struct remedy_list *list, const struct asked_remedies *asked)
{
	struct whatif_scenario scenarios[REMEDIES_MAX + 1];
	const size_t count = list->count;
	struct whatif *whatif;

	for (size_t i = 0; i < list->count; i++)
		scenarios[i] = (struct whatif_scenario){.factors = FACTORS_RECORDED,
		                                        .eager = EAGER_RECORDED,
		                                        .changes = list->items[i].changes.items,
		                                        .change_count = list->items[i].changes.count};
	scenarios[count] = (struct whatif_scenario){.factors = FACTORS_IDEAL_NETWORK,
	                                            .eager = EAGER_RECORDED};
	whatif = whatif_new(report->analysis->session,
	                    &(struct whatif_options){.scenarios = scenarios,
	                                             .count = count + (report->profile != NULL),
	                                             .source = report->source,
	                                             .estimates = report->analysis->estimates,
	                                             .causes = report->analysis->causes,
	                                             .uses_threads = options->uses_threads});
	for (size_t i = 0; i < report->shown; i++)
		take_answer(&report->entries[i], &asked[i], whatif);
	if (report->profile && !whatif->answers[count].doubt) {
		const struct figures *figures = report->profile->figures;

		report->communication = communication_parts_of(&figures->efficiency, figures->run->length_ns,
		                                               whatif->answers[count].length_ns);
	}
	whatif_free(whatif);
}

static void limit_savings(struct whatif_answer *answer, int64_t most_ns)
{
	const int64_t run = answer->length_ns + answer->saves_ns;

	if (answer->saves_ns <= most_ns)
		return;
	answer->saves_ns = most_ns;
	answer->length_ns = run - answer->saves_ns;
	answer->saves_share = (double)answer->saves_ns / (double)run;
}

/* The fix of a wait may also save time elsewhere, which other findings count. */
static void limit_to_wait(struct report_entry *entry)
{
	if (!is_origin(entry) && entry->remedy != REMEDY_REMOVE && entry->remedy != REMEDY_SERVE &&
	    entry->remedy != REMEDY_PARALLEL)
		limit_savings(&entry->answer, entry->total_ns);
}

/* Fixing the cause also fixes a consequence, which therefore saves no more, and is predictable only if the
 * cause is. */
static void limit_consequences(struct report *report)
{
	for (size_t i = 0; i < report->shown; i++) {
		struct report_entry *entry = &report->entries[i];
		const struct report_entry *cause = entry->explained_by
		                                           ? &report->entries[entry->explained_by - 1]
		                                           : entry;
		if (entry->answer.doubt ||
		    (!cause->answer.doubt && entry->answer.saves_ns <= cause->answer.saves_ns))
			continue;
		entry->answer = cause->answer;
		entry->remedy = cause->remedy;
	}
	for (size_t i = 0; i < report->shown; i++)
		limit_to_wait(&report->entries[i]);
	/* The cause may be limited, too. */
	for (size_t i = 0; i < report->shown; i++)
		if (report->entries[i].explained_by)
			limit_savings(&report->entries[i].answer,
			              report->entries[report->entries[i].explained_by - 1].answer.saves_ns);
}

static bool can_be_replayed(const struct report *report)
{
	const struct reader *reader = report->analysis->reader;
	size_t threads = 0;

	for (size_t i = 0; i < reader->process_count; i++)
		threads += reader->processes[i].stream_count;
	return report->analysis->session && threads <= THREADS_MAX;
}

static enum impact impact_of(double share)
{
	return share >= 0.05 ? IMPACT_HIGH : share >= 0.01 ? IMPACT_MEDIUM : IMPACT_LOW;
}

/* The fix of a consequence may not be predictable. Yet it does not matter more than its cause. */
static void find_impacts(struct report *report)
{
	for (size_t i = 0; i < report->entry_count; i++) {
		struct report_entry *entry = &report->entries[i];
		enum impact own = impact_of(entry_share(report, entry)), most = own;
		if (entry->explained_by)
			most = impact_of(entry_share(report, &report->entries[entry->explained_by - 1]));
		entry->impact = own < most ? own : most;
	}
}

static bool divides_communication(const struct report *report)
{
	return report->profile && report->profile->figures->efficiency.is_known &&
	       report->analysis->reader->process_count > 1;
}

void predict_savings(struct report *report, const struct report_options *options)
{
	struct asked_remedies *asked = arena_array(&report->arena, struct asked_remedies, report->shown + 1);
	struct remedy_list list = {0};

	for (size_t i = 0; i < report->entry_count; i++)
		report->entries[i].answer.doubt = DOUBT_NOT_REPLAYED;
	const bool replays = options->whatif && can_be_replayed(report);
	for (size_t i = 0; i < report->shown && replays; i++)
		asked[i] = ask(&list, report, &report->entries[i]);
	if (list.count || (replays && divides_communication(report)))
		replay(report, options, &list, asked);
	limit_consequences(report);
	find_impacts(report);
	for (size_t i = 0; i < list.count; i++)
		remedy_release(&list.items[i]);
}

int64_t entry_weight(const struct report *report, const struct report_entry *entry)
{
	size_t processes = report->analysis->reader->process_count;

	return !entry->answer.doubt ? entry->answer.saves_ns
	                            : entry->lost_ns / (int64_t)(processes ? processes : 1);
}

double entry_share(const struct report *report, const struct report_entry *entry)
{
	return !entry->answer.doubt ? entry->answer.saves_share : share_of_run(report, entry->lost_ns);
}
