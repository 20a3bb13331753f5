#include "job/check/wire/service.h"

#include "base/timed_lock.h"
#include "check/protocol/address.h"
#include "job/check/wire/activity.h"
#include "job/check/wire/connection.h"
#include "job/check/wire/ending.h"
#include "job/check/wire/interrupt.h"
#include "job/check/wire/node.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/tasks.h"
#include "job/check/wire/unsent_events.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	BATCH_MS = 4,
	BUSY_BATCH_MS = 16, /* while the program computes: processes that wait for it are not in a deadlock */
	CONNECT_MS = 5000,
	LOCK_MS = 5000,
	STUCK_MS = 50,
	QUESTIONS = 4, /* maximum that wait for an answer */
};

struct asked_question {
	uint64_t number;
	bool wants_stacks;
};

static struct {
	pthread_mutex_t lock; /* for readers of the ring, connections and numbers */
	uint32_t wakes;       /* the service thread sleeps on it */
	pthread_t thread;
	bool has_thread, stops, ended;
	bool is_stuck, expects_end; /* what the analyser of the node knows */
	uint64_t moves;             /* number of calls of all threads, at the last look */
	uint32_t still_ms;          /* how long nothing has changed */
	bool is_busy;               /* a thread was outside MPI at the last look */
	char node_addresses[NODE_ADDRESSES_MAX];
	struct analyser_connection node; /* to the analyser of this node */
	struct held_file parting;        /* this connection after BYE, until the process ends; fd -1: none */
	struct asked_question questions[QUESTIONS];
	uint32_t question_count;
	bool is_stopped; /* the run is being ended */
	struct message_writer body;
} service = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.node = {.socket = {.fd = -1}},
	.parting = {.fd = -1},
};

/* If a thread were cancelled while it holds the lock, the lock would never be released. */
static int lock_service(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&service.lock);
	return before;
}

static void unlock_service(int before)
{
	pthread_mutex_unlock(&service.lock);
	pthread_setcancelstate(before, NULL);
}

static bool is_open(void)
{
	return !agent_is_off() && !service.ended;
}

/* For all functions below, the caller holds the lock. */

/* Also makes a writer usable again that could not grow. */
static void clear_body(void)
{
	service.body.size = 0;
	service.body.failed = false;
}

static bool connect_node(void)
{
	int fd;

	if (service.node.socket.fd >= 0)
		return true;
	if (!connection_init(&service.node, NUMBERED_CALLS_MAX, NUMBERED_TYPES_MAX))
		return false;
	service.node.gets_file = true;
	service.node.is_late = service.ended;
	fd = node_connect(service.node_addresses, sizeof service.node_addresses);
	if (fd >= 0 && connection_begin(&service.node, fd))
		return true;
	agent_step_aside("no analyser can be reached");
	return false;
}

static void lose_analyser(void)
{
	agent_step_aside("its analyser is gone");
}

static struct analyser_connection *connection(void)
{
	return is_open() && service.node.socket.fd >= 0 ? &service.node : NULL;
}

static void send_all(void)
{
	if (service.node.socket.fd >= 0 && service.node.out.size && !connection_send(&service.node))
		lose_analyser();
}

/* From the ring to the analyser, which gets the definition of a call, type or communicator before the
 * first event with it. */

enum { STEP_WORDS = UNSENT_WORDS / 8 };

static bool was_announced(uint64_t *bits, uint32_t number)
{
	const uint64_t bit = (uint64_t)1 << number % 64;
	const bool before = bits[number / 64] & bit;

	bits[number / 64] |= bit;
	return before;
}

static void copy_frame(const struct unsent_frame *frame, struct analyser_connection *c)
{
	connection_copy(c, unsent_events->frames + frame->at, frame->size);
}

/* Sends parts before the types that contain them. */
static void send_type(const struct announced_type *type,
                      struct analyser_connection *c) /* NOLINT(misc-no-recursion) */
{
	if (!type || !type->number || was_announced(c->announced_types, type->number))
		return;
	for (uint32_t i = 0; i < type->part_count; i++)
		send_type(type->parts[i].type, c);
	copy_frame(&type->frame, c);
}

static void send_comm(struct announced_comm *comm, struct analyser_connection *c)
{
	/* If the definition was pushed, it was sent from the ring, before the call. */
	if (!comm || comm->is_pushed || comm->is_sent)
		return;
	comm->is_sent = true;
	copy_frame(&comm->frame, c);
}

static void send_call(struct announced_call *call, struct analyser_connection *c)
{
	send_comm(call->comm, c);
	send_type(call->send.type, c);
	send_type(call->receive.type, c);
	for (uint32_t i = 0; i < call->call.send_list_count; i++)
		send_type(call->send_list[i].type, c);
	for (uint32_t i = 0; i < call->call.receive_list_count; i++)
		send_type(call->receive_list[i].type, c);
	copy_frame(&call->frame, c);
}

/* Sends the definition of a call unless the analyser has it. */
static void announce(uint64_t number, struct analyser_connection *c)
{
	if (UNLIKELY(!was_announced(c->announced_calls, (uint32_t)number)))
		send_call(numbered_call(number), c);
}

static void put_change(struct analyser_connection *c, enum event_change change, uint64_t number)
{
	connection_number(c, 0);
	connection_number(c, change);
	connection_number(c, number);
}

static uint64_t word_at(uint64_t at)
{
	return unsent_events->words[at % UNSENT_WORDS];
}

static void put_distances(struct analyser_connection *c, uint64_t at, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		connection_number(c, (uint32_t)(word_at(at + i / 2) >> 32 * (i % 2)));
}

static void send_definition(uint64_t at, struct analyser_connection *c)
{
	struct unsent_frame frame = {.at = (uint32_t)at};
	uint32_t length;

	memcpy(&length, unsent_events->frames + frame.at, sizeof length);
	frame.size = (uint32_t)sizeof length + length;
	copy_frame(&frame, c);
}

/* Sends the word before `at`, which refers to a call. Returns the position after all words that belong to it. */
static uint64_t send_call_word(enum unsent_kind kind, uint64_t number, uint64_t at,
                               struct analyser_connection *c)
{
	announce(number, c);
	switch (kind) {
	case UNSENT_EVENT_WITH:
		connection_number(c, number);
		connection_number(c, word_at(at));
		return at + 1;
	case UNSENT_RECEIVES:
		put_change(c, CHANGE_RECEIVES, number);
		connection_number(c, word_at(at));
		return at + 1;
	case UNSENT_REJECTED:
		put_change(c, CHANGE_REJECTED, number);
		return at;
	case UNSENT_WAITS:
		put_change(c, CHANGE_WAITS, number);
		connection_number(c, word_at(at));
		put_distances(c, at + 1, word_at(at));
		return at + 1 + (word_at(at) + 1) / 2;
	case UNSENT_WINDOW:
		put_change(c, CHANGE_WINDOW, number);
		connection_number(c, word_at(at));
		return at + 1;
	case UNSENT_CONTENT:
		put_change(c, CHANGE_CONTENT, number);
		for (int i = 0; i < 3; i++)
			connection_number(c, word_at(at + (uint64_t)i));
		return at + 3;
	default:
		connection_number(c, number);
		return at;
	}
}

/* The same for any word. */
static uint64_t send_word(uint64_t word, uint64_t at, struct analyser_connection *c)
{
	const enum unsent_kind kind = word % (1 << UNSENT_KIND_BITS);
	const uint64_t number = word >> UNSENT_KIND_BITS;

	switch (kind) {
	case UNSENT_TAKES:
		put_change(c, CHANGE_TAKES, number);
		connection_number(c, zigzag((int32_t)(uint32_t)(word_at(at) >> 32)));
		connection_number(c, zigzag((int32_t)(uint32_t)word_at(at)));
		return at + 1;
	case UNSENT_COMPLETES:
		put_change(c, CHANGE_COMPLETES, number);
		put_distances(c, at, number);
		return at + (number + 1) / 2;
	case UNSENT_DROPS:
		put_change(c, CHANGE_DROPS, number >> 1);
		connection_number(c, number & 1);
		return at;
	case UNSENT_THREAD:
		put_change(c, CHANGE_THREAD, number);
		return at;
	case UNSENT_LEFT:
		put_change(c, CHANGE_LEFT, number);
		return at;
	case UNSENT_COMM:
		send_definition(number, c);
		return at;
	case UNSENT_ENDS:
		put_change(c, CHANGE_ENDS, word_at(at));
		return at + 1;
	default:
		return send_call_word(kind, number, at, c);
	}
}

/* Sends the contents of the ring, and marks them as sent afterwards: if the process vanishes, the ring has exactly the unsent events. */
static void drain(void)
{
	struct analyser_connection *c = connection();
	uint64_t tail = unsent_events->tail;
	const uint64_t head = __atomic_load_n(&unsent_events->head, __ATOMIC_ACQUIRE);

	while (c && tail != head && !agent_is_off()) {
		tail = send_word(word_at(tail), tail + 1, c);
		c->position = tail;
		if (UNLIKELY(c->out.size >= CONNECTION_BATCH) && !connection_send(c))
			lose_analyser();
		if (tail - unsent_events->tail >= STEP_WORDS || tail == head) {
			send_all();
			__atomic_store_n(&unsent_events->tail, tail, __ATOMIC_RELEASE);
		}
	}
}

static bool take_question(struct cursor *body)
{
	struct asked_question question;

	question.number = take_varint(body);
	question.wants_stacks = take_varint(body) != 0;
	if (body->bad)
		return false;
	/* If there are this many questions, nobody waits for the oldest answer any more. */
	if (service.question_count == QUESTIONS)
		memmove(service.questions, service.questions + 1,
		        --service.question_count * sizeof *service.questions);
	service.questions[service.question_count++] = question;
	return true;
}

/* Only notes work for the service thread, because another thread may execute this. */
static bool take_frame(struct analyser_connection *c, enum message_kind kind, struct cursor *body)
{
	(void)c;
	switch (kind) {
	case MESSAGE_ASK:
		return take_question(body);
	case MESSAGE_STOP:
		RELAXED_STORE(service.is_stopped, true);
		return true;
	default:
		return true;
	}
}

static void work(void)
{
	if (!is_open() || service.node.socket.fd < 0)
		return;
	if (!connection_receive(&service.node, take_frame)) {
		lose_analyser();
		return;
	}
	if (unsent_events)
		drain();
	send_all();
}

void service_flush(void)
{
	int before = lock_service();

	work();
	unlock_service(before);
}

void service_wake(void)
{
	__atomic_fetch_add(&service.wakes, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &service.wakes, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Reports that the process has been in a call for a long time, or has left it. */
static void send_state(bool is_stuck, uint64_t ns)
{
	if (service.node.socket.fd < 0 || service.is_stuck == is_stuck)
		return;
	service.is_stuck = is_stuck;
	clear_body();
	put_number(&service.body, is_stuck);
	put_number(&service.body, ns);
	connection_frame(&service.node, MESSAGE_STATE, &service.body);
}

/* True if all threads that call MPI are in a call, the same one as at the last look. */
static bool nobody_moves(void)
{
	uint64_t moves = 0;
	bool all_in_calls = true;

	/* Another thread has the lock: it is running, or waits for room in the ring. */
	if (pthread_mutex_trylock(&checked.lock) != 0)
		return false;
	for (const struct agent_thread *thread = checked.threads; thread; thread = thread->next) {
		moves += RELAXED_LOAD(thread->entered);
		all_in_calls &= RELAXED_LOAD(thread->current) != NULL;
	}
	host_unlock();
	service.is_busy = !all_in_calls;
	if (all_in_calls && moves == service.moves)
		return true;
	service.moves = moves;
	return false;
}

static void look_at_threads(void)
{
	int before;

	service.still_ms = nobody_moves() ? service.still_ms + BATCH_MS : 0;
	if ((service.still_ms >= STUCK_MS) == service.is_stuck)
		return;
	before = lock_service();
	if (is_open() && !service.expects_end) {
		send_state(service.still_ms >= STUCK_MS, (uint64_t)service.still_ms * 1000000);
		send_all();
	}
	unlock_service(before);
}

void service_expect_end(bool expected)
{
	int before = lock_service();

	if (is_open()) {
		service.expects_end = expected;
		send_state(expected, 0);
		send_all();
	}
	unlock_service(before);
}

/* Does not allocate memory, because there may be none left. */
static bool send_bye(struct analyser_connection *c, enum process_end end)
{
	if (c->socket.fd < 0)
		return false;
	clear_body();
	if (c->out.failed)
		c->out.failed = false, c->out.size = 0, c->has_events = false;
	put_number(&service.body, end);
	connection_frame(c, MESSAGE_BYE, &service.body);
	return connection_send(c);
}

/* Says BYE. After MPI_Finalize, the connection stays open, to report how the process ends. */
static void say_last_bye(enum process_end end)
{
	if (send_bye(&service.node, end) && end == END_FINALIZED) {
		service.parting = service.node.socket;
		service.node.socket.fd = -1;
	}
	connection_release(&service.node);
}

void service_exits_well(void)
{
	static const uint8_t frame[FRAME_HEADER_BYTES] = {[0] = 1, [4] = MESSAGE_EXIT};

	if (service.parting.fd >= 0 && held_file_is_ours(&service.parting))
		send(service.parting.fd, frame, sizeof frame, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The agent has stepped aside, and the process continues. */
static void say_unchecked(void)
{
	int before = lock_service(), fd;

	/* The program may have closed the connection, which analysers must not take for the end of the process. */
	if (service.node.socket.fd >= 0 && !held_file_is_ours(&service.node.socket)) {
		fd = address_connect(service.node_addresses, CONNECT_MS);
		service.node.socket.fd = -1;
		service.node.out.size = 0;
		if (fd >= 0)
			connection_begin(&service.node, fd);
	}
	send_bye(&service.node, END_UNCHECKED);
	connection_release(&service.node);
	service.ended = true;
	unlock_service(before);
}

/* Reads the states first, so that everything pushed before them is sent before the answer. False: try later. */
static bool answer(const struct asked_question *question)
{
	struct check_answer states = {.question = question->number};
	struct analyser_connection *c = connection();

	if (!c || !activity_states(&states))
		return false;
	drain();
	states.position = unsent_events->tail;
	clear_body();
	answer_put(&service.body, &states);
	answer_release(&states);
	connection_frame(c, MESSAGE_ANSWER, &service.body);
	if (question->wants_stacks) {
		clear_body();
		put_number(&service.body, question->number);
		if (activity_stacks(&service.body))
			connection_frame(c, MESSAGE_STACK, &service.body);
	}
	return true;
}

static void answer_questions(void)
{
	uint32_t answered = 0;
	int before = lock_service();

	while (is_open() && unsent_events && answered < service.question_count &&
	       answer(&service.questions[answered]))
		answered++;
	service.question_count -= answered;
	memmove(service.questions, service.questions + answered,
	        service.question_count * sizeof *service.questions);
	if (answered && is_open())
		send_all();
	unlock_service(before);
}

static void *serve(void *unused)
{
	struct timespec time = {0};

	(void)unused;
	while (!RELAXED_LOAD(service.stops) && !agent_is_off()) {
		const uint32_t wakes = __atomic_load_n(&service.wakes, __ATOMIC_ACQUIRE);

		service_flush();
		if (RELAXED_LOAD(service.question_count))
			answer_questions();
		if (RELAXED_LOAD(service.is_stopped))
			ending_stop();
		look_at_threads();
		/* Returns at once if service_wake() was called in between. The time limit is relative, so it does not depend on the wall clock. */
		time.tv_nsec = (service.is_busy ? BUSY_BATCH_MS : BATCH_MS) * 1000000L;
		syscall(SYS_futex, &service.wakes, FUTEX_WAIT_PRIVATE, wakes, &time, NULL, 0);
	}
	interrupt_release();
	if (agent_is_off())
		say_unchecked();
	return NULL;
}

/* The service thread blocks all signals, so it never runs handlers of the program. */
static void start_thread(void)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	service.has_thread = pthread_create(&service.thread, NULL, serve, NULL) == 0;
	tasks_after_mpi();
	activity_after_mpi();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!service.has_thread)
		agent_step_aside("no thread can be started");
}

void service_prepare(void)
{
	int before = lock_service();

	tasks_before_mpi();
	activity_before_mpi();
	/* The rank is not known yet and will be sent later. If the process ends before that, the
	 * analyser does not wait for it. */
	if (is_open())
		connect_node();
	unlock_service(before);
}

void service_start(void)
{
	int before = lock_service();

	put_number(&service.body, 0); /* allocates room for when memory is exhausted */
	if (!unsent_events_start())
		agent_step_aside("out of memory");
	if (is_open() && service.node.socket.fd >= 0) { /* connected before the rank was known */
		connection_tell_rank(&service.node);
		if (!connection_send(&service.node))
			lose_analyser();
	}
	if (is_open() && connect_node())
		start_thread();
	unlock_service(before);
}

uint64_t service_wait_for_room(uint32_t count)
{
	const struct timespec moment = {.tv_nsec = 100000};
	uint64_t tail = 0;
	int before;

	/* The thread must not be cancelled here, because it holds the lock of shared state. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	while (!agent_is_off()) {
		tail = __atomic_load_n(&unsent_events->tail, __ATOMIC_ACQUIRE);
		if (unsent_events->head + count - tail <= UNSENT_WORDS)
			break;
		service_wake();
		nanosleep(&moment, NULL);
	}
	pthread_setcancelstate(before, NULL);
	return tail;
}

/* Sends FORGET before numbers start again. Otherwise, if the process vanishes, the analyser would read the definitions in its memory, and take
 * new ones for old ones with the same number. False: the analyser is gone. */
static bool forget_announced(void)
{
	struct analyser_connection *c = &service.node;

	memset(c->announced_calls, 0, (NUMBERED_CALLS_MAX / 64 + 1) * sizeof *c->announced_calls);
	memset(c->announced_types, 0, (NUMBERED_TYPES_MAX / 64 + 1) * sizeof *c->announced_types);
	connection_frame(c, MESSAGE_FORGET, NULL);
	send_all();
	return is_open();
}

void service_forget(void (*free_calls)(void))
{
	int before = lock_service();

	work();
	if (is_open() && unsent_events->tail == unsent_events->head && forget_announced()) {
		definitions_forget();
		free_calls();
	}
	unlock_service(before);
}

void service_finding(const struct message_writer *body)
{
	int before = lock_service();

	if (!agent_is_off() && connect_node()) {
		connection_frame(&service.node, MESSAGE_FINDING, body);
		if (!connection_send(&service.node))
			lose_analyser();
	}
	unlock_service(before);
}

void service_end(enum process_end end)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	if (!lock_in_time(&service.lock, LOCK_MS)) {
		pthread_setcancelstate(before, NULL);
		return;
	}
	work();
	if (is_open())
		say_last_bye(end);
	service.ended = true;
	RELAXED_STORE(service.stops, true);
	unlock_service(before);
	service_wake();
	if (service.has_thread && !pthread_equal(pthread_self(), service.thread))
		pthread_join(service.thread, NULL);
	service.has_thread = false;
}

void service_abandon(void)
{
	held_file_close(&service.node.socket);
	held_file_close(&service.parting);
	service.has_thread = false;
	/* A thread that does not exist in the child may have held the lock. */
	service.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
