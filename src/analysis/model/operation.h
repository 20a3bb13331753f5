/* Internals of replay.c: processes that proceed from call to call, and the operations that their
 * calls begin and complete.
 *
 * An operation is a receive, a probe or a part in a collective call, together with its sends. It ends
 * with its own call, or through a request with another.
 *
 *	operations_begin(replay, process, thread);
 *	if (operations_end(replay, process, thread))
 *		… the call is complete …
 *	else
 *		… the process waits; wake_process() will be called for it …
 *
 * Calls are occurrences (model/relations.h). */
#ifndef TARRY_ANALYSIS_MODEL_OPERATION_H
#define TARRY_ANALYSIS_MODEL_OPERATION_H

#include "analysis/model/collectives.h"
#include "analysis/model/completions.h"
#include "analysis/model/earliest.h"
#include "analysis/model/follower.h"
#include "analysis/model/lookahead.h"
#include "analysis/model/match.h"
#include "analysis/model/moved_requests.h"
#include "analysis/model/participants.h"
#include "analysis/model/phases.h"
#include "analysis/model/relations.h"
#include "analysis/model/sites.h"

struct replay_operation {
	struct call_semantics *semantics; /* of the call that began or prepared it; NULL: unused */
	int64_t start;                    /* of the call that began it */
	struct match *receive;            /* or probe; NULL: not posted, or none */
	struct match *sent;
	struct match *parked; /* keeps the call of an open receive until its source is known; NULL */
	uint32_t collective;
	uint32_t participant; /* in the collective */
	uint32_t member;      /* of a prepared collective */
	uint32_t thread;      /* of the call that created its request */
	bool is_under_way;
	bool is_skipped; /* an open receive that was begun, but not recorded */
};

/* A thread, and its current call. */
struct thread {
	struct lookahead calls; /* including the current one */
	struct occurrence now;
	int64_t since; /* as in a participant: the time of the current call is accounted for up to here */
	int64_t met;   /* as in a completion */
	struct clock_piece *clock;
	struct shifts *shifts;       /* NULL: none */
	struct replay_operation own; /* that the call ends by itself */
	uint64_t position;           /* completed by the call itself */
	uint32_t phase;
	uint32_t outcomes_done; /* completed requests that need not wait any more */
	struct outcome_cursor outcomes;
	bool is_plain; /* they are messages whose other ends are known, as far as checked */
	bool has_event;
	bool is_passed_over; /* the current call: its messages and its collective cannot be matched */
	bool is_inside;
	bool is_past_gap;    /* a later call was counted */
	size_t pauses;       /* of its stream, before the current call */
	int64_t paused;      /* start of the last of them */
	bool has_ended;      /* a call was counted … */
	int64_t ended;       /* … and the last one that is not local ended then */
	int64_t local_delay; /* of local calls since then, and before them */
	const struct call_semantics
		*before; /* of the last that is not local, if it moves data or is collective; else NULL */
	const struct call_semantics
		*completed;     /* the last that is not local, if it completes requests; else NULL */
	uint32_t before_number; /* its call's id + 1, if it transfers data; 0: none */
	int64_t before_start;
	int64_t sent;   /* send time of the message that the current call received itself; INT64_MIN: none */
	uint64_t epoch; /* number of UPC access epochs so far */
	struct stream *stream;
	struct event_iter iter;
};

/* PROCESS_REMOTE: another session replays it. */
enum process_state { PROCESS_READY, PROCESS_WAITS, PROCESS_ENDED, PROCESS_REMOTE };

struct replay_process {
	uint32_t process;
	struct thread *threads;
	uint32_t thread_count;
	struct earliest order; /* of its threads, if needed; the first may have moved since */
	bool is_ordered;
	enum process_state state;
	bool is_queued;
	bool posts_no_receives; /* posts no more receives */
	bool has_lost_calls;    /* followers know that calls may be missing */
	bool is_ahead;  /* has sent or begun much more than others have reached, or a follower says so */
	bool is_forced; /* the current call ends although its needs are not met */
	uint64_t gap;   /* from this tick on its order is unknown, because calls were not recorded */
	uint64_t
		stop; /* calls from this tick on follow a pause or skipped calls that are not processed yet */
	bool lacks_completions;
	struct semantics_table semantics_table;
	struct replay_operation *requests; /* by number, and matched messages with them */
	struct moved_requests moved;       /* of struct replay_operation */
	struct replay_operation *notified; /* that of REQUEST_NOTIFIED; NULL: none */
	uint64_t request_room, requests_made,
		requests_skipped; /* skipped: of the created ones, by unrecorded calls */
	uint64_t in_flight;       /* its messages that are not over yet */
	/* Completions that must be written in order: number + 1; 0: none. */
	uint32_t first_pending, last_pending, pending_count;
	struct late_receives *late; /* NULL: not wanted, or none */
	/* The message or collective that it waits for. */
	struct match *waits_match;
	uint32_t waits_collective;
	const struct call_semantics *waits_semantics; /* of the collective call */
	uint32_t sender;                              /* of that message */
	uint32_t first_waiting; /* processes that wait for a message of this one, linked by … */
	uint32_t next, previous;
};

/* Processes that can continue, each at most once. */
struct process_queue {
	uint32_t *items; /* a ring with room for all */
	uint32_t first, count, room;
};

struct replay {
	struct analysis_session *session;
	struct reader *reader;
	struct row_writer rows, second_rows;
	const struct corrected_time *time; /* NULL: in ticks */
	int64_t origin;                    /* origin of the times */
	struct clock_piece *clocks;        /* by line of the clocks */
	uint32_t batch;                    /* events of a thread per read */
	struct replay_counts *counts;
	uint64_t expected; /* events, about */
	const struct comm_table *comms;
	struct arena arena; /* of the semantics */
	struct known_kinds kinds;
	struct arena threads;
	struct arena late; /* of receives that waited: see model/completions.h */
	struct matcher matcher;
	struct collectives collectives;
	struct completions completions;
	struct neighbours neighbours;
	struct call_pairs pairs;
	struct pair_delays delays;
	struct map started_numbers; /* of the prepared call and the id of the one that starts it */
	ARRAY(struct call_semantics *) started;
	ARRAY(uint32_t) starters; /* the ids of the calls that start them */
	struct map
		remote_numbers; /* of a process of another session and its request (model/remote_facts.h) */
	ARRAY(struct replay_operation) remote;
	struct {
		const struct follower *kind;
		void *self;
	} followers[FOLLOWERS_MAX];
	uint32_t follower_count;
	struct phases *phases;            /* NULL: in ticks */
	uint32_t call_count;              /* distinct calls */
	struct replay_process *processes; /* by process */
	bool any_without_receives;        /* of them */
	bool has_skipped;                 /* calls that were not recorded, so far */
	uint32_t process_count;
	bool is_huge;     /* those that have to do with each other for a while are in no cache */
	bool take_turns;  /* processes, because the session owns very many */
	uint32_t quantum; /* calls of a process before others have their turn */
	uint32_t
		limit; /* of the operations of one process that are under way, before other processes go first */
	uint32_t lookahead_limit; /* events that are kept to find the outcome of a request */
	struct process_queue ready, ahead;
	uint64_t settled; /* number of events when followers were last checked */
	uint64_t next_progress;
};

/* From replay.c: a waiting process continues; a process makes no more calls. */
void wake_process(struct replay *replay, uint32_t process);
void end_process(struct replay *replay, struct replay_process *proc);

/* True if no receive for it will be posted any more. */
static inline bool is_unmatchable(const struct replay *replay, const struct call_semantics *semantics,
                                  const struct envelope_queue *queue)
{
	return replay->any_without_receives && replay->processes[semantics->dest_process].posts_no_receives &&
	       !queue->first;
}

/* The process that waits for this message continues. */
static inline void wake_receiver(struct replay *replay, const struct match *match)
{
	uint32_t process;

	if (!(match->state & MATCH_AWAITED))
		return;
	process = match->post.semantics->process;
	if (replay->processes[process].waits_match == match)
		wake_process(replay, process);
}

/* Its receive was not recorded: only its own process will refer to it. */
void leave_unreceived(struct replay *replay, struct match *sent);

/* To waiting receives and probes. */
void deliver_message(struct replay *replay, struct match *sent, bool at_front);

/* The process of one side, MATCH_SEND_DONE or MATCH_RECEIVE_DONE, will not refer to it any more. */
static inline void match_done(struct replay *replay, struct match *match, uint32_t side)
{
	const uint32_t both = MATCH_SEND_DONE | MATCH_RECEIVE_DONE;

	match->state |= side;
	if (side == MATCH_SEND_DONE)
		match->completion = NO_COMPLETION;
	if ((match->state & both) != both)
		return;
	replay->processes[match->send.semantics->process].in_flight--;
	match_free(&replay->matcher, match);
}

/* NULL: it will not be received. */
static inline struct match *send_message(struct replay *replay, struct replay_process *proc,
                                         struct call_semantics *semantics, const struct occurrence *by)
{
	struct envelope_queue *queue;
	struct match *sent;

	if (semantics->dest_process == NO_PROCESS) {
		replay->counts->unmatched_sends++;
		return NULL;
	}
	if (!semantics->sends_to)
		semantics->sends_to = 1 + queue_number(&replay->matcher, sent_envelope(semantics));
	queue = queue_at(&replay->matcher, semantics->sends_to - 1);
	if (is_unmatchable(replay, semantics, queue)) {
		replay->counts->unmatched_sends++;
		return NULL;
	}
	sent = match_send(&replay->matcher, queue, by);
	proc->is_ahead |= ++proc->in_flight > replay->limit;
	if (sent->state & MATCH_RECEIVED)
		wake_receiver(replay, sent);
	else if (!(sent->state & MATCH_QUEUED))
		deliver_message(replay, sent, false);
	if (__builtin_expect(sent->state & MATCH_SKIPPED, 0)) {
		match_done(replay, sent, MATCH_SEND_DONE);
		return NULL;
	}
	return sent;
}

/* The queue of a receive whose source is known. */
struct envelope_queue *find_queue(struct replay *replay, struct call_semantics *semantics, int32_t source,
                                  int32_t tag);
struct envelope received_envelope(const struct replay *replay, const struct call_semantics *semantics,
                                  int32_t source, int32_t tag);

/* True if calls are counted. */
static inline bool counts_calls(const struct replay *replay)
{
	return wants_rows(&replay->rows, RELATION_SITE) || wants_rows(&replay->rows, RELATION_CALL_PAIR);
}

/* A call that posted a receive has got its message. */
static inline void note_received(struct thread *thread, const struct match *match)
{
	if (match->post.semantics == thread->calls.semantics)
		thread->sent = match->send.start;
}

/* True if somebody wants to know what completes the send of each message. */
static inline bool follows_sends(const struct replay *replay)
{
	return wants_rows(&replay->rows, RELATION_TRANSFER) || replay->rows.sink->sent;
}

/* The receive of a message is posted, and this call sent it or completed its send. */
static inline void tell_sent(const struct replay *replay, const struct occurrence *wait,
                             const struct match *match)
{
	const struct row_sink *sink = replay->rows.sink;

	if (sink->sent)
		sink->sent(sink->context, wait,
		           &(struct completed_message){.send = &match->send, .post = &match->post});
}

/* A match with both sides, completed by the call of one of them. */
static inline void write_one(struct replay *replay, struct match *match, const struct occurrence *wait,
                             bool is_send)
{
	if (is_send)
		tell_sent(replay, wait, match);
	if (wants_rows(&replay->rows, RELATION_TRANSFER)) {
		struct completion *completion;
		struct transfer *transfer = write_transfers(&replay->rows, 1, &completion);

		completion->wait = *wait;
		completion->met = wait->start;
		fill_transfer(transfer, match, is_send);
		if (!is_send)
			fill_earlier(transfer, match_earlier(match));
		copy_transfers(replay->rows.second, 1, completion, transfer);
	}
	match_done(replay, match, is_send ? MATCH_SEND_DONE : MATCH_RECEIVE_DONE);
}

/* For a receive with known source and tag. */
static inline struct match *post_receive(struct replay *replay, struct envelope_queue *queue,
                                         const struct occurrence *by)
{
	struct match *match = match_receive(&replay->matcher, queue, by);

	if (match->completion != NO_COMPLETION)
		completions_posted(replay, match);
	return match;
}

/* Counts messages and collectives that end before their causes began. */
static inline void check_time(struct replay *replay, const struct occurrence *effect, int64_t cause)
{
	replay->counts->violations += effect->end < cause;
}

/* A message has been received. */
static inline void note_order(struct replay *replay, struct replay_process *proc,
                              const struct occurrence *wait, const struct occurrence *send)
{
	if (!wants_rows(&replay->rows, RELATION_INVERSION))
		return;
	if (proc->late && is_inverted(proc->late, wait, send->start))
		inversions_look_back(proc->late, wait, send);
	if (send->start > wait->start)
		inversions_waited(replay, proc, wait, send);
}

/* From requests.c. The request that the current call of a thread refers to, NULL if none; a new one, NULL if
 * its number is invalid; one that was not completed, according to the trace, and never will be; the call of
 * an open receive is not needed any more. */
struct replay_operation *find_request(struct replay_process *proc, const struct thread *thread,
                                      int64_t number);
struct replay_operation *new_request(struct replay *replay, struct replay_process *proc,
                                     const struct thread *thread, int64_t number);
void request_abandon(struct replay *replay, struct replay_operation *operation);
void request_forget_parked(struct replay *replay, struct replay_operation *operation);
void cancel(struct replay *replay, struct replay_process *proc, struct replay_operation *operation);
/* A wildcard receive gets its place, now that the source of its message is known. */
void settle_parked(struct replay *replay, struct thread *thread, struct replay_operation *operation,
                   const struct outcome *outcome);
/* The message found under a number; NULL: none. */
struct match *take_message(struct replay_process *proc, const struct thread *thread, int64_t number);
/* True: the process waits for it; false: it has arrived, or never will. */
bool must_wait_for_message(struct replay *replay, struct replay_process *proc,
                           const struct replay_operation *operation);
void lose_receive(struct replay *replay, struct replay_operation *operation);
void meet(struct replay *replay, struct replay_operation *operation, const struct occurrence *by);
/* Other sessions need to know the operation that the call begins, unless it is a receive whose source is not known yet. */
void tell_begun(const struct replay *replay, const struct call_semantics *semantics,
                const struct occurrence *by);
/* A prepared operation at its start by `call` (call_started()); `starter` is the id of the call that starts it. */
struct call_semantics *started_semantics(struct replay *replay, struct call_semantics *prepared,
                                         uint32_t starter, const struct call *call);
/* For a collective call, in its order. */
uint32_t member_of(struct replay *replay, struct call_semantics *semantics);
void wake_members(struct replay *replay);

struct collective_entry entry_of(const struct call_semantics *semantics, int64_t moment);

/* From process_calls.c. A process continues; events of a thread are read; the thread with the earliest next
 * step, NULL at the end; and it will post no more receives. */
enum quantum { QUANTUM_OVER, QUANTUM_AHEAD, QUANTUM_WAITS, QUANTUM_ENDS };

enum quantum run_quantum(struct replay *replay, struct replay_process *proc);
void read_events(struct replay *replay, struct replay_process *proc, struct thread *thread);
/* The thread with the earliest next step; NULL at the end. */
struct thread *pick_thread(struct replay_process *proc);
void end_receives(struct replay *replay, struct replay_process *proc);

static inline int64_t shifted(struct thread *thread, int64_t ns)
{
	return thread->shifts ? ns + shift_at(thread->shifts, ns, true) : ns;
}

/* The times of the current call, since the start of the run. It is built in registers and written two words
 * at a time: it is copied at once, and reading larger words than were written stalls. */
static inline void note_corrected_time(const struct replay *replay, struct thread *thread)
{
	const struct event *event = thread->calls.event;
	const struct call_semantics *semantics = thread->calls.semantics;
	int64_t start = shifted(thread, clock_piece_ns(thread->clock, event->start)) - replay->origin;
	int64_t end = shifted(thread, clock_piece_ns(thread->clock, event->end)) - replay->origin;
	struct occurrence *now = &thread->now;

	now->semantics = semantics;
	now->start = start;
	now->end = end;
	now->position = thread->position;
	if (now->phase != thread->phase)
		now->phase = thread->phase;
	thread->position += (semantics->does & CALL_COMMUNICATES) != 0;
}

void operations_begin(struct replay *replay, struct replay_process *proc, struct thread *thread);
bool operations_end(struct replay *replay, struct replay_process *proc, struct thread *thread);

struct event_source source_of(const struct replay *replay, struct replay_process *proc,
                              struct thread *thread);

/* From skipped_calls.c: unrecorded calls take their places. Those of all threads of the
 * process before a tick. */
void skip_calls_before(struct replay *replay, struct replay_process *proc, uint64_t tick);
/* Unrecorded receives. */
void skip_receives(struct replay *replay, struct envelope_queue *queue, uint64_t count);
/* An unrecorded open receive has ended. */
void skip_open_receive(struct replay *replay, struct replay_operation *operation,
                       const struct outcome *outcome);

#endif
