#include "analysis/model/telling.h"

#include "analysis/model/alone.h"
#include "analysis/model/operation.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Completions of a process that wait for an earlier one, at the most: then it is told after them. */
enum { IN_ORDER_LIMIT = 4096 };

void telling_add(struct scene *scene, struct match *match, bool is_send)
{
	struct telling *telling = &scene->telling;
	struct message_side side = {.match = match, .is_send = is_send};

	if (!is_send)
		side.overtaken = match_overtaken(match);
	array_fit(telling->sides, telling->side_room, telling->side_count + 1u);
	telling->sides[telling->side_count++] = side;
}

/* Tells of the message what is known now, whatever becomes of it. */
void telling_add_probe(struct scene *scene, const struct match *probe)
{
	struct match *seen = match_new(&scene->matcher, probe->queue, MATCH_PROBE | MATCH_SEND_DONE);

	seen->send = probe->found->send;
	seen->post = probe->post;
	scene->actors[seen->send.role->process].in_flight++;
	telling_add(scene, seen, false);
}

/* What was received is known as a whole, what was sent when its receive is posted. */
static bool is_known(struct message_side side)
{
	return !side.is_send || side.match->state & MATCH_POSTED;
}

static uint32_t count_missing(const struct message_side *sides, uint32_t count)
{
	uint32_t missing = 0;

	for (uint32_t i = 0; i < count; i++)
		missing += !is_known(sides[i]);
	return missing;
}

static void side_done(struct scene *scene, struct message_side side)
{
	match_done(scene, side.match, side.is_send ? MATCH_SEND_DONE : MATCH_RECEIVE_DONE);
}

/* Messages whose receives were never posted are left out. */
static void write_known(struct scene *scene, const struct occurrence *wait, int64_t met,
                        const struct message_side *sides, uint32_t count, uint32_t known)
{
	struct completion *completion;
	struct transfer *transfer = write_transfers(&scene->rows, known, &completion);

	completion->wait = *wait;
	completion->met = met;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_known(sides[i]))
			continue;
		fill_transfer(transfer, sides[i].match, sides[i].is_send);
		fill_overtaken(transfer++, sides[i].overtaken);
	}
}

static void tell(struct scene *scene, const struct occurrence *wait, int64_t met,
                 const struct message_side *sides, uint32_t count)
{
	uint32_t missing = count_missing(sides, count);

	if (missing < count)
		write_known(scene, wait, met, sides, count, count - missing);
	for (uint32_t i = 0; i < count; i++)
		side_done(scene, sides[i]);
}

static uint32_t new_pending(struct telling *telling)
{
	uint32_t number = telling->free;

	if (number) {
		telling->free = telling->pending[number - 1].next;
		return number - 1;
	}
	array_fit(telling->pending, telling->pending_room, telling->pending_count + 1u);
	telling->pending[telling->pending_count] = (struct pending){0};
	return telling->pending_count++;
}

/* What its process completes later has to wait for it. */
static void enqueue(struct scene *scene, uint32_t number)
{
	struct pending *all = scene->telling.pending;
	struct actor *actor = &scene->actors[all[number].wait.role->process];

	all[number].is_queued = true;
	all[number].behind = 0;
	if (actor->first_pending)
		all[actor->last_pending - 1].behind = number + 1;
	else
		actor->first_pending = number + 1;
	actor->last_pending = number + 1;
	actor->pending_count++;
}

static uint32_t dequeue(struct scene *scene, struct actor *actor)
{
	uint32_t number = actor->first_pending - 1;

	scene->telling.pending[number].is_queued = false;
	actor->first_pending = scene->telling.pending[number].behind;
	actor->pending_count--;
	return number;
}

static uint32_t set_aside(struct scene *scene, const struct occurrence *wait, int64_t met, uint32_t missing)
{
	struct telling *telling = &scene->telling;
	uint32_t number = new_pending(telling);
	struct pending *pending = &telling->pending[number];

	pending->wait = *wait;
	pending->met = met;
	pending->missing = missing;
	pending->count = telling->side_count;
	array_fit(pending->sides, pending->room, pending->count);
	memcpy(pending->sides, telling->sides, pending->count * sizeof *pending->sides);
	for (uint32_t i = 0; i < pending->count; i++)
		if (pending->sides[i].is_send)
			pending->sides[i].match->completion = number;
	return number;
}

/* A message that the call at hand sent, and nothing else. */
static bool is_own(const struct telling *telling, const struct occurrence *wait)
{
	return telling->side_count == 1 && telling->sides[0].match->send.role == wait->role;
}

static void tell_pending(struct scene *scene, uint32_t number)
{
	struct telling *telling = &scene->telling;
	struct occurrence wait = telling->pending[number].wait;

	tell(scene, &wait, telling->pending[number].met, telling->pending[number].sides,
	     telling->pending[number].count);
	telling->pending[number].count = 0;
	telling->pending[number].next = telling->free;
	telling->free = number + 1;
}

/* The completions of a process that nothing is missing of any more, up to the first of the others. */
static void tell_queued(struct scene *scene, struct actor *actor)
{
	while (actor->first_pending && !scene->telling.pending[actor->first_pending - 1].missing)
		tell_pending(scene, dequeue(scene, actor));
}

static void set_in_order(struct scene *scene, const struct occurrence *wait, int64_t met, uint32_t missing)
{
	struct actor *actor = &scene->actors[wait->role->process];

	enqueue(scene, set_aside(scene, wait, met, missing));
	if (actor->pending_count <= IN_ORDER_LIMIT)
		return;
	dequeue(scene, actor);
	tell_queued(scene, actor);
}

static bool is_behind(const struct scene *scene, const struct occurrence *wait)
{
	return scene->rows.sink->in_order && scene->actors[wait->role->process].first_pending;
}

void telling_completed(struct scene *scene, const struct occurrence *wait, int64_t met)
{
	struct telling *telling = &scene->telling;
	uint32_t missing;

	if (!wants_rows(&scene->rows, RELATION_TRANSFER)) {
		for (uint32_t i = 0; i < telling->side_count; i++)
			side_done(scene, telling->sides[i]);
	} else if (!(missing = count_missing(telling->sides, telling->side_count)) &&
	           !is_behind(scene, wait)) {
		tell(scene, wait, met, telling->sides, telling->side_count);
	} else if (scene->rows.sink->in_order) {
		set_in_order(scene, wait, met, missing);
	} else if (is_own(telling, wait)) {
		telling->sides[0].match->completion = COMPLETION_OWN;
	} else {
		set_aside(scene, wait, met, missing);
	}
	telling->side_count = 0;
}

static void tell_complete(struct scene *scene, uint32_t number)
{
	const struct pending *pending = &scene->telling.pending[number];

	if (pending->is_queued)
		tell_queued(scene, &scene->actors[pending->wait.role->process]);
	else
		tell_pending(scene, number);
}

void telling_posted(struct scene *scene, struct match *sent)
{
	uint32_t completion = sent->completion;

	if (completion == NO_COMPLETION)
		return;
	if (completion == COMPLETION_OWN)
		tell_one(scene, sent, &sent->send, true);
	else if (!--scene->telling.pending[completion].missing)
		tell_complete(scene, completion);
}

void telling_taken_back(struct scene *scene, const struct match *sent)
{
	if (sent->completion < COMPLETION_OWN)
		scene->telling.pending[sent->completion].missing++;
}

void telling_meeting(void *context, const struct meeting *meeting)
{
	struct scene *scene = context;
	uint32_t comm = meeting_comm(&scene->meetings, meeting), count = meeting->participant_count;
	uint64_t size = meeting_size(&scene->meetings, meeting);
	struct collective_operation operation = {.comm = scene->comms->comms[comm].identity,
	                                         .position = meeting->sequence,
	                                         .lane = meeting->lane,
	                                         .size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
	                                         .is_complete = count >= size,
	                                         .is_mixed = meeting->is_mixed};

	if (!count)
		return;
	if (meeting->participants->call.role->kind->info->class == CLASS_UPC_COLLECTIVE)
		note_alone(meeting->participants, count);
	if (counts_calls(scene))
		site_add_collective(meeting->participants, count);
	write_group(&scene->rows, RELATION_COLLECTIVE_CALL, &operation, meeting->participants, count);
	if (wants_rows(&scene->rows, RELATION_NEIGHBOUR_CALL))
		neighbours_write(&scene->neighbours, &scene->rows, operation.comm, meeting->participants,
		                 count);
}

void telling_end(struct scene *scene)
{
	for (uint32_t i = 0; i < scene->actor_count; i++)
		while (scene->actors[i].first_pending)
			tell_pending(scene, dequeue(scene, &scene->actors[i]));
	for (uint32_t i = 0; i < scene->telling.pending_count; i++)
		if (scene->telling.pending[i].count)
			tell_pending(scene, i);
	meetings_end(&scene->meetings);
}

void telling_release(struct telling *telling)
{
	for (uint32_t i = 0; i < telling->pending_count; i++)
		free(telling->pending[i].sides);
	free(telling->pending);
	free(telling->sides);
}
