/* The analyser as a server: connections of agents and other analysers, the frames that each of them may send,
 * and the end of the analyser. docs/check-protocol.md describes the protocol. There is one thread.
 *
 * The leader never waits for a connection, and reads from all peers. Other analysers wait only for the leader
 * (relay.c). So no two processes of the job can wait for each other because of the checker. */
#ifndef TARRY_CHECK_ANALYSER_SERVER_H
#define TARRY_CHECK_ANALYSER_SERVER_H

#include "check/execution/deadlocks.h"
#include "check/matching/analysis.h"
#include "check/parts/hub.h"
#include "check/protocol/handshake.h"

enum {
	STRANGERS_MAX = 64,      /* connections that have not said HELLO */
	STRANGER_MS = 5000,      /* limit for each step until HELLO */
	STRANGER_SLOW_MS = 1000, /* the same over a network if other strangers wait */
	PROOF_MS = 30000,        /* limit for the proof of an analyser to which this one connected */
	LONELY_MS = 60000,       /* time without any process after which the analyser ends */
	GRACE_MS =
		200, /* between the last process and the end: another job may follow in the same folder … */
	ENDED_LOOK_MS = 2, /* … unless a file reports the end of the command; interval of looks for it */
	DRAIN_MS = 30000,  /* at the end: limit for silent connections that do not close */
	TOGETHER_MS = 500, /* if processes vanish within this time, the order of the reports is unknown */
	EXPLANATION_MS =
		2000, /* after the first process vanished: a call of MPI_Abort may still explain it */
	TICK_MS = 50,
};

enum peer_kind {
	PEER_STRANGER,
	PEER_AGENT,
	PEER_ANALYSER,
	PEER_LEADER,
};

/* The other end of a connection. */
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
	bool is_proven;             /* it has proved that it knows the key */
	bool is_local;              /* it connected from this machine, as this user */
	struct message_writer held; /* frames for an analyser that has not proved itself yet */
	bool waits_to_write;
	bool is_deaf;    /* it no longer reads */
	bool is_closing; /* it violated the protocol, or ends */
	/* Of an agent */
	struct analysed_process *process; /* NULL: its rank is not known yet */
	uint32_t relay;                   /* number of its process in frames to the leader, from 1; 0: none */
	bool is_stuck;                    /* in a call for some time */
	bool expects_end;                 /* in a call because of which MPI may end the process */
	bool has_ended;
	bool exits_well; /* after MPI_Finalize */
	int unsent;      /* shared memory with the events that it has not sent; -1: none */
	enum process_end end;
	/* Of an analyser: processes whose frames it relays, by their number - 1; NULL: the process has
	 * ended */
	ARRAY(struct analysed_process *) relayed;
	uint32_t
		relayed_count; /* processes that have not ended, including those relayed by analysers below it */
	uint32_t part;         /* its number at the hub */
	/* Of an analyser below this one in the tree */
	struct peer *via; /* the child through which it is connected; NULL: it is a child */
	uint32_t place;   /* its number on the connection to that child, from 1 */
	uint32_t upward;  /* its number on the connection to the parent of this analyser, from 1 */
	ARRAY(struct peer *)
	below;             /* of a child: analysers below it, by their place - 1; NULL: disconnected */
	char *address;     /* of a child: the address at which it listens */
	uint32_t directed; /* of a child: number of analysers directed to it */
	/* Of the parent */
	bool is_joining; /* it has not yet accepted this analyser */
};

struct analyser_leader;

struct server {
	int folder, epoll, listeners[2];
	int spare_fd; /* closed if no more files can be opened and one is needed */
	bool is_full; /* a note has reported that no more files can be opened */
	const char *folder_path, *host;
	uint8_t key[CHECK_KEY_BYTES];
	char addresses[HELLO_BYTES_MAX / 2];
	ARRAY(struct peer *) peers;
	uint32_t strangers, agents; /* agents: connections that have not said BYE */
	uint32_t relayed_count;     /* at the leader: processes of other nodes that have not ended */
	uint8_t *buffer;
	struct checked_run *analysis; /* at the leader: of all processes */
	struct check_part *part;      /* processes of this node; NULL: the leader executes them */
	bool has_handed_over;         /* the leader executes the processes of this node from now on */
	struct map successors;  /* at the leader: of processes of its part, their numbers in the analysis */
	uint64_t full_since_ms; /* many frames are kept for the leader; 0: not many, or a note reported it */
	bool is_full_noted;
	struct part_hub *hub; /* of the leader; NULL: there are no parts */
	ARRAY(struct peer *)
	part_peers; /* by their number at the hub; NULL: this analyser, or disconnected */
	struct findings_log *log;
	struct analyser_leader *leader; /* NULL: another analyser is the leader */
	struct peer *leader_link;       /* the parent in the tree: the path to the leader */
	char *leader_addresses;
	bool insists; /* connects directly to the leader, because another analyser cannot be reached */
	uint32_t child_count;       /* in the tree */
	ARRAY(struct peer *) below; /* in the tree, by their number at the parent - 1; NULL: disconnected */
	ARRAY(struct peer *)
	relays; /* agents with frames for the leader, by number - 1; NULL: disconnected */
	struct deadlocks *deadlocks; /* of the leader */
	struct process_ends ends;
	bool is_stopping; /* the run is being ended, so processes end */
	bool is_ending;
	uint64_t ending_since_ms, began_ms;
};

extern struct server server;

uint64_t now_ms(void);
void server_note(const char *sentence);
/* Notes that an analyser closes the connection of this process (NULL: its rank is unknown). */
void note_refused(const struct analysed_process *process);

/* connections.c */
struct peer *peer_new(int fd, enum peer_kind kind);
/* Begins the handshake on a socket that is connected to another analyser. NULL: failed, and the socket is
 * closed. */
struct peer *peer_greet(int fd, enum peer_kind kind);
/* Handles a frame of a peer that is not proven. False: the proof failed. */
bool peer_handshake(struct peer *peer, enum message_kind kind, struct cursor *in);
void peer_send(struct peer *peer, enum message_kind kind, const struct message_writer *body);
void peer_send_frame(struct peer *peer, const struct message_writer *frame);
/* The peer has sent HELLO. */
void peer_becomes(struct peer *peer, enum peer_kind kind);
/* The parent has accepted this analyser: sends it the held frames. */
void peer_joined(struct peer *parent);
/* A frame inside of RELAY or VIA. */
void envelope_put(struct message_writer *out, uint32_t number, enum message_kind kind,
                  const struct message_writer *body);
void peer_readable(struct peer *peer);
void peer_writable(struct peer *peer);
void peer_close(struct peer *peer);

/* server.c */
/* False: the frame violates the protocol. */
bool server_frame(struct peer *peer, enum message_kind kind, struct cursor *in);
/* At the leader: handles a frame of a process. */
bool server_process_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in);
void server_peer_gone(struct peer *peer);
/* Ends this analyser, as the leader has decided. */
void server_end(const struct process_ends *ends);
/* Corrects the ends of processes in the log by server.ends. */
void server_correct_ends(void);
bool server_listen(void);
void server_run(void);

/* parts.c: analysers execute the calls of their own processes (check/parts), until one of them needs the
 * leader to execute all calls. */

/* Call it when the leader is known. */
void parts_begin(void);
/* True if this analyser executes the calls of its processes. */
static inline bool parts_execute(void)
{
	return server.part && !server.has_handed_over;
}
/* True if this analyser has stopped checking its processes, because facts about other processes may be
 * wrong. */
static inline bool parts_are_aside(void)
{
	return server.part && server.part->is_aside;
}
/* True if so many frames wait for the leader that agents must wait. */
static inline bool parts_are_full(void)
{
	return parts_execute() && part_is_full(server.part);
}
/* FACTS, REACHED, GATHER, WAITS from the leader, or, at the leader, from an analyser. False: the frame
 * violates the protocol. */
bool parts_from_leader(enum message_kind kind, struct cursor *in);
bool parts_from_analyser(const struct peer *analyser, enum message_kind kind, struct cursor *in);
/* At the leader: an analyser has connected or disconnected, or relays frames of its processes. */
void parts_analyser_came(struct peer *analyser);
void parts_analyser_gone(const struct peer *analyser);
void parts_relayed(void);
void parts_process_came(const struct peer *analyser, uint64_t world, uint32_t rank);
/* At the leader: true if all processes have been handed over to it; otherwise requests this. */
bool parts_gather(void);
/* True if an analyser will never hand over its processes. */
bool parts_are_lost(void);
/* The leader has disconnected: stops checking if frames are kept for it. */
void parts_leader_gone(void);
/* Returns the milliseconds until the next call. */
int parts_tick(uint64_t now);

/* tree.c: analysers are connected as a tree with the leader as its root, so that no analyser has many
 * connections. A new analyser connects to the leader, which accepts it as a child or directs it to one of its
 * children, and so on. Frames between the leader and an analyser that is not its child pass through the
 * analysers between them, as MESSAGE_VIA. At the leader, such an analyser is a struct peer without a socket:
 * peer_send() finds the path. */

/* Connects to an analyser, which becomes the parent or names another one. False: it cannot be reached. */
bool tree_join(const char *addresses);
/* Connects to the leader, as the last attempt. */
bool tree_join_leader(void);
/* MESSAGE_PARENT. False: the frame violates the protocol, or no parent can be reached. */
bool tree_directed(struct peer *link, struct cursor *in);
/* HELLO of an analyser: accepts or directs it. */
bool tree_hello(struct peer *peer, const struct check_hello *hello);
void tree_child_gone(struct peer *child);
/* MESSAGE_VIA. False: the frame violates the protocol. */
bool tree_from_below(struct peer *child, struct cursor *in);
bool tree_from_above(struct cursor *in);
/* Passes on a frame of an analyser for the leader, at an analyser between them. */
void tree_pass_up(const struct peer *analyser, enum message_kind kind, const struct cursor *in);
void tree_to_children(enum message_kind kind, const struct message_writer *body);

/* relay.c: frames between processes and the leader. An analyser that is not the leader passes on the frames
 * of its processes, in the order of each process. MESSAGE_RELAY has the number of the process on this
 * connection, the kind of the frame and its body. */

/* Adds a process of this node with its agent (NULL: the process has ended); returns its number. */
uint32_t relay_add(struct peer *agent);
void relay_connect(uint32_t relay, struct peer *agent);
void relay_frame(uint32_t relay, enum message_kind kind, const struct message_writer *body);
/* Waits if the leader is slow. */
void relay_wait_for_leader(void);
/* Passes on a frame of a process of this node: the first is HELLO, the last BYE. Waits if the leader is
 * slow. */
void relay_to_leader(struct peer *agent, enum message_kind kind, const struct message_writer *body);
/* True if many frames are held because this analyser has no parent yet: until then it reads from no other
 * peer. */
bool relay_is_full(void);
/* Waits a short time for the parent. */
void relay_wait_for_parent(void);
/* At the leader: MESSAGE_RELAY of an analyser. False: the frame violates the protocol. */
bool relay_from_analyser(struct peer *analyser, struct cursor *in);
/* The analyser has disconnected: its processes count as vanished. */
void relay_analyser_gone(struct peer *analyser);
/* MESSAGE_RELAY of the leader. */
bool relay_from_leader(struct cursor *in);
/* At the leader: sends a frame to the agent of a process, through its analyser or directly. */
void send_to_process(const struct analysed_process *process, enum message_kind kind,
                     const struct message_writer *body);

/* leader.c: deadlocks */
void verdicts_begin(void);
/* Returns the milliseconds until the next call. */
int verdicts_tick(uint64_t now);
/* ANSWER, STACK. False: the frame violates the protocol. */
bool verdicts_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in);
/* Ends all processes of this node. */
void server_stop(void);

/* leader.c */
struct analyser_leader *leader_new(void);
void leader_analyser_gone(const struct peer *peer);
/* `peer` NULL: a member of this node. */
void leader_member(const struct peer *peer, const struct check_member *member);
/* Returns the milliseconds until the next call. */
int leader_tick(uint64_t now);
/* The process takes no further part in the execution. */
void leader_process_gone(struct analysed_process *process, enum process_end end);

#endif
