/* Facts about ranks owned by other sessions. A session replays only the calls of its own ranks
 * (session->owned); the necessary facts about other ranks come from their sessions (model/session_peers.h).
 *
 *	session_share(session, &peers);              the session owns its part of the ranks
 *	remote_facts_gather(session);                all sessions exchange facts
 *	relate(session, &sink, &counts);             as often as needed
 *
 * All facts but one follow from the calls of a rank alone, independent of its partners: a first replay, in
 * which no rank waits for ranks of other sessions, collects them, and sessions exchange them once. So no
 * session waits for another one during a replay. The time at which a rank left a collective operation with a
 * request also depends on its other waits: that fact is sent at the end of each replay.
 *
 * Rows of messages are written for calls of own ranks; rows of collective calls have all members. Not
 * exchanged: messages of MPI_Mprobe, windows, delays, phases, and unrecorded calls. session_is_shareable() is
 * true if a trace needs none of these. */
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
	uint32_t call;      /* its id in the process */
	uint32_t starter;   /* id of the call that started a persistent request; NO_STARTER: not prepared */
	int64_t start, end; /* of the call, in the sense of corrected_ns() */
	uint64_t position;
	int32_t source, tag; /* of the message of a receive */
	int32_t request;     /* of a collective call; -1: none */
	int64_t since;       /* of a call that completes one: see struct collective_call */
};

#define NO_STARTER UINT32_MAX

struct rank_facts {
	struct rank_fact *items;
	size_t count, room;
};

struct remote_facts {
	bool is_scan;            /* ranks of other sessions count as ended */
	bool is_over;            /* the last facts of the current replay were exchanged */
	struct text *out;        /* for each peer */
	struct text for_all;     /* for every peer, written once */
	size_t *copied;          /* by peer: bytes of it that `out` has */
	struct map defined;      /* calls already sent to a peer, or to all */
	struct rank_facts known; /* after remote_facts_gather() */
	struct rank_facts left;  /* of the current replay */
	size_t taken;
};

/* Once, when the session has its times. Sets session->origin. */
void remote_facts_gather(struct analysis_session *session);
void remote_facts_free(struct remote_facts *facts, const struct session_peers *peers);

struct replay;
struct occurrence;

/* Adds kind and times to the fact, if another session needs it. `peer`: the other process of a message;
 * NO_PROCESS: all need it. */
void remote_facts_tell(const struct replay *replay, enum remote_fact_kind kind, const struct occurrence *by,
                       uint32_t peer, struct rank_fact fact);
struct call_semantics;
/* A scan has to look at the call by itself. */
bool remote_facts_need(const struct analysis_session *session, const struct call_semantics *semantics);
/* A replay begins. */
void remote_facts_begin(struct replay *replay);
/* Applies facts until a process can continue. False: none are left. */
bool remote_facts_take(struct replay *replay);

#endif
