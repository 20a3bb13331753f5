#include "job/check/wire/unsent_events.h"

#include "base/files.h"
#include "check/protocol/messages.h"
#include "job/check/wire/places.h"
#include "job/check/wire/process_state.h"
#include "job/check/wire/service.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WAKE_WORDS = UNSENT_WORDS / 4, SPARE_BYTES = 1 << 20 };

struct unsent_ring *unsent_events;
int unsent_events_fd = -1;
uint32_t event_segment;
void (*held_events)(void);

static uint64_t seen_tail;                                   /* the ring's tail, as writers saw it last */
static struct announced_call *calls[NUMBERED_CALLS_MAX + 1]; /* by number */
static struct announced_type *types[NUMBERED_TYPES_MAX + 1];
static uint32_t call_count, type_count;
static uint32_t epoch = 1;       /* counts how often the numbers started again */
static uint64_t operation_count; /* operations begun so far */
static uint32_t pushed_thread;   /* the thread of the last words */
static uint64_t ended_threads;   /* bits: threads that have left their last call, which was not pushed yet */
static struct message_writer body, frame;

static bool extend(int fd, off_t bytes)
{
	struct size_limit held;
	bool extended;

	size_limit_hold(&held);
	extended = ftruncate(fd, bytes) == 0;
	size_limit_release(&held, !extended && errno == EFBIG);
	return extended;
}

bool unsent_events_start(void)
{
	struct unsent_ring *memory;

	unsent_events_fd = memfd_create("tarry-events", MFD_CLOEXEC);
	if (unsent_events_fd >= 0 && !extend(unsent_events_fd, sizeof *unsent_events)) {
		close(unsent_events_fd);
		unsent_events_fd = -1;
	}
	memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE,
	              unsent_events_fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, unsent_events_fd, 0);
	if (memory == MAP_FAILED)
		return false;
	memory->magic = UNSENT_MAGIC;
	__atomic_store_n(&unsent_events, memory, __ATOMIC_RELEASE);
	return true;
}

bool definitions_have_room(void)
{
	return !unsent_events || unsent_events->frame_bytes + SPARE_BYTES <= UNSENT_FRAME_BYTES;
}

struct announced_call *numbered_call(uint64_t number)
{
	return number && number <= call_count ? calls[number] : NULL;
}

/* Stores `body` as a frame, for the analyser. */
static bool keep_frame(enum message_kind kind, struct unsent_frame *at)
{
	const uint64_t used = unsent_events->frame_bytes;

	frame.size = 0;
	frame_put(&frame, kind, &body);
	if (frame.failed || body.failed || frame.size > UNSENT_FRAME_BYTES - used) {
		agent_step_aside("its calls need too much memory");
		return false;
	}
	memcpy(unsent_events->frames + used, frame.bytes, frame.size);
	*at = (struct unsent_frame){.at = (uint32_t)used, .size = (uint32_t)frame.size};
	__atomic_store_n(&unsent_events->frame_bytes, used + frame.size, __ATOMIC_RELEASE);
	return true;
}

static bool keep_comm(struct announced_comm *comm)
{
	if (comm->epoch == epoch)
		return true;
	comm->epoch = epoch;
	body.size = 0;
	comm_put(&body, &comm->comm);
	return keep_frame(MESSAGE_COMM, &comm->frame);
}

/* Depth first, so that parts precede the types that contain them. Recursion depth: the nesting
 * of the program's types. */
static uint32_t keep_type(struct announced_type *type) /* NOLINT(misc-no-recursion) */
{
	struct checked_type announced;

	if (!type || type->number)
		return type ? type->number : 0;
	for (uint32_t i = 0; i < type->part_count; i++)
		keep_type(type->parts[i].type);
	if (type_count == NUMBERED_TYPES_MAX)
		return 0;
	announced = (struct checked_type){.number = type_count + 1,
	                                  .basic = type->basic,
	                                  .bytes = type->bytes,
	                                  .part_count = type->part_count,
	                                  .parts = host_table(type->part_count + 1, sizeof *announced.parts)};
	if (!announced.parts)
		return 0;
	for (uint32_t i = 0; i < type->part_count; i++)
		announced.parts[i] = (struct checked_type_part){type->parts[i].type->number,
		                                                type->parts[i].times};
	body.size = 0;
	type_put(&body, &announced);
	free(announced.parts);
	if (!keep_frame(MESSAGE_TYPE, &type->frame))
		return 0;
	type->number = ++type_count;
	types[type_count] = type;
	return type->number;
}

static struct check_data keep_data(const struct announced_data *data)
{
	return (struct check_data){.type = keep_type(data->type), .count = data->count};
}

static struct check_data *keep_list(const struct announced_data *list, uint32_t *count)
{
	struct check_data *announced = *count ? host_table(*count, sizeof *announced) : NULL;

	if (!announced)
		*count = 0;
	for (uint32_t i = 0; i < *count; i++)
		announced[i] = keep_data(&list[i]);
	return announced;
}

static void keep_call(struct announced_call *call)
{
	struct check_place stack[FINDING_STACK_MAX];
	struct distinct_check_call announced = call->call;

	if (call_count == NUMBERED_CALLS_MAX)
		return;
	if (call->comm && !keep_comm(call->comm))
		return;
	announced.number = call_count + 1;
	announced.call.world = checked.world;
	announced.call.rank = checked.rank;
	announced.call.stack = stack;
	announced.call.stack_count = place_stack(call->place, stack);
	announced.send = keep_data(&call->send);
	announced.receive = keep_data(&call->receive);
	announced.send_list = keep_list(call->send_list, &announced.send_list_count);
	announced.receive_list = keep_list(call->receive_list, &announced.receive_list_count);
	body.size = 0;
	distinct_call_put(&body, &announced);
	free(announced.send_list);
	free(announced.receive_list);
	if (!keep_frame(MESSAGE_CALL, &call->frame))
		return;
	calls[call_count + 1] = call;
	call->number = ++call_count;
}

/* Waits for room. False: the agent has stepped aside. */
static bool make_room(uint32_t count)
{
	if (LIKELY(unsent_events->head + count - seen_tail <= UNSENT_WORDS))
		return true;
	seen_tail = service_wait_for_room(count);
	return !agent_is_off();
}

static void put_word_at(uint64_t position, uint64_t word)
{
	unsent_events->words[position % UNSENT_WORDS] = word;
}

/* The next `count` words after the head are complete. */
static void publish(uint32_t count)
{
	const uint64_t head = unsent_events->head;

	__atomic_store_n(&unsent_events->head, head + count, __ATOMIC_RELEASE);
	if (UNLIKELY(head % WAKE_WORDS + count > WAKE_WORDS - 1))
		service_wake();
}

static void push(const uint64_t *words, uint32_t count)
{
	const uint64_t head = unsent_events->head;

	if (UNLIKELY(!make_room(count)))
		return;
	for (uint32_t i = 0; i < count; i++)
		put_word_at(head + i, words[i]);
	publish(count);
}

static void push_number(enum unsent_kind kind, uint64_t number)
{
	const uint64_t word = number << UNSENT_KIND_BITS | kind;

	push(&word, 1);
}

/* Reports which calls of other threads have ended: in real time, they happened before the next event. */
static void push_left(void)
{
	for (struct agent_thread *thread = checked.threads; thread; thread = thread->next) {
		if (thread == agent_self || !thread->is_shown_inside ||
		    (__atomic_load_n(&thread->current, __ATOMIC_ACQUIRE) &&
		     RELAXED_LOAD(thread->entered) == RELAXED_LOAD(thread->event_entered)))
			continue;
		thread->is_shown_inside = false;
		push_number(UNSENT_LEFT, thread->number);
	}
	for (; ended_threads; ended_threads &= ended_threads - 1)
		push_number(UNSENT_LEFT, (uint64_t)__builtin_ctzll(ended_threads));
}

void thread_ended(const struct agent_thread *thread)
{
	if (thread->is_shown_inside && thread->number < 64)
		ended_threads |= UINT64_C(1) << thread->number;
}

/* The following words belong to this thread. */
static void push_thread(void)
{
	if (UNLIKELY(ended_threads || (checked.threads && checked.threads->next)))
		push_left();
	if (LIKELY(agent_self->number == pushed_thread))
		return;
	pushed_thread = agent_self->number;
	push_number(UNSENT_THREAD, pushed_thread);
}

static bool can_push(void)
{
	return LIKELY(unsent_events && !agent_is_off());
}

/* Called before each event. False: it must not be pushed. */
static bool is_open(void)
{
	event_segment++;
	if (UNLIKELY(held_events != NULL))
		held_events();
	return can_push();
}

/* The word with the number of the call; 0: the call has no number. */
static uint64_t number_word(struct announced_call *call, enum unsent_kind kind)
{
	if (!can_push())
		return 0;
	if (UNLIKELY(!call->number))
		keep_call(call);
	return call->number ? (uint64_t)call->number << UNSENT_KIND_BITS | kind : 0;
}

static uint64_t word_of(struct announced_call *call, enum unsent_kind kind)
{
	return is_open() ? number_word(call, kind) : 0;
}

/* From now on, the thread is in the call. */
static void enter(const struct announced_call *call)
{
	RELAXED_STORE(unsent_events->current_call, (uint64_t)call->number << 1 | 1);
	thread_pushed(call->number);
}

static uint64_t begin(struct announced_call *call, enum unsent_kind kind, uint64_t number)
{
	const uint64_t words[] = {word_of(call, kind), number};

	if (UNLIKELY(!words[0]))
		return 0;
	push_thread();
	push(words, kind == UNSENT_EVENT_WITH ? 2 : 1);
	enter(call);
	return ++operation_count;
}

uint64_t push_event(struct announced_call *call)
{
	return begin(call, UNSENT_EVENT, 0);
}

uint64_t push_event_with(struct announced_call *call, uint64_t hash)
{
	return begin(call, call->call.flags & CHECK_CALL_CONTENT ? UNSENT_EVENT_WITH : UNSENT_EVENT, hash);
}

/* The distance from the next operation. 0: the operation began too long ago to be referred to. */
static uint64_t distance_of(uint64_t operation)
{
	const uint64_t distance = operation_count + 1 - operation;

	return distance <= UINT32_MAX ? distance : 0;
}

void push_content(struct announced_call *call, uint64_t operation, const struct message_content *content)
{
	const bool is_receive = operation && call->call.operation != OPERATION_COLLECTIVE;
	const uint64_t number = is_receive ? distance_of(operation) : operation;
	const uint64_t words[] = {word_of(call, UNSENT_CONTENT), number, content->bytes,
	                          call->comm->is_uncompared ? 0 : content->hash};

	if (words[0] && (number || !is_receive))
		push(words, sizeof words / sizeof *words);
}

void push_receives(struct announced_call *call, uint64_t probe)
{
	const uint64_t words[] = {word_of(call, UNSENT_RECEIVES), distance_of(probe)};

	if (words[0] && words[1])
		push(words, sizeof words / sizeof *words);
}

void push_rejected(struct announced_call *call)
{
	const uint64_t word = word_of(call, UNSENT_REJECTED);

	if (word)
		push(&word, 1);
}

void push_takes(uint64_t operation, int32_t source, int32_t tag)
{
	const uint64_t distance = distance_of(operation);
	const uint64_t words[] = {distance << UNSENT_KIND_BITS | UNSENT_TAKES,
	                          (uint64_t)(uint32_t)source << 32 | (uint32_t)tag};

	if (!is_open() || !distance)
		return;
	push_thread();
	push(words, sizeof words / sizeof *words);
}

void push_waits(struct announced_call *call, const uint64_t *operations, uint32_t count)
{
	const uint64_t word = word_of(call, UNSENT_WAITS);
	const uint32_t words = 2 + (count + 1) / 2;
	uint64_t at;

	if (UNLIKELY(!word || count > PUSHED_WAITS_MAX))
		return;
	push_thread();
	if (UNLIKELY(!make_room(words)))
		return;
	at = unsent_events->head;
	put_word_at(at++, word);
	put_word_at(at++, count);
	for (uint32_t i = 0; i < count; i += 2) {
		const uint64_t first = distance_of(operations[i]),
			       second = i + 1 < count ? distance_of(operations[i + 1]) : 0;

		if (UNLIKELY(!first || (!second && i + 1 < count)))
			return;
		put_word_at(at++, first | second << 32);
	}
	publish(words);
	enter(call);
}

void push_completes(uint64_t operation)
{
	const uint64_t distance = distance_of(operation);
	const uint64_t words[] = {(uint64_t)1 << UNSENT_KIND_BITS | UNSENT_COMPLETES, distance};

	if (!is_open() || !distance)
		return;
	push_thread();
	push(words, sizeof words / sizeof *words);
}

void push_drops(uint64_t operation, bool never_happened)
{
	const uint64_t distance = distance_of(operation);
	const uint64_t word = (distance << 1 | never_happened) << UNSENT_KIND_BITS | UNSENT_DROPS;

	if (!is_open() || !distance)
		return;
	push_thread();
	push(&word, 1);
}

bool push_window_over(struct announced_call *call, uint64_t number)
{
	const uint64_t words[] = {word_of(call, UNSENT_WINDOW), number};

	if (!words[0])
		return false;
	push_thread();
	push(words, sizeof words / sizeof *words);
	return true;
}

bool push_window_in_segment(struct announced_call *call, uint64_t first, bool is_over)
{
	const uint64_t words[] = {number_word(call, UNSENT_WINDOW), first};

	if (UNLIKELY(!words[0]))
		return false;
	push_thread();
	push(words, sizeof words / sizeof *words);
	if (!is_over)
		enter(call);
	return true;
}

bool push_window(struct announced_call *call, uint64_t first)
{
	if (!push_window_over(call, first))
		return false;
	enter(call);
	return true;
}

void push_comm(struct announced_comm *comm)
{
	uint64_t word;

	if (!is_open() || comm->is_pushed || !keep_comm(comm))
		return;
	comm->is_pushed = true;
	word = (uint64_t)comm->frame.at << UNSENT_KIND_BITS | UNSENT_COMM;
	push(&word, 1);
}

void push_ends(struct announced_comm *comm)
{
	const uint64_t words[] = {UNSENT_ENDS, comm->comm.identity};

	if (is_open())
		push(words, sizeof words / sizeof *words);
}

void definitions_forget(void)
{
	for (uint32_t i = 1; i <= call_count; i++)
		calls[i]->number = 0;
	for (uint32_t i = 1; i <= type_count; i++)
		types[i]->number = 0;
	call_count = type_count = 0;
	epoch++;
	RELAXED_STORE(unsent_events->current_call, 0);
	__atomic_store_n(&unsent_events->frame_bytes, 0, __ATOMIC_RELEASE);
}
