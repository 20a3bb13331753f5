/* Facts about ranks that another session owns. A session replays the calls of its own ranks alone (session->owned): what it has to know about the
 * others comes from their sessions (model/session_peers.h).
 *
 *	session_share(session, &peers);              the session owns its part of the ranks
 *	remote_facts_gather(session);                all sessions tell the others what their ranks did
 *	relate(session, &sink, &counts);             as often as needed
 *
 * All facts but one follow from the calls of a rank alone, whatever its partners do: a first replay, in which no rank waits for ranks of other
 * sessions, tells them, and sessions exchange them once. So no session ever waits for another one during a replay. When a rank left a collective
 * operation that it had begun with a request also depends on its other waits: that is told at the end of each replay.
 *
 * Rows of messages are written for the calls of own ranks; rows of collective calls have all members. Not passed on: messages taken by
 * MPI_Mprobe, windows, delays, phases, and calls that were not recorded. session_is_shareable() says whether a trace needs none of these. */
#ifndef TARRY_ANALYSIS_MODEL_REMOTE_FACTS_H
#define TARRY_ANALYSIS_MODEL_REMOTE_FACTS_H

#include "analysis/model/session_peers.h"
#include "base/array.h"
#include "base/map.h"

struct analysis_session;

struct rank_fact {
	enum remote_fact_kind {
		REMOTE_SENT,     /* it sent a message: for the receiver's owner */
		REMOTE_POSTED,   /* it posted a receive, once its source is known: for the sender's owner */
		REMOTE_PREPARED, /* it prepared a persistent collective: for all */
		REMOTE_ENTERED,  /* it entered a collective call, or started a persistent one: for all */
		REMOTE_LEFT      /* it completed one that has a request: for all */
	} kind;
	uint32_t process, thread;
	uint32_t call; /* its id in the process */
	uint32_t
		starter; /* that of the call that started a persistent request; NO_STARTER: it was not prepared */
	int64_t start, end; /* of the call, as corrected_ns() has it */
	uint64_t position;
	int32_t source, tag; /* of the message that a receive gets */
	int32_t request;     /* of a collective call; -1: it has none */
	int64_t since;       /* of a call that completes one: see struct collective_call */
	/* Facts are taken by the first of these, then by the second: about when they are needed, and those of a rank as they were told. */
	int64_t moment;
	uint64_t number;
};

#define NO_STARTER UINT32_MAX

struct rank_facts {
	struct rank_fact *items;
	size_t count, room;
};

struct remote_facts {
	bool is_scan; /* ranks of other sessions count as ended */
	bool is_over; /* the last facts of the replay at hand were exchanged */
	struct text *out;
	struct map defined;      /* calls that a peer knows */
	struct rank_facts known; /* after remote_facts_gather() */
	struct rank_facts left;  /* of the replay at hand */
	size_t taken;
};

/* Once, when the session has its times. Sets session->origin. */
void remote_facts_gather(struct analysis_session *session);
void remote_facts_free(struct remote_facts *facts, const struct session_peers *peers);

struct replay;
struct occurrence;

/* Adds kind and times to the fact, if another session needs it. `peer`: the other process of a message; NO_PROCESS: all need it. */
void remote_facts_tell(const struct replay *replay, enum remote_fact_kind kind, const struct occurrence *by,
                       uint32_t peer, struct rank_fact fact);
/* A replay begins. */
void remote_facts_begin(struct replay *replay);
/* Takes facts until a process can go on. False: there are none. */
bool remote_facts_take(struct replay *replay);

#endif
