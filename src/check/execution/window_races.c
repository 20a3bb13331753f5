#include "check/execution/window_races.h"

#include "calls/calls.h"
#include "check/execution/window_accesses.h"
#include "check/execution/windows.h"
#include "check/known/report.h"

#include <inttypes.h>
#include <string.h>

/* ACCESSES_MAX: kept intervals per target. If there are more, complete ones are dropped, and their
 * conflicts are missed. */
enum { SUSPECTS_MAX = 256, EVALUATE_EVERY = 16, ACCESSES_MAX = 1 << 17 };

enum { KIND_SHARED = 2, KIND_DYNAMIC = 3 }; /* enum window_memory of the agent */

/* The memory of a member, as announced (WINDOW_MEMORY). */
struct announced_memory {
	bool is_known;
	uint32_t kind;
	int64_t bytes, unit;
};

/* A member of a window. */
struct raced_member {
	struct announced_memory memory;
	struct window_accesses accesses;
	ARRAY(struct window_access *) early; /* accesses to it that arrived before its memory was known */
	uint64_t accesses_made;
	uint64_t last_load; /* serial number of the line that last read it */
	uint64_t last_byte; /* the byte that it read */
};

struct raced_window {
	struct executed_window *execution;
	struct raced_member *members;
};

/* Accesses of a process to window memory, in all windows. */
struct raced_process {
	bool has_read;   /* or synchronised its own memory */
	bool has_synced; /* MPI_Win_sync: it may wait for others by loads and stores */
	bool has_polled; /* it loaded in a loop */
	bool is_written; /* other processes wrote to its memory */
	uint64_t writes; /* to window memory, or synchronisations of its own */
};

/* Two conflicting accesses under shared locks, unless the program orders them by its reads. */
struct race_suspect {
	struct window_access *accesses[2];
	struct window_conflict conflict;
	uint32_t target;
};

struct window_races {
	struct execution *execution;
	struct known *known; /* it outlives the execution */
	struct ordering *ordering;
	struct findings_log *log;
	struct map process_numbers;
	ARRAY(struct raced_process) processes;
	uint64_t now;     /* counts accesses and their ends */
	struct map pairs; /* reported or suspected pairs of calls */
	ARRAY(struct race_suspect) suspects;
	uint64_t overs;   /* operations completed since there are suspects */
	bool has_windows; /* of MPI that are accessed, besides the memory of OpenSHMEM */
};

static struct raced_window *window_of(struct window_races *races, struct executed_window *execution)
{
	struct raced_window *window = execution->races;

	if (window)
		return window;
	execution->races = window = memory_new(1, sizeof *window);
	window->execution = execution;
	window->members = memory_new(execution->member_count, sizeof *window->members);
	for (uint32_t i = 0; i < execution->member_count; i++) {
		window->members[i].accesses.ordering = races->ordering;
		window->members[i].accesses.known = races->known;
	}
	return window;
}

static struct raced_process *process_of(struct window_races *races, const struct analysed_process *process)
{
	uint32_t *number = map_put(&races->process_numbers, map_key(process->world, process->rank));

	if (*number == MAP_NONE) {
		*number = (uint32_t)races->processes.count;
		array_add(&races->processes, (struct raced_process){0});
	}
	return &races->processes.items[*number];
}

/* OpenSHMEM (job/check/shmem/shmem_accesses.h) */

/* WORD_BYTES: accesses of this size may be the flags by which PEs wait for each other. */
enum { SHMEM_PLACE_BITS = 48, WORD_BYTES = 8 };

static bool is_of_shmem(const struct analysed_call *call)
{
	return all_calls[call->function].pgas;
}

static bool is_word(const struct window_access *access)
{
	const struct analysed_call *call = access->call;

	return call->rank_count == 2 && call->ranks[1] <= WORD_BYTES;
}

/* Reads of a flag, writes of equal data and accesses of one PE are not reported. */
static bool is_harmless(const struct window_access *one, const struct window_access *other)
{
	if (one->process == other->process || (!access_writes(one) && is_word(one)) ||
	    (!access_writes(other) && is_word(other)))
		return true;
	return one->content && one->content == other->content && one->place == other->place &&
	       one->call->ranks[1] == other->call->ranks[1];
}

/* Findings */

static void report_race(struct window_races *races, const struct window_conflict *conflict,
                        const struct window_access *later, uint32_t target)
{
	const struct window_access *first = conflict->earlier, *second = later;

	if (later->is_local && first->is_local) {
		report_finding(races->log, CHECK_RACE_SHARED_MEMORY, 1,
		               CALLS({first->call, first->kind == ACCESS_READS ? NOTE_READ : NOTE_WRITTEN},
		                     {later->call, later->kind == ACCESS_READS ? NOTE_READ : NOTE_WRITTEN}),
		               "first=%" PRId64 AND "target=%u", conflict->first, target);
		return;
	}
	if (later->is_local || first->is_local) {
		const struct window_access *local = later->is_local ? later : first,
					   *remote = later->is_local ? first : later;
		const char *note = local->is_buffer              ? NOTE_OTHER
		                   : local->kind == ACCESS_READS ? NOTE_READ
		                                                 : NOTE_WRITTEN;
		report_finding(races->log, CHECK_RACE_LOCAL_ACCESS, 1,
		               CALLS({remote->call, NOTE_HERE}, {local->call, note}),
		               "first=%" PRId64 AND "target=%u", conflict->first, target);
		return;
	}
	if (second->call->process->rank < first->call->process->rank) {
		first = later;
		second = conflict->earlier;
	}
	if (is_of_shmem(first->call)) {
		report_finding(races->log, CHECK_SHMEM_RACE, 1,
		               CALLS({first->call, NOTE_HERE}, {second->call, NOTE_OTHER}),
		               "bytes=%" PRId64 AND "target=%u", conflict->end - conflict->first, target);
		return;
	}
	report_finding(races->log, conflict->is_update ? CHECK_RACE_ACCUMULATE : CHECK_RACE_ONE_SIDED, 1,
	               CALLS({first->call, NOTE_HERE}, {second->call, NOTE_OTHER}),
	               "first=%" PRId64 AND "end=%" PRId64 AND "target=%u", conflict->first,
	               conflict->end - 1, target);
}

static void drop_suspect(struct window_races *races, struct race_suspect *suspect)
{
	access_drop(races->known, suspect->accesses[0]);
	access_drop(races->known, suspect->accesses[1]);
}

/* A program may wait for stores of others by loads. Without compiler support not all loads are seen: then
 * only a process without loops of loads cannot have learned from them. */
static bool may_poll(struct window_races *races, const struct window_access *access)
{
	const struct raced_process *process = process_of(races, access->process->known);
	const bool knows_nothing = access->call->flags & CHECK_CALL_ONCE && !process->has_read &&
	                           !process->has_polled;

	return access->is_local && !access->is_buffer && access->kind == ACCESS_READS &&
	       (access->is_repeated ||
	        (access->is_watched ? process->has_synced : access->is_locked && !knows_nothing));
}

/* After one access its process wrote something that the other process may have read before its own access. */
static bool may_tell(struct window_races *races, const struct window_access *from,
                     const struct window_access *to)
{
	if (may_poll(races, from) || may_poll(races, to))
		return true;
	/* Another PE may have seen the written flag before shmem_quiet. */
	if (is_of_shmem(from->call) && is_word(from) && access_writes(from) &&
	    (process_of(races, to->process->known)->has_read ||
	     process_of(races, to->process->known)->is_written))
		return true;
	if (from->is_local && !from->is_watched && !from->is_buffer)
		return from->kind != ACCESS_READS && to->has_read;
	if (to->is_local && to->kind == ACCESS_READS && !to->is_watched && !to->is_buffer)
		return false;
	return from->ended && process_of(races, from->process->known)->writes > from->writes &&
	       (to->has_read || process_of(races, to->process->known)->is_written);
}

/* Its process knows that the other access is complete, and has not written to window memory since its own: no
 * later event can order one before the other. */
static bool is_settled(struct window_races *races, const struct window_access *access,
                       const struct window_access *other)
{
	return access->ended && other->ended &&
	       ordering_is_before(races->ordering, other->process, other->completed, access->process) &&
	       ((access->is_local && !access->is_buffer) ||
	        process_of(races, access->process->known)->writes == access->writes);
}

/* `all`: all processes have synchronised, so no more information will follow. */
static void evaluate_suspects(struct window_races *races, bool all)
{
	size_t kept = 0;

	for (size_t i = 0; i < races->suspects.count; i++) {
		struct race_suspect *suspect = &races->suspects.items[i];
		const struct window_access *one = suspect->accesses[0], *other = suspect->accesses[1];
		const bool is_ordered = may_tell(races, one, other) || may_tell(races, other, one);

		if (!is_ordered && !all &&
		    !(is_settled(races, one, other) && is_settled(races, other, one))) {
			races->suspects.items[kept++] = *suspect;
			continue;
		}
		if (!is_ordered)
			report_race(races, &suspect->conflict, suspect->accesses[1], suspect->target);
		drop_suspect(races, suspect);
	}
	races->suspects.count = kept;
}

/* After some messages the processes may know about each other. */
static void over(void *owner, struct executed_operation *operation)
{
	struct window_races *races = owner;

	(void)operation;
	if (races->suspects.count && ++races->overs % EVALUATE_EVERY == 0)
		evaluate_suspects(races, false);
}

static void found_conflict(struct window_races *races, const struct window_conflict *conflict,
                           struct window_access *access, uint32_t target)
{
	uint32_t *known = map_put(&races->pairs,
	                          map_key(conflict->earlier->call->serial, access->call->serial));

	if (is_of_shmem(access->call) && is_harmless(conflict->earlier, access))
		return;
	if (*known != MAP_NONE)
		return;
	*known = 0;
	if (!access->is_passive || !conflict->earlier->is_passive ||
	    conflict->earlier->process == access->process) {
		report_race(races, conflict, access, target);
		return;
	}
	if (races->suspects.count == SUSPECTS_MAX)
		evaluate_suspects(races, false);
	if (races->suspects.count < SUSPECTS_MAX) {
		array_add(&races->suspects, (struct race_suspect){.accesses = {access_keep(conflict->earlier),
		                                                               access_keep(access)},
		                                                  .conflict = *conflict,
		                                                  .target = target});
	}
}

/* Errors of a single access and its target, without regard to other accesses */

/* The position of the access in the target's window. False: outside, which is reported. */
static bool access_start(const struct announced_memory *memory, const struct window_access *access,
                         struct findings_log *log, int64_t *start)
{
	const struct analysed_call *call = access->call;
	int64_t first, end;

	if (memory->kind == KIND_DYNAMIC || access->is_local) {
		*start = access->place;
		return true;
	}
	if (call->rank_count < 2 || __builtin_mul_overflow(access->place, memory->unit, start))
		return false;
	first = *start + call->ranks[0];
	end = *start + call->ranks[call->rank_count - 2] + call->ranks[call->rank_count - 1];
	if (first >= 0 && end <= memory->bytes)
		return true;
	/* The process itself detects the other cases. */
	if ((uint32_t)call->peer != call->member->rank && memory->kind != KIND_SHARED && access->place >= 0)
		report_finding(log, CHECK_WINDOW_OUTSIDE, 1, CALLS({call, NOTE_HERE}),
		               "target=%d" AND "first=%" PRId64 AND "end=%" PRId64 AND "bytes=%" PRId64,
		               call->peer, first, end - 1, memory->bytes);
	return false;
}

/* The elements of an accumulate have one basic type. */
static void check_single_type(const struct analysed_call *call, struct findings_log *log)
{
	enum { ELEMENTS_LOOKED_AT = 4096 };
	const struct signature *type = call->receive.type->signature;
	const uint64_t elements = signature_elements(type);

	if (signature_single_type(type))
		return;
	for (uint64_t i = 1; i < elements && i < ELEMENTS_LOOKED_AT; i++) {
		const enum basic_type first = signature_element(type, 0), other = signature_element(type, i);
		if (other == first)
			continue;
		report_finding(log, CHECK_WINDOW_ACCUMULATE_TYPE, 1, CALLS({call, NOTE_HERE}),
		               "datatype=%s" AND "other_datatype=%s", basic_type_name(first),
		               basic_type_name(other));
		return;
	}
}

/* Compares origin and target; once for each call. */
static void check_types(struct analysed_call *call, struct findings_log *log)
{
	const struct known_data *origin = &call->send, *target = &call->receive;
	struct signature_comparison difference;
	uint64_t origin_bytes, target_bytes;

	if (call->partner)
		return;
	call->partner = call->serial; /* already compared */
	if (target->type && (call->window == WINDOW_ACCUMULATE || call->window == WINDOW_FETCH))
		check_single_type(call, log);
	if (!target->type || !origin->type)
		return;
	origin_bytes = signature_bytes(origin->type->signature) * origin->count;
	target_bytes = signature_bytes(target->type->signature) * target->count;
	difference = signatures_compare(origin->type->signature, origin->count, target->type->signature,
	                                target->count);
	if (difference.verdict == SIGNATURE_DIFFERS)
		report_finding(log, CHECK_WINDOW_TYPE_MISMATCH, 1, CALLS({call, NOTE_HERE}),
		               "origin=%s" AND "target=%s" AND "element=%" PRIu64,
		               basic_type_name(difference.sent), basic_type_name(difference.received),
		               difference.at);
	else if (origin_bytes != target_bytes)
		report_finding(log, CHECK_WINDOW_SIZE_MISMATCH, 1, CALLS({call, NOTE_HERE}),
		               "origin=%" PRIu64 AND "target=%" PRIu64, origin_bytes, target_bytes);
}

/* Accesses */

/* To the memory of `target`, which is this member. */
static void add_access(struct window_races *races, struct raced_member *member, struct window_access *access,
                       int64_t start, uint32_t target)
{
	struct window_conflict conflict = {0};

	if (accesses_count(&member->accesses) > ACCESSES_MAX)
		accesses_clear_completed(&member->accesses);
	if (accesses_count(&member->accesses) > ACCESSES_MAX)
		accesses_clear(&member->accesses);
	if (!accesses_add(&member->accesses, access, start, &conflict))
		return;
	found_conflict(races, &conflict, access, target);
	access_drop(races->known, conflict.earlier);
}

static void enter(struct window_races *races, struct raced_window *window, struct window_access *access)
{
	const uint32_t target = (uint32_t)access->call->peer;
	struct raced_member *member = &window->members[target];
	int64_t start;

	if (access_start(&member->memory, access, races->log, &start))
		add_access(races, member, access, start, target);
}

static void memory_known(struct window_races *races, struct raced_window *window, uint32_t rank,
                         const struct analysed_call *call)
{
	struct raced_member *member = &window->members[rank];

	if (call->rank_count != 4)
		return;
	member->accesses.hints = (uint32_t)call->ranks[3];
	if (member->memory.is_known)
		return;
	member->memory = (struct announced_memory){.is_known = true,
	                                           .bytes = call->ranks[0],
	                                           .unit = call->ranks[1],
	                                           .kind = (uint32_t)call->ranks[2]};
	for (size_t i = 0; i < member->early.count; i++) {
		enter(races, window, member->early.items[i]);
		access_drop(races->known, member->early.items[i]);
	}
	array_release(&member->early);
}

static void set_ended(struct window_races *races, struct window_access *access, uint64_t count)
{
	access->ended = ++races->now;
	access->completed = count;
	access->writes = process_of(races, access->process->known)->writes;
}

static void keep_open(struct window_pair *pair, struct window_access *access)
{
	access->next_open = pair->open;
	pair->open = access_keep(access);
}

static void accessed(struct window_races *races, struct raced_window *window, struct executed_thread *thread,
                     struct analysed_call *call, uint64_t first)
{
	const uint32_t origin = call->member->rank, target = (uint32_t)call->peer;
	struct raced_member *member = &window->members[target], *own = &window->members[origin];
	struct raced_process *process = process_of(races, call->process);
	struct window_pair *pair = window_pair_get(window->execution, origin, target);
	const struct executed_window_member *members = window->execution->members;
	const enum lock_kind lock = epochs_lock(&members[origin].epochs, &pair->epochs);
	struct window_access *access = memory_new(1, sizeof *access);
	const struct analysed_call *exposed;

	*access = (struct window_access){.call = call_keep(call),
	                                 .process = thread->process,
	                                 .place = (int64_t)first,
	                                 .number = ++own->accesses_made,
	                                 .references = 1,
	                                 .began = ++races->now,
	                                 .kind = call->window == WINDOW_GET   ? ACCESS_READS
	                                         : call->window == WINDOW_PUT ? ACCESS_WRITES
	                                                                      : ACCESS_UPDATES,
	                                 .is_passive = lock != LOCKED_NOT,
	                                 .is_exclusive = lock == LOCKED_EXCLUSIVE,
	                                 .has_read = process->has_read};
	if (is_of_shmem(call)) {
		access->place = (int64_t)(first & (((uint64_t)1 << SHMEM_PLACE_BITS) - 1));
		access->content = (uint32_t)(first >> SHMEM_PLACE_BITS);
	} else {
		races->has_windows = true;
	}
	check_types(call, races->log);
	exposed = epoch_is_open(&members[origin].epochs, EPOCH_START) ? members[target].post
	                                                              : members[target].fence;
	if (!access->is_passive && exposed && exposed->tag & ASSERTION_NOPUT && call->window != WINDOW_GET &&
	    call->operator!= WINDOW_OPERATOR_NONE)
		report_finding(races->log, CHECK_WINDOW_ASSERTION, 1,
		               CALLS({call, NOTE_HERE}, {exposed, NOTE_OTHER}), "assertion=MPI_MODE_NOPUT");
	if (access->is_passive && access->kind != ACCESS_READS) {
		const struct analysed_process *written = call->member->comm->members
		                                                 ? call->member->comm->members[target]
		                                                 : NULL;
		process->writes++;
		if (written)
			process_of(races, written)->is_written = true;
	}
	if (access->is_passive && call->window != WINDOW_PUT && call->window != WINDOW_ACCUMULATE)
		process_of(races, call->process)->has_read = true;
	if (access->is_passive)
		keep_open(pair, access);
	if (member->memory.is_known)
		enter(races, window, access);
	else
		array_add(&member->early, access_keep(access));
	access_drop(races->known, access);
}

/* In the process's own memory or in shared memory of another process. It is complete at once, except for
 * buffers of one-sided operations. */
static struct window_access *new_local_access(struct window_races *races, struct executed_window *window,
                                              struct executed_process *process, struct analysed_call *call)
{
	const uint32_t rank = call->member->rank;
	const enum lock_kind lock = epochs_lock(&window->members[rank].epochs,
	                                        window_peer_epochs(window, rank, (uint32_t)call->peer));
	struct window_access *access = memory_new(1, sizeof *access);

	*access = (struct window_access){
		.call = call_keep(call),
		.process = process,
		.references = 1,
		.began = ++races->now,
		.kind = call->window == WINDOW_LOADED ? ACCESS_READS : ACCESS_WRITES,
		.is_passive = true,
		.is_local = true,
		.is_buffer = call->tag != 0,
		.is_watched = call->flags & CHECK_CALL_WATCHED,
		.is_locked = lock != LOCKED_NOT,
		.is_exclusive = lock == LOCKED_EXCLUSIVE,
		.has_read = process_of(races, call->process)->has_read,
	};
	if (call->tag > 0 && (uint32_t)call->tag <= window->member_count)
		keep_open(window_pair_get(window, rank, (uint32_t)call->tag - 1), access);
	else
		set_ended(races, access, ordering_count(races->ordering, process));
	return access;
}

/* A load in a loop may wait for other processes. */
static void note_repeats(struct window_races *races, struct raced_member *member,
                         struct window_access *access)
{
	const uint64_t serial = access->call->serial;

	if (access->kind != ACCESS_READS || access->is_buffer)
		return;
	if (!(access->call->flags & CHECK_CALL_ONCE))
		process_of(races, access->call->process)->has_polled = true;
	access->is_repeated = member->last_load == serial &&
	                      (!access->is_watched || member->last_byte == (uint64_t)access->place);
	member->last_load = serial;
	member->last_byte = (uint64_t)access->place;
	for (size_t i = 0; access->is_repeated && i < races->suspects.count; i++)
		for (int j = 0; j < 2; j++) {
			struct window_access *earlier = races->suspects.items[i].accesses[j];

			earlier->is_repeated |= earlier->is_local && earlier->call->serial == serial;
		}
}

/* By the program itself, or by the buffer of a call. */
static void accessed_locally(struct window_races *races, struct raced_window *window,
                             struct executed_process *process, struct analysed_call *call, uint64_t first)
{
	const uint32_t rank = (uint32_t)call->peer;
	struct raced_member *member = &window->members[rank];
	struct window_access *access;

	/* Earlier remote accesses are not known yet. */
	if (!member->memory.is_known && rank == call->member->rank)
		return;
	if (call->flags & CHECK_CALL_WATCHED && call->window == WINDOW_STORED)
		process_of(races, call->process)->writes++;
	access = new_local_access(races, window->execution, process, call);
	access->place = (int64_t)first;
	if (!member->memory.is_known) { /* its owner has not announced it yet */
		array_add(&member->early, access);
		return;
	}
	note_repeats(races, member, access);
	add_access(races, member, access, access->place, rank);
	/* It may have waited there for others. */
	if (member->memory.kind == KIND_SHARED && access->kind == ACCESS_READS)
		process_of(races, call->process)->has_read = true;
	access_drop(races->known, access);
}

/* Synchronisation */

static void complete(struct window_races *races, struct window_pair *pair, bool only_reads)
{
	struct window_access **link = &pair->open, *access;
	uint64_t count = 0;

	while ((access = *link)) {
		if (only_reads && !access->is_local && access_writes(access)) {
			link = &access->next_open;
			continue;
		}
		*link = access->next_open;
		if (!count)
			count = ordering_count(races->ordering, access->process);
		set_ended(races, access, count);
		access_drop(races->known, access);
	}
}

/* Completes the access with this number, if it is still open. */
static void complete_get(struct window_races *races, struct window_pair *pair, uint64_t number)
{
	struct window_access **link = &pair->open, *access;

	while ((access = *link) && access->number != number)
		link = &access->next_open;
	if (!access)
		return;
	*link = access->next_open;
	set_ended(races, access, ordering_count(races->ordering, access->process));
	access_drop(races->known, access);
}

static void complete_of(struct window_races *races, const struct executed_window *window,
                        const struct analysed_call *call, bool only_reads)
{
	const struct executed_window_member *member = &window->members[call->member->rank];
	struct window_pair *pair = call->peer < 0 ? NULL
	                                          : window_pair_find(window, call->member->rank,
	                                                             (uint32_t)call->peer);

	for (size_t i = 0; call->peer < 0 && i < member->pairs.count; i++)
		complete(races, member->pairs.items[i], only_reads);
	if (pair)
		complete(races, pair, only_reads);
}

static void synchronised(struct window_races *races, struct raced_window *window, struct analysed_call *call)
{
	const uint32_t rank = call->member->rank;
	struct raced_member *member = &window->members[rank];

	switch (call->window) {
	case WINDOW_MEMORY:
		memory_known(races, window, rank, call);
		break;
	case WINDOW_WAIT: /* all accesses to it are complete */
		accesses_clear(&member->accesses);
		break;
	case WINDOW_COMPLETE: /* only buffers are open */
	case WINDOW_UNLOCK:
	case WINDOW_UNLOCK_ALL:
	case WINDOW_FLUSH:
	case WINDOW_FLUSH_LOCAL:
		complete_of(races, window->execution, call, call->window == WINDOW_FLUSH_LOCAL);
		break;
	case WINDOW_SYNC:
		process_of(races, call->process)->has_read = true;
		process_of(races, call->process)->has_synced = true;
		process_of(races, call->process)->writes++;
		break;
	default:
		break;
	}
}

static void window_called(void *owner, struct executed_thread *thread, struct analysed_call *call,
                          uint64_t first)
{
	struct window_races *races = owner;
	struct executed_window *execution = executed_window_of(call);
	struct window_pair *pair;
	struct raced_window *window;

	if (!execution)
		return;
	window = window_of(races, execution);
	if (call->peer >= 0 && (call->window == WINDOW_LOADED || call->window == WINDOW_STORED))
		accessed_locally(races, window, thread->process, call, first);
	else if (call->window == WINDOW_GET_COMPLETE && call->peer >= 0 &&
	         (pair = window_pair_find(execution, call->member->rank, (uint32_t)call->peer)))
		complete_get(races, pair, first);
	else if (call->window < WINDOW_GET || call->window > WINDOW_FETCH)
		synchronised(races, window, call);
	else if (call->peer >= 0)
		accessed(races, window, thread, call, first);
}

/* Collective calls */

static void window_gone(void *owner, struct executed_window *execution)
{
	struct window_races *races = owner;
	struct raced_window *window = execution->races;

	for (size_t i = 0; i < execution->pairs.count; i++)
		for (struct window_access *access = execution->pairs.items[i]->open, *next; access;
		     access = next) {
			next = access->next_open;
			access_drop(races->known, access);
		}
	if (!window)
		return;
	for (uint32_t i = 0; i < execution->member_count; i++) {
		struct raced_member *member = &window->members[i];

		accesses_clear(&member->accesses);
		for (size_t k = 0; k < member->early.count; k++)
			access_drop(races->known, member->early.items[k]);
		array_release(&member->early);
	}
	free(window->members);
	free(window);
}

/* All members are in the fence: earlier accesses are complete. */
static void fenced(struct window_races *races, const struct executed_collective *collective)
{
	struct executed_window *execution = executed_window_get(races->execution, collective->comm);
	struct raced_window *window = window_of(races, execution);

	for (size_t i = 0; i < execution->pairs.count; i++)
		complete(races, execution->pairs.items[i], false);
	for (uint32_t i = 0; i < execution->member_count; i++) {
		accesses_clear(&window->members[i].accesses);
		if (collective->members[i])
			call_replace(races->known, &execution->members[i].fence,
			             collective->members[i]->call);
	}
}

/* True if all processes wait for all others. */
static bool orders_all(const struct window_races *races, const struct executed_collective *collective,
                       uint32_t function)
{
	return (function == CALL_Barrier || function == CALL_Allreduce || function == CALL_Allgather ||
	        function == CALL_Alltoall || function == CALL_Win_fence || function == CALL_Win_free ||
	        function == CALL_shmem_barrier_all || function == CALL_shmem_sync_all) &&
	       collective->comm->size[0] == races->known->processes.count && !collective->comm->size[1];
}

/* All accesses of OpenSHMEM are complete and ordered: what PEs have read before tells nothing about later ones. */
static void forget_reads(struct window_races *races)
{
	for (size_t i = 0; i < races->processes.count; i++)
		races->processes.items[i].has_read = races->processes.items[i].is_written = false;
}

static void all_there(void *owner, struct executed_collective *collective)
{
	struct window_races *races = owner;
	const struct executed_operation *one = collective->members[0];
	const uint32_t function = one ? one->call->function : 0;

	if (!one)
		return;
	if (orders_all(races, collective, function)) {
		evaluate_suspects(races, true);
		if (function == CALL_shmem_barrier_all && !races->has_windows)
			forget_reads(races);
		for (size_t i = 0; i < races->execution->windows.count; i++) {
			const struct executed_window *window = races->execution->windows.items[i];
			for (uint32_t j = 0; window->races && j < window->member_count; j++)
				accesses_clear_completed(&window->races->members[j].accesses);
		}
	}
	if (function == CALL_Win_fence && !collective->comm->size[1])
		fenced(races, collective);
}

struct window_races *window_races_new(struct execution *execution, struct ordering *ordering,
                                      struct findings_log *log)
{
	struct window_races *races = memory_new(1, sizeof *races);

	races->execution = execution;
	races->known = execution->known;
	races->ordering = ordering;
	races->log = log;
	/* Accesses completed by an unlock must be counted before the unlock orders them. */
	execution_listen_first(execution, &(struct execution_listener){.owner = races,
	                                                               .over = over,
	                                                               .all_there = all_there,
	                                                               .window = window_called,
	                                                               .window_gone = window_gone});
	return races;
}

void window_races_end(struct window_races *races)
{
	evaluate_suspects(races, true);
}

void window_races_free(struct window_races *races)
{
	for (size_t i = 0; i < races->suspects.count; i++)
		drop_suspect(races, &races->suspects.items[i]);
	array_release(&races->suspects);
	array_release(&races->processes);
	map_release(&races->process_numbers);
	map_release(&races->pairs);
	free(races);
}
