/* The agent's state in a process and in each of its threads. */
#ifndef TARRY_JOB_CHECK_WIRE_PROCESS_STATE_H
#define TARRY_JOB_CHECK_WIRE_PROCESS_STATE_H

#include "check/protocol/messages.h"
#include "job/check/wire/agent_call.h"
#include "job/check/wire/announced.h"
#include "job/mpi/held_file.h"
#include "job/mpi/host.h"

#include <pthread.h>

enum agent_phase {
	AGENT_NEW,       /* before the first call */
	AGENT_READY,     /* the folder of the run is known; MPI_Init may follow */
	AGENT_IN_MPI,    /* between MPI_Init and MPI_Finalize */
	AGENT_FINALIZED, /* analysers know it; only findings are still sent */
	AGENT_OFF,       /* stepped aside */
};

struct checked_process {
	pthread_mutex_t lock; /* recursive: protects MPI objects shared by threads, and `threads` */
	struct agent_thread *threads;
	enum agent_phase phase;
	const char *folder; /* of the run */
	struct held_file folder_file;
	uint8_t key[CHECK_KEY_BYTES];
	char host[64];
	uint64_t world;
	uint32_t rank, size; /* UINT32_MAX, 0: not known yet */
	bool shared;         /* MPI_THREAD_MULTIPLE: threads may call concurrently */
	bool any_thread_calls; /* MPI_THREAD_SERIALIZED or higher: any thread may call MPI, possibly by mistake */
	bool chooses_handlers; /* the program has set an error handler: errors may be returned */
	bool by_session;       /* MPI began with MPI_Session_init: there is no MPI_Finalize */
	uint32_t generation; /* counts ends of objects, distinct calls and files; older caches are invalid */
};

extern HIDDEN struct checked_process checked;

/* State from events_before() for events_after(): the pushed or postponed calls. */
struct thread_events {
	struct announced_call *send, *receive, *collective;
	/* The operations that they began; 0: none. A probe counts as a receive. */
	uint64_t send_operation, receive_operation, collective_operation;
	uint32_t broadcast; /* number of a broadcast on its communicator, if its data is compared; 0: none */
	bool is_root;       /* of the broadcast: `content` is the sent data */
	struct message_content content;
	uint64_t content_of; /* the receive whose data must be reported (message_contents.h); 0: none */
	bool is_open;        /* events_after() has not seen the call yet */
};

enum { REJECTION_CLASS = 40, REJECTION_TEXT = 512 };

/* MPI's message about a rejected call (rejected_calls.h). */
struct rejection {
	const struct agent_call *call; /* NULL: none */
	int error_class;
	char class[REJECTION_CLASS], text[REJECTION_TEXT];
};

struct agent_thread {
	uint32_t number;      /* in the order of first calls: 0 is the first thread */
	int32_t system_id;    /* the kernel's number */
	uintptr_t limit;      /* frame of the unfinished call: a call from a frame below it is nested in it */
	uintptr_t idle_limit; /* 0; UINTPTR_MAX: the agent has stepped aside */
	const struct agent_call *current; /* the call that the thread is in; NULL: none */
	enum call_id last_id;             /* this and the next: the previous call, and its site */
	const void *last_site;
	uint64_t entered; /* counts calls, to recognise whether the call is still the same */
	/* The distinct call of its last event, and `entered` at that time: the thread is in that call while
	 * `entered` is unchanged and `current` is not NULL. */
	uint32_t event_call;
	uint64_t event_entered;
	bool is_shown_inside; /* for analysers, the thread is still in the call of its last event */
	struct thread_events events;
	struct rejection rejection; /* the last one */
	struct origins *origins;    /* NULL: no memory */
	uint32_t unloads;           /* of files, when the paths of `origins` were valid */
	struct agent_thread *next;
};

extern _Thread_local struct agent_thread *agent_self __attribute__((tls_model("initial-exec")));

/* The calling thread has pushed an event of its current call. */
static inline void thread_pushed(uint32_t call)
{
	struct agent_thread *thread = agent_self;

	RELAXED_STORE(thread->event_call, call);
	RELAXED_STORE(thread->event_entered, thread->entered);
	thread->is_shown_inside = true;
}

/* The folder of the run; -1: it cannot be opened. */
int agent_folder(void);

static inline bool agent_is_off(void)
{
	return RELAXED_LOAD(checked.phase) == AGENT_OFF;
}

/* For tables that threads access concurrently only under MPI_THREAD_MULTIPLE. */
static inline void lock_if_shared(void)
{
	if (UNLIKELY(checked.shared))
		host_lock();
}

static inline void unlock_if_shared(void)
{
	if (UNLIKELY(checked.shared))
		host_unlock();
}

#endif
