#include "check/execution/window_checks.h"

#include "check/known/report.h"

/* enum window_memory of the agent */
enum { KIND_SHARED = 2, KIND_DYNAMIC = 3 };

static void report_outside(const struct announced_memory *memory, const struct analysed_call *call,
                           struct findings_log *log, int64_t first, int64_t end)
{
	struct report_draft report;

	report_begin(&report, CHECK_WINDOW_OUTSIDE);
	report_call(&report, call, NOTE_HERE);
	report_value(&report, "target", "%d", call->peer);
	report_value(&report, "first", "%lld", (long long)first);
	report_value(&report, "end", "%lld", (long long)end - 1);
	report_value(&report, "bytes", "%lld", (long long)memory->bytes);
	report_end(&report, log);
}

bool window_access_start(const struct announced_memory *memory, const struct window_access *access,
                         struct findings_log *log, int64_t *start)
{
	const struct analysed_call *call = access->call;
	int64_t first, end;

	if (memory->kind == KIND_DYNAMIC) {
		*start = access->place;
		return true;
	}
	if (call->rank_count < 2 || __builtin_mul_overflow(access->place, memory->unit, start))
		return false;
	first = *start + call->ranks[0];
	end = *start + call->ranks[call->rank_count - 2] + call->ranks[call->rank_count - 1];
	if (first >= 0 && end <= memory->bytes)
		return true;
	/* These the process itself has seen. */
	if ((uint32_t)call->peer != call->member->rank && memory->kind != KIND_SHARED && access->place >= 0)
		report_outside(memory, call, log, first, end);
	return false;
}

static void report_types(const struct analysed_call *call, struct findings_log *log,
                         const struct signature_comparison *difference)
{
	struct report_draft report;

	report_begin(&report, CHECK_WINDOW_TYPE_MISMATCH);
	report_call(&report, call, NOTE_HERE);
	report_value(&report, "origin", "%s", basic_type_name(difference->sent));
	report_value(&report, "target", "%s", basic_type_name(difference->received));
	report_value(&report, "element", "%llu", (unsigned long long)difference->at);
	report_end(&report, log);
}

static void report_sizes(const struct analysed_call *call, struct findings_log *log, uint64_t origin,
                         uint64_t target)
{
	struct report_draft report;

	report_begin(&report, CHECK_WINDOW_SIZE_MISMATCH);
	report_call(&report, call, NOTE_HERE);
	report_value(&report, "origin", "%llu", (unsigned long long)origin);
	report_value(&report, "target", "%llu", (unsigned long long)target);
	report_end(&report, log);
}

/* Basic types of one element, if they are not all the same. */
static void check_single_type(const struct analysed_call *call, struct findings_log *log)
{
	const struct signature *type = call->receive.type->signature;
	const uint64_t elements = signature_elements(type);
	const enum basic_type first = elements ? signature_element(type, 0) : BASIC_NONE;
	struct report_draft report;

	for (uint64_t i = 1; i < elements && i < 4096; i++) {
		const enum basic_type other = signature_element(type, i);
		if (other == first)
			continue;
		report_begin(&report, CHECK_WINDOW_ACCUMULATE_TYPE);
		report_call(&report, call, NOTE_HERE);
		report_value(&report, "datatype", "%s", basic_type_name(first));
		report_value(&report, "other_datatype", "%s", basic_type_name(other));
		report_end(&report, log);
		return;
	}
}

void window_types_check(struct analysed_call *call, struct findings_log *log)
{
	const struct known_data *origin = &call->send, *target = &call->receive;
	struct signature_comparison difference;
	uint64_t origin_bytes, target_bytes;

	if (call->partner)
		return;
	call->partner = call->serial; /* it was looked at */
	if (!target->type)
		return;
	if (call->window == WINDOW_ACCUMULATE || call->window == WINDOW_FETCH)
		check_single_type(call, log);
	if (!origin->type)
		return;
	origin_bytes = signature_bytes(origin->type->signature) * origin->count;
	target_bytes = signature_bytes(target->type->signature) * target->count;
	difference = signatures_compare(origin->type->signature, origin->count, target->type->signature,
	                                target->count);
	if (difference.verdict == SIGNATURE_DIFFERS)
		report_types(call, log, &difference);
	else if (origin_bytes != target_bytes)
		report_sizes(call, log, origin_bytes, target_bytes);
}

void window_assertion_check(const struct analysed_call *call, const struct analysed_call *exposed,
                            struct findings_log *log)
{
	struct report_draft report;

	if (!exposed || !(exposed->tag & ASSERTION_NOPUT) || call->window == WINDOW_GET ||
	    call->operator== WINDOW_OPERATOR_NONE)
		return;
	report_begin(&report, CHECK_WINDOW_ASSERTION);
	report_call(&report, call, NOTE_HERE);
	report_call(&report, exposed, NOTE_OTHER);
	report_value(&report, "assertion", "MPI_MODE_NOPUT");
	report_end(&report, log);
}
