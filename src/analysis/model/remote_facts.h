/* Facts about ranks that another session owns. A session replays the calls of its own ranks alone (session->owned): what it has to know about the
 * others enters here, and what their sessions have to know about its ranks leaves here. The other session may be in another thread or process.
 *
 *	struct remote_facts facts = {.context = mine, .tell = tell, .next = next};
 *	session->owned = (struct rank_range){.first = 2, .end = 4};
 *	session->facts = &facts;
 *
 * Rows of messages are written for the calls of own ranks; rows of collective calls have all members. Clocks come from the head of the trace, which all
 * sessions read. Not passed on yet: messages that a probe takes, windows, and delays. */
#ifndef TARRY_ANALYSIS_MODEL_REMOTE_FACTS_H
#define TARRY_ANALYSIS_MODEL_REMOTE_FACTS_H

#include "trace/reader.h"

struct rank_fact {
	enum remote_fact_kind {
		REMOTE_SENT,     /* it sent a message: for the receiver's owner */
		REMOTE_POSTED,   /* it posted a receive, once its source is known: for the sender's owner */
		REMOTE_PREPARED, /* it prepared a persistent collective: for all */
		REMOTE_ENTERED,  /* it entered a collective call, or started a persistent one: for all */
		REMOTE_LEFT,     /* it completed one that has a request: for all */
		REMOTE_ENDED     /* it makes no more calls: for all */
	} kind;
	uint32_t process, thread;
	const struct call *call;    /* of its reader, which has to live as long as this session */
	const struct call *started; /* a persistent collective: see call_started(); otherwise NULL */
	int64_t start, end;         /* of the call, as corrected_ns() has it */
	uint64_t position;
	int32_t source, tag; /* of the message that a receive gets */
	int32_t request;     /* of a collective call; -1: it has none */
	int64_t since;       /* of a call that completes one: see struct collective_call */
};

struct remote_facts {
	void *context;
	void (*tell)(void *context, const struct rank_fact *fact);
	/* Called when all own ranks wait. May block. False: there will be no more, unless this session goes on without them. */
	bool (*next)(void *context, struct rank_fact *fact);
};

struct replay;
struct occurrence;

/* Adds kind and times to the fact, if another session needs it. `by`: NULL if it is not about a call; `peer`: the other process of a message;
 * NO_PROCESS: all need it. */
void remote_facts_tell(const struct replay *replay, enum remote_fact_kind kind, const struct occurrence *by,
                       uint32_t peer, struct rank_fact fact);
/* Takes facts until a process can go on. False: there are none. */
bool remote_facts_take(struct replay *replay);

#endif
