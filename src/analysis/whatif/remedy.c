#include "analysis/whatif/remedy.h"

#include "analysis/model/spans.h"

#include <stdlib.h>
#include <string.h>

const char *const remedy_texts[REMEDIES_END] = {
	[REMEDY_USUAL] = "",
	[REMEDY_WORK] = "the late rank computes no longer than the others",
	[REMEDY_SHARE] = "all ranks share the work of the late rank",
	[REMEDY_NO_WAIT] = "the late call is made in time",
	[REMEDY_HIDE] = "the transfer overlaps with computing",
	[REMEDY_REMOVE] = "these calls are removed",
	[REMEDY_SERVE] = "two ranks serve the requests",
	[REMEDY_PARALLEL] = "these ranks work at the same time",
	[REMEDY_SHORTEN] = "these calls waste no time",
	[REMEDY_EVEN_TEAM] = "the threads share the work evenly",
	[REMEDY_SHARE_TASKS] = "the threads share the tasks evenly",
	[REMEDY_SHARE_TEAM] = "all threads share the work between the regions",
	[REMEDY_SERIAL_REGION] = "one thread executes the region",
	[REMEDY_FREE_LOCK] = "no thread waits for another one here",
	[REMEDY_NONE] = "",
};

/* That share the requests of one. */
enum { SERVERS = 2 };

static enum remedy_kind kind_of(const struct finding *finding)
{
	if (finding->problem->remedy)
		return finding->problem->remedy;
	return finding->has_partner ? REMEDY_NO_WAIT : REMEDY_SHORTEN;
}

/* The part of computing that is left if it is distributed; 1: it cannot be. */
static double part_left(const struct wait_cause *cause, uint32_t sharers)
{
	const double shared = 0.95;

	if (cause->kind != CAUSE_COMPUTING || cause->process == NO_PROCESS || !cause->own_ns)
		return 1;
	if ((double)cause->mean_ns < shared * (double)cause->own_ns)
		return (double)cause->mean_ns / (double)cause->own_ns;
	return cause->ranks == 1 && sharers > 1 ? 1.0 / sharers : 1;
}

static bool is_same_change(const struct whatif_change *a, const struct whatif_change *b)
{
	return a->kind == b->kind && a->process == b->process && a->from.call == b->from.call &&
	       a->to.call == b->to.call;
}

/* Several processes may wait for the same work: for the longest of these waits it is too long. */
void remedy_add(struct remedy *remedy, const struct whatif_change *change)
{
	for (size_t i = 0;
	     (change->kind == CHANGE_WORK || change->process == NO_PROCESS) && i < remedy->changes.count; i++)
		if (is_same_change(&remedy->changes.items[i], change)) {
			if (change->factor < remedy->changes.items[i].factor)
				remedy->changes.items[i].factor = change->factor;
			remedy->changes.items[i].ns += change->ns;
			return;
		}
	array_add(&remedy->changes, *change);
}

/* True: most of the wait is work that can be distributed. */
static bool add_causes(const struct analysis *analysis, const struct finding *finding, uint32_t sharers,
                       struct remedy *remedy, enum remedy_kind *kind)
{
	struct cause_list list = causes_of(analysis->causes, finding->at.process, finding->at.call,
	                                   finding->partner.process, finding->partner.call);
	int64_t shared = 0;
	bool is_majority;

	for (size_t i = 0; i < list.count; i++)
		shared += part_left(&list.items[i], sharers) < 1 ? list.items[i].total_ns : 0;
	is_majority = shared > list.total_ns / 2;
	*kind = is_majority ? REMEDY_WORK : list.count || finding->has_partner ? *kind : REMEDY_SHORTEN;
	for (size_t i = 0; i < list.count && is_majority; i++) {
		const struct wait_cause *cause = &list.items[i];
		double left = part_left(cause, sharers);
		if (left == 1)
			continue;
		if (part_left(cause, 0) == 1)
			*kind = REMEDY_SHARE;
		remedy_add(remedy,
		           &(struct whatif_change){.kind = CHANGE_WORK,
		                                   .process = cause->process,
		                                   .from = cause->from,
		                                   .to = cause->to,
		                                   .factor = left,
		                                   .is_even = part_left(cause, 0) < 1,
		                                   .alone_ns = part_left(cause, 0) == 1 ? cause->own_ns : 0,
		                                   .ns = cause->total_ns});
	}
	free(list.items);
	return is_majority;
}

/* Of one thread between two regions: by the threads of the second one. */
static void share_alone(const struct finding *finding, struct remedy *remedy)
{
	const int64_t threads = field_or(finding->at.call, FIELD_COUNT, 1);

	remedy_add(remedy, &(struct whatif_change){.kind = CHANGE_SHARE_ALONE,
	                                           .process = finding->at.process,
	                                           .from = {finding->partner.process, finding->partner.call},
	                                           .to = {finding->at.process, finding->at.call},
	                                           .factor = threads > 1 ? 1.0 / (double)threads : 1});
}

/* The barrier at which threads wait for the one that arrives late. If that thread calls MPI, its call is charged. */
static struct caller team_barrier(const struct finding *finding)
{
	const struct action *barrier = finding->has_partner && strcmp(finding->partner.call->outline->name,
	                                                              all_calls[CALL_omp_barrier].name) == 0
	                                       ? &finding->partner
	                                       : &finding->at;

	return (struct caller){barrier->process, barrier->call};
}

static void add_finding(const struct analysis *analysis, const struct finding *finding, uint32_t sharers,
                        struct remedy *remedy)
{
	static const enum change_kind changes[REMEDIES_END] = {
		[REMEDY_WORK] = CHANGE_LESS_WORK,          [REMEDY_SHARE] = CHANGE_LESS_WORK,
		[REMEDY_NO_WAIT] = CHANGE_UNBIND,          [REMEDY_HIDE] = CHANGE_HIDE,
		[REMEDY_REMOVE] = CHANGE_REMOVE,           [REMEDY_SHORTEN] = CHANGE_SHORTEN,
		[REMEDY_SHARE_TASKS] = CHANGE_SHARE_TASKS, [REMEDY_SERIAL_REGION] = CHANGE_SERIAL_REGION,
		[REMEDY_FREE_LOCK] = CHANGE_UNBIND};
	enum remedy_kind kind = kind_of(finding);
	const struct caller at = {finding->at.process, finding->at.call};
	const bool is_first = !remedy->changes.count;

	if (kind == REMEDY_NONE)
		return;
	if (kind == REMEDY_SERVE)
		remedy_add(remedy, &(struct whatif_change){.kind = CHANGE_WORK,
		                                           .process = at.process,
		                                           .from = at,
		                                           .factor = 1.0 / SERVERS});
	else if (kind == REMEDY_SHARE_TEAM)
		share_alone(finding, remedy);
	else if (kind == REMEDY_EVEN_TEAM)
		remedy_add(remedy, &(struct whatif_change){.kind = CHANGE_EVEN_TEAM,
		                                           .process = at.process,
		                                           .to = team_barrier(finding)});
	else if (kind == REMEDY_PARALLEL)
		remedy_add(remedy,
		           &(struct whatif_change){.kind = CHANGE_UNBIND, .process = NO_PROCESS, .to = at});
	else if (kind != REMEDY_NO_WAIT || !analysis->causes ||
	         !add_causes(analysis, finding, sharers, remedy, &kind))
		remedy_add(remedy, &(struct whatif_change){.kind = changes[kind],
		                                           .process = finding->at.process,
		                                           .to = {finding->at.process, finding->at.call},
		                                           .is_even = kind == REMEDY_WORK,
		                                           .ns = finding->total_ns,
		                                           .instances = finding->count});
	if (is_first)
		remedy->kind = kind;
}

double remedy_left_of_shared(int64_t alone_ns, int64_t waits_ns, uint32_t sharers)
{
	double left = 1 - (double)waits_ns / (double)alone_ns / sharers;

	return left > 1.0 / sharers ? left : 1.0 / sharers;
}

/* Work that causes little of the waits is mostly the main cause of others. */
static void drop_minor_work(struct remedy *remedy, uint32_t sharers)
{
	int64_t largest = 0;
	size_t kept = 0;

	for (size_t i = 0; i < remedy->changes.count; i++)
		if (remedy->changes.items[i].kind == CHANGE_WORK)
			largest = max_ns(largest, remedy->changes.items[i].ns);
	for (size_t i = 0; i < remedy->changes.count; i++) {
		struct whatif_change change = remedy->changes.items[i];
		if (change.kind == CHANGE_WORK) {
			if (change.ns && change.ns < largest / 2)
				continue;
			if (change.alone_ns)
				change.factor = remedy_left_of_shared(change.alone_ns, change.ns, sharers);
			change.ns = 0;
		}
		remedy->changes.items[kept++] = change;
	}
	remedy->changes.count = kept;
}

void remedy_find(const struct analysis *analysis, const struct finding *const *findings, size_t count,
                 uint32_t sharers, struct remedy *remedy)
{
	*remedy = (struct remedy){.kind = kind_of(findings[0])};
	for (size_t i = 0; i < count; i++)
		add_finding(analysis, findings[i], sharers, remedy);
	drop_minor_work(remedy, sharers);
}

bool remedy_is_same(const struct remedy *a, const struct remedy *b)
{
	if (a->changes.count != b->changes.count)
		return false;
	for (size_t i = 0; i < a->changes.count; i++) {
		const struct whatif_change *one = &a->changes.items[i], *other = &b->changes.items[i];
		if (!is_same_change(one, other) || one->factor != other->factor || one->ns != other->ns ||
		    one->instances != other->instances)
			return false;
	}
	return true;
}

void remedy_release(struct remedy *remedy)
{
	array_release(&remedy->changes);
}
