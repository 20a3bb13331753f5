#include "job/check/windows/windows.h"

#include "calls/calls.h"
#include "job/check/buffers/buffer_contents.h"
#include "job/check/buffers/code_loops.h"
#include "job/check/objects/finding_draft.h"
#include "job/check/objects/objects.h"
#include "job/check/objects/operand_classes.h"
#include "job/check/objects/repeated_calls.h"
#include "job/check/windows/watched_windows.h"
#include "job/check/windows/window_buffers.h"
#include "job/check/windows/window_epochs.h"
#include "job/check/windows/window_events.h"
#include "job/check/windows/window_memory.h"
#include "job/check/wire/process_state.h"
#include "job/mpi/flavour.h"
#include "job/mpi/handles.h"
#include "job/mpi/host.h"

#include <stdlib.h>
#include <string.h>

static struct handles windows;
static bool concerned[MPI_CALLS];
static struct checked_window *last_window; /* the last lookup; NULL: none */

#define WIN_OF(handle) ((MPI_Win)(uintptr_t)(handle))

void windows_start(void)
{
	local_accesses_init();
	watched_windows_init();
	for (enum call_id id = 0; id < MPI_CALLS; id++)
		concerned[id] = all_calls[id].rma != RMA_NONE || call_parameter(id, KIND_newwin) >= 0 ||
		                id == CALL_Win_free || id == CALL_Finalize || id == CALL_Barrier ||
		                id == CALL_Win_get_attr || id == CALL_Win_set_info || id == CALL_Win_attach ||
		                id == CALL_Win_detach;
}

bool windows_are_concerned(enum call_id id)
{
	return concerned[id];
}

static uint64_t handle_in_variable(const struct agent_call *call, enum parameter_kind kind)
{
	const void *variable = call_address(call, kind);

	return variable ? handle_at(OBJECT_WIN, variable, 0, call->fortran) : 0;
}

static struct checked_window *window_of(const struct agent_call *call)
{
	const int used = call_parameter(call->id, KIND_win);
	const uint64_t handle = used >= 0 ? (uint64_t)call->arguments[used]
	                                  : handle_in_variable(call, KIND_oldwin);

	if (LIKELY(last_window && last_window->handle == handle))
		return last_window;
	return last_window = handles_find(&windows, handle);
}

/* Detects changes of this process's memory between two synchronisations, for MPI_MODE_NOSTORE: compares a hash
 * after a fence or wait with one before the next fence or post. Only with `--buffers`, for windows that are
 * small or had such an assertion before, and whose memory belongs to this process and this window alone.
 * Analysers know MPI's own writes in between (ASSERTION_STORED). */

enum { ALWAYS_BYTES = 64 << 10 };

static void find_memory_of(const struct agent_call *call, struct checked_window *window)
{
	void *base = NULL;
	int found = 0;

	if (window->memory == WINDOW_MEMORY_DYNAMIC || window->memory == WINDOW_MEMORY_SHARED ||
	    window->own.bytes <= 0)
		return;
	/* The attribute would do as well, but MPICH 4.0 rounds it to a multiple of 16 bytes. */
	if (window->memory == WINDOW_MEMORY_PROGRAM)
		window->base = call_argument(call, KIND_pointer);
	else if (PMPI_Win_get_attr(WIN_OF(window->handle), MPI_WIN_BASE, (void *)&base, &found) ==
	                 MPI_SUCCESS &&
	         found)
		window->base = (int64_t)(uintptr_t)base;
}

static bool share_memory(const struct checked_window *window, const struct checked_window *other)
{
	return window != other && window->base && other->base &&
	       window->base < other->base + other->own.bytes &&
	       other->base < window->base + window->own.bytes;
}

static uint64_t hash_window(const struct checked_window *window)
{
	const struct byte_run all = {0, window->own.bytes};
	const struct byte_pattern pattern = {.run = &all, .count = 1, .start = window->base, .times = 1};

	return byte_pattern_hash(&pattern);
}

static void compare_content(struct agent_call *call, struct checked_window *window)
{
	const int at = call_parameter(call->id, KIND_assert);

	if (!buffer_contents_wanted || at < 0 || !(call->arguments[at] & MPI_MODE_NOSTORE) || !window->base)
		return;
	window->wants_content = true;
	call->window_changed = window->has_content && hash_window(window) != window->content;
}

/* A test counts if it succeeded and has closed the exposure epoch. */
static bool is_synchronised(const struct agent_call *call, const struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;

	return action == RMA_FENCE || (action == RMA_WAIT && !epoch_is_open(&window->epochs, EPOCH_POST));
}

static void keep_content(const struct agent_call *call, struct checked_window *window)
{
	if (!buffer_contents_wanted || !window->base || window->is_doubled ||
	    !is_synchronised(call, window) || (window->own.bytes > ALWAYS_BYTES && !window->wants_content))
		return;
	window->has_content = true;
	window->content = hash_window(window);
}

static void report_outside(struct agent_call *call, const struct checked_window *window, int64_t target,
                           int64_t first, int64_t end, int64_t size)
{
	struct finding_draft draft = problem_draft(CHECK_WINDOW_OUTSIDE, call);

	finding_draft_value(&draft, "target", "%d", (int)target);
	finding_draft_value(&draft, "first", "%lld", (long long)first);
	finding_draft_value(&draft, "end", "%lld", (long long)end - 1);
	finding_draft_value(&draft, "bytes", "%lld", (long long)size);
	finding_draft_call(&draft, window->created.by, window->created.at, NOTE_CREATED);
	finding_report(&draft);
}

/* The range of bytes in the target's window that the call may access. False: unknown, or none. */
static bool find_bounds(const struct agent_call *call, int64_t unit, int64_t *first, int64_t *end)
{
	const int counts = call_parameter(call->id, KIND_tcount),
		  types = call_parameter(call->id, KIND_ttype);
	const int64_t count = counts < 0 ? 1 : call->arguments[counts];
	struct checked_object *type = object_find(OBJECT_TYPE,
	                                          types < 0 ? (uint64_t)call_argument(call, KIND_type)
	                                                    : (uint64_t)call->arguments[types]);
	const struct type_limits *limits = type ? type_limits_get(type) : NULL;
	int64_t span;

	if (!limits || count <= 0 || limits->bytes == 0 ||
	    __builtin_mul_overflow(count - 1, limits->extent, &span) ||
	    __builtin_mul_overflow(call_argument(call, KIND_disp), unit, first) ||
	    __builtin_add_overflow(*first, limits->true_lb, first) ||
	    __builtin_add_overflow(*first, limits->true_extent, end) || INT64_MAX - *end < llabs(span))
		return false;
	if (span < 0)
		*first += span;
	else
		*end += span;
	return true;
}

static void report_displacement(struct agent_call *call)
{
	struct finding_draft draft = problem_draft(CHECK_ARGUMENT_BAD_VALUE, call);

	finding_draft_value(&draft, "parameter", "target_disp");
	finding_draft_value(&draft, "value", "%lld", (long long)call_argument(call, KIND_disp));
	finding_report(&draft);
}

static void check_displacement(struct agent_call *call, const struct checked_window *window)
{
	const int64_t target = call_argument(call, KIND_target);
	const struct member_memory *memory = target == window->rank ? &window->own
	                                     : window->members      ? &window->members[target]
	                                                            : NULL;
	int64_t first, end;

	if (window->memory == WINDOW_MEMORY_DYNAMIC)
		return;
	if (UNLIKELY(call_argument(call, KIND_disp) < 0))
		report_displacement(call);
	else if (memory && find_bounds(call, memory->unit, &first, &end) &&
	         (first < 0 || end > memory->bytes))
		report_outside(call, window, target, first, end, memory->bytes);
}

/* User-defined operations are only allowed in reductions. */
static void check_operation(struct agent_call *call)
{
	const int position = call_parameter(call->id, KIND_op);
	const uint64_t op = position < 0 ? 0 : (uint64_t)call->arguments[position];
	const struct checked_object *object = position < 0 ? NULL : object_find(OBJECT_OP, op);

	if (!object || object->state != OBJECT_LIVE || operation_name(op))
		return;
	struct finding_draft draft = problem_draft(CHECK_WINDOW_ACCUMULATE_OPERATION, call);
	object_draft_created(&draft, object);
	finding_report(&draft);
}

static void check_access(struct agent_call *call, const struct checked_window *window)
{
	const int64_t target = call_argument(call, KIND_target);

	if (target < 0 || target >= window->size || call->problems)
		return;
	check_operation(call);
	check_displacement(call, window);
}

/* MPI does not reject MPI_Finalize because of an open epoch, so this is not counted as a problem of the call. */
static void check_all_closed(struct agent_call *call)
{
	const uint32_t problems = call->problems;

	for (uint32_t i = 0; windows.entries && i <= windows.mask; i++)
		if (windows.entries[i].object)
			epochs_check_closed(call, windows.entries[i].object);
	call->problems = problems;
}

static void read_info(MPI_Info info, const char *key, char *value, int room)
{
	int has_value = 0;

	if (info == MPI_INFO_NULL || PMPI_Info_get(info, key, room - 1, value, &has_value) != MPI_SUCCESS ||
	    !has_value)
		*value = '\0';
}

/* Reads what the program promises about its accumulates (MPI 4.0, 12.2.1), before the call, because
 * MPICH 4.0 overwrites the value. */
static void read_hints(struct agent_call *call)
{
	MPI_Info info = (MPI_Info)(uintptr_t)call_argument(call, KIND_info);
	char value[32] = "";

	if (call_parameter(call->id, KIND_info) < 0 || call->problems)
		return;
	read_info(info, "accumulate_ordering", value, sizeof value);
	if (*value) {
		call->hints_given = ACCUMULATE_UNORDERED;
		call->hints = (strstr(value, "raw") ? 0 : ACCUMULATE_NO_RAW) |
		              (strstr(value, "war") ? 0 : ACCUMULATE_NO_WAR) |
		              (strstr(value, "waw") ? 0 : ACCUMULATE_NO_WAW);
	}
	read_info(info, "accumulate_ops", value, sizeof value);
	if (*value) {
		call->hints_given |= ACCUMULATE_SAME_OP;
		call->hints |= strcmp(value, "same_op") == 0 ? ACCUMULATE_SAME_OP : 0;
	}
}

/* Checks an access or a flush whose arguments were already checked. */
static void repeat(struct agent_call *call)
{
	struct checked_window *window = window_of(call);

	if (!window)
		return;
	window_memory_check(call, window);
	epoch_check(call, window);
	if (all_calls[call->id].rma == RMA_ACCESS && !call->problems)
		check_displacement(call, window);
	if (!call->problems)
		window_event_before(call, window);
}

void windows_before(struct agent_call *call)
{
	struct checked_window *window;

	if (LIKELY(call->repeated && call->repeated->announced && !call->nested && !call->problems)) {
		repeat(call);
		return;
	}
	if (call->id == CALL_Barrier)
		return;
	read_hints(call);
	if (call_parameter(call->id, KIND_newwin) >= 0)
		return;
	if (call->id == CALL_Win_free)
		call->ended = handle_in_variable(call, KIND_oldwin);
	lock_if_shared();
	if (call->id == CALL_Finalize && !call->nested) {
		check_all_closed(call);
	} else if (!call->nested && !call->problems && (window = window_of(call))) {
		window_memory_check(call, window);
		epoch_check(call, window);
		if (call->id == CALL_Win_free)
			epochs_check_closed(call, window);
		if (call->id == CALL_Win_detach)
			watched_window_detach(window, call_argument(call, KIND_inpointer));
		if (all_calls[call->id].rma == RMA_ACCESS)
			check_access(call, window);
		compare_content(call, window);
		if (!call->problems)
			window_event_before(call, window);
	}
	unlock_if_shared();
}

static void ask_members(struct checked_window *window)
{
	int unit;
	MPI_Aint bytes;
	void *base;

	window->members = host_table((size_t)window->size, sizeof *window->members);
	for (int i = 0; window->members && i < window->size; i++) {
		if (PMPI_Win_shared_query(WIN_OF(window->handle), i, &bytes, &unit, &base) != MPI_SUCCESS) {
			free(window->members);
			window->members = NULL;
			return;
		}
		window->members[i] = (struct member_memory){
			.bytes = bytes, .unit = unit, .base = (int64_t)(uintptr_t)base};
	}
}

static bool ask_group(struct checked_window *window)
{
	MPI_Group group;
	int rank = 0, size = 0;
	bool known;

	if (PMPI_Win_get_group(WIN_OF(window->handle), &group) != MPI_SUCCESS)
		return false;
	known = PMPI_Group_rank(group, &rank) == MPI_SUCCESS && PMPI_Group_size(group, &size) == MPI_SUCCESS;
	PMPI_Group_free(&group);
	window->rank = rank;
	window->size = size;
	return known;
}

static void forget(uint64_t handle)
{
	struct checked_window *window = handles_remove(&windows, handle);

	last_window = NULL;
	if (window) {
		local_accesses_unmap(window);
		watched_window_end(window);
		window_buffers_end(window);
		epochs_release(window);
	}
}

static void find_memory(const struct agent_call *call, struct checked_window *window)
{
	find_memory_of(call, window);
	for (uint32_t i = 0; window->base && windows.entries && i <= windows.mask; i++) {
		struct checked_window *other = windows.entries[i].object;

		if (other && share_memory(window, other))
			window->is_doubled = other->is_doubled = true;
	}
}

static struct checked_window *next_window_of_all(uint32_t *position)
{
	struct checked_window *found = NULL;

	while (!found && windows.entries && *position <= windows.mask)
		found = windows.entries[(*position)++].object;
	return found;
}

static void follow_new(const struct agent_call *call)
{
	const uint64_t handle = handle_in_variable(call, KIND_newwin);
	struct checked_window *window;

	forget(handle); /* an older window with this handle, whose end was not seen */
	if (!handle || handle_is_null(OBJECT_WIN, handle) || !(window = host_table(1, sizeof *window)))
		return;
	window->handle = handle;
	window->memory = all_calls[call->id].window_memory;
	window->created = opening_call(call);
	window->own.unit = 1;
	if (window->memory != WINDOW_MEMORY_DYNAMIC)
		window->own = (struct member_memory){.bytes = call_argument(call, KIND_winsize),
		                                     .unit = call_argument(call, KIND_winunit)};
	if (!ask_group(window) || !handles_set(&windows, handle, window)) {
		epochs_release(window);
		return;
	}
	window->accumulate_hints = call->hints;
	if (window->memory == WINDOW_MEMORY_SHARED)
		ask_members(window);
	find_memory(call, window);
	window_memory_begin(call, window, next_window_of_all);
	if (!call->nested && !watched_window_begin(window))
		local_accesses_map(call, window);
	window_buffers_begin(window);
}

static void guard_all(void)
{
	for (uint32_t i = 0; windows.entries && i <= windows.mask; i++)
		if (windows.entries[i].object)
			local_accesses_guard(windows.entries[i].object);
	watched_windows_again();
}

static void change_hints(const struct agent_call *call, struct checked_window *window)
{
	const uint32_t hints = (window->accumulate_hints & ~call->hints_given) | call->hints;

	if (hints == window->accumulate_hints)
		return;
	window->accumulate_hints = hints;
	if (!call->nested)
		window_made(call, window);
}

static void attach(const struct agent_call *call, struct checked_window *window)
{
	window_buffers_attach(call, window);
	if (call->id == CALL_Win_attach)
		watched_window_attach(window, call_argument(call, KIND_pointer),
		                      call_argument(call, KIND_winsize));
}

static void synchronised(const struct agent_call *call, struct checked_window *window)
{
	const enum rma_action action = all_calls[call->id].rma;

	if (call->id == CALL_Win_get_attr)
		local_accesses_attribute(call, window);
	else if (call->id == CALL_Win_set_info)
		change_hints(call, window);
	else if (call->id == CALL_Win_attach || call->id == CALL_Win_detach)
		attach(call, window);
	else if (action != RMA_NONE && action != RMA_ACCESS) {
		local_accesses_guard(window);
		watched_windows_again();
	}
}

void windows_after(struct agent_call *call, int rc)
{
	struct checked_window *window;

	if (rc != MPI_SUCCESS || call->id == CALL_Finalize)
		return;
	lock_if_shared();
	if (call->id == CALL_Barrier) {
		guard_all();
	} else if (call_parameter(call->id, KIND_newwin) >= 0) {
		follow_new(call);
	} else if (call->id == CALL_Win_free) {
		forget(call->ended);
	} else if ((window = window_of(call))) {
		epoch_follow(call, window);
		keep_content(call, window);
		if (!call->nested)
			window_event_after(call, window);
		synchronised(call, window);
	}
	unlock_if_shared();
}

void windows_made(const struct agent_call *call, int rc)
{
	struct checked_window *window;

	if (rc != MPI_SUCCESS || call->nested || call_parameter(call->id, KIND_newwin) < 0)
		return;
	lock_if_shared();
	window = handles_find(&windows, handle_in_variable(call, KIND_newwin));
	if (window) {
		window_made(call, window);
		local_accesses_guard(window);
	}
	unlock_if_shared();
}

void windows_report_local(void)
{
	struct page_access access;

	watched_windows_flush();
	if (LIKELY(!local_accesses_are_new()))
		return;
	lock_if_shared();
	for (uint32_t i = 0; windows.entries && i <= windows.mask; i++) {
		struct checked_window *window = windows.entries[i].object;

		while (window && local_accesses_next(window, &access))
			window_event_local(
				window,
				&(struct local_access){.stack = &access.stack,
			                               .is_write = access.kind == ACCESS_WRITES,
			                               .is_once = access.kind != ACCESS_WRITES &&
			                                          !access.is_changed &&
			                                          !stack_has_loop(&access.stack),
			                               .target = window->rank,
			                               .first = (int64_t)access.address - window->local->base,
			                               .bytes = 1});
	}
	unlock_if_shared();
}
