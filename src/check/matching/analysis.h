/* What an analyser finds out from the calls of several processes: messages without a partner that fits, collective calls that do not
 * agree. It knows nothing of sockets: frames of processes come in, findings go to the log.
 *
 *	struct checked_run *analysis = analysis_new(log);
 *	struct analysed_process *process = process_new(&analysis->known, …);
 *	if (!analysis_frame(analysis, process, kind, &cursor))
 *		… the process broke a rule …
 *	analysis_process_gone(analysis, process);
 *	analysis_end(analysis, &ends);        what is left over
 *	analysis_free(analysis);
 *
 * Two sides of a message wait in the queue of their envelope, members of a collective call in its instance. Both are freed when they are
 * complete. What a pair of calls leads to is worked out once and kept with one of them. */
#ifndef TARRY_CHECK_MATCHING_ANALYSIS_H
#define TARRY_CHECK_MATCHING_ANALYSIS_H

#include "check/checks/checks.h"
#include "check/course/buffered_sends.h"
#include "check/course/course.h"
#include "check/course/window_assertions.h"
#include "check/course/window_races.h"
#include "check/known/findings_log.h"
#include "check/known/known.h"
#include "check/known/process_ends.h"
#include "check/known/report.h"

/* A send or a receive that waits for its other side; equal ones behind each other are one. */
struct pending_operation {
	struct analysed_call *call;
	uint64_t count;
	uint64_t number; /* of CHECK_CALL_CONTENT: hash of a send, ticket of a receive; 0: none */
	struct pending_operation *next;
};

/* Messages of one source, destination and tag on a communicator match receives in the order of both. */
struct message_queue {
	struct map_key key;
	uint32_t slot;
	uint32_t users; /* calls that point to it, and awaited contents */
	struct analysed_comm *comm;
	uint32_t source, dest; /* ranks in the communicator */
	int32_t tag;
	struct pending_operation *first, *last; /* all of them sends, or all of them receives */
	struct analysed_call *matched[2];       /* the send and the receive that met last */
	uint64_t met_count;                     /* pairs */
	bool is_uncompared; /* nothing is to be concluded from the data of its messages (message_contents.c) */
};

/* A receive that has met its send, or has told what it received, or both. */
struct awaited_content {
	struct message_queue *queue; /* once they have met; held */
	struct analysed_call *send, *receive;
	uint64_t sent;            /* hash; 0: not known */
	uint64_t bytes, received; /* how many came, and their hash; 0: not known */
	uint64_t number;          /* of the message in its queue, from 1 */
	bool has_met, has_arrived;
};

/* Messages between two calls that arrived otherwise than they were sent. */
struct changed_message {
	struct message_queue *queue; /* held */
	struct analysed_call *send, *receive;
	uint64_t received, number; /* of the first: bytes, and which message it was */
	uint64_t times;
};

/* Pairs of calls whose data differs: at most so many are reported, of messages and of broadcasts. */
enum { CHANGED_MAX = 256 };

struct message_contents {
	struct map by_ticket; /* process and ticket to a place in `awaited` */
	ARRAY(struct awaited_content) awaited;
	ARRAY(uint32_t) unused; /* places */
	ARRAY(struct changed_message) changed;
};

/* The data of one member of a broadcast. */
struct shared_content {
	struct analysed_call *call; /* kept; NULL: nothing is known of it */
	uint64_t bytes, hash;
};

/* A broadcast whose members have not all reported their data. */
struct awaited_broadcast {
	struct shared_content root;
	bool has_two_roots;
	uint32_t arrived;                      /* members */
	ARRAY(struct shared_content) received; /* until the root reports its data */
};

/* Broadcasts between two calls that arrived otherwise than they were sent. */
struct changed_broadcast {
	struct analysed_call *root, *call;
	uint64_t bytes, number, times; /* of the first: which one on its communicator */
};

struct broadcast_contents {
	struct map by_number; /* communicator and number to a place in `awaited` */
	ARRAY(struct awaited_broadcast) awaited;
	ARRAY(uint32_t) unused; /* places */
	ARRAY(struct changed_broadcast) changed;
};

struct checked_run {
	struct known known;
	struct findings_log *log;
	/* Of the first analyser; NULL elsewhere. */
	struct course *course;
	struct ordering *ordering;
	struct window_races *races;
	struct window_assertions *assertions;
	struct buffered_sends *buffered;
	struct map queue_numbers;
	ARRAY(struct message_queue *) queues;
	ARRAY(uint32_t) free_queues;
	struct pending_operation *free_operations;
	ARRAY(struct analysed_call *) unresolved; /* receives with wildcards that got nothing */
	struct message_contents contents;
	struct broadcast_contents broadcasts;
	uint64_t event_count;
	uint64_t waiting; /* operations and members of collective calls: what is in flight */
};

struct checked_run *analysis_new(struct findings_log *log);
void analysis_free(struct checked_run *analysis);
/* This is the first analyser: it follows the courses of all processes, from the first event on. */
void analysis_follow_courses(struct checked_run *analysis);

/* COMM, TYPE, CALL, EVENTS, FORGET. False: it breaks a rule. */
bool analysis_frame(struct checked_run *analysis, struct analysed_process *process, enum message_kind kind,
                    struct cursor *in);
void analysis_process_gone(struct checked_run *analysis, struct analysed_process *process,
                           enum process_end end);
/* Its last call is MPI_Finalize, as far as this analyser knows. */
bool process_is_in_finalize(const struct analysed_process *process);
void analysis_end(struct checked_run *analysis, const struct process_ends *ends);

/* Between the files of analysis */

/* message_queues.c */
bool message_event(struct checked_run *analysis, struct analysed_call *call, struct cursor *in);
bool message_cancelled(struct checked_run *analysis, struct analysed_call *call);
void message_queue_release(struct message_queue *queue, void *analysis);
void message_queues_free(struct checked_run *analysis);

/* message_checks.c: reports what is wrong, if anything. */
void check_message(struct checked_run *analysis, struct analysed_call *send, struct analysed_call *receive);
void check_leftover_messages(struct checked_run *analysis, const struct process_ends *ends);
/* In bytes; saturates. */
uint64_t data_bytes(const struct known_data *data);

/* message_contents.c: a send with this hash (0: not known) and the receive with this ticket (0: none) have met. */
void content_met(struct checked_run *run, struct message_queue *queue, struct analysed_call *send,
                 struct analysed_call *receive, uint64_t hash, uint64_t ticket);
/* CHANGE_CONTENT, from its ticket on. False: it breaks a rule. */
bool content_event(struct checked_run *run, struct analysed_call *call, bool is_old, struct cursor *in);
void check_changed_messages(struct checked_run *run);
void contents_free(struct checked_run *run);

/* broadcast_contents.c: what the process of this call sent or received in the n-th broadcast on its communicator; hash 0: not known. */
void broadcast_content(struct checked_run *run, struct analysed_call *call, uint64_t number, uint64_t bytes,
                       uint64_t hash);
void check_changed_broadcasts(struct checked_run *run);
void broadcasts_free(struct checked_run *run);

/* collectives.c */
void collective_event(struct checked_run *analysis, struct analysed_call *call);
void check_leftover_collectives(struct checked_run *analysis, const struct process_ends *ends);
void collectives_free(struct checked_run *analysis);

#endif
