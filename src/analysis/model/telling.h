/* Tells what calls completed and who gathered, as soon as all of it is known (model/relations.h). Internal to the replay.
 *
 *	telling_add(scene, match, is_send);        for each message that the call received or sent
 *	telling_completed(scene, &call, call.start);
 *	telling_posted(scene, sent);               whenever the receive of a message is posted
 *	telling_end(scene); */
#ifndef TARRY_ANALYSIS_MODEL_TELLING_H
#define TARRY_ANALYSIS_MODEL_TELLING_H

#include "analysis/model/match.h"
#include "analysis/model/meeting.h"

struct scene;

struct message_side {
	struct match *match;
	bool is_send;
	struct overtaken overtaken;
};

/* A completion that waits for the receives of some of its messages to be posted. */
struct pending {
	struct occurrence wait;
	int64_t met;
	struct message_side *sides;
	uint32_t count, room;
	uint32_t missing; /* receives that are not posted yet */
	uint32_t next;    /* of those that are free: one above the number */
	uint32_t behind;  /* of its process, the next that waits for this one to be told: likewise */
	bool is_queued;
};

struct telling {
	struct message_side *sides; /* of the call that is being completed */
	uint32_t side_count, side_room;
	struct completion completion; /* if the teller has no room for it */
	uint32_t transfer_room;
	struct pending *pending;
	uint32_t pending_count, pending_room, free;
};

/* Room for a completion with so many transfers, if the teller has none. */
struct completion *telling_make_room(struct telling *telling, uint32_t count);

/* Both sides have come. */
static inline void fill_transfer(struct transfer *transfer, const struct match *match, bool is_send)
{
	transfer->send = match->send;
	transfer->post = match->post;
	transfer->is_send = is_send;
	transfer->is_probe = match->state & MATCH_PROBE;
	transfer->overtakes = false;
	transfer->overtaken = 0;
}

static inline void fill_overtaken(struct transfer *transfer, struct overtaken overtaken)
{
	transfer->overtakes = overtaken.exist;
	transfer->overtaken = overtaken.bytes;
}

/* Of the transfers of a completion, while it is filled in. */
struct latest {
	int64_t sent, posted;
	/* Of those that were received, without probes: when the first and the last were sent, … */
	int64_t first_received, received;
	uint32_t last; /* … and the number of that; UINT32_MAX: there are none */
};

static const struct latest no_latest = {INT64_MIN, INT64_MIN, INT64_MAX, INT64_MIN, UINT32_MAX};

static inline int64_t later_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Nobody can foresee which one it is: all are compared alike. */
static inline void note_latest(struct latest *latest, const struct match *match, bool is_send,
                               uint32_t number)
{
	int64_t sent = match->send.start;
	bool is_received = !is_send && !(match->state & MATCH_PROBE);
	int64_t received = is_received ? sent : INT64_MIN, first = is_received ? sent : INT64_MAX;

	latest->last = received > latest->received ? number : latest->last;
	latest->received = later_of(received, latest->received);
	latest->first_received = first < latest->first_received ? first : latest->first_received;
	latest->sent = later_of(sent, latest->sent);
	latest->posted = later_of(match->post.start, latest->posted);
}

static inline void fill_latest(struct completion *completion, const struct latest *latest)
{
	completion->last = latest->last;
	completion->last_sent = latest->sent;
	completion->last_posted = latest->posted;
}

/* The side of a match is over for its own process. */
void telling_add(struct scene *scene, struct match *match, bool is_send);
/* A probe has found its message, and goes on. */
void telling_add_probe(struct scene *scene, const struct match *probe);
void telling_completed(struct scene *scene, const struct occurrence *wait, int64_t met);
void telling_posted(struct scene *scene, struct match *sent);
/* A receive that was posted has been taken back. */
void telling_taken_back(struct scene *scene, const struct match *sent);
void telling_meeting(void *scene, const struct meeting *meeting);
void telling_end(struct scene *scene);
void telling_release(struct telling *telling);

#define COMPLETION_OWN (NO_COMPLETION - 1) /* of a message whose own call completed it, and nothing else */

#endif
