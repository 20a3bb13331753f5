#include "analysis/model/meeting.h"

#include "base/array.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Ranks in order: `known` of them came, or will not come. */
struct scan {
	uint32_t size;
	uint32_t known;
	struct scan_rank {
		struct arrival own, lower; /* lower: the last of those below it */
		uint32_t asleep;           /* NO_PROCESS */
		bool came;
	} ranks[];
};

static const struct arrival nobody = {INT64_MIN, NO_PROCESS};

void meetings_init(struct meetings *meetings, const struct comm_table *comms, size_t processes)
{
	*meetings = (struct meetings){.comms = comms};
	meetings->comm_lanes = memory_new(comms->comm_count + 1, sizeof *meetings->comm_lanes);
	memset(meetings->comm_lanes, 0xff, (comms->comm_count + 1) * sizeof *meetings->comm_lanes);
	meetings->gone = memory_new(processes + 1, sizeof *meetings->gone);
	meetings->next_asleep = memory_new(processes + 1, sizeof *meetings->next_asleep);
}

void meetings_release(struct meetings *meetings)
{
	for (uint32_t i = 0; i < meetings->lane_count; i++)
		free(meetings->lanes[i].meetings);
	for (uint32_t i = 0; i < meetings->count; i++) {
		free(meetings->items[i].scan);
		free(meetings->items[i].participants);
	}
	free(meetings->items);
	free(meetings->lanes);
	free(meetings->comm_lanes);
	free(meetings->gone);
	free(meetings->next_asleep);
	free(meetings->woken);
	free(meetings->members);
	map_release(&meetings->by_lane);
	map_release(&meetings->by_member);
	map_release(&meetings->prepared);
}

static const struct side *side_get(const struct meetings *meetings, uint32_t comm, uint32_t side)
{
	return &meetings->comms->comms[comm].sides[side];
}

static uint32_t absent(const struct side *side)
{
	return side->size > side->present ? (uint32_t)(side->size - side->present) : 0;
}

static uint32_t count_gone(const struct meetings *meetings, uint32_t comm, uint32_t side)
{
	uint32_t lane = meetings->comm_lanes[comm];

	/* All lanes of a communicator miss the same members. */
	return lane == UINT32_MAX ? absent(side_get(meetings, comm, side)) : meetings->lanes[lane].gone[side];
}

static uint32_t find_lane(struct meetings *meetings, uint32_t comm, struct map_key key)
{
	uint32_t *found = map_put(&meetings->by_lane, key);
	struct lane lane = {.comm = comm,
	                    .next = meetings->comm_lanes[comm],
	                    .size = {side_get(meetings, comm, 0)->size, side_get(meetings, comm, 1)->size}};

	if (*found != UINT32_MAX)
		return *found;
	*found = meetings->lane_count;
	lane.gone[0] = count_gone(meetings, comm, 0);
	lane.gone[1] = count_gone(meetings, comm, 1);
	array_fit(meetings->lanes, meetings->lane_room, meetings->lane_count + 1u);
	meetings->comm_lanes[comm] = *found;
	meetings->lanes[meetings->lane_count++] = lane;
	return *found;
}

static uint32_t find_member(struct meetings *meetings, uint32_t lane, uint32_t process)
{
	uint32_t *found = map_put(&meetings->by_member, map_key(lane, process));

	if (*found != UINT32_MAX)
		return *found;
	*found = meetings->member_count;
	array_fit(meetings->members, meetings->member_room, meetings->member_count + 1u);
	meetings->members[meetings->member_count++] = (struct lane_member){.lane = lane, .process = process};
	return *found;
}

uint32_t meeting_member(struct meetings *meetings, uint32_t comm, uint32_t number, uint32_t process)
{
	return find_member(meetings, find_lane(meetings, comm, map_key(comm, number)), process);
}

uint32_t meeting_member_of_object(struct meetings *meetings, uint32_t comm, uint64_t object, uint32_t process)
{
	/* No communicator has such a number. */
	struct map_key key = map_key(comm + (UINT64_C(1) << 32), object);

	return find_member(meetings, find_lane(meetings, comm, key), process);
}

uint32_t meeting_prepare(struct meetings *meetings, uint32_t comm, uint32_t process)
{
	uint32_t *count = map_put(&meetings->prepared, map_key(comm, process));

	/* A new one holds UINT32_MAX. */
	return meeting_member(meetings, comm, LANE_PREPARED + ++*count, process);
}

static struct scan *new_scan(const struct side *side)
{
	struct scan *scan = memory_new(1, sizeof *scan + side->size * sizeof *scan->ranks);

	scan->size = (uint32_t)side->size;
	for (uint32_t i = 0; i < scan->size; i++) {
		scan->ranks[i].own = scan->ranks[i].lower = nobody;
		scan->ranks[i].asleep = NO_PROCESS;
	}
	return scan;
}

/* A size that has nothing to do with the members of the trace is not believed. */
static bool has_plausible_size(const struct side *side)
{
	return side->size <= 1024 + 16 * (uint64_t)side->present;
}

static uint32_t root_of(const struct meetings *meetings, const struct entry *entry)
{
	const struct communicator *comm = &meetings->comms->comms[entry->own.comm];

	if (entry->root == RANK_ROOT || (!is_inter(comm) && entry->root == entry->own.rank))
		return entry->process;
	if (entry->root < 0 || entry->root > UINT32_MAX)
		return NO_PROCESS;
	return comm_process(meetings->comms, entry->own.comm, is_inter(comm) ? !entry->own.side : 0,
	                    (uint32_t)entry->root);
}

static uint32_t new_meeting(struct meetings *meetings, uint32_t lane, const struct entry *entry)
{
	const struct side *side = side_get(meetings, entry->own.comm, 0);
	uint32_t number = meetings->free;
	struct meeting *meeting;

	if (number) {
		number--;
		meetings->free = meetings->items[number].next;
	} else {
		number = meetings->count++;
		array_fit(meetings->items, meetings->room, number + 1u);
		meetings->items[number] = (struct meeting){0};
	}
	meeting = &meetings->items[number];
	*meeting = (struct meeting){.lane = lane,
	                            .meets = entry->meets,
	                            .last = {nobody, nobody},
	                            .calm_last = {INT64_MIN, INT64_MIN},
	                            .root = nobody,
	                            .root_process = NO_PROCESS,
	                            .first_asleep = NO_PROCESS,
	                            .participants = meeting->participants,
	                            .participant_room = meeting->participant_room};
	memcpy(meeting->missing, meetings->lanes[lane].gone, sizeof meeting->missing);
	if (meeting->meets == MEETS_LOWER_FIRST && !has_plausible_size(side))
		meeting->meets = MEETS_SOME;
	if (meeting->meets == MEETS_LOWER_FIRST)
		meeting->scan = new_scan(side);
	return number;
}

static void grow_ring(struct lane *lane)
{
	uint32_t room = lane->room ? lane->room * 2 : 8;
	uint32_t *ring = memory_new(room, sizeof *ring);

	for (uint32_t i = 0; i < lane->count; i++)
		ring[i] = lane->meetings[(lane->first + i) & (lane->room - 1)];
	free(lane->meetings);
	lane->meetings = ring;
	lane->room = room;
	lane->first = 0;
}

/* The next meeting of this member. */
static uint32_t find_meeting(struct meetings *meetings, struct lane_member *member, const struct entry *entry)
{
	uint64_t sequence = member->next++;
	uint32_t number = member->lane;
	struct lane *lane = &meetings->lanes[number];
	uint64_t place = sequence - lane->base;
	uint32_t meeting;

	/* A communicator that has more members than it says: what is over is over. */
	if (sequence < lane->base)
		return NO_MEETING;
	if (place < lane->count)
		return lane->meetings[(lane->first + place) & (lane->room - 1)];
	meeting = new_meeting(meetings, number, entry);
	meetings->items[meeting].sequence = sequence;
	if (lane->count == lane->room)
		grow_ring(lane);
	lane->meetings[(lane->first + lane->count++) & (lane->room - 1)] = meeting;
	return meeting;
}

static void wake(struct meetings *meetings, uint32_t process)
{
	array_fit(meetings->woken, meetings->woken_room, meetings->woken_count + 1u);
	meetings->woken[meetings->woken_count++] = process;
}

static void wake_all(struct meetings *meetings, struct meeting *meeting)
{
	while (meeting->first_asleep != NO_PROCESS) {
		uint32_t process = meeting->first_asleep;
		meeting->first_asleep = meetings->next_asleep[process];
		wake(meetings, process);
	}
}

static bool has_root(const struct meetings *meetings, const struct meeting *meeting)
{
	return meeting->root.process != NO_PROCESS || meeting->root_process == NO_PROCESS ||
	       meetings->gone[meeting->root_process];
}

static struct arrival later(struct arrival x, struct arrival y)
{
	return y.process == NO_PROCESS || (x.process != NO_PROCESS && x.moment >= y.moment) ? x : y;
}

/* Ranks that will never come are passed over. */
static bool is_settled(const struct meetings *meetings, const struct meeting *meeting, uint32_t rank)
{
	uint32_t process;

	if (meeting->scan->ranks[rank].came)
		return true;
	process = comm_process(meetings->comms, meetings->lanes[meeting->lane].comm, 0, rank);
	return process == NO_PROCESS || meetings->gone[process];
}

static void advance_scan(struct meetings *meetings, struct meeting *meeting)
{
	struct scan *scan = meeting->scan;

	while (scan->known < scan->size && is_settled(meetings, meeting, scan->known)) {
		struct scan_rank *at = &scan->ranks[scan->known++], *next = at + 1;
		if (scan->known == scan->size)
			break;
		next->lower = later(at->lower, at->own);
		if (next->asleep != NO_PROCESS)
			wake(meetings, next->asleep);
		next->asleep = NO_PROCESS;
	}
}

/* After somebody came, or is known not to come. */
static void look_who_may_leave(struct meetings *meetings, struct meeting *meeting)
{
	bool inter = is_inter(&meetings->comms->comms[meetings->lanes[meeting->lane].comm]);
	bool complete = meeting_is_complete(meetings, meeting, 0) ||
	                (inter && meeting_is_complete(meetings, meeting, 1));

	if (meeting->scan)
		advance_scan(meetings, meeting);
	if (meeting->is_mixed || (complete && meeting->meets != MEETS_ROOT_FIRST) ||
	    (meeting->meets == MEETS_ROOT_FIRST && has_root(meetings, meeting)))
		wake_all(meetings, meeting);
}

static void note_kind(struct meetings *meetings, struct meeting *meeting, const struct entry *entry)
{
	if (meeting->meets == entry->meets || meeting->is_mixed || meeting->meets == MEETS_SOME)
		return;
	meeting->is_mixed = true;
	meetings->mixed++;
}

static void note_scan(struct meeting *meeting, const struct entry *entry, struct arrival here)
{
	if (!meeting->scan || entry->own.rank >= meeting->scan->size)
		return;
	meeting->scan->ranks[entry->own.rank].own = here;
	meeting->scan->ranks[entry->own.rank].came = true;
}

uint32_t meeting_comm(const struct meetings *meetings, const struct meeting *meeting)
{
	return meetings->lanes[meeting->lane].comm;
}

uint64_t meeting_size(const struct meetings *meetings, const struct meeting *meeting)
{
	const struct communicator *comm = &meetings->comms->comms[meeting_comm(meetings, meeting)];

	return comm->sides[0].size + (is_inter(comm) ? comm->sides[1].size : 0);
}

/* As many as the members that are in the trace. */
static uint32_t first_seats(const struct meetings *meetings, const struct meeting *meeting)
{
	uint32_t comm = meeting_comm(meetings, meeting);

	return side_get(meetings, comm, 0)->present + side_get(meetings, comm, 1)->present + 1;
}

static bool is_root(const struct meetings *meetings, struct membership own, int64_t root)
{
	return is_inter(&meetings->comms->comms[own.comm]) ? root == RANK_ROOT : root == own.rank;
}

uint32_t meeting_enter(struct meetings *meetings, uint32_t member, const struct entry *entry)
{
	uint32_t number = find_meeting(meetings, &meetings->members[member], entry);
	struct arrival here = {entry->moment, entry->process};
	struct meeting *meeting = &meetings->items[number];
	uint32_t root = entry->root == RANK_ANY ? NO_PROCESS : root_of(meetings, entry);

	if (number == NO_MEETING)
		return NO_MEETING;
	note_kind(meetings, meeting, entry);
	meeting->entered[entry->own.side]++;
	if (!entry->gives_nothing)
		meeting->last[entry->own.side] = later(meeting->last[entry->own.side], here);
	if (root == entry->process)
		meeting->root = here;
	if (root != NO_PROCESS)
		meeting->root_process = root;
	note_scan(meeting, entry, here);
	look_who_may_leave(meetings, meeting);
	return number;
}

uint32_t meeting_seat(struct meetings *meetings, uint32_t number, const struct occurrence *call)
{
	struct meeting *meeting = &meetings->items[number];
	const struct role *role = call->role;

	if (meeting->participant_count == meeting->participant_room) {
		uint32_t room = meeting->participant_room * 2;
		meeting->participant_room = room ? room : first_seats(meetings, meeting);
		meeting->participants = memory_grow(meeting->participants, meeting->participant_room,
		                                    sizeof *meeting->participants);
	}
	meeting->participants[meeting->participant_count] = (struct collective_call){
		.call = *call,
		.wait = *call,
		.since = call->start,
		.side = role->kind->own_side,
		.rank = role->own_rank,
		.is_root = is_root(meetings, membership_of(role), role->kind->root)};
	return meeting->participant_count++;
}

uint32_t meetings_under_way(const struct meetings *meetings, uint32_t meeting)
{
	return meetings->lanes[meetings->items[meeting].lane].count;
}

static uint32_t needed_side(const struct meetings *meetings, const struct entry *entry)
{
	return is_inter(&meetings->comms->comms[entry->own.comm]) ? !entry->own.side : entry->own.side;
}

/* Of an intercommunicator, those beside the root neither send nor receive. */
static bool stands_beside(const struct entry *entry)
{
	return entry->root == RANK_NULL;
}

/* Whether this member needs anybody at all. */
static bool needs_others(const struct meetings *meetings, const struct meeting *meeting,
                         const struct entry *entry)
{
	if (entry->needs_nobody || meeting->is_mixed || stands_beside(entry))
		return false;
	switch (meeting->meets) {
	case MEETS_ALL:
		return true;
	case MEETS_ROOT_FIRST:
		return !is_root(meetings, entry->own, entry->root);
	case MEETS_ROOT_LAST:
		return is_root(meetings, entry->own, entry->root);
	case MEETS_LOWER_FIRST:
		return entry->own.rank > 0 && entry->own.rank < meeting->scan->size;
	case MEETS_SOME:
		break;
	}
	return false;
}

bool meeting_may_leave(const struct meetings *meetings, uint32_t number, const struct entry *entry)
{
	const struct meeting *meeting = &meetings->items[number];

	if (!needs_others(meetings, meeting, entry))
		return true;
	if (meeting->meets == MEETS_ROOT_FIRST)
		return has_root(meetings, meeting);
	if (meeting->meets == MEETS_LOWER_FIRST)
		return meeting->scan->known >= entry->own.rank;
	return meeting_is_complete(meetings, meeting, needed_side(meetings, entry));
}

struct arrival meeting_cause(const struct meetings *meetings, uint32_t number, const struct entry *entry)
{
	const struct meeting *meeting = &meetings->items[number];

	if (!needs_others(meetings, meeting, entry))
		return nobody;
	if (meeting->meets == MEETS_ROOT_FIRST)
		return meeting->root;
	if (meeting->meets == MEETS_LOWER_FIRST)
		return meeting->scan->ranks[entry->own.rank].lower;
	return meeting->last[needed_side(meetings, entry)];
}

void meeting_note_calm(struct meetings *meetings, uint32_t number, const struct entry *entry, int64_t moment)
{
	int64_t *last = &meetings->items[number].calm_last[entry->own.side];

	if (!entry->gives_nothing && moment > *last)
		*last = moment;
}

int64_t meeting_calm_cause(const struct meetings *meetings, uint32_t number, const struct entry *entry)
{
	const struct meeting *meeting = &meetings->items[number];

	if (!needs_others(meetings, meeting, entry) || meeting->meets == MEETS_ROOT_FIRST ||
	    meeting->meets == MEETS_LOWER_FIRST)
		return INT64_MIN;
	return meeting->calm_last[needed_side(meetings, entry)];
}

static void end_meeting(struct meetings *meetings, uint32_t number)
{
	struct meeting *meeting = &meetings->items[number];
	struct lane *lane = &meetings->lanes[meeting->lane];

	lane->meetings[(lane->first + (meeting->sequence - lane->base)) & (lane->room - 1)] = NO_MEETING;
	while (lane->count && lane->meetings[lane->first] == NO_MEETING) {
		lane->first = (lane->first + 1) & (lane->room - 1);
		lane->count--;
		lane->base++;
	}
	if (meeting->missing[0] || meeting->missing[1])
		meetings->incomplete++;
	else
		meetings->finished++;
	if (meetings->over)
		meetings->over(meetings->context, meeting);
	free(meeting->scan);
	meeting->scan = NULL;
	meeting->next = meetings->free;
	meetings->free = number + 1;
}

static void end_if_over(struct meetings *meetings, uint32_t number)
{
	const struct meeting *meeting = &meetings->items[number];

	if (meeting->left == meeting->entered[0] + meeting->entered[1] &&
	    meeting_is_complete(meetings, meeting, 0) && meeting_is_complete(meetings, meeting, 1))
		end_meeting(meetings, number);
}

void meeting_leave(struct meetings *meetings, uint32_t number)
{
	meetings->items[number].left++;
	end_if_over(meetings, number);
}

void meeting_sleep(struct meetings *meetings, uint32_t number, const struct entry *entry)
{
	struct meeting *meeting = &meetings->items[number];

	if (meeting->meets == MEETS_LOWER_FIRST) {
		meeting->scan->ranks[entry->own.rank].asleep = entry->process;
		return;
	}
	meetings->next_asleep[entry->process] = meeting->first_asleep;
	meeting->first_asleep = entry->process;
}

void meeting_forget(struct meetings *meetings, uint32_t number, const struct entry *entry)
{
	struct meeting *meeting = &meetings->items[number];
	uint32_t *link = &meeting->first_asleep;

	if (meeting->scan && entry->own.rank < meeting->scan->size)
		meeting->scan->ranks[entry->own.rank].asleep = NO_PROCESS;
	while (*link != NO_PROCESS && *link != entry->process)
		link = &meetings->next_asleep[*link];
	if (*link == entry->process)
		*link = meetings->next_asleep[entry->process];
}

bool meeting_next_woken(struct meetings *meetings, uint32_t *process)
{
	if (!meetings->woken_count)
		return false;
	*process = meetings->woken[--meetings->woken_count];
	return true;
}

/* Of all that are under way, it is missing in those that it has not come to. */
static void miss_in_lane(struct meetings *meetings, uint32_t number, uint32_t process, uint32_t side)
{
	struct lane *lane = &meetings->lanes[number];
	const uint32_t *member = map_find(&meetings->by_member, map_key(number, process));
	uint64_t first = member ? meetings->members[*member].next : 0;

	lane->gone[side]++;
	/* From the last one on: meetings that end here make the ring shorter at its front. */
	for (uint64_t at = lane->base + lane->count; at > first && at > lane->base; at--) {
		uint32_t meeting = lane->meetings[(lane->first + (at - 1 - lane->base)) & (lane->room - 1)];
		if (meeting == NO_MEETING)
			continue;
		meetings->items[meeting].missing[side]++;
		look_who_may_leave(meetings, &meetings->items[meeting]);
		end_if_over(meetings, meeting);
	}
}

static void miss_in_comm(struct meetings *meetings, const struct membership *own, uint32_t process)
{
	uint32_t lane = meetings->comm_lanes[own->comm];

	/* The first call of anybody else makes the lane, and must find that this one is gone. */
	if (lane == UINT32_MAX)
		lane = find_lane(meetings, own->comm, map_key(own->comm, LANE_CALLS));
	for (; lane != UINT32_MAX; lane = meetings->lanes[lane].next)
		miss_in_lane(meetings, lane, process, own->side);
}

void meeting_process_gone(struct meetings *meetings, uint32_t process)
{
	const struct comm_table *comms = meetings->comms;

	meetings->gone[process] = true;
	for (uint32_t i = comms->first_of[process]; i < comms->first_of[process + 1]; i++)
		miss_in_comm(meetings, &comms->memberships[i], process);
}

void meetings_end(struct meetings *meetings)
{
	for (uint32_t i = 0; i < meetings->lane_count && meetings->over; i++) {
		const struct lane *lane = &meetings->lanes[i];
		for (uint32_t j = 0; j < lane->count; j++) {
			uint32_t number = lane->meetings[(lane->first + j) & (lane->room - 1)];
			if (number != NO_MEETING)
				meetings->over(meetings->context, &meetings->items[number]);
		}
	}
}
