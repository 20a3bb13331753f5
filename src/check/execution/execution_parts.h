/* Between the files of the course. */
#ifndef TARRY_CHECK_COURSE_EXECUTION_H
#define TARRY_CHECK_COURSE_EXECUTION_H

#include "check/execution/steps.h"

/* Listeners: LISTENERS_CALL(course, began, operation). */
#define LISTENERS_CALL(course, what, ...) \
	({ \
		for (uint32_t listener_i = 0; listener_i < (course)->listener_count; listener_i++) \
			if ((course)->listeners[listener_i].what) \
				(course)->listeners[listener_i].what((course)->listeners[listener_i].owner, \
				                                     __VA_ARGS__); \
	})

/* What the course keeps of a communicator, window or file. */
struct course_comm {
	struct analysed_comm *known;
	uint32_t member_count;
	uint64_t *next;                   /* by place: sequence of its next collective call */
	struct sequence_ring collectives; /* struct course_collective: that not all came to */
	struct course_inbox **inboxes;    /* by place; NULL: nothing is there */
	uint32_t ended;                   /* members that have freed it */
	struct course_window *window;     /* NULL: nobody has synchronised it */
};

/* arrival.c: of one that has said nothing of its course, too. */
struct course_process *course_process_get(struct course *course, struct analysed_process *known);

/* execution.c */

/* A thread that is not blocked executes its next step. */
void thread_execute(struct course *course, struct course_thread *thread, const struct course_step *step);
/* The program has left the call that its thread is blocked in. */
void thread_returned(struct course *course, struct course_thread *thread);
/* It goes on with course_run. */
void thread_wake(struct course *course, struct course_thread *thread);
void thread_block(struct course *course, struct course_thread *thread, enum blocked_on on);
struct course_comm *course_comm_get(struct analysed_comm *known);
/* Of one on which nothing is under way. */
void course_comm_free(struct course_comm *comm);
static inline uint32_t place_of(const struct comm_member *member)
{
	return (member->side ? member->comm->size[0] : 0) + member->rank;
}

/* operations.c */

/* Does nobody have to wait for it? */
static inline bool operation_is_done(const struct course_operation *operation)
{
	return operation->state & (OPERATION_MATCHED | OPERATION_BUFFERED | OPERATION_VOID);
}

static inline struct course_operation *operation_keep(struct course_operation *operation)
{
	operation->references++;
	return operation;
}

void operation_release(struct course *course, struct course_operation *operation);
/* NULL: it is over. One that has not begun is found if its process has several threads, or something was said of it. */
struct course_operation *operation_find(const struct course_process *process, uint64_t number);
/* It begins; kept once for the caller. */
struct course_operation *operation_begin(struct course *course, struct course_thread *thread,
                                         struct analysed_call *call, uint64_t number);
/* Its state says that nobody has to wait for it any more: whoever does goes on. */
void operation_done(struct course *course, struct course_operation *operation);
/* Its process knows that it is complete, or it is dropped, or never happened: `how` is the state. */
void operation_over(struct course *course, struct course_operation *operation, uint32_t how);
/* Facts, whatever their thread is doing. */
void operation_takes(struct course *course, struct course_process *process, uint64_t number, int32_t source,
                     int32_t tag);
void operation_drops(struct course *course, struct course_process *process, uint64_t number,
                     bool never_happened);
/* It will begin, with this call (NULL: not known): it can be found from now on. */
void operation_expect(struct course *course, struct course_process *process, uint64_t number,
                      struct analysed_call *call);
void operations_release(struct course *course, struct course_process *process);

static inline bool is_receive(const struct course_operation *operation)
{
	return operation->call->operation == OPERATION_RECEIVE ||
	       operation->call->operation == OPERATION_MATCHED_PROBE;
}

/* messages.c */
void message_begins(struct course *course, struct course_operation *operation);
/* A receive or probe with a wildcard, which has begun, says what it took. */
void message_takes(struct course *course, struct course_operation *operation);
/* It never happened. */
void message_void(struct course *course, struct course_operation *operation);
/* Whoever waits for it has really gone on. */
void message_returned(struct course *course, struct course_operation *operation);
/* Is somebody there for it, but nobody knows yet whether it is the one? */
bool message_is_undecided(const struct course_operation *operation);
/* Are there sends for this receive that others with a wildcard could take, which began before it? */
bool message_has_rivals(const struct course_operation *receive);
void channels_release(struct course *course);
void inboxes_release(struct course *course, struct course_comm *comm);
bool inboxes_are_empty(const struct course_comm *comm);
void inboxes_free(struct course_comm *comm); /* that are empty */

/* collective_waits.c */
/* Threads may be executed in another order than they made their calls: the number of a call is taken when it arrives. */
void collective_count(struct course_operation *operation, const struct analysed_call *call);
void collective_begins(struct course *course, struct course_operation *operation);
void collective_over(struct course *course, struct course_operation *operation);
void collectives_release(struct course *course, struct course_comm *comm);

/* waits.c: as course_waits, also of threads that are tested */
void course_waits_of(struct course *course, struct course_thread *thread, wait_add *add, void *owner);

/* windows.c: synchronisation of windows */
void window_executes(struct course *course, struct course_thread *thread, struct analysed_call *call);
/* Listeners know the call: it changes the window. */
void window_follow(struct analysed_call *call);
/* It goes on, whatever it waited for. */
void window_passes(struct course *course, struct course_thread *thread);
void window_returned(struct course *course, struct course_thread *thread);
void window_waits(struct course *course, struct course_thread *thread, wait_add *add, void *owner);
void window_release(struct course_comm *comm);

#endif
