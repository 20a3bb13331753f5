#include "job/check/shmem/shmem_arguments.h"

#include "job/check/objects/finding_draft.h"
#include "job/check/shmem/symmetric_memory.h"

#include <inttypes.h>

/* PEs and sets */

static void check_pe(struct shmem_call *c)
{
	const int pe = c->values->pe;
	struct finding_draft draft;

	if (pe >= 0 && pe < checked_shmem.pe_count)
		return;
	draft = problem_draft(CHECK_SHMEM_PE_OUTSIDE, &c->call);
	finding_draft_value(&draft, "value", "%d", pe);
	finding_draft_value(&draft, "size", "%d", checked_shmem.pe_count);
	finding_report(&draft);
}

static bool set_exists(const struct shmem_set *set)
{
	return set->first >= 0 && set->count > 0 && set->log_stride >= 0 && set->log_stride < 31 &&
	       set->first + ((int64_t)(set->count - 1) << set->log_stride) < checked_shmem.pe_count;
}

static bool set_contains(const struct shmem_set *set, int pe)
{
	const int distance = pe - set->first;

	return distance >= 0 && (distance & ((1 << set->log_stride) - 1)) == 0 &&
	       distance >> set->log_stride < set->count;
}

static void report_set(struct shmem_call *c, enum check check)
{
	const struct shmem_set *set = &c->values->set;
	struct finding_draft draft = problem_draft(check, &c->call);

	finding_draft_value(&draft, "first", "%d", set->first);
	finding_draft_value(&draft, "stride", "%d", set->log_stride);
	finding_draft_value(&draft, "count", "%d", set->count);
	finding_draft_value(&draft, "size", "%d", checked_shmem.pe_count);
	finding_report(&draft);
}

static void check_root(struct shmem_call *c)
{
	const int root = c->values->pe, count = shmem_set_of(c).count;
	struct finding_draft draft;

	if (c->call.id != CALL_shmem_broadcast || (root >= 0 && root < count))
		return;
	draft = problem_draft(CHECK_SHMEM_ROOT_OUTSIDE, &c->call);
	finding_draft_value(&draft, "value", "%d", root);
	finding_draft_value(&draft, "size", "%d", count);
	finding_report(&draft);
}

static void check_set(struct shmem_call *c)
{
	const struct shmem_set *set = &c->values->set;

	if (c->values->sync && !set_exists(set)) {
		report_set(c, CHECK_SHMEM_ACTIVE_SET);
		c->is_set_wrong = true;
		return;
	}
	if (c->values->sync && !set_contains(set, checked_shmem.pe))
		report_set(c, CHECK_SHMEM_NOT_IN_SET);
	check_root(c);
	c->is_set_wrong = c->call.problems;
}

/* Counts. A negative number becomes a very large size_t. False: it is wrong. */
static bool check_count(struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	struct finding_draft draft;

	if (!values->elements || values->elements <= PTRDIFF_MAX / values->element_bytes)
		return true;
	draft = problem_draft(CHECK_SHMEM_COUNT, &c->call);
	finding_draft_value(&draft, "parameter", c->call.id == CALL_shmem_reduce ? "nreduce" : "nelems");
	finding_draft_value(&draft, "value", "%" PRId64, (int64_t)values->elements);
	finding_report(&draft);
	return false;
}

/* Addresses */

static void report_beyond(struct shmem_call *c, const char *parameter, const struct symmetric_block *block,
                          uint64_t end)
{
	struct finding_draft draft = problem_draft(CHECK_SHMEM_BEYOND_BLOCK, &c->call);

	finding_draft_value(&draft, "parameter", "%s", parameter);
	finding_draft_value(&draft, "end", "%" PRIu64, end);
	finding_draft_value(&draft, "bytes", "%" PRIu64, block->bytes);
	finding_draft_call(&draft, block->created_by, block->created_at, NOTE_CREATED);
	finding_report(&draft);
}

static void report_not_symmetric(struct shmem_call *c, const char *parameter)
{
	struct finding_draft draft = problem_draft(CHECK_SHMEM_NOT_SYMMETRIC, &c->call);

	finding_draft_value(&draft, "parameter", "%s", parameter);
	finding_report(&draft);
}

static void report_freed(struct shmem_call *c, const char *parameter, const struct symmetric_block *block)
{
	struct finding_draft draft = problem_draft(CHECK_SHMEM_FREED, &c->call);

	finding_draft_value(&draft, "parameter", "%s", parameter);
	finding_draft_call(&draft, block->created_by, block->created_at, NOTE_CREATED);
	finding_draft_call(&draft, block->freed_by, block->freed_at, NOTE_FREED);
	finding_report(&draft);
}

/* `bytes` 0: unknown. */
static void check_address(struct shmem_call *c, const char *parameter, const volatile void *address,
                          uint64_t bytes)
{
	const struct symmetric_block *block;
	uint64_t offset;

	switch (symmetric_find(address, &block)) {
	case IN_BLOCK:
		offset = (uintptr_t)address - block->start;
		if (bytes > block->bytes - offset)
			report_beyond(c, parameter, block, offset + bytes);
		break;
	case IN_FREED_BLOCK:
		report_freed(c, parameter, block);
		break;
	case NOT_SYMMETRIC:
		report_not_symmetric(c, parameter);
		break;
	case IN_FILE:
	case SYMMETRY_UNKNOWN:
		break;
	}
}

/* Bytes from the first to the last element of an access. 0: none, or unknown. */
static uint64_t extent_of(const struct shmem_values *values)
{
	uint64_t bytes;

	if (!values->elements || values->stride < 0 ||
	    __builtin_mul_overflow(values->elements - 1, (uint64_t)(values->stride ? values->stride : 1),
	                           &bytes) ||
	    __builtin_mul_overflow(bytes + 1, values->element_bytes, &bytes))
		return 0;
	return bytes;
}

/* Bytes of the parameters of a collective call; 0: unknown. */
static uint64_t collective_bytes(const struct shmem_call *c, bool is_source)
{
	const uint64_t own = c->values->bytes, all = own * (uint64_t)shmem_set_of(c).count;

	switch (c->call.id) {
	case CALL_shmem_broadcast:
	case CALL_shmem_reduce:
		return own;
	case CALL_shmem_collect:
		return own;
	case CALL_shmem_fcollect:
		return is_source ? own : all;
	case CALL_shmem_alltoall:
		return all;
	default:
		return 0;
	}
}

static void check_collective(struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	const int place = (checked_shmem.pe - values->set.first) >> values->set.log_stride;

	if (!values->elements)
		return;
	/* The destination of the root of a broadcast is not used. */
	if (c->call.id != CALL_shmem_broadcast || place != values->pe)
		check_address(c, "dest", values->object, collective_bytes(c, false));
	if (c->call.id != CALL_shmem_broadcast || place == values->pe)
		check_address(c, "source", values->source, collective_bytes(c, true));
	if (values->work)
		check_address(c, "pWrk", values->work, 0);
}

void shmem_arguments_check(struct shmem_call *c)
{
	const struct shmem_values *values = c->values;
	const enum call_id id = c->call.id;

	if (shmem_is_access(id))
		check_pe(c);
	else
		check_set(c);
	if (c->call.problems || !check_count(c))
		return;
	if (values->sync)
		check_address(c, "pSync", values->sync, sizeof(long));
	if (shmem_is_access(id) && values->elements)
		check_address(c, shmem_object_name(id), values->object, extent_of(values));
	else if (all_calls[id].pgas == PGAS_LOCK)
		check_address(c, "lock", values->object, sizeof(long));
	else if (all_calls[id].pgas == PGAS_WAIT)
		check_address(c, "ivar", values->object, 0);
	else if (shmem_is_collective(id))
		check_collective(c);
}
