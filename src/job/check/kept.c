#include "job/check/kept.h"

#include "check/protocol/messages.h"
#include "job/check/places.h"
#include "job/check/process_state.h"
#include "job/check/service.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WAKE_WORDS = KEPT_WORDS / 4, SPARE_BYTES = 1 << 20 };

struct kept_events *kept;
int kept_fd = -1;

static uint64_t seen_tail;                               /* of the ring, as who pushes saw it last */
static struct announced_call *calls[KEPT_CALLS_MAX + 1]; /* by number */
static struct announced_type *types[KEPT_TYPES_MAX + 1];
static uint32_t call_count, type_count;
static uint32_t epoch = 1; /* counts how often numbers started again */
static struct message_writer body, frame;

bool kept_start(void)
{
	struct kept_events *memory;
	struct rlimit files;

	/* Beyond the limit a signal would end the program. */
	if (getrlimit(RLIMIT_FSIZE, &files) == 0 && files.rlim_cur >= sizeof *kept)
		kept_fd = memfd_create("tarry-events", MFD_CLOEXEC);
	if (kept_fd >= 0 && ftruncate(kept_fd, sizeof *kept) != 0) {
		close(kept_fd);
		kept_fd = -1;
	}
	memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE,
	              kept_fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, kept_fd, 0);
	if (memory == MAP_FAILED)
		return false;
	memory->magic = KEPT_MAGIC;
	__atomic_store_n(&kept, memory, __ATOMIC_RELEASE);
	return true;
}

bool kept_has_room(void)
{
	return !kept || kept->frame_bytes + SPARE_BYTES <= KEPT_FRAME_BYTES;
}

struct announced_call *kept_call(uint64_t number)
{
	return number && number <= call_count ? calls[number] : NULL;
}

/* Writes `body` down as a frame. */
static bool keep_frame(enum message_kind kind, struct kept_frame *at)
{
	const uint64_t used = kept->frame_bytes;

	frame.size = 0;
	frame_put(&frame, kind, &body);
	if (frame.failed || body.failed || frame.size > KEPT_FRAME_BYTES - used) {
		agent_step_aside("its calls need too much memory");
		return false;
	}
	memcpy(kept->frames + used, frame.bytes, frame.size);
	*at = (struct kept_frame){.at = (uint32_t)used, .size = (uint32_t)frame.size};
	__atomic_store_n(&kept->frame_bytes, used + frame.size, __ATOMIC_RELEASE);
	return true;
}

static void keep_comm(struct announced_comm *comm)
{
	if (comm->epoch == epoch)
		return;
	comm->epoch = epoch;
	body.size = 0;
	comm_put(&body, &comm->comm);
	keep_frame(MESSAGE_COMM, &comm->frame);
}

/* Depth first, so that parts come before what consists of them. Types nest as deep as the program made them. */
static uint32_t keep_type(struct announced_type *type) /* NOLINT(misc-no-recursion) */
{
	struct checked_type told;

	if (!type || type->number)
		return type ? type->number : 0;
	for (uint32_t i = 0; i < type->part_count; i++)
		keep_type(type->parts[i].type);
	if (type_count == KEPT_TYPES_MAX)
		return 0;
	told = (struct checked_type){.number = type_count + 1,
	                             .basic = type->basic,
	                             .bytes = type->bytes,
	                             .part_count = type->part_count,
	                             .parts = host_table(type->part_count + 1, sizeof *told.parts)};
	if (!told.parts)
		return 0;
	for (uint32_t i = 0; i < type->part_count; i++)
		told.parts[i] = (struct checked_type_part){type->parts[i].type->number, type->parts[i].times};
	body.size = 0;
	type_put(&body, &told);
	free(told.parts);
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
	struct check_data *told = *count ? host_table(*count, sizeof *told) : NULL;

	if (!told)
		*count = 0;
	for (uint32_t i = 0; i < *count; i++)
		told[i] = keep_data(&list[i]);
	return told;
}

static void keep_call(struct announced_call *call)
{
	struct check_place stack[FINDING_STACK_MAX];
	struct distinct_check_call told = call->call;

	if (call_count == KEPT_CALLS_MAX)
		return;
	keep_comm(call->comm);
	told.number = call_count + 1;
	told.call.world = checked.world;
	told.call.rank = checked.rank;
	told.call.stack = stack;
	told.call.stack_count = place_stack(call->place, stack);
	told.send = keep_data(&call->send);
	told.receive = keep_data(&call->receive);
	told.send_list = keep_list(call->send_list, &told.send_list_count);
	told.receive_list = keep_list(call->receive_list, &told.receive_list_count);
	body.size = 0;
	distinct_call_put(&body, &told);
	free(told.send_list);
	free(told.receive_list);
	if (!keep_frame(MESSAGE_CALL, &call->frame))
		return;
	calls[call_count + 1] = call;
	call->number = ++call_count;
}

static void push(const uint64_t *words, uint32_t count)
{
	const uint64_t head = kept->head;

	if (UNLIKELY(head + count - seen_tail > KEPT_WORDS)) {
		seen_tail = service_wait_for_room(count);
		if (agent_is_off())
			return;
	}
	for (uint32_t i = 0; i < count; i++)
		kept->words[(head + i) % KEPT_WORDS] = words[i];
	__atomic_store_n(&kept->head, head + count, __ATOMIC_RELEASE);
	if (UNLIKELY(head % WAKE_WORDS + count > WAKE_WORDS - 1))
		service_wake();
}

/* The word that names the call; 0: it has no number. */
static uint64_t word_of(struct announced_call *call, enum kept_kind kind)
{
	if (UNLIKELY(!kept || agent_is_off()))
		return 0;
	if (UNLIKELY(!call->number))
		keep_call(call);
	return call->number ? (uint64_t)call->number << KEPT_KIND_BITS | kind : 0;
}

void kept_event(struct announced_call *call)
{
	const uint64_t word = word_of(call, KEPT_EVENT);

	if (UNLIKELY(!word))
		return;
	RELAXED_STORE(kept->current_call, (uint64_t)call->number << 1 | 1);
	push(&word, 1);
}

void kept_cancelled(struct announced_call *call)
{
	const uint64_t word = word_of(call, KEPT_CANCELLED);

	if (word)
		push(&word, 1);
}

void kept_wildcard(struct announced_call *call, int32_t source, int32_t tag, int32_t source_in_world)
{
	const uint64_t word = word_of(call, KEPT_WILDCARD);
	const uint64_t words[] = {word, (uint64_t)(uint32_t)source << 32 | (uint32_t)tag,
	                          (uint32_t)source_in_world};

	if (word)
		push(words, sizeof words / sizeof *words);
}

void kept_forget(void)
{
	for (uint32_t i = 1; i <= call_count; i++)
		calls[i]->number = 0;
	for (uint32_t i = 1; i <= type_count; i++)
		types[i]->number = 0;
	call_count = type_count = 0;
	epoch++;
	RELAXED_STORE(kept->current_call, 0);
	__atomic_store_n(&kept->frame_bytes, 0, __ATOMIC_RELEASE);
}
