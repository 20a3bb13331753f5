#include "check/execution/deadlock_parts.h"

#include "calls/calls.h"

/* A potential deadlock is certain when all of its sends that the program has left are received, and
 * all members have joined its collective calls. Otherwise a message is lost, or a member missing,
 * and that is reported. */
struct potential_deadlock {
	struct knot_finding *finding; /* NULL: decided */
	struct map_key calls;
	uint32_t missing;
};

struct potential_deadlocks {
	struct deadlocks *deadlocks;
	ARRAY(struct potential_deadlock) items;
	struct map awaited; /* operations and collective calls, to items */
	struct map known;   /* hash of calls, to the number of the finding; KNOWN_OPEN: none yet */
};

enum { KNOWN_OPEN = UINT32_MAX - 1 };

static void decide(struct potential_deadlocks *potential, uint32_t number, bool is_certain)
{
	struct potential_deadlock *item = &potential->items.items[number];
	uint32_t *known = map_find(&potential->known, item->calls);

	if (!item->finding)
		return;
	if (is_certain)
		*known = knot_finding_end(item->finding, potential->deadlocks->log);
	else {
		knot_finding_discard(item->finding);
		map_remove(&potential->known, item->calls);
	}
	item->finding = NULL;
}

static void has_come(struct potential_deadlocks *potential, const void *what, bool is_right)
{
	struct map_key key = map_key((uintptr_t)what, 0);
	const uint32_t *found = potential->awaited.count ? map_find(&potential->awaited, key) : NULL;
	uint32_t number = found ? *found : 0;

	if (!found)
		return;
	map_remove(&potential->awaited, key);
	if (!is_right || !--potential->items.items[number].missing)
		decide(potential, number, is_right);
}

static void message_matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	(void)receive;
	has_come(owner, send, true);
}

static void collective_complete(void *owner, struct executed_collective *collective)
{
	has_come(owner, collective, true);
}

static void operation_freed(void *owner, struct executed_operation *operation)
{
	has_come(owner, operation, false);
}

struct potential_deadlocks *potential_deadlocks_new(struct deadlocks *deadlocks)
{
	struct potential_deadlocks *potential = memory_new(1, sizeof *potential);
	struct execution_listener listener = {.owner = potential,
	                                      .matched = message_matched,
	                                      .all_there = collective_complete,
	                                      .freed = operation_freed};

	potential->deadlocks = deadlocks;
	execution_listen(deadlocks->execution, &listener);
	return potential;
}

void potential_deadlocks_free(struct potential_deadlocks *potential)
{
	for (uint32_t i = 0; i < potential->items.count; i++)
		decide(potential, i, false);
	array_release(&potential->items);
	map_release(&potential->awaited);
	map_release(&potential->known);
	free(potential);
}

/* Sends or collective calls that the program has left decide the kind. If a process has finalized,
 * or called another function, that is reported instead. A process that tests for completion would
 * have continued anyway. */
static enum check potential_check(const struct waiting_knot *knot)
{
	uint32_t kinds = 0;

	if (knot->ended.count)
		return CHECK_NONE;
	for (size_t i = 0; i < knot->threads.count; i++) {
		const struct executed_thread *thread = knot->threads.items[i].thread;
		if (thread_is_in_finalize(thread) || thread->is_tested ||
		    (thread->call && all_calls[thread->call->function].pgas)) /* OpenSHMEM */
			return CHECK_NONE;
		for (size_t j = 0; j < thread->waits.count; j++)
			if (collective_is_wrong(thread->waits.items[j]->collective))
				return CHECK_NONE;
		if (thread_has_left(thread))
			kinds |= thread_wait_kinds(thread);
	}
	if (kinds & WAITS_SEND)
		return kinds & WAITS_COLLECTIVE ? CHECK_DEADLOCK_POTENTIAL_SEND_COLLECTIVE
		                                : CHECK_DEADLOCK_POTENTIAL_SEND;
	return kinds & WAITS_COLLECTIVE ? CHECK_DEADLOCK_POTENTIAL_COLLECTIVE : CHECK_NONE;
}

/* The first collective call that returned before all members joined. */
static const char *collective_left(const struct waiting_knot *knot)
{
	const struct executed_thread *thread =
		knot->threads.items[knot_first(knot, WAITS_COLLECTIVE, true)].thread;

	return all_calls[thread->call->function].name;
}

static bool let_those_pass(struct deadlocks *deadlocks, const struct waiting_knot *knot, uint32_t kinds)
{
	bool any = false;

	for (size_t i = 0; i < knot->threads.count; i++) {
		struct executed_thread *thread = knot->threads.items[i].thread;
		if (!thread_has_left(thread) || (kinds && !(thread_wait_kinds(thread) & kinds)))
			continue;
		execution_let_pass(deadlocks->execution, thread);
		any = true;
	}
	return any;
}

/* Operations that must still happen, otherwise there is another error. */
static void await_rest(struct potential_deadlocks *potential, const struct waiting_knot *knot,
                       uint32_t number)
{
	for (size_t i = 0; i < knot->threads.count; i++) {
		const struct executed_thread *thread = knot->threads.items[i].thread;
		for (size_t j = 0; thread_has_left(thread) && j < thread->waits.count; j++) {
			struct executed_operation *operation = thread->waits.items[j];
			const void *what = operation->collective ? (const void *)operation->collective
			                                         : (const void *)operation;
			uint32_t *place;
			if (!operation_is_open(operation) ||
			    (operation->call->operation != OPERATION_SEND &&
			     operation->call->operation != OPERATION_COLLECTIVE))
				continue;
			place = map_put(&potential->awaited, map_key((uintptr_t)what, 0));
			potential->items.items[number].missing += *place != number;
			*place = number;
		}
	}
}

void report_potential(struct deadlocks *deadlocks, const struct waiting_knot *knot)
{
	struct potential_deadlocks *potential = deadlocks->potential;
	enum check check = potential_check(knot);
	uint32_t *known, kind = check == CHECK_DEADLOCK_POTENTIAL_COLLECTIVE ? WAITS_COLLECTIVE : WAITS_SEND;
	uint64_t hash = 0; /* of all calls, in any order */
	struct map_key key;

	for (size_t i = 0; i < knot->threads.count; i++)
		hash += hash_word(1, knot->threads.items[i].thread->call
		                             ? knot->threads.items[i].thread->call->serial
		                             : 0);
	key = map_key(hash, check);
	known = check ? map_put(&potential->known, key) : NULL;
	if (known && *known == MAP_NONE) {
		struct knot_finding *finding = knot_finding_new(check);
		*known = KNOWN_OPEN;
		knot_finding_threads(finding, knot, knot_first(knot, kind, true));
		report_value(&finding->report, "processes", "%zu", knot_process_count(knot));
		if (check == CHECK_DEADLOCK_POTENTIAL_SEND_COLLECTIVE)
			report_value(&finding->report, "collective", "%s", collective_left(knot));
		knot_finding_waits(finding, deadlocks->execution);
		array_add(&potential->items, (struct potential_deadlock){.finding = finding, .calls = key});
		await_rest(potential, knot, (uint32_t)potential->items.count - 1);
	} else if (known && *known != KNOWN_OPEN) {
		findings_log_repeat(deadlocks->log, *known);
	}
	/* Lets as few calls as possible pass, so that the order of the others is kept. */
	if (!let_those_pass(deadlocks, knot, WAITS_SEND) &&
	    !let_those_pass(deadlocks, knot, WAITS_COLLECTIVE) &&
	    !let_those_pass(deadlocks, knot, WAITS_WINDOW))
		let_those_pass(deadlocks, knot, 0);
}
