/* The analyser as a server: connections of agents and other analysers, which frames it takes from whom, and its end. docs/check-protocol.md
 * has it in words. One thread. The leader never waits for a connection, and reads whatever has been matched. Other analysers wait for
 * nothing but the leader (relay.c). So no process of the job waits for a process that waits for it. */
#ifndef TARRY_CHECK_ANALYSER_SERVER_H
#define TARRY_CHECK_ANALYSER_SERVER_H

#include "check/execution/deadlocks.h"
#include "check/matching/analysis.h"
#include "check/parts/hub.h"
#include "check/protocol/handshake.h"

enum {
	STRANGERS_MAX = 64,      /* connections that have not said HELLO */
	STRANGER_MS = 5000,      /* for each step until then */
	STRANGER_SLOW_MS = 1000, /* the same over a network if others wait */
	PROOF_MS = 30000,        /* for an analyser that this one connected to */
	LONELY_MS = 60000,       /* without any process */
	GRACE_MS =
		200, /* between the last process and the end: another job may follow in the same folder … */
	ENDED_LOOK_MS = 2,     /* … unless the file of its end is there, which is looked for so often */
	DRAIN_MS = 30000,      /* at the end, for connections that are silent and do not end */
	TOGETHER_MS = 500,     /* processes that vanish within it may be heard of in any order */
	EXPLANATION_MS = 2000, /* after the first process vanished: who aborts explains it */
	TICK_MS = 50,
};

enum peer_kind {
	PEER_STRANGER,
	PEER_AGENT,
	PEER_ANALYSER,
	PEER_LEADER,
};

/* Whoever is at the other end of a socket. */
struct peer {
	int fd;
	uint32_t number; /* in the list of peers */
	enum peer_kind kind;
	uint64_t since_ms;
	uint8_t *partial; /* the beginning of a frame */
	size_t partial_size;
	struct message_writer out;
	size_t out_done;
	struct handshake handshake;
	bool is_proven;             /* it knows the key */
	bool is_local;              /* it connected from this machine, as this user */
	struct message_writer held; /* frames for an analyser that has not proved yet that it is one */
	bool waits_to_write;
	bool is_deaf;    /* it takes nothing any more */
	bool is_closing; /* it broke a rule, or is at its end */
	/* Of an agent */
	struct analysed_process *process; /* NULL: its rank is not known yet */
	uint32_t relay;   /* number of its process on the way to the leader, from 1; 0: none */
	bool is_stuck;    /* in a call for a while */
	bool expects_end; /* in a call that MPI may end the process for */
	bool has_ended;
	bool exits_well; /* after MPI_Finalize */
	int unsent;      /* memory that it shares, for what it did not send; -1: none */
	enum process_end end;
	/* Of an analyser: processes whose frames it relays, by their number - 1; NULL: they have ended */
	ARRAY(struct analysed_process *) relayed;
	uint32_t
		relayed_count; /* that have not ended; those of analysers further away count for the connection */
	uint32_t part;         /* its number at the hub */
	/* Of an analyser below this one in the tree */
	struct peer *via;           /* the child that it is below of; NULL: it is a child */
	uint32_t place;             /* its number on the connection to that child, from 1 */
	uint32_t upward;            /* its number on the connection to the parent of this analyser, from 1 */
	ARRAY(struct peer *) below; /* of a child: analysers below it, by their place - 1; NULL: gone */
	char *address;              /* of a child: where it listens */
	uint32_t directed;          /* of a child: analysers that were told to connect to it */
	/* Of the parent */
	bool is_joining; /* it has not said yet that it is */
};

struct analyser_leader;

struct server {
	int folder, epoll, listeners[2];
	int spare_fd; /* closed when no more files can be opened and one is needed */
	bool is_full; /* that was noted */
	const char *folder_path, *host;
	uint8_t key[CHECK_KEY_BYTES];
	char addresses[HELLO_BYTES_MAX / 2];
	ARRAY(struct peer *) peers;
	uint32_t strangers, agents; /* agents: connections that have not said BYE */
	uint32_t relayed_count;     /* processes of other nodes that have not ended, at the leader */
	uint8_t *buffer;
	struct checked_run *analysis; /* of all processes, at the leader */
	struct check_part *part;      /* processes of this node; NULL: the leader executes them */
	bool has_handed_over;         /* the leader executes the processes of this node from now on */
	uint64_t full_since_ms; /* many frames are kept for the leader; 0: not many, or that was noted */
	bool is_full_noted;
	struct part_hub *hub;            /* of the leader; NULL: there are no parts */
	ARRAY(struct peer *) part_peers; /* by their number at the hub; NULL: this one, or gone */
	struct findings_log *log;
	struct analyser_leader *leader; /* NULL: another one is */
	struct peer *leader_link;       /* the parent in the tree: the way to the leader */
	char *leader_addresses;
	bool insists;                /* the leader has to be the parent: another analyser cannot be reached */
	uint32_t child_count;        /* in the tree */
	ARRAY(struct peer *) below;  /* in the tree, by their number at the parent - 1; NULL: gone */
	ARRAY(struct peer *) relays; /* agents whose frames the leader gets, by number - 1; NULL: gone */
	struct deadlocks *deadlocks; /* of the leader */
	struct process_ends ends;
	bool is_stopping; /* the run is being ended: processes go because of that */
	bool is_ending;
	uint64_t ending_since_ms, began_ms;
};

extern struct server server;

uint64_t now_ms(void);
void server_note(const char *sentence);
/* An analyser closes the connection of this process (NULL: its rank is not known). */
void note_refused(const struct analysed_process *process);

/* connections.c */
struct peer *peer_new(int fd, enum peer_kind kind);
/* For a socket that is connected to another analyser: begins the handshake. NULL: the socket is closed. */
struct peer *peer_greet(int fd, enum peer_kind kind);
/* A frame of a peer that is not proven. False: it is a stranger. */
bool peer_handshake(struct peer *peer, enum message_kind kind, struct cursor *in);
void peer_send(struct peer *peer, enum message_kind kind, const struct message_writer *body);
void peer_send_frame(struct peer *peer, const struct message_writer *frame);
/* It said HELLO. */
void peer_becomes(struct peer *peer, enum peer_kind kind);
/* The parent has taken this analyser: frames that were held for it can go. */
void peer_joined(struct peer *parent);
/* A frame inside of RELAY or VIA. */
void envelope_put(struct message_writer *out, uint32_t number, enum message_kind kind,
                  const struct message_writer *body);
void peer_readable(struct peer *peer);
void peer_writable(struct peer *peer);
void peer_close(struct peer *peer);

/* server.c */
/* False: the peer broke a rule. */
bool server_frame(struct peer *peer, enum message_kind kind, struct cursor *in);
/* Of a process, at the leader. */
bool server_process_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in);
void server_peer_gone(struct peer *peer);
/* The leader says so, be it this analyser or another. */
void server_end(const struct process_ends *ends);
/* In the log, as server.ends says. */
void server_correct_ends(void);
bool server_listen(void);
void server_run(void);

/* parts.c: analysers execute the calls of their own processes (check/parts), until one of them needs the leader for that. */

/* To be called when it is known who leads. */
void parts_begin(void);
/* Does this analyser execute the calls of its processes? */
static inline bool parts_execute(void)
{
	return server.part && !server.has_handed_over;
}
/* It has stopped checking them: what it knew of other processes may be wrong. */
static inline bool parts_are_aside(void)
{
	return server.part && server.part->is_aside;
}
/* Many frames wait for the leader: agents have to. */
static inline bool parts_are_full(void)
{
	return parts_execute() && part_is_full(server.part);
}
/* FACTS, REACHED, GATHER, WAITS of the leader, or of an analyser at the leader. False: it breaks a rule. */
bool parts_from_leader(enum message_kind kind, struct cursor *in);
bool parts_from_analyser(const struct peer *analyser, enum message_kind kind, struct cursor *in);
/* At the leader: an analyser came, is gone, or relays frames of its processes. */
void parts_analyser_came(struct peer *analyser);
void parts_analyser_gone(const struct peer *analyser);
void parts_relayed(void);
void parts_process_came(const struct peer *analyser, uint64_t world, uint32_t rank);
/* At the leader: have all processes been handed over to it? If not, they are from now on. */
bool parts_gather(void);
/* An analyser has not handed over its processes, and never will. */
bool parts_are_lost(void);
/* Nobody takes what is kept for the leader. */
void parts_leader_gone(void);
/* Milliseconds until the next. */
int parts_tick(uint64_t now);

/* tree.c: analysers are connected as a tree with the leader as its root, so that none has many connections. A new analyser connects to the leader, which
 * takes it as a child or directs it to one of its children, and so on. Frames between the leader and an analyser that is not its child pass through the
 * analysers between them, as MESSAGE_VIA. At the leader, such an analyser is a struct peer without a socket: peer_send() finds the way. */

/* Connects to an analyser, which becomes the parent or names another one. False: it cannot be reached. */
bool tree_join(const char *addresses);
/* The same with the leader, for the last time. */
bool tree_join_leader(void);
/* MESSAGE_PARENT. False: it breaks a rule, or there is no parent. */
bool tree_directed(struct peer *link, struct cursor *in);
/* HELLO of an analyser: takes or directs it. */
bool tree_hello(struct peer *peer, const struct check_hello *hello);
void tree_child_gone(struct peer *child);
/* MESSAGE_VIA. False: it breaks a rule. */
bool tree_from_below(struct peer *child, struct cursor *in);
bool tree_from_above(struct cursor *in);
/* A frame of an analyser for the leader, at an analyser between them. */
void tree_pass_up(const struct peer *analyser, enum message_kind kind, const struct cursor *in);
void tree_to_children(enum message_kind kind, const struct message_writer *body);

/* relay.c: frames of processes on their way to the leader, and back. An analyser that is not the leader passes on what its processes send, in
 * the order of each process. MESSAGE_RELAY has the number of the process on this connection, the kind of the frame and its body. */

/* A process of this node, and its agent (NULL: it has ended); its number. */
uint32_t relay_add(struct peer *agent);
void relay_frame(uint32_t relay, enum message_kind kind, const struct message_writer *body);
/* Waits if it is slow. */
void relay_wait_for_leader(void);
/* Of a process of this node: HELLO is the first, BYE the last. Waits if the leader is slow. */
void relay_to_leader(struct peer *agent, enum message_kind kind, const struct message_writer *body);
/* This analyser has no parent yet, and many frames are held for it: nobody else is read until then. */
bool relay_is_full(void);
/* Waits a moment for the parent. */
void relay_wait_for_parent(void);
/* MESSAGE_RELAY of an analyser, at the leader. False: it breaks a rule. */
bool relay_from_analyser(struct peer *analyser, struct cursor *in);
/* The analyser is gone, and its processes with it. */
void relay_analyser_gone(struct peer *analyser);
/* MESSAGE_RELAY of the leader. */
bool relay_from_leader(struct cursor *in);
/* To the agent of a process, at the leader: over its analyser, or directly. */
void send_to_process(const struct analysed_process *process, enum message_kind kind,
                     const struct message_writer *body);

/* leader.c: deadlocks */
void verdicts_begin(void);
/* Milliseconds until the next. */
int verdicts_tick(uint64_t now);
/* ANSWER, STACK. False: the agent broke a rule. */
bool verdicts_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in);
/* All processes of this node have to end. */
void server_stop(void);

/* leader.c */
struct analyser_leader *leader_new(void);
void leader_analyser_gone(const struct peer *peer);
/* NULL: of this node. */
void leader_member(const struct peer *peer, const struct check_member *member);
/* Milliseconds until the next. */
int leader_tick(uint64_t now);
/* It does nothing more in the execution. */
void leader_process_gone(struct analysed_process *process, enum process_end end);

#endif
