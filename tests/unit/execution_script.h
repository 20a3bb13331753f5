/* Executions of processes written in a test: what agents would say, without agents.
 *
 *	struct execution_script script;
 *	script_open(&script, 3);
 *	script_message(&script, 0, OPERATION_RECEIVE, CHECK_CALL_WILDCARD, -1, 7, 10);     a call of rank 0 in line 10: its number
 *	script_begins(&script, 0, call), script_takes(&script, 0, distance, source, tag), script_waits(…)
 *	script_end(&script);                                                               all processes finalize
 *	script_races(&script, 10)                                                          findings of race.message in this line
 *	script_close(&script);
 *
 * The test is linked with -Wl,--wrap=findings_log_add. */
#ifndef TARRY_TESTS_EXECUTION_SCRIPT_H
#define TARRY_TESTS_EXECUTION_SCRIPT_H

#include "calls/ids.h"
#include "check/checks/checks.h"
#include "check/execution/ordering.h"

#include <assert.h>
#include <stdlib.h>

enum { SCRIPT_LINES = 256, SCRIPT_COMM = 77 };

struct execution_script {
	struct known known;
	struct execution *execution;
	struct ordering *ordering;
	uint32_t ranks;
	struct analysed_process **processes;
	uint32_t *call_count; /* by rank */
	uint32_t wait_call;   /* the same number on all ranks */
};

/* By line of the receive: how many findings, and how many sends they name. */
static uint32_t script_found[SCRIPT_LINES], script_sends[SCRIPT_LINES];
static uint64_t script_times[SCRIPT_LINES];

uint32_t __wrap_findings_log_add(struct findings_log *log, const struct check_finding *finding);

uint32_t __wrap_findings_log_add(struct findings_log *log, const struct check_finding *finding)
{
	const uint32_t line = finding->calls[0].stack[0].line;

	(void)log;
	if (finding->check == CHECK_RACE_MESSAGE) {
		script_found[line]++;
		script_sends[line] += finding->call_count - 2;
		script_times[line] += finding->times;
	}
	script_found[line] += finding->check == CHECK_WINDOW_ASSERTION ||
	                      finding->check == CHECK_BUFFER_EXHAUSTED;
	return 0;
}

static inline void script_tell(bool (*take)(struct known *, struct analysed_process *, struct cursor *),
                               struct execution_script *script, uint32_t rank, struct message_writer *body)
{
	struct cursor in = writer_cursor(body);
	const bool is_taken = take(&script->known, script->processes[rank], &in);

	assert(is_taken);
	(void)is_taken;
	writer_release(body);
}

static inline uint32_t script_call(struct execution_script *script, uint32_t rank,
                                   struct distinct_check_call call, uint32_t line)
{
	struct check_place place = {.module = "program.c", .build_id = "", .line = line};
	struct message_writer body = {0};

	call.number = ++script->call_count[rank];
	call.call.world = 1;
	call.call.rank = rank;
	call.call.note = call.call.arguments = call.detail = "";
	call.call.stack_count = 1;
	call.call.stack = &place;
	call.comm = SCRIPT_COMM;
	distinct_call_put(&body, &call);
	script_tell(known_call_add, script, rank, &body);
	return call.number;
}

static inline uint32_t script_message(struct execution_script *script, uint32_t rank,
                                      enum check_operation operation, uint32_t flags, int32_t peer,
                                      int32_t tag, uint32_t line)
{
	const bool sends = operation == OPERATION_SEND;

	flags |= !sends && (peer < 0 || tag < 0) ? CHECK_CALL_WILDCARD : 0;
	return script_call(script, rank,
	                   (struct distinct_check_call){.operation = operation,
	                                                .flags = flags,
	                                                .call = {.function = sends ? CALL_Send : CALL_Recv},
	                                                .peer = peer,
	                                                .peer_in_world = peer,
	                                                .tag = tag,
	                                                .root = -1},
	                   line);
}

static inline uint32_t script_collective(struct execution_script *script, uint32_t rank, uint32_t function,
                                         int32_t root, uint32_t line)
{
	return script_call(script, rank,
	                   (struct distinct_check_call){.operation = OPERATION_COLLECTIVE,
	                                                .call = {.function = function},
	                                                .peer = -1,
	                                                .peer_in_world = -1,
	                                                .root = root},
	                   line);
}

static inline void script_open(struct execution_script *script, uint32_t ranks)
{
	*script = (struct execution_script){.ranks = ranks};
	script->processes = calloc(ranks, sizeof(struct analysed_process *));
	script->call_count = calloc(ranks, sizeof *script->call_count);
	script->execution = execution_new(&script->known);
	script->ordering = ordering_new(script->execution, NULL);
	memset(script_found, 0, sizeof script_found);
	memset(script_sends, 0, sizeof script_sends);
	memset(script_times, 0, sizeof script_times);
	for (uint32_t rank = 0; rank < ranks; rank++) {
		struct checked_comm comm = {
			.identity = SCRIPT_COMM, .rank = rank, .size = ranks, .name = "MPI_COMM_WORLD"};
		struct message_writer body = {0};
		script->processes[rank] = process_new(&script->known, 1, rank, ranks);
		comm_put(&body, &comm);
		script_tell(known_comm_add, script, rank, &body);
	}
	for (uint32_t rank = 0; rank < ranks; rank++)
		script->wait_call = script_call(script, rank,
		                                (struct distinct_check_call){.operation = OPERATION_WAIT,
		                                                             .call = {.function = CALL_Wait}},
		                                1);
}

static inline void script_change(struct execution_script *script, uint32_t rank, enum event_change change,
                                 struct message_writer *body)
{
	struct cursor in = writer_cursor(body);
	const bool is_taken = execution_event(script->execution, script->processes[rank], change, NULL, &in);

	assert(is_taken && !in.bad);
	(void)is_taken;
	writer_release(body);
	execution_run(script->execution);
}

static inline void script_begins(struct execution_script *script, uint32_t rank, uint32_t call)
{
	struct cursor in = {0};
	const bool is_taken = execution_event(script->execution, script->processes[rank], 0,
	                                      process_call(script->processes[rank], call), &in);

	assert(is_taken && !in.bad);
	(void)is_taken;
	execution_run(script->execution);
}

static inline void script_takes(struct execution_script *script, uint32_t rank, uint64_t distance,
                                uint32_t source, int32_t tag)
{
	struct message_writer body = {0};

	put_number(&body, distance);
	put_integer(&body, source);
	put_integer(&body, tag);
	script_change(script, rank, CHANGE_TAKES, &body);
}

static inline void script_waits(struct execution_script *script, uint32_t rank, uint64_t distance)
{
	struct message_writer body = {0};

	put_number(&body, script->wait_call);
	put_number(&body, 1);
	put_number(&body, distance);
	script_change(script, rank, CHANGE_WAITS, &body);
}

/* True if the call can end without the other side: sends that are not synchronous, and members of rooted
 * collective calls that do not need the missing ones. */
static inline bool script_may_pass(const struct executed_thread *thread)
{
	const struct executed_operation *operation = thread->waits.count ? thread->waits.items[0] : NULL;
	const struct analysed_call *call = operation ? operation->call : NULL;

	if (!call || thread->blocked != BLOCKED_OPERATIONS || !thread->has_more)
		return false;
	if (call->operation == OPERATION_SEND)
		return !(call->flags & CHECK_CALL_SYNCHRONOUS);
	return (call->function == CALL_Bcast && operation->collective->members[call->root]) ||
	       (call->function == CALL_Reduce && call->root != (int32_t)call->member->rank);
}

static inline void script_let_pass(struct execution_script *script)
{
	bool any = true;

	execution_run(script->execution);
	for (int rounds = 0; any && rounds < 1000; rounds++) {
		any = false;
		for (size_t i = 0; i < script->execution->processes.count && !any; i++) {
			struct executed_process *process = script->execution->processes.items[i];
			struct executed_thread *thread = process->threads.items[0];
			if (!thread || !script_may_pass(thread))
				continue;
			execution_let_pass(script->execution, thread);
			execution_run(script->execution);
			any = true;
		}
	}
}

static inline void script_end(struct execution_script *script)
{
	script_let_pass(script);
	for (uint32_t rank = 0; rank < script->ranks; rank++)
		executed_process_ended(script->execution, script->processes[rank], END_FINALIZED);
	execution_run(script->execution);
	ordering_end(script->ordering);
}

static inline uint32_t script_races(uint32_t line)
{
	return script_found[line];
}

static inline void script_close(struct execution_script *script)
{
	execution_free(script->execution);
	ordering_free(script->ordering);
	for (uint32_t rank = 0; rank < script->ranks; rank++)
		process_forget(&script->known, script->processes[rank]);
	known_release(&script->known);
	free(script->processes);
	free(script->call_count);
}

#endif
