/* Shared by the files of the execution */
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
	bool is_disordered; /* members called different functions: later calls may belong together otherwise */
	struct sequence_ring collectives; /* struct executed_collective: that not all came to */
	struct message_inbox **inboxes;   /* by place; NULL: nothing is there */
	struct executed_window *window;   /* NULL: nobody has synchronised it */
};

/* arrival.c: of one that has said nothing of its execution, too. */
struct executed_process *executed_process_get(struct execution *execution, struct analysed_process *known);

/* NULL: nobody has said that it is this member, or it has said nothing else. */
static inline struct executed_process *member_process(const struct analysed_comm *comm, uint32_t place)
{
	return comm->members[place] ? comm->members[place]->execution : NULL;
}

/* threads.c */

/* A thread that is not blocked executes its next step. */
void thread_execute(struct execution *execution, struct executed_thread *thread,
                    const struct execution_step *step);
/* The program has left the call that its thread is blocked in. */
void thread_returned(struct execution *execution, struct executed_thread *thread);
/* It goes on with execution_run. */
void thread_wake(struct execution *execution, struct executed_thread *thread);
void thread_block(struct execution *execution, struct executed_thread *thread, enum blocked_on on);
/* It is in a blocking call that began this operation. */
void thread_begins(struct execution *execution, struct executed_thread *thread,
                   struct executed_operation *operation);
void thread_set_call(struct execution *execution, struct executed_thread *thread, struct analysed_call *call);
struct executed_comm *executed_comm_get(struct analysed_comm *known);
/* Of one on which nothing is under way. */
void executed_comm_free(struct executed_comm *comm);

/* resume.c: the state of a process that another execution had. False: it makes no sense. */
bool resume_comm(struct executed_process *process, struct cursor *in);
bool resume_operation(struct execution *execution, struct executed_process *process, struct cursor *in);
bool resume_process(struct execution *execution, struct executed_process *process, struct cursor *in);

/* operations.c */

/* Does nobody have to wait for it? */
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
/* NULL: it is over. One that has not begun is found if its process has several threads, or something was said of it. */
struct executed_operation *operation_find(const struct executed_process *process, uint64_t number);
/* It begins; kept once for the caller. */
struct executed_operation *operation_begin(struct execution *execution, struct executed_thread *thread,
                                           struct analysed_call *call, uint64_t number);
/* By its state, nobody has to wait for it any more: its waiter goes on. */
void operation_done(struct execution *execution, struct executed_operation *operation);
/* Its process knows that it is complete, or it is dropped, or never happened: `how` is the state. */
void operation_over(struct execution *execution, struct executed_operation *operation, uint32_t how);
/* It has its partner: a part does not have to keep it any longer. */
void operation_settled(struct execution *execution, struct executed_operation *operation);
/* Facts, whatever their thread is doing. */
void operation_takes(struct execution *execution, struct executed_process *process, uint64_t number,
                     int32_t source, int32_t tag);
void operation_drops(struct execution *execution, struct executed_process *process, uint64_t number,
                     bool never_happened);
/* It will begin, with this call (NULL: not known): it can be found from now on. */
void operation_expect(struct execution *execution, struct executed_process *process, uint64_t number,
                      struct analysed_call *call);
/* The operation that a fact of another execution is about; that of an image is made when it is first told. Kept for the caller; NULL: it is over. */
struct executed_operation *operation_told(struct execution *execution, struct executed_process *process,
                                          const struct carried_fact *fact);
/* Could messages of both, of one process, be of one channel? */
bool calls_may_share_channel(const struct analysed_call *a, const struct analysed_call *b);
/* Nobody knows which message of its channel is the one of this operation. */
void operation_unordered(struct execution *execution, struct executed_process *process, uint64_t number,
                         const struct analysed_call *call);
void operations_release(struct execution *execution, struct executed_process *process);

/* messages.c */
void message_begins(struct execution *execution, struct executed_operation *operation);
/* The message of a receive or probe with a wildcard becomes known. */
void message_takes(struct execution *execution, struct executed_operation *operation);
/* It never happened. */
void message_void(struct execution *execution, struct executed_operation *operation);
/* Whoever waits for it has really gone on. */
void message_returned(struct execution *execution, struct executed_operation *operation);
/* Of a send; the sender itself if nobody has said that it is this rank. */
struct executed_process *message_receiver(const struct execution *execution,
                                          const struct executed_operation *send);
/* Is somebody there for it, but nobody knows yet whether it is the one? */
bool message_is_undecided(const struct executed_operation *operation);
/* Are there sends for this receive that others with a wildcard could take, which began before it? */
bool message_has_rivals(const struct executed_operation *receive);
void channels_release(struct execution *execution);
void inboxes_release(struct execution *execution, struct executed_comm *comm);
bool inboxes_are_empty(const struct executed_comm *comm);
void inboxes_free(struct executed_comm *comm); /* that are empty */

/* collective_waits.c */
/* Threads may be executed in another order than they made their calls: the number of a call is taken when it arrives. */
void collective_count(struct executed_operation *operation, const struct analysed_call *call);
void collective_begins(struct execution *execution, struct executed_operation *operation);
/* Its sequence is known. */
void collective_joins(struct execution *execution, struct executed_operation *operation);
void collective_over(struct execution *execution, struct executed_collective *collective);
void collectives_release(struct execution *execution, struct executed_comm *comm);

/* waits.c: as execution_waits, also of threads that are tested */
void execution_waits_of(struct execution *execution, struct executed_thread *thread, wait_add *add,
                        void *owner);

/* windows.c: synchronisation of windows */
void window_executes(struct execution *execution, struct executed_thread *thread, struct analysed_call *call);
/* Listeners know the call: it changes the window. */
void window_follow(struct analysed_call *call);
/* It goes on, whatever it waited for. */
void window_passes(struct execution *execution, struct executed_thread *thread);
/* The thread stops waiting and does not go on: it is freed. It wakes no other thread. */
void window_wait_free(struct execution *execution, struct executed_thread *thread);
void window_returned(struct execution *execution, struct executed_thread *thread);
void window_waits(struct execution *execution, struct executed_thread *thread, wait_add *add, void *owner);
/* Is a thread blocked in it? */
bool window_is_awaited(const struct executed_comm *comm);
void window_release(struct executed_comm *comm);

#endif
