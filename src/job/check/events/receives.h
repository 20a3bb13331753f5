/* The order of receives, for matching; the course of the process (messages.h) hears of them as they are posted. Analysers match messages of one source, tag and communicator in the order in which their receives were posted. Which
 * message a receive with a wildcard takes is known when it is complete, and what a matched probe took when its data is received: until then
 * receives behind it that could take the same message wait here. With the lock, if threads may come together. */
#ifndef TARRY_JOB_CHECK_EVENTS_RECEIVES_H
#define TARRY_JOB_CHECK_EVENTS_RECEIVES_H

#include "job/check/events/comms.h"
#include "job/check/wire/announced.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

#define ANY INT32_MIN /* source or tag */

struct pending_receive {
	struct pending_receive *next, *previous;
	struct pending_receive **owner; /* set to NULL when this is gone; may be NULL */
	struct followed_comm *comm;
	struct announced_call *call; /* of a probe, until its message is received: the probe */
	int32_t source, tag;         /* as posted; once it is known, what it took */
	bool is_open;                /* nobody knows yet which message it takes, or with which call */
	bool is_wildcard;            /* its event tells source and tag */
	uint32_t ticket;             /* of message_contents.h; 0: none */
	bool has_content;            /* which follows its event */
	struct message_content content;
};

/* NULL: its event is on its way, or there is no memory. Its operation begins now in any case. */
struct pending_receive *receive_post(struct followed_comm *c, struct announced_call *call, int32_t source,
                                     int32_t tag, uint32_t ticket, uint64_t *operation);
/* A matched probe has taken this message, and waits for the call that receives it. */
struct pending_receive *receive_probed(struct followed_comm *c, struct announced_call *call, int32_t source,
                                       int32_t tag);
void receive_own(struct pending_receive *receive, struct pending_receive **owner);
/* What it took. `call` of a probe: that which received the data. */
void receive_resolve(struct pending_receive *receive, struct announced_call *call, int32_t source,
                     int32_t tag);
/* What the receive with this ticket (0: none) received; `receive`: its event still waits, NULL: it was sent. */
void receive_content(struct pending_receive *receive, struct announced_call *call, uint32_t ticket,
                     const struct message_content *content);
/* The process ends: those that never got a message are reported as such, and so are those behind them. */
void receives_end(struct followed_comm *c);
/* It never happened. */
void receive_drop(struct pending_receive *receive);

#pragma GCC visibility pop

#endif
