#include "job/check/event_plan.h"

#include "calls/calls.h"
#include "job/check/collective_data.h"

#include <string.h>

struct event_plan event_plans[MPI_CALLS];

static int8_t at(enum call_id id, enum parameter_kind kind)
{
	return (int8_t)call_parameter(id, kind);
}

static int8_t first(int8_t a, int8_t b)
{
	return a >= 0 ? a : b;
}

static bool starts_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* MPI_Bsend, MPI_Ibsend, MPI_Bsend_init: the mode stands before "send". */
static uint8_t mode_of(const char *name)
{
	const char *verb = strstr(name, "send");
	const char mode = verb && verb > name ? verb[-1] : '\0';

	if (mode == 'b' || mode == 'B')
		return CHECK_CALL_BUFFERED;
	if (mode == 's' || mode == 'S')
		return CHECK_CALL_SYNCHRONOUS;
	return mode == 'r' || mode == 'R' ? CHECK_CALL_READY : 0;
}

static void plan_message(struct event_plan *plan, enum call_id id)
{
	const int8_t count = first(at(id, KIND_count), at(id, KIND_bigcount)), type = at(id, KIND_type),
		     tag = at(id, KIND_tag);

	plan->kind = PLAN_MESSAGE;
	plan->send = (struct message_parameters){at(id, KIND_dest), first(at(id, KIND_stag), tag),
	                                         first(at(id, KIND_scount), count),
	                                         first(at(id, KIND_stype), type)};
	plan->receive = (struct message_parameters){at(id, KIND_source), first(at(id, KIND_rtag), tag),
	                                            first(at(id, KIND_rcount), count),
	                                            first(at(id, KIND_rtype), type)};
	plan->sends = plan->send.peer >= 0;
	plan->receives = plan->receive.peer >= 0;
	plan->partitions = at(id, KIND_partitions);
	plan->partitioned = plan->partitions >= 0;
	if (plan->sends && !plan->receives)
		plan->flags |= mode_of(all_calls[id].name + strlen("MPI_"));
}

static uint8_t plan_kind(struct event_plan *plan, enum call_id id)
{
	const struct call_info *info = &all_calls[id];

	if (info->class == CLASS_POINT_TO_POINT || info->class == CLASS_PERSISTENT ||
	    (info->class == CLASS_PARTITIONED && *info->moves)) {
		plan_message(plan, id);
	} else if (id == CALL_Probe || id == CALL_Iprobe) {
		plan->kind = PLAN_PROBE;
		plan->receive = (struct message_parameters){at(id, KIND_source), at(id, KIND_tag), -1, -1};
	} else if (id == CALL_Wait || id == CALL_Waitall || id == CALL_Waitany || id == CALL_Waitsome) {
		plan->kind = PLAN_WAIT;
		plan->wait_flags = id == CALL_Waitany || id == CALL_Waitsome ? CHECK_CALL_ANY : 0;
	} else if (starts_with(info->name, "MPI_Mprobe") || starts_with(info->name, "MPI_Improbe")) {
		plan->kind = PLAN_MATCHED_PROBE;
		plan->receive = (struct message_parameters){at(id, KIND_source), at(id, KIND_tag), -1, -1};
	} else if (starts_with(info->name, "MPI_Mrecv") || starts_with(info->name, "MPI_Imrecv")) {
		plan->kind = PLAN_MATCHED_RECEIVE;
		plan->receive = (struct message_parameters){-1, -1, at(id, KIND_count), at(id, KIND_type)};
	} else if (*info->meets && id != CALL_Init && id != CALL_Init_thread) {
		plan->kind = PLAN_COLLECTIVE;
		plan->rule = collective_rule(id);
	}
	return plan->kind;
}

/* Threads that come together write the same. */
const struct event_plan *event_plan_make(enum call_id id)
{
	struct event_plan plan = {
		.comm = first(at(id, KIND_comm), at(id, KIND_oldcomm)),
		.win = first(at(id, KIND_win), at(id, KIND_oldwin)),
		.file = first(at(id, KIND_file), at(id, KIND_oldfile)),
		.request = at(id, KIND_newrequest),
		.root = at(id, KIND_root),
		.op = at(id, KIND_op),
		.message = first(at(id, KIND_message), at(id, KIND_newmessage)),
		.flag = at(id, KIND_flag),
		.many = at(id, KIND_many),
		.status = first(at(id, KIND_status), at(id, KIND_statuses)),
		.partitions = -1,
		.persistent = all_calls[id].persistent,
		.ends = at(id, KIND_oldcomm) >= 0 || at(id, KIND_oldtype) >= 0 || at(id, KIND_oldwin) >= 0 ||
	                at(id, KIND_oldfile) >= 0 || at(id, KIND_oldop) >= 0,
		.makes = at(id, KIND_newcomm) >= 0 || at(id, KIND_newwin) >= 0 || at(id, KIND_newfile) >= 0 ||
	                 at(id, KIND_newop) >= 0,
	};
	const uint8_t kind = plan_kind(&plan, id);

	if (plan.persistent)
		plan.flags |= CHECK_CALL_PERSISTENT;
	else if (plan.request >= 0 || id == CALL_Iprobe || id == CALL_Improbe)
		plan.flags |= CHECK_CALL_NONBLOCKING;
	plan.kind = PLAN_UNKNOWN;
	event_plans[id] = plan;
	__atomic_store_n(&event_plans[id].kind, kind ? kind : PLAN_NOTHING, __ATOMIC_RELEASE);
	return &event_plans[id];
}
