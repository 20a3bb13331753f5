/* Shared by the files of the execution. */
#ifndef TARRY_CHECK_EXECUTION_EXECUTION_PARTS_H
#define TARRY_CHECK_EXECUTION_EXECUTION_PARTS_H

#include "check/execution/facts.h"
#include "check/execution/steps.h"

/* Listeners: LISTENERS_CALL(execution, began, operation). */
#define LISTENERS_CALL(execution, what, ...) \
	({ \
		for (uint32_t listener_i = 0; listener_i < (execution)->listener_count; listener_i++) \
			if ((execution)->listeners[listener_i].what) \
				(execution)->listeners[listener_i].what( \
					(execution)->listeners[listener_i].owner, __VA_ARGS__); \
	})

/* State of the execution for a communicator, window or file */
struct executed_comm {
	struct analysed_comm *known;
	uint32_t member_count;
	bool is_disordered; /* members called different functions: later calls may match differently */
	struct sequence_ring collectives; /* struct executed_collective: those not all members have reached */
	struct message_inbox **inboxes;   /* by place; NULL: empty */
	struct executed_window *window;   /* NULL: never synchronised */
};

/* arrival.c: creates a process without events, too. */
struct executed_process *executed_process_get(struct execution *execution, struct analysed_process *known);

/* NULL: the member is unknown, or has no events. */
static inline struct executed_process *member_process(const struct analysed_comm *comm, uint32_t place)
{
	return comm->members[place] ? comm->members[place]->execution : NULL;
}

/* threads.c */

/* A thread that is not blocked executes its next step. */
void thread_execute(struct execution *execution, struct executed_thread *thread,
                    const struct execution_step *step);
/* The program has left the call in which its thread is blocked. */
void thread_returned(struct execution *execution, struct executed_thread *thread);
/* It continues in execution_run. */
void thread_wake(struct execution *execution, struct executed_thread *thread);
void thread_block(struct execution *execution, struct executed_thread *thread, enum blocked_on on);
/* It is in a blocking call that began this operation. */
void thread_begins(struct execution *execution, struct executed_thread *thread,
                   struct executed_operation *operation);
void thread_set_call(struct execution *execution, struct executed_thread *thread, struct analysed_call *call);
struct executed_comm *executed_comm_get(struct analysed_comm *known);
/* For a communicator without pending operations. */
void executed_comm_free(struct executed_comm *comm);

/* resume.c: the state of a process from another execution. False: invalid. */
bool resume_comm(struct executed_process *process, struct cursor *in);
bool resume_operation(struct execution *execution, struct executed_process *process, struct cursor *in);
bool resume_process(struct execution *execution, struct executed_process *process, struct cursor *in);

/* operations.c */

/* True if no thread needs to wait for it. */
static inline bool operation_is_done(const struct executed_operation *operation)
{
	return operation->state & (OPERATION_MATCHED | OPERATION_BUFFERED | OPERATION_VOID);
}

static inline struct executed_operation *operation_keep(struct executed_operation *operation)
{
	operation->references++;
	return operation;
}

void operation_release(struct execution *execution, struct executed_operation *operation);
/* NULL: it is over. An operation that has not begun is found if its process has several threads, or if
 * something is known about it. */
struct executed_operation *operation_find(const struct executed_process *process, uint64_t number);
/* It begins; the caller gets one reference. */
struct executed_operation *operation_begin(struct execution *execution, struct executed_thread *thread,
                                           struct analysed_call *call, uint64_t number);
/* Its state says that no thread needs to wait for it: its waiter continues. */
void operation_done(struct execution *execution, struct executed_operation *operation);
/* Its process knows that it is complete, or it is dropped, or never happened: `how` is the state. */
void operation_over(struct execution *execution, struct executed_operation *operation, uint32_t how);
/* It has its partner: a part need not keep it any longer. */
void operation_settled(struct execution *execution, struct executed_operation *operation);
/* Facts that do not depend on the state of their thread. */
void operation_takes(struct execution *execution, struct executed_process *process, uint64_t number,
                     int32_t source, int32_t tag);
void operation_drops(struct execution *execution, struct executed_process *process, uint64_t number,
                     bool never_happened);
/* It will begin, with this call (NULL: unknown): it can be found from now on. */
void operation_expect(struct execution *execution, struct executed_process *process, uint64_t number,
                      struct analysed_call *call);
/* The operation of a fact from another execution; that of an image is created at its first fact. Kept for the
 * caller; NULL: it is over. */
struct executed_operation *operation_of_fact(struct execution *execution, struct executed_process *process,
                                             const struct carried_fact *fact);
/* True if messages of both calls, of one process, could belong to one channel. */
bool calls_may_share_channel(const struct analysed_call *a, const struct analysed_call *b);
/* It is unknown which message of its channel belongs to this operation. */
void operation_unordered(struct execution *execution, struct executed_process *process, uint64_t number,
                         const struct analysed_call *call);
void operations_release(struct execution *execution, struct executed_process *process);

/* messages.c */
void message_begins(struct execution *execution, struct executed_operation *operation);
/* The message of a receive or probe with a wildcard is now known. */
void message_takes(struct execution *execution, struct executed_operation *operation);
/* It never happened. */
void message_void(struct execution *execution, struct executed_operation *operation);
/* The program has left the call that waits for it. */
void message_returned(struct execution *execution, struct executed_operation *operation);
/* Of a send; the sender itself if the process with this rank is unknown. */
struct executed_process *message_receiver(const struct execution *execution,
                                          const struct executed_operation *send);
/* True if there may be a partner for it, but this is not certain yet. */
bool message_is_undecided(const struct executed_operation *operation);
/* True if there are sends for this receive that earlier receives with a wildcard could take. */
bool message_has_rivals(const struct executed_operation *receive);
void channels_release(struct execution *execution);
void inboxes_release(struct execution *execution, struct executed_comm *comm);
bool inboxes_are_empty(const struct executed_comm *comm);
void inboxes_free(struct executed_comm *comm); /* that are empty */

/* collective_waits.c */
/* Threads may be executed in another order than they made their calls: a call is numbered when it arrives. */
void collective_count(struct executed_operation *operation, const struct analysed_call *call);
void collective_begins(struct execution *execution, struct executed_operation *operation);
/* Its sequence is known. */
void collective_joins(struct execution *execution, struct executed_operation *operation);
void collective_over(struct execution *execution, struct executed_collective *collective);
void collectives_release(struct execution *execution, struct executed_comm *comm);

/* waits.c: like execution_waits, also for tested threads */
void execution_waits_of(struct execution *execution, struct executed_thread *thread, wait_add *add,
                        void *owner);

/* windows.c: synchronisation of windows */
void window_executes(struct execution *execution, struct executed_thread *thread, struct analysed_call *call);
/* Listeners have seen the call: it changes the window. */
void window_follow(struct analysed_call *call);
/* It continues without its wait being satisfied. */
void window_passes(struct execution *execution, struct executed_thread *thread);
/* The thread stops waiting because it is freed. Wakes no other thread. */
void window_wait_free(struct execution *execution, struct executed_thread *thread);
void window_returned(struct execution *execution, struct executed_thread *thread);
void window_waits(struct execution *execution, struct executed_thread *thread, wait_add *add, void *owner);
/* True if a thread is blocked in it. */
bool window_is_awaited(const struct executed_comm *comm);
void window_release(struct executed_comm *comm);

#endif
