/* A part of a run: the processes of one node, executed by the analyser of that node. Parts exchange facts over a hub (hub.h): a send has begun,
 * a receive took its message, members have made a collective call.
 *
 *	struct check_part *part = part_new(log, tell, owner);
 *	struct analysed_process *process = part_process(part, world, rank, size);
 *	part_frame(part, process, kind, &cursor);     of its agent
 *	part_hear(part, kind, &cursor);               of the hub
 *	part_flush(part);                             now and then: facts go to `tell`, as frames
 *	part_free(part);
 *
 * A part executes plain calls: messages, probes, collective calls, waits, tests, and cancelled receives without a message. Anything else
 * needs an execution of all processes: windows, threads, buffered sends, ready sends to a process that uses MPI_ANY_TAG, a process
 * that vanished, calls that do not match, processes that may wait for each other. Then the part asks for a gathering. All parts hand their
 * processes over to the leader, with the operations that are under way, and the leader continues. So findings are the same as if one analyser
 * executed all processes.
 *
 * Races between messages need the order of events. From the first event on that a race may refer to, parts tell what a sender knows (clocks,
 * ordering.h) with its messages and collective calls: only what is new to the receiver.
 *
 * A gathering has rounds. In the first, parts stop executing: frames of agents are kept. From PART_HANDS_OVER on, all facts have been heard, and
 * parts hand over (part_hand_over): first what their processes announced, then the order of events, which refers to calls of other parts, then
 * everything else. */
#ifndef TARRY_CHECK_PARTS_PART_H
#define TARRY_CHECK_PARTS_PART_H

#include "check/execution/wildcard_choices.h"
#include "check/matching/analysis.h"

enum {
	PART_HANDS_OVER = 3, /* a send tells its receiver, which tells the sender: two rounds */
	PART_ROUNDS = 5,     /* definitions; order of events; operations, and everything else */
	PART_BYTES_HELD = 8 << 20,
};

/* MESSAGE_FACTS: world, then facts. A fact begins with the rank of the process that it is for. */
enum part_fact_kind {
	PART_SENT = 1,      /* rank of the sender, number of its call, number of the send */
	PART_MATCHED = 2,   /* number of the send */
	PART_DEFINED = 3,   /* rank of the sender, size of its world, COMM, TYPE or CALL, length, body */
	PART_SENT_DATA = 4, /* like PART_SENT; then the hash of the data */
	/* Order of events: ordering.h */
	PART_KNOWS =
		5, /* rank of the sender; what it knew at its next send to this process: ordering_tell_send() */
	PART_ORDERED = 6,   /* number of a synchronous send; ordering_tell_match(). PART_MATCHED follows */
	PART_SEND_OVER = 7, /* rank of the sender; ordering_tell_end() */
	/* Only after PART_USES_TAKERS: */
	PART_LEFT = 8,     /* rank of the sender, number of a send that the program has left */
	PART_RELEASED = 9, /* number of the send, which a receive with MPI_ANY_SOURCE may have taken */
};

/* MESSAGE_USES. In a part, a neighbourhood call waits for all members, so it may delay other calls. Of a ready send and its receive, which no other
 * call orders, another one could then begin first. */
enum part_use {
	PART_USES_READY = 1,
	PART_USES_NEIGHBOURS = 2,
	PART_USES_BOTH = PART_USES_READY | PART_USES_NEIGHBOURS, /* the leader has to execute all processes */
	PART_USES_TAKERS = 4, /* receives with MPI_ANY_SOURCE: the hub tells all parts */
	PART_USES = 7,
};

struct part_fact {
	uint32_t rank; /* whom it is for */
	enum part_fact_kind kind;
	uint32_t source, size;
	uint64_t call, number, hash;
	enum message_kind message;
	struct cursor body;
};

/* False: there is no more, or it is damaged (`in->bad`). */
bool part_fact_take(struct cursor *in, struct part_fact *fact);

/* An event between analysers: its numbers after that of the call. */
struct handed_content {
	enum event_change change;
	struct analysed_call *call; /* NULL: none */
	bool has_operation;         /* numbers[0] is the distance of this operation */
	uint64_t operation;
	uint64_t numbers[6];
};

/* The process of a run, as a part knows it. */
struct part_process {
	struct analysed_process *known;
	bool is_own;
	bool is_held;               /* its frames are kept for the leader */
	struct message_writer held; /* those frames */
	bool has_ended;
	bool has_wildcards; /* it has announced calls with wildcards, which it may have made here */
	bool gets_ready;    /* the same for ready sends to it */
	enum process_end end;
	struct map sent_types; /* types of calls that others know, by pointer: their numbers */
	uint32_t sent_type_count;
	uint32_t handed;                       /* the last round of its handover; 0: none */
	ARRAY(struct handed_content) contents; /* of data that is compared: for the leader */
};

/* Data of the members of a broadcast, until all parts have the same. */
struct part_broadcast {
	uint64_t identity, number;            /* at the hub */
	ARRAY(struct member_content) members; /* with their calls, kept */
	uint32_t unsent;
};

/* Frames for the hub. */
typedef void part_tell(void *owner, const struct message_writer *frames);

struct check_part {
	struct checked_run *run;
	struct execution_part asks;
	part_tell *tell;
	void *owner;
	struct executed_process silent; /* stands for any process of this part that has said nothing yet */
	struct map numbers;             /* of processes, by world and rank */
	ARRAY(struct part_process *) processes;
	struct message_writer facts;       /* the body of a frame */
	struct message_writer frames;      /* not sent yet */
	struct message_writer order;       /* of the next fact */
	struct vector_clock *told, *heard; /* clocks of the last collective calls, to the hub and from it */
	struct wildcard_choices *choices;  /* NULL: no receive with MPI_ANY_SOURCE so far */
	struct map broadcast_numbers;      /* by identity and number */
	ARRAY(struct part_broadcast) broadcasts;
	ARRAY(uint32_t) free_broadcasts;
	uint64_t held_bytes; /* of frames that are kept for the leader */
	uint64_t facts_world;
	uint32_t handed; /* the last round of the handover; 0: none */
	bool is_frozen;  /* a gathering is under way, or over */
	bool is_aside;   /* it does nothing any more, and hands nothing over */
	bool has_asked;  /* for a gathering */
	uint32_t uses;   /* enum part_use */
	uint64_t facts_sent, facts_received;
	uint64_t looked_ms;
	uint64_t seen;      /* execution->now at the look before */
	uint64_t suspected; /* hash of the threads that were blocked when the hub was notified */
};

struct check_part *part_new(struct findings_log *log, part_tell *tell, void *owner);
void part_free(struct check_part *part);
/* A process of this part. */
struct analysed_process *part_process(struct check_part *part, uint64_t world, uint32_t rank, uint32_t size);
/* COMM, TYPE, CALL, EVENTS, FORGET, STATE of the agent. False: it breaks a rule. */
bool part_frame(struct check_part *part, struct analysed_process *process, enum message_kind kind,
                struct cursor *in);
void part_process_gone(struct check_part *part, struct analysed_process *process, enum process_end end);
/* FACTS, REACHED, GATHER, WAITS and USES of the hub. False: it breaks a rule, or contradicts the facts of the part, which has stepped aside. From the
 * round PART_HANDS_OVER of a gathering on, the owner calls part_hand_over, and then part_flush, which confirms it. */
bool part_hear(struct check_part *part, enum message_kind kind, struct cursor *in);
void part_flush(struct check_part *part);
/* Many frames are kept for the leader: no agent needs to be read until they are handed over. */
static inline bool part_is_full(const struct check_part *part)
{
	return part->held_bytes > PART_BYTES_HELD;
}
/* The leader has to execute all processes. */
void part_ask_to_gather(struct check_part *part);
/* Its facts may be wrong: from now on it drops frames of its processes, and hands nothing over. */
void part_step_aside(struct check_part *part);
/* Frames that follow come after the facts so far. */
void part_frame_facts(struct check_part *part);
/* part_waits.c: to be called every few milliseconds. A process that waits for a while may wait for ever: the part notifies the hub. */
void part_tick(struct check_part *part, uint64_t now_ms);
/* Answers a question of the hub. */
bool part_tell_waits(struct check_part *part, struct cursor *in);

/* MESSAGE_WAITS of the hub: number of the question, 1 if it wants to know who waits. Of a part: 0; or number of the question, events so far, 1
 * if the following is reported. World of the processes; processes that wait or have ended, each as rank + 1 and what it waits for; 0. Members of
 * communicators, each as identity, rank in the world, place in the communicator, and number of collective calls. */
enum part_wait_kind {
	PART_ENDED = 1,            /* it does nothing more */
	PART_WAITS = 2,            /* steps so far, 1 if one of the following is enough, count, and each: */
	PART_WAITS_PROCESS = 3,    /* rank */
	PART_WAITS_COLLECTIVE = 4, /* identity, number of the collective call */
	PART_WAITS_MEMBERS = 5,    /* identity: any member of the communicator could free it */
	PART_WAITS_MEMBER = 6,     /* identity, place in the communicator */
	PART_WAITS_NOT = 7,        /* it can go on: what it waits for is there */
};

/* part_contents.c: data of broadcasts that processes have reported. */
void part_take_contents(struct check_part *part);
/* All members have the same data. False: no such broadcast is open. */
bool part_contents_agree(struct check_part *part, uint64_t identity, uint64_t number);
/* Lists the data that is not compared yet, and the changed data, with each process. */
void part_collect_contents(struct check_part *part);
void part_contents_free(struct check_part *part);

/* part_order.c: facts about the order of events */
void part_order_begin(struct check_part *part);
void part_order_end(struct check_part *part);
/* Before PART_SENT and PART_MATCHED. */
void part_tell_order(struct check_part *part, const struct executed_process *to,
                     const struct carried_fact *fact);
/* `process`: whom the fact is for. False: it contradicts the facts of the part. */
bool part_hear_order(struct check_part *part, struct part_process *process, struct part_fact *fact);
/* The next number of REACHED: 1 if a clock follows. False: the leader has to execute the call. */
bool part_put_sum(struct check_part *part, const struct executed_collective *collective,
                  struct message_writer *body);
/* NULL: there is none. */
struct vector_clock *part_take_sum(struct check_part *part, struct cursor *in);
/* part.c */
struct message_writer *part_fact_begin(struct check_part *part, uint64_t world, uint32_t rank,
                                       enum part_fact_kind kind);
struct part_process *part_find(const struct check_part *part, uint64_t world, uint32_t rank);
struct part_process *part_image(struct check_part *part, uint64_t world, uint32_t rank, uint32_t size);
/* A process of this part has a send with this number, without a receive. */
const struct executed_operation *part_find_send(const struct part_process *sender, uint64_t number);

/* handover.c: frames of one process after the other, as its agent would have sent them: HELLO, without a body, before those of each round; BYE if it has ended. */
typedef void part_put(void *owner, struct analysed_process *process, enum message_kind kind,
                      const struct message_writer *body);
/* Everything up to this round. After the last one it executes nothing any more, and keeps only the processes. */
void part_hand_over(struct check_part *part, uint32_t round, part_put *put, void *owner);

/* announce.c: what a process announced, once more */

typedef void announce_put(void *owner, enum message_kind kind, const struct message_writer *body);

struct announcer {
	struct map *types; /* by pointer: numbers that they have for whoever hears it */
	uint32_t *type_count;
	announce_put *put;
	void *owner;
};

void announce_comm(const struct announcer *announcer, const struct comm_member *member);
void announce_type_as(const struct announcer *announcer, const struct known_type *type, uint32_t number);
/* Its parts first. Its number; nothing is put if it has one. */
uint32_t announce_type(const struct announcer *announcer, const struct known_type *type);
/* Its types first. */
void announce_call(const struct announcer *announcer, const struct analysed_call *call, uint32_t number);

#endif
