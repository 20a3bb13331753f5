#include "analysis/whatif/remedy.h"

#include "analysis/model/places.h"
#include "analysis/model/spans.h"

#include <string.h>

const char *const remedy_texts[REMEDIES_END] = {
	[REMEDY_WORK] = "the late rank computes no longer than the others",
	[REMEDY_NO_WAIT] = "the late call comes in time",
	[REMEDY_HIDE] = "the transfer overlaps with computing",
	[REMEDY_REMOVE] = "without these calls",
	[REMEDY_SERVE] = "two ranks serve the requests",
	[REMEDY_SHORTEN] = "these calls without the time that they waste",
};

const char *const remedy_names[REMEDIES_END] = {
	[REMEDY_WORK] = "work",     [REMEDY_NO_WAIT] = "no-wait", [REMEDY_HIDE] = "hide",
	[REMEDY_REMOVE] = "remove", [REMEDY_SHORTEN] = "shorten", [REMEDY_SERVE] = "serve",
};

/* That share the requests of one. */
enum { SERVERS = 2 };

/* Problems whose remedy does not follow from the finding. */
static const struct {
	const char *id;
	enum remedy_kind kind;
} own_remedies[] = {
	{"mpi.redundant-barrier", REMEDY_REMOVE},
	{"mpi.wait-for-transfer", REMEDY_HIDE},
	{"mpi.imbalance", REMEDY_WORK},
	{"mpi.server-queue", REMEDY_SERVE},
};

static enum remedy_kind kind_of(const struct finding *finding)
{
	for (size_t i = 0; i < sizeof own_remedies / sizeof *own_remedies; i++)
		if (strcmp(own_remedies[i].id, finding->problem->id) == 0)
			return own_remedies[i].kind;
	return finding->has_partner ? REMEDY_NO_WAIT : REMEDY_SHORTEN;
}

/* Work that several processes share can be distributed evenly. If one process does all of it, only its calls can be moved. */
static bool can_be_shared(const struct wait_cause *cause)
{
	const double shared = 0.95;

	return cause->kind == CAUSE_COMPUTING && cause->process != NO_PROCESS &&
	       (double)cause->mean_ns < shared * (double)cause->own_ns;
}

static bool is_same_work(const struct whatif_change *a, const struct whatif_change *b)
{
	return a->kind == CHANGE_WORK && b->kind == CHANGE_WORK && a->process == b->process &&
	       a->from.call == b->from.call && a->to.call == b->to.call;
}

/* Several processes may wait for the same work: for the longest of these waits it is too long. */
void remedy_add(struct remedy *remedy, const struct whatif_change *change)
{
	for (size_t i = 0; i < remedy->changes.count; i++)
		if (is_same_work(&remedy->changes.items[i], change)) {
			if (change->factor < remedy->changes.items[i].factor)
				remedy->changes.items[i].factor = change->factor;
			return;
		}
	array_add(&remedy->changes, *change);
}

/* True: most of the wait is work that can be distributed. */
static bool add_causes(const struct analysis *analysis, const struct finding *finding, struct remedy *remedy)
{
	struct cause_list list = causes_of(analysis->causes, finding->at.process, finding->at.call,
	                                   finding->partner.process, finding->partner.call);
	int64_t shared = 0;
	bool is_most;

	for (size_t i = 0; i < list.count; i++)
		shared += can_be_shared(&list.items[i]) ? list.items[i].total_ns : 0;
	is_most = shared > list.total_ns / 2;
	for (size_t i = 0; i < list.count && is_most; i++) {
		const struct wait_cause *cause = &list.items[i];
		if (can_be_shared(cause))
			remedy_add(remedy, &(struct whatif_change){.kind = CHANGE_WORK,
			                                           .process = cause->process,
			                                           .from = cause->from,
			                                           .to = cause->to,
			                                           .factor = (double)cause->mean_ns /
			                                                     (double)cause->own_ns});
	}
	free(list.items);
	return is_most;
}

static void add_finding(const struct analysis *analysis, const struct finding *finding, struct remedy *remedy)
{
	static const enum change_kind changes[REMEDIES_END] = {[REMEDY_WORK] = CHANGE_LESS_WORK,
	                                                       [REMEDY_NO_WAIT] = CHANGE_UNBIND,
	                                                       [REMEDY_HIDE] = CHANGE_HIDE,
	                                                       [REMEDY_REMOVE] = CHANGE_REMOVE,
	                                                       [REMEDY_SHORTEN] = CHANGE_SHORTEN};
	enum remedy_kind kind = kind_of(finding);
	const struct caller at = {finding->at.process, finding->at.call};

	if (kind == REMEDY_SERVE)
		remedy_add(remedy, &(struct whatif_change){.kind = CHANGE_WORK,
		                                           .process = at.process,
		                                           .from = at,
		                                           .factor = 1.0 / SERVERS});
	else if (kind == REMEDY_NO_WAIT && analysis->causes && add_causes(analysis, finding, remedy))
		kind = REMEDY_WORK;
	else
		remedy_add(remedy, &(struct whatif_change){.kind = changes[kind],
		                                           .process = finding->at.process,
		                                           .to = {finding->at.process, finding->at.call},
		                                           .ns = finding->total_ns,
		                                           .instances = finding->count});
	if (remedy->changes.count <= 1)
		remedy->kind = kind;
}

void remedy_find(const struct analysis *analysis, const struct finding *finding, struct symbols *source,
                 struct remedy *remedy)
{
	const struct process *processes = analysis->reader->processes;
	struct places places = {.source = source};
	uint32_t place = place_of(&places, &processes[finding->at.process], finding->at.call);

	*remedy = (struct remedy){.kind = kind_of(finding)};
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *one = &analysis->findings[i];
		if (one->problem == finding->problem &&
		    place_of(&places, &processes[one->at.process], one->at.call) == place)
			add_finding(analysis, one, remedy);
	}
	places_release(&places);
}

void remedy_release(struct remedy *remedy)
{
	array_release(&remedy->changes);
}
