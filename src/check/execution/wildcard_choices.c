#include "check/execution/deadlock_parts.h"
#include "check/execution/order_archive.h"

#include <inttypes.h>

/* Other choices of receives with MPI_ANY_SOURCE: the message of another process. The messages of that
 * process are then taken one receive too early, and the last receive that names it gets none. This is a
 * potential deadlock unless a later wildcard takes the remaining message instead, and if the program would
 * have made the same calls. This is unknown if the program could have learned the source before it named one:
 * from the status (MPI_Recv with source 3 - status.MPI_SOURCE is correct), or, if it names that process
 * later, from the data. So the later receive must have begun before the wildcard was complete, or the status
 * must have been ignored. */

enum {
	CHOICES_KEPT = 64, /* per process: its last receives with wildcards */
	CHANNELS_KEPT = 8, /* per receive: messages of other processes that it could have taken */
};

struct choice_channel {
	int32_t source, tag;
	struct analysed_call *send,
		*receive;      /* the message that it could have taken, and its receive; kept */
	bool is_saved;         /* a later wildcard would take the remaining message */
	bool is_posted_before; /* all receives of its messages began before the choice was complete */
};

struct wildcard_choice {
	uint64_t number;            /* of the operation in its process */
	struct analysed_call *call; /* kept */
	bool is_matched, is_over;
	bool is_dependent;   /* a later call names the process */
	bool is_hidden;      /* the program ignored the status */
	int32_t source, tag; /* of its message */
	int32_t source_in_world;
	uint64_t count;   /* of its end, for ordering.h */
	uint64_t over_at; /* execution->now of its end; 0: in another execution */
	uint64_t begun;   /* operations of the process that had begun at its end */
	uint32_t channel_count;
	struct choice_channel channels[CHANNELS_KEPT];
};

struct choosing_process {
	const struct executed_process *process;
	ARRAY(struct wildcard_choice) choices; /* the oldest first */
};

struct wildcard_choices {
	struct execution *execution;
	struct findings_log *log;
	struct ordering *ordering;
	struct map numbers; /* of processes */
	ARRAY(struct choosing_process) processes;
	/* Sends to those processes: the last of the receiver's choices that precedes the send, by the
	 * number of the operation. */
	struct map sends;
	ARRAY(uint64_t) after;
	ARRAY(uint32_t) free_after;
	struct map reported;
};

static struct choosing_process *find_process(const struct wildcard_choices *choices,
                                             const struct executed_process *process)
{
	const uint32_t *number = choices->numbers.count && process
	                                 ? map_find(&choices->numbers, map_key((uintptr_t)process, 0))
	                                 : NULL;

	return number ? &choices->processes.items[*number] : NULL;
}

static struct choosing_process *get_process(struct wildcard_choices *choices,
                                            const struct executed_process *process)
{
	uint32_t *number = map_put(&choices->numbers, map_key((uintptr_t)process, 0));

	if (*number == MAP_NONE) {
		*number = (uint32_t)choices->processes.count;
		array_new_item(&choices->processes)->process = process;
	}
	return &choices->processes.items[*number];
}

/* Findings */

static void report_choice(struct wildcard_choices *choices, const struct wildcard_choice *choice,
                          const struct choice_channel *channel)
{
	uint32_t *number = map_put(&choices->reported,
	                           map_key(choice->call->serial, channel->receive->serial));

	if (*number != MAP_NONE) {
		findings_log_repeat(choices->log, *number);
		return;
	}
	*number = report_finding(
		choices->log, CHECK_DEADLOCK_POTENTIAL_WILDCARD, 1,
		CALLS({choice->call, NOTE_HERE}, {channel->receive, NOTE_WAITS}, {channel->send, NOTE_SENT}),
		"taken=%" PRId32 AND "instead=%" PRId32 AND "comm=%s", choice->source, channel->source,
		choice->call->member->comm->name);
}

/* Later events cannot change it. */
static void end_choice(struct wildcard_choices *choices, struct wildcard_choice *choice, bool is_certain)
{
	for (uint32_t i = 0; i < choice->channel_count; i++) {
		struct choice_channel *channel = &choice->channels[i];
		if (is_certain && choice->is_over && !choice->is_dependent && !channel->is_saved &&
		    (choice->is_hidden || channel->is_posted_before) && channel->source != choice->source)
			report_choice(choices, choice, channel);
		call_drop(choices->execution->known, channel->send);
		call_drop(choices->execution->known, channel->receive);
	}
	call_drop(choices->execution->known, choice->call);
}

/* Listening */

static bool is_choice(const struct executed_operation *operation)
{
	return is_receive(operation) && operation->call->peer < 0 && operation->call->member;
}

/* True if another execution has handed over this choice. */
static bool has_choice(const struct wildcard_choices *choices, const struct executed_operation *operation)
{
	const struct choosing_process *process = operation->state & OPERATION_CONTINUED
	                                                 ? find_process(choices, operation->process)
	                                                 : NULL;

	for (size_t i = 0; process && i < process->choices.count; i++)
		if (process->choices.items[i].number == operation->number)
			return true;
	return false;
}

static void add_choice(struct wildcard_choices *choices, const struct executed_operation *operation)
{
	struct choosing_process *process = get_process(choices, operation->process);

	if (process->choices.count == CHOICES_KEPT) {
		/* Later events are not seen: the oldest choice stays uncertain. */
		end_choice(choices, &process->choices.items[0], false);
		memmove(process->choices.items, process->choices.items + 1,
		        --process->choices.count * sizeof *process->choices.items);
	}
	array_add(&process->choices,
	          (struct wildcard_choice){.number = operation->number, .call = call_keep(operation->call)});
}

/* A call that names the source of the message. */
static void note_name(struct wildcard_choices *choices, const struct executed_operation *operation)
{
	const struct analysed_call *call = operation->call;
	struct choosing_process *process = find_process(choices, operation->process);

	for (size_t i = 0; process && call->peer >= 0 && i < process->choices.count; i++) {
		struct wildcard_choice *choice = &process->choices.items[i];
		if (choice->is_over && (choice->call->member->comm == call->member->comm
		                                ? choice->source == call->peer
		                                : choice->source_in_world >= 0 &&
		                                          choice->source_in_world == call->peer_in_world))
			choice->is_dependent = true;
	}
}

/* The receiver's choices that precede a send. */
static void note_send(struct wildcard_choices *choices, const struct executed_operation *send)
{
	const struct comm_member *member = send->call->member;
	struct executed_process *receiver =
		choices->numbers.count
			? execution_member(choices->execution, member->comm,
	                                   comm_is_inter(member->comm) ? !member->side : member->side,
	                                   (uint32_t)send->call->peer)
			: NULL;
	const struct choosing_process *process = find_process(choices, receiver);
	uint64_t after = 0;
	uint32_t slot;

	for (size_t i = process ? process->choices.count : 0; i-- > 0 && !after;) {
		const struct wildcard_choice *choice = &process->choices.items[i];
		if (choice->is_over && ordering_was_before(receiver, choice->count, send))
			after = choice->number + 1;
	}
	if (!after)
		return;
	if (choices->free_after.count) {
		slot = choices->free_after.items[--choices->free_after.count];
	} else {
		slot = (uint32_t)choices->after.count;
		array_add(&choices->after, 0);
	}
	choices->after.items[slot] = after;
	*map_put(&choices->sends, map_key((uintptr_t)send, 0)) = slot;
}

static void operation_began(void *owner, struct executed_operation *operation)
{
	struct wildcard_choices *choices = owner;
	enum check_operation kind = operation->call->operation;

	if (!operation->call->member || kind == OPERATION_COLLECTIVE)
		return;
	/* Another execution has seen that it began. */
	if (!(operation->state & OPERATION_CONTINUED))
		note_name(choices, operation);
	if (is_choice(operation) && !has_choice(choices, operation))
		add_choice(choices, operation);
	if (kind == OPERATION_SEND && operation->call->peer >= 0)
		note_send(choices, operation);
}

static bool accepts(const struct analysed_call *call, int32_t source, int32_t tag)
{
	return (call->peer < 0 || call->peer == source) && (call->tag < 0 || call->tag == tag);
}

static bool is_posted_before(const struct wildcard_choice *choice, const struct executed_operation *receive)
{
	return !choice->is_over || receive->began < choice->over_at ||
	       (!choice->over_at && receive->number < choice->begun);
}

/* `receive` has received a message that this earlier receive could have taken. */
static void add_channel(struct wildcard_choice *choice, const struct executed_operation *send,
                        const struct executed_operation *receive)
{
	for (uint32_t i = 0; i < choice->channel_count; i++) {
		struct choice_channel *channel = &choice->channels[i];
		if (channel->source != receive->source || channel->tag != receive->tag)
			continue;
		/* The next message of the same channel. */
		channel->is_saved |= receive->call->peer < 0 &&
		                     (!choice->is_matched ||
		                      accepts(receive->call, choice->source, choice->tag));
		channel->is_posted_before &= is_posted_before(choice, receive);
		return;
	}
	if (choice->channel_count == CHANNELS_KEPT)
		return;
	choice->channels[choice->channel_count++] = (struct choice_channel){
		.source = receive->source,
		.tag = receive->tag,
		.send = call_keep(send->call),
		.receive = call_keep(receive->call),
		.is_saved = receive->call->peer < 0,
		.is_posted_before = is_posted_before(choice, receive)};
}

static void message_matched(void *owner, struct executed_operation *send, struct executed_operation *receive)
{
	struct wildcard_choices *choices = owner;
	struct choosing_process *process = find_process(choices, receive->process);
	const uint32_t *slot = choices->sends.count ? map_find(&choices->sends, map_key((uintptr_t)send, 0))
	                                            : NULL;
	uint64_t after = slot ? choices->after.items[*slot] : 0;

	for (size_t i = 0; process && receive->call->member && i < process->choices.count; i++) {
		struct wildcard_choice *choice = &process->choices.items[i];
		if (choice->number == receive->number) {
			choice->is_matched = true;
			choice->source = receive->source;
			choice->tag = receive->tag;
			choice->source_in_world = send->process->known->world ==
			                                          receive->process->known->world
			                                  ? (int32_t)send->process->known->rank
			                                  : -1;
		} else if (choice->number < receive->number && choice->number >= after &&
		           choice->call->member->comm == receive->call->member->comm &&
		           !(choice->is_matched && choice->source == receive->source) &&
		           accepts(choice->call, receive->source, receive->tag)) {
			add_channel(choice, send, receive);
		}
	}
}

/* True if the completing call (itself, MPI_Wait or MPI_Waitall) ignores the status. The first of several
 * completed requests reveals the source, too. */
static bool ignores_status(const struct executed_operation *operation)
{
	const struct executed_thread *thread = operation->thread;
	const struct analysed_call *call = thread->call;

	return call && thread->call_step == thread->step_count &&
	       (call == operation->call || call->operation == OPERATION_WAIT) &&
	       (call->flags & (CHECK_CALL_STATUS_IGNORED | CHECK_CALL_ANY)) == CHECK_CALL_STATUS_IGNORED;
}

static void operation_over(void *owner, struct executed_operation *operation)
{
	struct wildcard_choices *choices = owner;
	struct choosing_process *process = is_choice(operation) ? find_process(choices, operation->process)
	                                                        : NULL;

	for (size_t i = process ? process->choices.count : 0; i-- > 0;) {
		struct wildcard_choice *choice = &process->choices.items[i];
		if (choice->number != operation->number || !choice->is_matched)
			continue;
		choice->is_over = true;
		choice->is_hidden = ignores_status(operation);
		choice->over_at = choices->execution->now;
		choice->begun = operation->process->begun;
		choice->count = ordering_count(choices->ordering, operation->process);
		return;
	}
}

static void operation_freed(void *owner, struct executed_operation *operation)
{
	struct wildcard_choices *choices = owner;
	struct map_key key = map_key((uintptr_t)operation, 0);
	const uint32_t *slot = choices->sends.count ? map_find(&choices->sends, key) : NULL;

	if (!slot)
		return;
	array_add(&choices->free_after, *slot);
	map_remove(&choices->sends, key);
}

struct wildcard_choices *wildcard_choices_new(struct execution *execution, struct findings_log *log,
                                              struct ordering *ordering)
{
	struct wildcard_choices *choices = memory_new(1, sizeof *choices);
	struct execution_listener listener = {.owner = choices,
	                                      .began = operation_began,
	                                      .matched = message_matched,
	                                      .over = operation_over,
	                                      .freed = operation_freed};

	choices->execution = execution;
	choices->log = log;
	choices->ordering = ordering;
	ordering->choices = choices;
	execution_listen(execution, &listener);
	return choices;
}

/* All calls of finalized processes are known. */
void wildcard_choices_end(struct wildcard_choices *choices, bool is_evaluated)
{
	for (size_t i = 0; i < choices->processes.count; i++) {
		struct choosing_process *process = &choices->processes.items[i];
		for (size_t j = 0; j < process->choices.count; j++)
			end_choice(choices, &process->choices.items[j],
			           is_evaluated && process_has_left(process->process));
		process->choices.count = 0;
	}
}

void wildcard_choices_free(struct wildcard_choices *choices)
{
	if (!choices)
		return;
	for (size_t i = 0; i < choices->processes.count; i++)
		array_release(&choices->processes.items[i].choices);
	array_release(&choices->processes);
	array_release(&choices->after);
	array_release(&choices->free_after);
	map_release(&choices->numbers);
	map_release(&choices->sends);
	map_release(&choices->reported);
	free(choices);
}

/* Other executions */

static void archive_channel(struct order_archive *archive, struct choice_channel *channel)
{
	archive_integer(archive, &channel->source);
	archive_integer(archive, &channel->tag);
	archive_call(archive, &channel->send);
	archive_call(archive, &channel->receive);
	archive_flag(archive, &channel->is_saved);
	archive_flag(archive, &channel->is_posted_before);
	if (archive_reads(archive))
		archive->is_lost |= !channel->send || !channel->receive;
}

static void archive_choice(struct order_archive *archive, struct wildcard_choice *choice)
{
	archive_number(archive, &choice->number);
	archive_call(archive, &choice->call);
	archive_flag(archive, &choice->is_matched);
	archive_flag(archive, &choice->is_over);
	archive_flag(archive, &choice->is_dependent);
	archive_flag(archive, &choice->is_hidden);
	archive_integer(archive, &choice->source);
	archive_integer(archive, &choice->tag);
	archive_integer(archive, &choice->source_in_world);
	archive_number(archive, &choice->count);
	archive_number(archive, &choice->begun);
	archive_small(archive, &choice->channel_count);
	if (choice->channel_count > CHANNELS_KEPT) {
		choice->channel_count = 0;
		archive->in->bad = true;
	}
	for (uint32_t i = 0; i < choice->channel_count; i++)
		archive_channel(archive, &choice->channels[i]);
	if (archive_reads(archive))
		archive->is_lost |= !choice->call;
}

void choices_put(struct wildcard_choices *choices, const struct executed_process *process,
                 struct order_archive *archive, void (*end_item)(void *owner), void *owner)
{
	struct choosing_process *choosing = find_process(choices, process);

	for (size_t i = 0; choosing && i < choosing->choices.count; i++) {
		put_number(archive->out, ORDER_CHOICE);
		archive_choice(archive, &choosing->choices.items[i]);
		end_item(owner);
	}
}

static void choice_release(struct wildcard_choices *choices, struct wildcard_choice *choice)
{
	for (uint32_t i = 0; i < choice->channel_count; i++) {
		if (choice->channels[i].send)
			call_drop(choices->execution->known, choice->channels[i].send);
		if (choice->channels[i].receive)
			call_drop(choices->execution->known, choice->channels[i].receive);
	}
	if (choice->call)
		call_drop(choices->execution->known, choice->call);
}

bool choice_take(struct wildcard_choices *choices, const struct executed_process *process,
                 struct order_archive *archive)
{
	struct wildcard_choice choice = {0};
	struct choosing_process *choosing;

	if (!choices)
		return false;
	archive_choice(archive, &choice);
	choosing = get_process(choices, process);
	if (!archive->in->bad && !archive->is_lost && choosing->choices.count < CHOICES_KEPT)
		array_add(&choosing->choices, choice);
	else
		choice_release(choices, &choice);
	return !archive->in->bad;
}
