#include "check/execution/message_races.h"
#include "check/known/report.h"

/* A ready send is an error unless its receive was posted before: something that the program does in MPI has to order the two. Receives that were
 * posted before the first ready send was known have no event of their own and are not checked. Nothing is checked after the first use of a window,
 * because processes may synchronise through its memory. */

void ready_began(struct ordering *ordering, struct executed_operation *operation)
{
	if (operation->call->flags & CHECK_CALL_READY)
		ordering->has_ready = true;
	if (ordering->has_ready && operation->call->operation == OPERATION_RECEIVE)
		order_of(operation)->posted_count = process_tick(
			ordering, ordered_process_of(ordering, operation->process));
}

void ready_over(struct ordering *ordering, const struct executed_operation *receive)
{
	const struct executed_operation *send = receive->partner;
	const struct operation_order *order = order_of(receive);
	uint32_t *known;

	if (receive->call->operation != OPERATION_RECEIVE || !order->posted_count || ordering->has_windows ||
	    !send || !(send->call->flags & CHECK_CALL_READY) || receive->began < send->began ||
	    is_known_at(&order_of(send)->begin, order->begin.process, order->posted_count))
		return;
	known = map_put(&ordering->unready, map_key((uint64_t)(uintptr_t)send->call->text,
	                                            (uint64_t)(uintptr_t)receive->call->text));
	if (*known != MAP_NONE)
		return;
	*known = 1;
	report_finding(ordering->log, CHECK_MESSAGE_NOT_READY, 1,
	               CALLS({send->call, NOTE_SENT}, {receive->call, NOTE_RECEIVED}),
	               "dest=%u" AND "comm=%s", receive->call->member->rank, send->call->member->comm->name);
}
