#include "job/check/requests/partitions.h"

#include "calls/calls.h"
#include "job/check/buffers/active_buffers.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/requests/request_completion.h"

#include <stdio.h>
#include <stdlib.h>

enum { PARTITION_BITS = 64, LISTED = 8 };

struct request_partitions {
	uint32_t count;
	uint64_t ready[]; /* one bit for each */
};

static uint32_t words_of(uint32_t count)
{
	return (count + PARTITION_BITS - 1) / PARTITION_BITS;
}

void partitions_init(struct checked_request *request, int64_t count)
{
	struct request_partitions *partitions;

	if (count < 0 || count > INT32_MAX)
		return;
	partitions = calloc(1, sizeof *partitions + words_of((uint32_t)count) * sizeof *partitions->ready);
	if (partitions)
		partitions->count = (uint32_t)count;
	request->partitions = partitions;
}

void partitions_release(struct checked_request *request)
{
	free(request->partitions);
	request->partitions = NULL;
}

void partitions_start(struct checked_request *request)
{
	struct request_partitions *partitions = request->partitions;

	for (uint32_t i = 0; partitions && i < words_of(partitions->count); i++)
		partitions->ready[i] = 0;
}

static bool is_ready(const struct request_partitions *partitions, uint32_t partition)
{
	return partitions->ready[partition / PARTITION_BITS] >> partition % PARTITION_BITS & 1;
}

/* Reports once per call; the other partitions are still marked, as MPI may mark them. */
static void report(enum check check, struct agent_call *call, const struct checked_request *request,
                   int64_t partition)
{
	if (call->problems++)
		return;
	struct finding_draft draft = finding_draft(check, call);
	finding_draft_value(&draft, "partition", "%lld", (long long)partition);
	if (check == CHECK_REQUEST_PARTITION_OUTSIDE)
		finding_draft_value(&draft, "partitions", "%u", request->partitions->count);
	finding_draft_call(&draft, request->created_by, request->created_at, NOTE_CREATED);
	finding_report(&draft);
}

static void mark_ready(struct agent_call *call, struct checked_request *request, int64_t partition)
{
	struct request_partitions *partitions = request->partitions;

	if (partition < 0 || partition >= partitions->count) {
		report(CHECK_REQUEST_PARTITION_OUTSIDE, call, request, partition);
	} else if (!(request->flags & REQUEST_ACTIVE)) {
		report(CHECK_REQUEST_PARTITION_INACTIVE, call, request, partition);
	} else if (is_ready(partitions, (uint32_t)partition)) {
		report(CHECK_REQUEST_PARTITION_TWICE, call, request, partition);
	} else {
		partitions->ready[partition / PARTITION_BITS] |= 1ull << partition % PARTITION_BITS;
		active_buffers_partition(call, request, partition, true);
	}
}

static void mark_list(struct agent_call *call, struct checked_request *request)
{
	const int *list = call_address(call, KIND_outnumbers);

	for (int64_t i = 0; list && i < call_argument(call, KIND_number); i++)
		mark_ready(call, request, list[i]);
}

static void mark_range(struct agent_call *call, struct checked_request *request, int64_t first, int64_t last)
{
	const int64_t count = request->partitions->count;

	if (first < 0 && first <= last)
		mark_ready(call, request, first);
	/* Of partitions outside the range, it is enough to report the first. */
	for (int64_t i = first < 0 ? 0 : first; i <= last && i <= (first > count ? first : count); i++)
		mark_ready(call, request, i);
}

static void check_arrived(struct agent_call *call, struct checked_request *request)
{
	const int64_t partition = call_argument(call, KIND_partition);

	if (partition < 0 || partition >= request->partitions->count)
		report(CHECK_REQUEST_PARTITION_OUTSIDE, call, request, partition);
}

/* MPI_Pready is for sends, MPI_Parrived for receives. */
static void report_direction(struct agent_call *call, const struct checked_request *request)
{
	struct finding_draft draft = problem_draft(CHECK_REQUEST_PARTITION_DIRECTION, call);

	finding_draft_call(&draft, request->created_by, request->created_at, NOTE_CREATED);
	finding_report(&draft);
}

void partitions_before(struct agent_call *call)
{
	const uint64_t handle = (uint64_t)call_argument(call, KIND_request);
	const struct call_info *info = &all_calls[call->id];
	const uint32_t direction = info->tests ? REQUEST_RECEIVES : REQUEST_SENDS;
	struct checked_request *request;

	lock_if_shared();
	request = request_look_up(handle, NULL, 0);
	if (!request) {
		if (!handle_is_null(OBJECT_REQUEST, handle))
			request_report_unknown(call, handle);
	} else if (!(request->flags & REQUEST_PARTITIONED) || !(request->flags & direction)) {
		if (!call->nested)
			report_direction(call, request);
	} else if (request->partitions && !call->nested) {
		if (info->tests)
			check_arrived(call, request);
		else if (call_has(info, KIND_outnumbers))
			mark_list(call, request);
		else if (call_has(info, KIND_lastpartition))
			mark_range(call, request, call_argument(call, KIND_partition),
			           call_argument(call, KIND_lastpartition));
		else
			mark_ready(call, request, call_argument(call, KIND_partition));
	}
	unlock_if_shared();
}

void partitions_after(struct agent_call *call, int rc)
{
	const uint64_t handle = (uint64_t)call_argument(call, KIND_request);
	const int *flag = call_address(call, KIND_flag);
	struct checked_request *request;

	if (rc != MPI_SUCCESS || !flag || !*flag)
		return;
	lock_if_shared();
	request = request_look_up(handle, NULL, 0);
	if (request)
		active_buffers_partition(call, request, call_argument(call, KIND_partition), false);
	unlock_if_shared();
}

/* "2, 3, 7 …" */
static uint32_t list_missing(const struct request_partitions *partitions, char *text, size_t bytes)
{
	uint32_t missing = 0;
	size_t used = 0;

	for (uint32_t i = 0; i < partitions->count; i++) {
		if (is_ready(partitions, i))
			continue;
		if (missing++ < LISTED)
			used += (size_t)snprintf(text + used, bytes - used, "%s%u", used ? ", " : "", i);
		else if (missing == LISTED + 1)
			used += (size_t)snprintf(text + used, bytes - used, " …");
	}
	return missing;
}

void partitions_check_complete(struct agent_call *call, const struct checked_request *request)
{
	char missing[LISTED * 12 + 8];

	/* If there are other threads, one of them may still mark partitions. */
	if (checked.shared || call->nested || !(request->flags & REQUEST_SENDS) ||
	    !list_missing(request->partitions, missing, sizeof missing))
		return;
	struct finding_draft draft = problem_draft(CHECK_REQUEST_PARTITION_MISSING, call);
	finding_draft_value(&draft, "missing", "%s", missing);
	finding_draft_value(&draft, "partitions", "%u", request->partitions->count);
	finding_draft_call(&draft, request->created_by, request->created_at, NOTE_CREATED);
	finding_report(&draft);
}
