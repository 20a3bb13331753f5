/* Compares calls of different processes: finds mismatched messages and collective calls, and data that
 * changed in transit. It listens to the execution (execution.h), which matches sends with receives and
 * gathers the members of collective calls. It does not depend on sockets: its input is frames of processes,
 * its output findings in the log.
 *
 *	struct checked_run *analysis = analysis_new(log);
 *	struct analysed_process *process = process_new(&analysis->known, …);
 *	if (!analysis_frame(analysis, process, kind, &cursor))
 *		… the process violated a rule …
 *	analysis_process_gone(analysis, process);
 *	analysis_end(analysis, &ends);        reports operations without a partner
 *	analysis_free(analysis);
 *
 * The result of comparing two calls is kept with one of them. */
#ifndef TARRY_CHECK_MATCHING_ANALYSIS_H
#define TARRY_CHECK_MATCHING_ANALYSIS_H

#include "check/checks/checks.h"
#include "check/execution/execution.h"
#include "check/execution/window_races.h"
#include "check/known/findings_log.h"
#include "check/known/known.h"
#include "check/known/process_ends.h"
#include "check/known/report.h"

/* Slots by key for data that waits for its other parts. */
struct content_slots {
	struct map numbers;
	uint32_t count;
	ARRAY(uint32_t) unused;
};

/* A message whose receive or data is not known yet. */
struct awaited_message {
	struct analysed_call *send, *receive; /* NULL: not matched; not received */
	uint64_t sent;                        /* hash; 0: unknown */
	uint64_t bytes, received;             /* how many arrived, and their hash; 0: unknown */
	uint64_t number;                      /* of the message between its processes, with its tag, from 1 */
	bool is_probed;                       /* a matched probe took it */
	bool is_certain;                      /* the match is certain (match_is_certain) */
	bool has_arrived;                     /* `bytes` and `received` are known */
	bool agrees;                          /* according to another analyser, the calls match */
};

/* The data of one member of a broadcast. */
struct member_content {
	struct analysed_call *call; /* kept; NULL: unknown */
	uint64_t bytes, hash;
};

/* A broadcast whose members have not all reported their data. */
struct awaited_broadcast {
	struct member_content root;
	bool has_two_roots;
	uint32_t arrived;                      /* members */
	ARRAY(struct member_content) received; /* until the root reports its data */
};

/* Messages or broadcasts between two calls whose data changed in transit. */
struct changed_data {
	enum check check;
	struct analysed_call *send, *receive;
	uint64_t bytes, received, number; /* of the first */
	uint64_t times;
};

/* In a part: the data of a member of the n-th broadcast of a communicator, not compared yet. */
struct reported_content {
	struct member_content content;
	uint64_t number;
};

/* Of another analyser: its sender may be known later. */
struct handed_message {
	enum event_change change;         /* CHANGE_AWAITS or CHANGE_CHANGED */
	struct analysed_process *process; /* of the receiver */
	struct analysed_call
		*receive; /* NULL: a matched probe took the message, and no call has received it */
	uint64_t operation, source, send, number;
	uint64_t values[3]; /* hash, flags; or bytes, hash, times */
};

/* Calls by number, of a process that gave new numbers (MESSAGE_FORGET) before all processes were here. */
struct forgotten_calls {
	struct analysed_process *process;
	ARRAY(struct analysed_call *) calls; /* kept */
};

struct data_contents {
	struct content_slots messages, broadcasts; /* by process and operation; by communicator and number */
	ARRAY(struct awaited_message) awaited;
	ARRAY(struct awaited_broadcast) awaited_broadcasts;
	ARRAY(struct changed_data) changed;
	/* Channels whose messages may be mismatched: a matched one was cancelled, or threads used the
	 * channel at the same time */
	struct map unordered;
	bool has_many_unordered;                 /* more than can be kept: no message is compared */
	ARRAY(struct reported_content) reported; /* calls are kept */
	ARRAY(struct handed_message) handed;     /* the same */
};

struct checked_run {
	struct known known;
	struct findings_log *log;
	struct execution *execution;
	struct ordering *ordering;
	struct window_races *races;
	struct window_assertions *assertions;
	struct buffered_sends *buffered;
	struct data_contents contents;
	uint64_t event_count;
	bool is_part;       /* events that need an execution of all processes are rejected … */
	bool is_stopped;    /* … and the last frame had one: its cursor is there */
	bool compares_data; /* of a part: data of messages and broadcasts */
	/* Other analysers hand over their processes. Until analysis_gathered() all calls are kept: of processes that have ended, and of others. */
	bool is_gathering;
	ARRAY(struct analysed_process *) gone;
	ARRAY(struct forgotten_calls) forgotten;
};

struct checked_run *analysis_new(struct findings_log *log);
void analysis_free(struct checked_run *analysis);
/* Everything but the processes, which others refer to. */
void analysis_release(struct checked_run *analysis);

/* COMM, TYPE, CALL, EVENTS, FORGET. False: it violates a rule. */
bool analysis_frame(struct checked_run *analysis, struct analysed_process *process, enum message_kind kind,
                    struct cursor *in);
void analysis_process_gone(struct checked_run *analysis, struct analysed_process *process,
                           enum process_end end);
/* Its last call is MPI_Finalize, as far as this analyser knows. */
bool process_is_in_finalize(const struct analysed_process *process);
void analysis_end(struct checked_run *analysis, const struct process_ends *ends);
/* All processes are here. May be called again after another analyser has handed over. */
void analysis_gathered(struct checked_run *analysis);

/* Shared by the files of analysis */

/* message_checks.c: reports a mismatch, unless the match of the two is uncertain. */
void check_message(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive,
                   bool is_certain);
void report_message(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive,
                    uint64_t times);
void check_leftover_messages(struct checked_run *run, const struct process_ends *ends);
/* In bytes; saturates. */
uint64_t data_bytes(const struct known_data *data);

/* Threads may be executed in another order than they made their calls: then it is unknown which message of a
 * channel a receive got. */
static inline bool match_is_certain(const struct executed_operation *send,
                                    const struct executed_operation *receive)
{
	return !((send->state | receive->state) & OPERATION_UNORDERED);
}

/* contents.c: they do not match, but an event of another thread may still show that the order of their
 * channel is unknown. Reported at the end. */
void message_suspected(struct checked_run *run, struct analysed_call *send, struct analysed_call *receive);
/* The order of messages of this channel is unknown. */
void channel_unordered(struct checked_run *run, const struct analysed_call *call, int32_t peer, int32_t tag);
/* Called for matches of the execution … */
void content_matched(struct checked_run *run, const struct executed_operation *send,
                     const struct executed_operation *receive);
void content_cancelled(struct checked_run *run, const struct executed_operation *operation);
/* … and for CHANGE_RECEIVES and CHANGE_CONTENT. False: it violates a rule. */
bool receives_event(struct checked_run *run, struct analysed_process *process, uint64_t operation,
                    struct analysed_call *call);
bool content_event(struct checked_run *run, struct analysed_call *call, uint64_t number, uint64_t bytes,
                   uint64_t hash);
/* CHANGE_AWAITS and CHANGE_CHANGED. False: it violates a rule. */
bool content_handed(struct checked_run *run, struct analysed_process *process, enum event_change change,
                    struct cursor *in);
void contents_gathered(struct checked_run *run);
/* True if the calls of a message fit, as far as they were compared. */
bool calls_agree(const struct awaited_message *message);
void check_changed_data(struct checked_run *run);
void contents_free(struct checked_run *run);

/* collectives.c: MPI rejected a call of the member. */
void rejection_add(struct comm_member *member);
/* All members have made a call. */
void check_collective(struct checked_run *run, const struct executed_collective *collective);
/* True if all members have arrived, and their arguments differ so that MPI may hang. False
 * for intercommunicators. */
bool collective_disagrees(const struct executed_collective *collective);
void check_leftover_collectives(struct checked_run *run, const struct process_ends *ends);

/* For parts of a run (check/parts), in collective_checks.c. Kept with the call. */
const struct collective_summary *collective_summary_of(struct analysed_call *call);
/* One more member, or several of another part. `sum` is zero before the first one. */
void collective_summary_add(struct collective_summary *sum, const struct collective_summary *more);
/* True if the arguments of all members agree. False: they may not. */
static inline bool collective_summary_agrees(const struct collective_summary *sum)
{
	return !sum->is_wrong && !sum->balance;
}
/* True if a summary shows whether its arguments agree with others. */
bool collective_has_summary(const struct analysed_call *call);

#endif
