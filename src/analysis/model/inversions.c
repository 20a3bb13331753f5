#include "analysis/model/inversions.h"

#include "analysis/model/operation.h"

static bool is_same_call(const struct occurrence *a, const struct occurrence *b)
{
	return a->semantics == b->semantics && a->start == b->start && a->thread == b->thread;
}

static void write_if_inverted(struct replay *replay, const struct late_receives *kept, uint64_t number)
{
	if (kept->is_inverted[number % LATE_KEPT])
		write_row(&replay->rows, RELATION_INVERSION, &kept->items[number % LATE_KEPT]);
}

static bool compare(struct inversion *late, const struct occurrence *wait, const struct occurrence *send)
{
	if (late->send.start <= send->start || is_same_call(&late->wait, wait))
		return false;
	late->same_source |= late->send.semantics->process == send->semantics->process;
	return true;
}

void inversions_look_back(struct late_receives *kept, const struct occurrence *wait,
                          const struct occurrence *send)
{
	uint64_t count = kept->count < LATE_KEPT ? kept->count : LATE_KEPT;

	for (uint64_t i = 0; i < count; i++)
		kept->is_inverted[i] |= compare(&kept->items[i], wait, send);
}

static struct inversion *newest(struct late_receives *kept)
{
	return &kept->items[(kept->count - 1) % LATE_KEPT];
}

/* Of what one call received, the message counts that was sent last. */
void inversions_waited(struct replay *replay, struct replay_process *proc, const struct occurrence *wait,
                       const struct occurrence *send)
{
	struct late_receives *kept = proc->late;
	struct inversion *late;

	if (!kept)
		kept = proc->late = arena_new(&replay->late, struct late_receives);
	if (kept->count && kept->newest_start == wait->start && is_same_call(&newest(kept)->wait, wait)) {
		late = newest(kept);
		if (send->start <= kept->newest_sent)
			return;
	} else {
		late = &kept->items[kept->count % LATE_KEPT];
		write_if_inverted(replay, kept, kept->count);
		late->wait = *wait;
		late->same_source = kept->is_inverted[kept->count % LATE_KEPT] = false;
		kept->count++;
		if (kept->newest_sent > kept->last_sent)
			kept->last_sent = kept->newest_sent;
		kept->newest_start = wait->start;
	}
	late->send = *send;
	kept->newest_sent = send->start;
}

static void end_of_process(struct replay *replay, struct replay_process *proc)
{
	struct late_receives *kept = proc->late;

	for (uint32_t i = 0; kept && i < LATE_KEPT; i++)
		write_if_inverted(replay, kept, kept->count + i);
	proc->late = NULL;
}

void inversions_end(struct replay *replay)
{
	for (uint32_t i = 0; i < replay->process_count; i++)
		end_of_process(replay, &replay->processes[i]);
	arena_release(&replay->late);
}
