#include "analysis/model/phases.h"

#include "analysis/model/gaps.h"
#include "analysis/model/marks.h"
#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* An open region or phase. */
struct open_phase {
	struct occurrence begin;
	uint64_t tick;
	const char *name; /* owned by the reader */
	const char *same; /* the same pointer for equal names */
	uint32_t number;  /* 0: none */
	uint32_t path;    /* number of it with the regions around it; 0: none */
};

struct region_stack {
	struct open_phase *open; /* the innermost last */
	uint32_t count, room;
};

struct phase_owner {
	struct open_phase phase;
	struct region_stack *stacks; /* of threads that ever had a region */
	uint32_t stack_count, stack_room;
};

struct phases {
	const struct reader *reader;
	struct row_writer *rows;
	struct arena arena;
	struct interner names;
	struct phase_owner *owners; /* by process */
	struct map stack_numbers;   /* in the owner's, by process and thread */
	struct map paths;           /* numbers, by those of the regions around and the name */
	uint32_t count;
	uint64_t tick; /* of the current call */
};

struct phases *phases_new(const struct reader *reader, struct row_writer *rows)
{
	struct phases *phases = memory_new(1, sizeof *phases);

	phases->reader = reader;
	phases->rows = rows;
	phases->names.arena = &phases->arena;
	phases->owners = memory_new(reader->process_count + 1, sizeof *phases->owners);
	return phases;
}

static const char *find_name(struct phases *phases, const char *name)
{
	return (const char *)intern(&phases->names, name, strlen(name))->bytes;
}

/* `around`: the path of the region or phase around it. */
static struct open_phase open_phase(struct phases *phases, const struct occurrence *call, const char *name,
                                    uint32_t around)
{
	struct open_phase phase = {.begin = *call,
	                           .tick = phases->tick,
	                           .name = name,
	                           .same = find_name(phases, name),
	                           .number = ++phases->count};
	uint32_t *path = map_put(&phases->paths, map_key(around, (uintptr_t)phase.same));

	if (*path == MAP_NONE)
		*path = (uint32_t)phases->paths.count;
	phase.path = *path;
	mention_phase(phases->rows, &(struct phase_mention){name, phase.path, around});
	return phase;
}

/* Between the start of a phase and now. */
static bool has_gap(const struct phases *phases, const struct open_phase *phase)
{
	const struct process *process = &phases->reader->processes[phase->begin.semantics->process];
	uint64_t lost = lost_since(process);

	if (lost >= phase->tick && lost <= phases->tick)
		return true;
	for (size_t i = 0; i < process->stream_count; i++)
		for (size_t j = 0; j < process->streams[i].pause_count; j++) {
			uint64_t paused = process->streams[i].pauses[j].tick;
			if (paused >= phase->tick && paused <= phases->tick)
				return true;
		}
	return false;
}

static void close_phase(const struct phases *phases, const struct open_phase *phase,
                        const struct occurrence *call)
{
	struct phase_time row = {
		.begin = phase->begin, .finish = *call, .name = phase->name, .phase = phase->number};

	if (wants_rows(phases->rows, RELATION_PHASE_TIME) && !has_gap(phases, phase))
		write_row(phases->rows, RELATION_PHASE_TIME, &row);
}

/* NULL: the thread never had a region. */
static const uint32_t *find_number(const struct phases *phases, uint32_t process, uint32_t thread)
{
	return phases->owners[process].stack_count
	               ? map_find(&phases->stack_numbers, map_key(process, thread))
	               : NULL;
}

static struct region_stack *find_stack(const struct phases *phases, uint32_t process, uint32_t thread)
{
	const uint32_t *number = find_number(phases, process, thread);

	return number ? &phases->owners[process].stacks[*number] : NULL;
}

static struct region_stack *get_stack(struct phases *phases, const struct occurrence *call)
{
	uint32_t process = call->semantics->process;
	struct phase_owner *owner = &phases->owners[process];
	const uint32_t *number = find_number(phases, process, call->thread);

	if (number)
		return &owner->stacks[*number];
	array_fit(owner->stacks, owner->stack_room, owner->stack_count + 1u);
	owner->stacks[owner->stack_count] = (struct region_stack){0};
	*map_put(&phases->stack_numbers, map_key(process, call->thread)) = owner->stack_count;
	return &owner->stacks[owner->stack_count++];
}

static void end_last_phase(struct phases *phases, const struct occurrence *call)
{
	struct open_phase *phase = &phases->owners[call->semantics->process].phase;

	if (phase->number)
		close_phase(phases, phase, call);
	*phase = (struct open_phase){0};
}

bool phases_want(const struct call_semantics *semantics)
{
	return semantics->kind->info == &all_calls[CALL_Finalize] || mark_kind(semantics->call) != MARK_NONE;
}

static bool is_in_level(const struct phases *phases, const struct occurrence *call)
{
	const struct open_phase *phase = &phases->owners[call->semantics->process].phase;

	return phase->number && is_level(phase->name);
}

void phases_call(struct phases *phases, const struct occurrence *call, uint64_t tick)
{
	enum mark_kind kind = mark_kind(call->semantics->call);
	const char *name = mark_name(phases->reader->processes[call->semantics->process].reader,
	                             call->semantics->call);

	phases->tick = tick;
	if (kind == MARK_NONE || (kind == MARK_LEVEL_END && is_in_level(phases, call))) {
		end_last_phase(phases, call);
	} else if (kind == MARK_REGION_BEGIN && name) {
		struct region_stack *stack = get_stack(phases, call);
		uint32_t around = stack->count ? stack->open[stack->count - 1].path
		                               : phases->owners[call->semantics->process].phase.path;
		array_fit(stack->open, stack->room, stack->count + 1u);
		stack->open[stack->count++] = open_phase(phases, call, name, around);
	} else if (kind == MARK_REGION_END && name) {
		struct region_stack *stack = get_stack(phases, call);
		const char *wanted = find_name(phases, name);
		uint32_t depth = stack->count;
		while (depth && stack->open[depth - 1].same != wanted)
			depth--;
		while (depth && stack->count >= depth)
			close_phase(phases, &stack->open[--stack->count], call);
	} else if (kind == MARK_PHASE && name) {
		end_last_phase(phases, call);
		phases->owners[call->semantics->process].phase = open_phase(phases, call, name, 0);
	}
}

void phases_lost(struct phases *phases, uint32_t process)
{
	struct phase_owner *owner = &phases->owners[process];

	owner->phase = (struct open_phase){0};
	for (uint32_t i = 0; i < owner->stack_count; i++)
		owner->stacks[i].count = 0;
}

uint32_t phase_at(const struct phases *phases, uint32_t process, uint32_t thread)
{
	const struct region_stack *stack = find_stack(phases, process, thread);

	return stack && stack->count ? stack->open[stack->count - 1].number
	                             : phases->owners[process].phase.number;
}

void phases_free(struct phases *phases)
{
	for (size_t i = 0; i < phases->reader->process_count; i++) {
		for (uint32_t j = 0; j < phases->owners[i].stack_count; j++)
			free(phases->owners[i].stacks[j].open);
		free(phases->owners[i].stacks);
	}
	free(phases->owners);
	map_release(&phases->stack_numbers);
	map_release(&phases->paths);
	arena_release(&phases->arena);
	free(phases);
}
