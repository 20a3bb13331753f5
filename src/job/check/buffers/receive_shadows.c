#include "job/check/buffers/receive_shadows.h"

#include "base/notes.h"
#include "base/settings.h"
#include "job/check/buffers/buffer_contents.h"
#include "job/check/buffers/fortran_section.h"
#include "job/check/buffers/guarded_pages.h"
#include "job/check/buffers/program_memory.h"
#include "job/check/objects/request_table.h"
#include "job/check/wire/process_state.h"

#include <stdlib.h>
#include <string.h>

bool receive_shadows_wanted;
uint32_t receive_shadows_live;
uint32_t receive_shadows_adopted;

/* A shadow is aligned like its buffer: both have the same address modulo ALIGNMENT. */
enum { ALIGNMENT = 64, SPARSE = 64, SPARSE_MIN = 1 << 16, RUNS_MAX = 1 << 20 };
/* Of smaller buffers, the former content is kept: copying and comparing it takes a third of
 * the time of two hashes. */
enum { FORMER_BYTES_MAX = 1 << 15 };

struct receive_shadow {
	void *memory;     /* NULL: another partition owns it */
	int64_t bytes;    /* of the memory */
	int64_t distance; /* from the buffer to the shadow */
	int64_t former;   /* from the buffer to its former content; 0: there is a hash instead */
	uint64_t content; /* hash of the former content */
	uint32_t guard;
	bool is_used; /* the operation has begun */
};

static int64_t shadow_bytes; /* of all shadows */

typedef bool piece_work(void *to, const void *from, size_t bytes);

static bool copy_piece(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return true;
}

static bool compare_piece(void *to, const void *from, size_t bytes)
{
	return memcmp(to, from, bytes) == 0;
}

/* Applies `work` to the first `limit` bytes of a pattern, at two distances from it, until it
 * returns false. */
static inline bool work_on(const struct byte_pattern *pattern, int64_t from, int64_t to, int64_t limit,
                           piece_work *work)
{
	for (int64_t i = 0; i < pattern->times && limit > 0; i++) {
		const int64_t start = pattern->start + i * pattern->stride;

		for (uint32_t j = 0; j < pattern->count && limit > 0; j++) {
			const struct byte_run *run = &pattern->run[j];
			/* Elements without gaps are one piece. */
			const bool is_solid = pattern->count == 1 && pattern->stride == run->length;
			int64_t length = is_solid ? run->length * pattern->times : run->length;

			length = length < limit ? length : limit;
			/* NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are numbers here */
			if (!work((void *)(uintptr_t)(start + run->offset + to),
			          (const void *)(uintptr_t)(start + run->offset + from), (size_t)length))
				return false;
			limit -= length;
			if (is_solid)
				return true;
		}
	}
	return true;
}

static void copy_pattern(const struct byte_pattern *pattern, int64_t from, int64_t to, int64_t limit)
{
	work_on(pattern, from, to, limit, copy_piece);
}

/* True if the buffer, or its shadow at this distance, has changed since the operation began. */
static bool has_changed(const struct active_buffer *buffer, int64_t distance)
{
	const struct receive_shadow *shadow = buffer->shadow;
	struct byte_pattern moved = buffer->pattern;

	if (shadow->former)
		return !work_on(&moved, distance, shadow->former, INT64_MAX, compare_piece);
	moved.start += distance;
	return byte_pattern_hash(&moved) != shadow->content;
}

/* The range of all buffers. False: unknown, too many pieces, or too far apart for a shadow. */
static bool find_hull(const struct active_buffer *buffers, int64_t *first, int64_t *end)
{
	int64_t bytes = 0;

	*first = INT64_MAX;
	*end = INT64_MIN;
	for (const struct active_buffer *buffer = buffers; buffer; buffer = buffer->next) {
		int64_t from, to;

		if (!byte_pattern_hull(&buffer->pattern, &from, &to) ||
		    buffer->pattern.times > RUNS_MAX / buffer->pattern.count)
			return false;
		*first = from < *first ? from : *first;
		*end = to > *end ? to : *end;
		bytes += byte_pattern_bytes(&buffer->pattern);
	}
	return bytes > 0 && *end - *first <= SPARSE_MIN + SPARSE * bytes &&
	       is_program_memory((uintptr_t)*first, (uintptr_t)*end, MEMORY_WRITABLE);
}

static struct receive_shadow *make(int64_t first, int64_t hull)
{
	static bool noted;
	struct receive_shadow *shadow;
	const int64_t former = hull <= FORMER_BYTES_MAX ? (hull + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : 0,
		      bytes = hull + former;

	if (shadow_bytes + bytes > SHADOW_BYTES_MAX) {
		if (!noted)
			agent_note(
				UNCHECKED_NOTE
				"use of some receive buffers (a process would need more than %d MB for them)",
				SHADOW_BYTES_MAX >> 20);
		noted = true;
		return NULL;
	}
	shadow = malloc(sizeof *shadow);
	if (!shadow)
		return NULL;
	*shadow = (struct receive_shadow){.memory = malloc((size_t)bytes + ALIGNMENT), .bytes = bytes};
	if (!shadow->memory) {
		free(shadow);
		return NULL;
	}
	shadow->distance = (int64_t)(uintptr_t)shadow->memory - first;
	shadow->distance += (ALIGNMENT - shadow->distance % ALIGNMENT) % ALIGNMENT;
	shadow->former = former ? shadow->distance + former : 0;
	return shadow;
}

static void release(struct receive_shadow *shadow)
{
	free(shadow->memory);
	free(shadow);
}

/* The address for MPI; NULL: unknown. MPI adds displacements to it, so it may be any number, even for types with
 * absolute displacements and MPI_BOTTOM, which is 0. */
static void *buffer_for_mpi(const struct active_buffer *buffer, const struct agent_call *call,
                            int64_t distance)
{
	if (call->described)
		return buffer->address ? fortran_section_moved(call->receive_buffer, distance) : NULL;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are numbers here */
	return (void *)(uintptr_t)(buffer->address + distance);
}

/* The first of the buffers owns the memory; all end together. */
static bool share(struct active_buffer *buffers, struct receive_shadow *shadow)
{
	buffers->shadow = shadow;
	for (struct active_buffer *buffer = buffers->next; buffer; buffer = buffer->next) {
		buffer->shadow = calloc(1, sizeof *shadow);
		if (!buffer->shadow)
			return false;
		buffer->shadow->distance = shadow->distance;
		buffer->shadow->former = shadow->former;
	}
	return true;
}

static void take_back(struct active_buffer *buffers)
{
	for (struct active_buffer *buffer = buffers; buffer && buffer->shadow; buffer = buffer->next) {
		release(buffer->shadow);
		buffer->shadow = NULL;
	}
}

bool receive_shadow_add(struct active_buffer *buffers, struct agent_call *call)
{
	int64_t first, end;
	struct receive_shadow *shadow;
	void *given;
	uint32_t count = 0;

	if (!find_hull(buffers, &first, &end) || !request_reserve() || !(shadow = make(first, end - first)))
		return false;
	given = buffer_for_mpi(buffers, call, shadow->distance);
	if (!share(buffers, shadow) || !given) {
		take_back(buffers);
		return false;
	}
	call->receive_buffer = given;
	shadow_bytes += shadow->bytes;
	for (const struct active_buffer *buffer = buffers; buffer; buffer = buffer->next)
		count++;
	RELAXED_STORE(receive_shadows_live, receive_shadows_live + count);
	return true;
}

void receive_shadow_fill(struct active_buffer *buffer)
{
	struct receive_shadow *shadow = buffer->shadow;

	if (shadow->is_used)
		return;
	shadow->is_used = true;
	copy_pattern(&buffer->pattern, 0, shadow->distance, INT64_MAX);
	if (shadow->former)
		copy_pattern(&buffer->pattern, 0, shadow->former, INT64_MAX);
	else
		shadow->content = byte_pattern_hash(&buffer->pattern);
}

void receive_shadow_prepared(struct active_buffer *buffer)
{
	struct receive_shadow *shadow = buffer->shadow;

	shadow->is_used = false;
	if (has_changed(buffer, shadow->distance))
		copy_pattern(&buffer->pattern, shadow->distance, 0, INT64_MAX);
}

void receive_shadow_guard(struct active_buffer *buffer)
{
	struct receive_shadow *shadow = buffer->shadow;

	if (!buffer->overlaps && !agent_is_off())
		shadow->guard = active_buffer_guard(buffer, GUARD_ALL);
}

static void report_use(struct agent_call *call, const struct active_buffer *buffer,
                       const struct page_access *access, bool changed)
{
	const bool was_written = access && access->kind == ACCESS_WRITES,
		   was_read = access &&
	                      (access->kind == ACCESS_READS || (access->kind == ACCESS_UNKNOWN && !changed));

	if (buffer->overlaps || buffer->is_reported || call->nested)
		return; /* if another operation may have used the data, there is a report of the overlap */
	if (was_read)
		active_buffer_report(call, buffer, CHECK_MEMORY_RECEIVE_READ, access);
	if (changed || was_written)
		active_buffer_report(call, buffer, CHECK_MEMORY_RECEIVE_WRITTEN, was_written ? access : NULL);
}

/* The number of received bytes; if unknown, all bytes: after the data, the shadow still has the buffer's former content. */
static int64_t received_bytes(const struct active_buffer *buffer, const MPI_Status *status)
{
	const bool is_message = buffer->request && buffer->request->flags & REQUEST_RECEIVES &&
	                        !(buffer->request->flags & REQUEST_PARTITIONED);
	const int64_t bytes = is_message && status ? status_bytes(status) : -1;

	return bytes < 0 ? INT64_MAX : bytes;
}

void receive_shadow_complete(struct agent_call *call, struct active_buffer *buffer, const MPI_Status *status)
{
	struct receive_shadow *shadow = buffer->shadow;
	struct page_access access;
	const bool was_touched = guard_end(shadow->guard, &access),
		   was_cancelled = status && buffer->request && buffer->request->flags & REQUEST_CANCELLED &&
	                           status_cancelled(status);
	bool changed;

	shadow->guard = 0;
	if (!shadow->is_used)
		return;
	shadow->is_used = false;
	if (was_cancelled)
		return;
	changed = has_changed(buffer, 0);
	if (call)
		report_use(call, buffer, was_touched ? &access : NULL, changed);
	/* The buffer is a variable of a function that has returned: its memory now belongs to
	 * running functions, including ours. */
	if (is_own_stack((uintptr_t)buffer->pattern.start, (uintptr_t)buffer->pattern.start + 1) &&
	    buffer->pattern.start < (int64_t)(uintptr_t)(call ? call->frame : __builtin_frame_address(0)))
		return;
	copy_pattern(&buffer->pattern, shadow->distance, 0,
	             changed ? received_bytes(buffer, status) : INT64_MAX);
}

void receive_shadow_drop(struct active_buffer *buffer)
{
	guard_end(buffer->shadow->guard, NULL);
	buffer->shadow->guard = 0;
	buffer->shadow->is_used = false;
}

bool receive_shadow_is_used(const struct active_buffer *buffer)
{
	return buffer->shadow && buffer->shadow->is_used;
}

void receive_shadow_free(struct active_buffer *buffer)
{
	guard_end(buffer->shadow->guard, NULL);
	shadow_bytes -= buffer->shadow->bytes;
	RELAXED_STORE(receive_shadows_live, receive_shadows_live - 1);
	release(buffer->shadow);
	buffer->shadow = NULL;
}

/* Requests that were freed while MPI receives */

struct adopted_request {
	MPI_Request request;
	struct active_buffer *buffers;
	struct adopted_request *next;
};

static struct adopted_request *adopted;

void receive_shadows_adopt(uint64_t handle, struct active_buffer *buffers)
{
	struct adopted_request *one = malloc(sizeof *one);

	/* If out of memory, waits for the request here, because its data would be lost. */
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): a handle */
	MPI_Request request = (MPI_Request)(uintptr_t)handle;

	for (struct active_buffer *buffer = buffers; buffer; buffer = buffer->next)
		buffer->request = NULL;
	if (!one) {
		MPI_Request waited = request;

		PMPI_Wait(&waited, MPI_STATUS_IGNORE);
		active_buffers_deliver(buffers);
		return;
	}
	*one = (struct adopted_request){request, buffers, adopted};
	adopted = one;
	RELAXED_STORE(receive_shadows_adopted, receive_shadows_adopted + 1);
}

void receive_shadows_poll(bool at_end)
{
	lock_if_shared();
	for (struct adopted_request **link = &adopted, *one; (one = *link);) {
		int complete = 0;

		PMPI_Test(&one->request, &complete, MPI_STATUS_IGNORE);
		if (!complete && !at_end) {
			link = &one->next;
			continue;
		}
		if (complete)
			active_buffers_deliver(one->buffers);
		else
			PMPI_Request_free(&one->request);
		*link = one->next;
		free(one);
		RELAXED_STORE(receive_shadows_adopted, receive_shadows_adopted - 1);
	}
	unlock_if_shared();
}
