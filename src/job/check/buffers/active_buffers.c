#include "job/check/buffers/active_buffers.h"

#include "base/hash.h"
#include "base/notes.h"
#include "calls/calls.h"
#include "job/check/buffers/buffer_contents.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/message_contents.h"
#include "job/check/buffers/receive_shadows.h"
#include "job/check/buffers/retired_buffers.h"
#include "job/check/buffers/watched_memory.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/request_table.h"
#include "job/check/wire/places.h"
#include "job/check/wire/thread_order.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_BLOCK = 64, PARTITIONS_MAX = 256, EPOCH_BUFFERS_MAX = 4096 };
/* All of the first operations of a place in the program are followed; then one in FOLLOWED_RARELY, several
 * in a row. */
enum { FOLLOWED_ALWAYS = 256, FOLLOWED_RARELY = 16, FOLLOWED_IN_A_ROW = 8, COUNTED_PLACES = 1024 };

/* How long a function uses its buffers. */
enum buffer_span { NOT_FOLLOWED, DURING_CALL, UNTIL_END_OF_EPOCH, UNTIL_COMPLETE, FROM_EACH_START };

static struct {
	uint8_t span;         /* enum buffer_span */
	bool ends_epoch;      /* the call ends an epoch, or completes its operations at the origin */
	bool root_reads;      /* there is one buffer, which the root sends and others receive */
	bool may_have_shadow; /* wrappers make MPI receive into agent_call.receive_buffer */
} calls[MPI_CALLS];

static struct interval_set reads, writes;
static struct active_buffer *spare;
/* Buffers of one-sided operations without a request. */
static struct active_buffer *in_epochs;
static uint32_t in_epochs_count;

/* Buffers of the thread's current call that may stay in use after it. */
static _Thread_local struct {
	const struct agent_call *call;
	struct active_buffer *first;
} pending __attribute__((tls_model("initial-exec")));

/* The call itself reads one buffer and writes the other: MPI_Pack, MPI_Unpack, MPI_Reduce_local. */
static bool is_local(enum call_id id)
{
	return call_parameter(id, KIND_sbuf) >= 0 && call_parameter(id, KIND_rbuf) >= 0;
}

void active_buffers_init(void)
{
	buffer_contents_init();
	for (enum call_id id = 0; id < MPI_CALLS; id++) {
		calls[id].root_reads = all_calls[id].moves == MOVES_BCAST;
		calls[id].ends_epoch = all_calls[id].accesses;
		if (!all_calls[id].moves && all_calls[id].class != CLASS_FILE_DATA && !is_local(id))
			calls[id].span = NOT_FOLLOWED;
		else if (all_calls[id].class == CLASS_ONE_SIDED && call_parameter(id, KIND_newrequest) < 0)
			calls[id].span = UNTIL_END_OF_EPOCH;
		else if (all_calls[id].persistent)
			calls[id].span = FROM_EACH_START;
		else
			calls[id].span = call_parameter(id, KIND_newrequest) >= 0 ? UNTIL_COMPLETE
			                                                          : DURING_CALL;
		calls[id].may_have_shadow = calls[id].span >= UNTIL_END_OF_EPOCH;
	}
}

static struct active_buffer *take_spare(void)
{
	struct active_buffer *buffer = spare;

	if (UNLIKELY(!buffer)) {
		buffer = host_table(BUFFER_BLOCK, sizeof *buffer);
		for (int i = 0; buffer && i < BUFFER_BLOCK; i++)
			buffer[i].next = i + 1 < BUFFER_BLOCK ? &buffer[i + 1] : NULL;
	}
	if (LIKELY(buffer))
		spare = buffer->next;
	return buffer;
}

/* Frees the parts of the struct, not the struct itself. */
static void release_bytes(struct active_buffer *buffer)
{
	if (UNLIKELY(buffer->layout != NULL))
		type_layout_release(buffer->layout);
	if (UNLIKELY(buffer->list.run != NULL))
		byte_runs_release(&buffer->list);
}

/* Other threads may access the buffers of a call while it runs. */
static bool is_watched(const struct active_buffer *buffer)
{
	return watched_memory_wanted && (calls[buffer->by].span != DURING_CALL || thread_order_has_threads);
}

static void set_in_use(struct active_buffer *buffer, bool in_use)
{
	struct interval_set *set = buffer->receives ? &writes : &reads;

	if (UNLIKELY(watched_memory_wanted))
		watch_lock();
	buffer->in_use = in_use;
	if (in_use)
		interval_add(set, &buffer->interval);
	else
		interval_remove(set, &buffer->interval);
	if (UNLIKELY(is_watched(buffer)) && in_use) {
		watch_buffer(buffer);
		watch_earlier(buffer);
	} else if (UNLIKELY(is_watched(buffer)))
		unwatch_buffer(buffer);
	if (UNLIKELY(watched_memory_wanted))
		watch_unlock();
}

static void give_back(struct active_buffer *buffer)
{
	if (buffer->in_use)
		set_in_use(buffer, false);
	if (UNLIKELY(buffer->shadow != NULL))
		receive_shadow_free(buffer);
	if (UNLIKELY(buffer->guard))
		guard_end(buffer->guard, NULL);
	if (UNLIKELY(watched_memory_wanted))
		watched_buffer_forget(buffer);
	release_bytes(buffer);
	buffer->next = spare;
	spare = buffer;
}

static void give_back_all(struct active_buffer *buffer)
{
	for (struct active_buffer *next; buffer; buffer = next) {
		next = buffer->next;
		give_back(buffer);
	}
}

static void set_solid(struct active_buffer *buffer, int64_t first, int64_t bytes)
{
	buffer->solid = (struct byte_run){0, bytes};
	buffer->pattern = (struct byte_pattern){
		.run = &buffer->solid, .count = 1, .start = first, .times = 1};
}

static bool type_is_in_order(uint64_t handle)
{
	const struct type_layout *layout = type_layout_get(handle);

	return layout && layout->in_order;
}

/* False: its bytes are unknown. */
static bool describe(struct active_buffer *buffer, const struct argument_check *check, int index,
                     const struct byte_range *range)
{
	const struct shaped_buffer *shaped = &check->shape->buffers[index];

	buffer->interval.first = range->first;
	buffer->interval.end = range->last + 1;
	buffer->layout = NULL;
	buffer->shadow = NULL;
	buffer->guard = 0;
	buffer->list = (struct byte_runs){0};
	buffer->request = NULL;
	buffer->call = check->call;
	buffer->by = check->call->id;
	buffer->parameter = shaped->buffer;
	buffer->address = check->values[shaped->buffer];
	buffer->receives = !shaped->sends && !(calls[check->call->id].root_reads && check->at_root);
	buffer->in_use = buffer->has_content = buffer->overlaps = false;
	buffer->touched[0] = buffer->touched[1] = NULL;
	buffer->window = check->shape->win < 0 ? 0 : (uint64_t)check->values[check->shape->win];
	buffer->target = check->shape->win < 0 ? 0
	                                       : check->values[call_parameter(check->call->id, KIND_target)];
	buffer->partition = 0;
	buffer->in_order = false;
	if (LIKELY(range->solid)) {
		if (UNLIKELY(message_contents_wanted) && shaped->type >= 0)
			buffer->in_order = type_is_in_order((uint64_t)check->values[shaped->type]);
		set_solid(buffer, range->first, range->last - range->first + 1);
		return true;
	}
	if (!buffer_pattern(check, shaped, &buffer->list, &buffer->layout, &buffer->pattern)) {
		byte_runs_release(&buffer->list);
		buffer->layout = NULL;
		return false;
	}
	buffer->in_order = buffer->layout ? buffer->layout->in_order : !buffer->list.reordered;
	if (buffer->layout)
		type_layout_hold(buffer->layout);
	return true;
}

struct overlap_search {
	struct agent_call *call;
	struct active_buffer *buffer;
};

void active_buffer_origin(struct finding_draft *draft, const struct active_buffer *buffer)
{
	const struct checked_request *request = buffer->request;

	if (!request) {
		finding_draft_call(draft, buffer->by, buffer->call ? agent_place(buffer->call) : buffer->at,
		                   NOTE_EARLIER);
		return;
	}
	finding_draft_call(draft, request->created_by, request->created_at, NOTE_EARLIER);
	if (request->flags & REQUEST_PERSISTENT)
		finding_draft_call(draft, request->started_by, request->started_at, NOTE_BEGAN);
}

void active_buffer_report(const struct agent_call *call, const struct active_buffer *buffer, enum check check,
                          const struct page_access *access)
{
	struct finding_draft draft = finding_draft(check, call);

	finding_draft_value(&draft, "parameter", "%s",
	                    call_parameter_name(buffer->by, (uint32_t)buffer->parameter));
	finding_draft_value(&draft, "bytes", "%lld", (long long)byte_pattern_bytes(&buffer->pattern));
	if (buffer->call != call || buffer->request)
		active_buffer_origin(&draft, buffer);
	if (access)
		finding_draft_call(&draft, call->id,
		                   place_of_addresses(access->stack.addresses, access->stack.count,
		                                      access->stack.is_whole),
		                   check == CHECK_MEMORY_RECEIVE_READ ? NOTE_READ : NOTE_WRITTEN);
	finding_report(&draft);
}

static void report_overlap(struct agent_call *call, const struct active_buffer *buffer,
                           const struct active_buffer *other, int64_t at)
{
	struct finding_draft draft = finding_draft(CHECK_MEMORY_OVERLAP, call);

	finding_draft_value(&draft, "parameter", "%s",
	                    call_parameter_name(buffer->by, (uint32_t)buffer->parameter));
	finding_draft_value(&draft, "other_parameter", "%s",
	                    call_parameter_name(other->by, (uint32_t)other->parameter));
	finding_draft_value(&draft, "offset", "%lld", (long long)(at - buffer->address));
	active_buffer_origin(&draft, other);
	if (buffer->request && buffer->request->flags & REQUEST_PERSISTENT)
		finding_draft_call(&draft, buffer->request->created_by, buffer->request->created_at,
		                   NOTE_CREATED);
	finding_report(&draft);
}

static bool look(struct interval *interval, void *context)
{
	const struct overlap_search *search = context;
	/* the interval is the first member of a buffer */
	struct active_buffer *other = (struct active_buffer *)interval;
	int64_t at;

	/* A one-sided operation on MPI_PROC_NULL does nothing. */
	if ((search->buffer->window && search->buffer->target < 0) || (other->window && other->target < 0))
		return true;
	if (byte_patterns_overlap(&search->buffer->pattern, &other->pattern, &at) != BYTES_OVERLAP)
		return true;
	report_overlap(search->call, search->buffer, other, at);
	if (UNLIKELY(other->shadow != NULL || other->guard))
		guards_open(other->interval.first,
		            other->interval.end); /* MPI uses its bytes for the other operation as well */
	other->overlaps = search->buffer->overlaps = true;
	return false;
}

void active_buffers_visit(int64_t first, int64_t end, bool all, interval_visit *visit, void *context)
{
	interval_each(&writes, first, end, visit, context);
	if (all)
		interval_each(&reads, first, end, visit, context);
}

bool active_buffers_have(int64_t first, int64_t end)
{
	bool found;

	lock_if_shared();
	found = interval_set_has(&writes, first, end) || interval_set_has(&reads, first, end);
	unlock_if_shared();
	return found;
}

static void find_overlap(struct agent_call *call, struct active_buffer *buffer)
{
	struct overlap_search search = {call, buffer};

	active_buffers_visit(buffer->interval.first, buffer->interval.end, buffer->receives, look, &search);
}

uint32_t active_buffer_guard(const struct active_buffer *buffer, unsigned kind)
{
	const struct byte_pattern *pattern = &buffer->pattern;
	const bool is_solid = pattern->count == 1 &&
	                      (pattern->times == 1 || pattern->stride == pattern->run[0].length);
	const int64_t first = pattern->start + pattern->run[0].offset,
		      end = is_solid ? buffer->interval.end : first + pattern->run[0].length;

	return guard_begin(first, end, kind | GUARD_WORDS, 0);
}

/* `hash`: the hash of its data; 0: unknown. */
static void enter_use(struct active_buffer *buffer, uint64_t hash)
{
	set_in_use(buffer, true);
	if (UNLIKELY(buffer_contents_wanted))
		buffer_contents_keep(buffer, hash);
	if (UNLIKELY(buffer->shadow != NULL)) {
		receive_shadow_fill(buffer);
		receive_shadow_guard(buffer);
	}
}

/* Replaces the buffer of all partitions by one buffer per partition. */
static struct active_buffer *divide(struct active_buffer *whole, int64_t partitions, int64_t count)
{
	struct active_buffer *first = NULL;
	struct byte_pattern pattern = whole->pattern;

	pattern.times = count;
	for (int64_t i = 0; i < partitions && whole->layout; i++) {
		struct active_buffer *buffer = take_spare();

		if (!buffer) {
			give_back_all(first);
			first = NULL;
			break;
		}
		*buffer = *whole;
		buffer->next = first;
		buffer->pattern = pattern;
		buffer->pattern.start += i * count * pattern.stride;
		buffer->partition = i;
		type_layout_hold(buffer->layout);
		byte_pattern_hull(&buffer->pattern, &buffer->interval.first, &buffer->interval.end);
		first = buffer;
	}
	give_back(whole);
	return first;
}

static struct active_buffer *partitions_of(struct active_buffer *buffer, const struct argument_check *check,
                                           const struct shaped_buffer *shaped)
{
	const int64_t partitions = check->values[call_parameter(check->call->id, KIND_partitions)],
		      count = check->values[shaped->count];
	const struct type_layout *layout = type_layout_get((uint64_t)check->values[shaped->type]);

	if (!layout || layout->approximate || partitions > PARTITIONS_MAX || partitions < 1 || count < 1) {
		give_back(buffer);
		return NULL;
	}
	if (!buffer->layout)
		type_layout_hold(layout);
	buffer->layout = layout;
	buffer->pattern = type_layout_pattern(layout, check->values[shaped->buffer], count);
	return divide(buffer, partitions, count);
}

/* Opens guarded pages: the bytes that MPI will use are unknown. */
static void open_for_mpi(const struct byte_range *range)
{
	if (UNLIKELY(receive_shadows_live))
		guards_open(range->first, range->last + 1);
}

static bool type_is_solid(uint64_t handle)
{
	const struct type_layout *layout = type_layout_get(handle);

	return layout && layout->count == 1 && layout->bytes == layout->extent;
}

/* MPICH 4.0 completes requests of MPI_Rget before the data arrives if one of the types has gaps. */
static bool may_end_early(const struct argument_check *check)
{
	const enum call_id id = check->call->id;
	const int types[] = {call_parameter(id, KIND_otype), call_parameter(id, KIND_xtype),
	                     call_parameter(id, KIND_ttype)};

	for (size_t i = 0; calls[id].span == UNTIL_COMPLETE && all_calls[id].class == CLASS_ONE_SIDED &&
	                   i < sizeof types / sizeof *types;
	     i++)
		if (types[i] >= 0 && !type_is_solid((uint64_t)check->values[types[i]]))
			return true;
	return false;
}

/* Places that were right many times are checked rarely, because a check takes longer than a small
 * operation. Several operations in a row are checked, because they may overlap; rows are chosen at
 * random, so that no loop is in step with them. Places with the same hash count as one. Programs
 * compiled by `tarry cc` are always checked, because reporting their accesses costs more anyway. */
static bool is_worth_following(const struct agent_call *call)
{
	static uint32_t counts[COUNTED_PLACES], frequent;
	uint32_t *const count = &counts[hash_fold(hash_word(call->id, agent_place(call))) % COUNTED_PLACES];

	if (watched_memory_wanted || *count < FOLLOWED_ALWAYS) {
		++*count;
		return true;
	}
	return hash_fold(hash_word(0, frequent++ / FOLLOWED_IN_A_ROW)) % FOLLOWED_RARELY == 0;
}

/* Makes MPI receive into a shadow of a buffer, or of all its partitions. */
static void add_shadow(const struct argument_check *check, struct active_buffer *buffers)
{
	struct agent_call *call = check->call;
	/* If the list is full, the data would never be delivered. */
	const bool is_full = calls[call->id].span == UNTIL_END_OF_EPOCH &&
	                     in_epochs_count >= EPOCH_BUFFERS_MAX;

	if (!buffers || !buffers->receives || !calls[call->id].may_have_shadow || buffers->overlaps ||
	    is_full || call->problems || may_end_early(check) ||
	    (calls[call->id].span == UNTIL_COMPLETE && !is_worth_following(call)) ||
	    !receive_shadow_add(buffers, call))
		return;
	for (struct active_buffer *buffer = buffers; buffer; buffer = buffer->next)
		receive_shadow_fill(buffer);
}

static void note_unwatched(const struct active_buffer *buffer)
{
	static bool noted;

	if (receive_shadows_wanted || watched_memory_wanted || noted ||
	    (buffer_contents_wanted && !buffer->receives))
		return;
	noted = true;
	agent_note(UNCHECKED_NOTE "use of %s before operations are complete (--buffers=all checks it)",
	           buffer_contents_wanted ? "receive buffers" : "buffers");
}

/* Keeps a buffer for the request of the call, or until the call ends. */
static void keep_pending(struct argument_check *check, int index, const struct byte_range *range)
{
	struct active_buffer *buffer = take_spare();

	if (!buffer)
		return;
	if (!describe(buffer, check, index, range)) {
		buffer->next = spare;
		spare = buffer;
		open_for_mpi(range);
		return;
	}
	note_unwatched(buffer);
	if (calls[check->call->id].span != FROM_EACH_START)
		find_overlap(check->call, buffer);
	else if (check->shape->buffers[index].blocks == BLOCK_PER_PARTITION) {
		pending.first = partitions_of(buffer, check, &check->shape->buffers[index]);
		if (UNLIKELY(receive_shadows_wanted))
			add_shadow(check, pending.first);
		return; /* it is the only buffer of the call */
	}
	buffer->next = NULL;
	if (UNLIKELY(receive_shadows_wanted))
		add_shadow(check, buffer);
	buffer->next = pending.first;
	pending.first = buffer;
}

static void check_blocking(struct argument_check *check, int index, const struct byte_range *range)
{
	struct active_buffer buffer;

	if (!describe(&buffer, check, index, range)) {
		open_for_mpi(range);
		return;
	}
	find_overlap(check->call, &buffer);
	release_bytes(&buffer);
}

void active_buffers_before(struct argument_check *check, const struct byte_range *ranges)
{
	const uint8_t span = calls[check->call->id].span;
	const bool keep = span >= UNTIL_END_OF_EPOCH ||
	                  (span == DURING_CALL &&
	                   (UNLIKELY(checked.shared) || UNLIKELY(thread_order_has_threads)));
	bool is_followed;

	for (int i = 0; i < check->shape->buffer_count; i++)
		guards_open_windows(ranges[i].bytes > 0 ? ranges[i].first : 0,
		                    ranges[i].bytes > 0 ? ranges[i].last + 1 : INT64_MAX);
	if (!span || (!keep && interval_set_is_empty(&writes) && interval_set_is_empty(&reads)))
		return;
	lock_if_shared();
	if (UNLIKELY(pending.first != NULL)) /* left over from a call that was left by a jump */
		give_back_all(pending.first);
	pending.first = NULL;
	pending.call = check->call;
	is_followed = span != UNTIL_END_OF_EPOCH || is_worth_following(check->call);
	for (int i = 0; i < check->shape->buffer_count; i++) {
		/* In packed data, the part that MPI uses is unknown. */
		if (ranges[i].bytes <= 0 || check->shape->buffers[i].bytes >= 0)
			continue;
		if (!is_followed)
			open_for_mpi(&ranges[i]);
		else if (keep)
			keep_pending(check, i, &ranges[i]);
		else
			check_blocking(check, i, &ranges[i]);
	}
	if (span == DURING_CALL)
		for (struct active_buffer *buffer = pending.first; buffer; buffer = buffer->next)
			enter_use(buffer, 0);
	unlock_if_shared();
}

void active_buffers_made(const struct agent_call *call, struct checked_request *request)
{
	struct active_buffer *first = pending.call == call ? pending.first : NULL;

	if (!first)
		return;
	pending.first = NULL;
	if (UNLIKELY(!request)) {
		active_buffers_deliver(first); /* the operations are complete, or there are no buffers */
		return;
	}
	request->buffers = first;
	for (struct active_buffer *buffer = first; buffer; buffer = buffer->next) {
		buffer->request = request;
		if (request->flags & REQUEST_ACTIVE)
			enter_use(buffer, call->sent);
		else if (UNLIKELY(buffer->shadow != NULL))
			receive_shadow_prepared(buffer);
	}
}

static bool may_be_one(const struct active_buffer *last, const struct active_buffer *buffer)
{
	return !last->receives && !buffer->receives && last->pattern.run == &last->solid &&
	       buffer->pattern.run == &buffer->solid && last->by == buffer->by &&
	       last->parameter == buffer->parameter && last->window == buffer->window &&
	       last->target == buffer->target && last->at == buffer->at && !last->has_content &&
	       buffer->interval.first >= last->interval.first && buffer->interval.first <= last->interval.end;
}

/* A loop that puts successive elements, or the same one again, reads one buffer: the last buffer is extended, to
 * keep the list short. */
static bool add_to_last(const struct active_buffer *buffer)
{
	struct active_buffer *last = in_epochs;

	if (!last || UNLIKELY(buffer_contents_wanted) || !may_be_one(last, buffer))
		return false;
	if (buffer->interval.end > last->interval.end) {
		set_in_use(last, false);
		last->interval.end = buffer->interval.end;
		set_solid(last, last->interval.first, last->interval.end - last->interval.first);
		enter_use(last, 0);
	}
	return true;
}

/* Keeps the buffers of a call that has begun one-sided operations. */
static void keep_in_epoch(struct agent_call *call)
{
	while (pending.first) {
		struct active_buffer *buffer = pending.first;

		pending.first = buffer->next;
		buffer->at = agent_place(call);
		buffer->call = NULL;
		/* A shadow must be kept, because MPI may be writing to it. */
		if (add_to_last(buffer) || (in_epochs_count >= EPOCH_BUFFERS_MAX && !buffer->shadow)) {
			give_back(buffer);
			continue;
		}
		buffer->next = in_epochs;
		in_epochs = buffer;
		in_epochs_count++;
		enter_use(buffer, 0);
	}
}

static bool is_ended_by(const struct active_buffer *buffer, uint64_t window, int64_t target, bool all)
{
	return buffer->in_use && buffer->window == window && (all || buffer->target == target);
}

/* `call` has completed the operation; NULL: the operation never began. True: the program changed
 * a buffer that MPI only reads. */
static bool complete_buffer(struct agent_call *call, struct active_buffer *buffer, const MPI_Status *status)
{
	bool changed = false;

	set_in_use(buffer, false);
	if (UNLIKELY(thread_order_has_threads) && call && !call->nested)
		retired_buffer_add(call, buffer);
	buffer->is_reported = (buffer->touched[0] || buffer->touched[1]) && call;
	if (UNLIKELY(buffer->is_reported))
		changed = watched_buffer_report(call, buffer) && !buffer->receives;
	if (UNLIKELY(buffer->has_content) && call)
		changed |= buffer_contents_compare(call, buffer);
	guard_end(buffer->guard, NULL);
	buffer->guard = 0;
	if (UNLIKELY(buffer->shadow != NULL) && call)
		receive_shadow_complete(call, buffer, status);
	else if (UNLIKELY(buffer->shadow != NULL))
		receive_shadow_drop(buffer);
	return changed;
}

/* One-sided operations are complete at the origin, including those with pending requests. */
static void end_epoch(struct agent_call *call)
{
	const int window_at = call_parameter(call->id, KIND_win),
		  target_at = call_parameter(call->id, KIND_target);
	const uint64_t window = window_at < 0 ? call->ended : (uint64_t)call->arguments[window_at];
	const int64_t target = target_at < 0 ? 0 : call->arguments[target_at];
	struct checked_request *request;
	uint32_t position = 0;

	for (struct active_buffer **link = &in_epochs, *buffer; (buffer = *link);) {
		if (!is_ended_by(buffer, window, target, target_at < 0)) {
			link = &buffer->next;
			continue;
		}
		*link = buffer->next;
		in_epochs_count--;
		complete_buffer(call, buffer, NULL);
		give_back(buffer);
	}
	while (checked_requests.live && request_next(&position, &request))
		if (request->flags & REQUEST_ONE_SIDED)
			for (struct active_buffer *buffer = request->buffers; buffer; buffer = buffer->next)
				if (is_ended_by(buffer, window, target, target_at < 0))
					complete_buffer(call, buffer, NULL);
}

bool active_buffers_are_concerned(enum call_id id)
{
	return calls[id].ends_epoch || calls[id].span == DURING_CALL || calls[id].span == UNTIL_END_OF_EPOCH;
}

/* Ends the use of buffers by a call without requests. */
static void end_call(struct agent_call *call)
{
	for (struct active_buffer *buffer = pending.first; buffer && UNLIKELY(thread_order_has_threads);
	     buffer = buffer->next)
		if (buffer->in_use && calls[call->id].span == DURING_CALL) {
			set_in_use(buffer, false);
			retired_buffer_add(call, buffer);
			watched_buffer_report(call, buffer);
		}
	give_back_all(pending.first);
}

void active_buffers_after(struct agent_call *call, int rc)
{
	const bool ends = rc == MPI_SUCCESS && calls[call->id].ends_epoch;

	if (!ends && (!pending.first || pending.call != call))
		return;
	lock_if_shared();
	if (ends)
		end_epoch(call);
	else if (calls[call->id].span == UNTIL_END_OF_EPOCH && rc == MPI_SUCCESS)
		keep_in_epoch(call);
	else
		end_call(call);
	pending.first = NULL;
	unlock_if_shared();
}

/* A partition of a send belongs to the program until it is marked ready. */
void active_buffers_start(struct agent_call *call, struct checked_request *request)
{
	const bool later = request->flags & REQUEST_PARTITIONED && request->flags & REQUEST_SENDS;

	for (struct active_buffer *buffer = request->buffers; buffer && !later; buffer = buffer->next) {
		buffer->overlaps = false;
		guards_open_windows(buffer->interval.first, buffer->interval.end);
		if (!call->nested) {
			find_overlap(call, buffer);
			if (UNLIKELY(buffers_observer != NULL))
				buffers_observer->started(call, buffer);
		}
		enter_use(buffer, 0);
	}
}

void active_buffers_partition(struct agent_call *call, struct checked_request *request, int64_t partition,
                              bool in_use)
{
	struct active_buffer *buffer = request->buffers;

	while (buffer && buffer->partition != partition)
		buffer = buffer->next;
	if (!buffer || buffer->in_use == in_use)
		return;
	if (!in_use) {
		complete_buffer(call, buffer, NULL);
		return;
	}
	find_overlap(call, buffer);
	enter_use(buffer, 0);
}

void active_buffers_complete(struct agent_call *call, struct checked_request *request,
                             const MPI_Status *status)
{
	for (struct active_buffer *buffer = request->buffers; buffer; buffer = buffer->next) {
		if (!buffer->in_use)
			continue;
		if (complete_buffer(call, buffer, status))
			request->flags |= REQUEST_SEND_CHANGED;
	}
}

struct message_content active_buffers_content(const struct checked_request *request, int64_t limit)
{
	const struct active_buffer *buffer = request->buffers;
	const bool is_sent = request->flags & REQUEST_SENDS;
	const struct byte_pattern nothing = {0};

	/* A request without a buffer has no data, or its bytes are unknown. */
	if (!buffer || limit <= 0)
		return content_of_pattern(&nothing, !limit, limit);
	return content_of_pattern(&buffer->pattern,
	                          buffer->in_order && !buffer->overlaps && !buffer->next &&
	                                  (is_sent || !buffer->in_use),
	                          limit);
}

bool active_buffers_have_shadow(const struct checked_request *request)
{
	const struct active_buffer *buffer = request->buffers;

	while (buffer && !receive_shadow_is_used(buffer))
		buffer = buffer->next;
	return buffer != NULL;
}

void active_buffers_settle(struct agent_call *call, struct checked_request *one)
{
	bool is_shared = false;

	for (uint32_t at = request_first(one->handle); at != NO_REQUEST; at = request_get(at)->next) {
		struct checked_request *request = request_get(at);

		/* A call of another thread may have completed the request without having returned yet, and MPI
		 * may have reused its handle. */
		if (request == one || request->handle != one->handle || request->flags & REQUEST_CLAIMED)
			continue;
		is_shared = true;
		if (active_buffers_have_shadow(request))
			active_buffers_complete(call, request, NULL);
	}
	if (is_shared && active_buffers_have_shadow(one))
		active_buffers_complete(call, one, NULL);
}

void active_buffers_deliver(struct active_buffer *first)
{
	for (struct active_buffer *buffer = first; buffer; buffer = buffer->next)
		if (UNLIKELY(receive_shadow_is_used(buffer)))
			receive_shadow_complete(NULL, buffer, NULL);
	give_back_all(first);
}

void active_buffers_release(struct checked_request *request)
{
	give_back_all(request->buffers);
	request->buffers = NULL;
}
