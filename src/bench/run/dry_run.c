#include "bench/run/dry_run.h"

#include "bench/run/memory_steps.h"
#include "bench/run/timer.h"
#include "bench/run/trial.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Assumed if the number of processes is unknown. */
enum { FEW_PROCESSES = 2 };

static const char *const rank_variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID",
                                             NULL};
static const char *const size_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", NULL};

/* Not SLURM_NTASKS: it may belong to an allocation in which this process was started by hand. */
static const char *const launch_variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                               NULL};

static int first_number(const char *const *variables)
{
	for (; *variables; variables++) {
		const char *value = getenv(*variables);
		int64_t number;
		if (value && parse_integer(value, &number) == OK && number >= 0 && number <= INT_MAX)
			return (int)number;
	}
	return 0;
}

struct started_as started_as(void)
{
	return (struct started_as){first_number(rank_variables), first_number(size_variables),
	                           first_number(launch_variables)};
}

/* The state while all points are examined. */
struct survey {
	const struct bench_plan *wanted;
	const struct bench_operation **operations;
	size_t operation_count;
	struct uint_list ranks, sizes;
	int world; /* 0: unknown */
	size_t points, possible;
	uint64_t memory; /* the maximum that a process needs, … */
	int memory_ranks;
	uint64_t memory_bytes;
	const struct bench_operation *memory_for; /* … and its operation */
	struct arena arena;
	const char *said; /* the last message about a skipped point */
};

static void leave_out(struct survey *survey, struct text *out)
{
	if (survey->said && strcmp(survey->said, trail_text()) == 0)
		return;
	survey->said = arena_text(&survey->arena, trail_text());
	text_add(out, "left out: %s\n", survey->said);
}

static uint64_t memory_here(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Rejects points that exceed the memory of any process; the job checks more closely. */
static enum status check_memory(const struct bench_operation *operation, uint64_t memory, uint64_t bytes,
                                int ranks)
{
	struct text need = {0}, have = {0};
	enum status status;

	if (memory <= memory_here())
		return OK;
	text_add_size(&need, memory);
	text_add_size(&have, memory_here());
	status = fail(
		"buffers of %s for %llu bytes and %d processes need %s in a process, but this machine has %s: take "
		"smaller '--sizes'",
		operation->name, (unsigned long long)bytes, ranks, text_get(&need), text_get(&have));
	text_release(&need);
	text_release(&have);
	return status;
}

static void look_at_point(struct survey *survey, const struct bench_operation *operation, int ranks,
                          uint64_t bytes, struct text *out)
{
	uint64_t memory;

	survey->points++;
	memory = trial_memory(operation, survey->wanted, bytes, ranks);
	if (trial_check(operation, survey->wanted, bytes, ranks) != OK ||
	    check_memory(operation, memory, bytes, ranks) != OK) {
		leave_out(survey, out);
		return;
	}
	survey->possible++;
	if (memory <= survey->memory)
		return;
	survey->memory = memory;
	survey->memory_ranks = ranks;
	survey->memory_bytes = bytes;
	survey->memory_for = operation;
}

static void look_at_operation(struct survey *survey, const struct bench_operation *operation,
                              struct text *out)
{
	for (size_t i = 0; i < survey->ranks.count; i++) {
		size_t sizes = operation->traits & HAS_SIZE ? survey->sizes.count : 1;
		for (size_t j = 0; j < sizes; j++)
			look_at_point(survey, operation, (int)survey->ranks.at[i],
			              operation->traits & HAS_SIZE ? survey->sizes.at[j] : 0, out);
	}
}

static void tell_numbers(const char *what, const struct uint_list *numbers, bool are_sizes, struct text *out)
{
	text_add(out, "%s:", what);
	for (size_t i = 0; i < numbers->count; i++) {
		text_add(out, "%s ", i ? "," : "");
		if (are_sizes)
			text_add_size(out, numbers->at[i]);
		else
			text_add(out, "%llu", (unsigned long long)numbers->at[i]);
	}
	text_add(out, "\n");
}

static void tell_agenda(const struct survey *survey, struct text *out)
{
	text_add(out, "operations:");
	for (size_t i = 0; i < survey->operation_count; i++)
		text_add(out, "%s %s", i ? "," : "", survey->operations[i]->name);
	text_add(out, "\n");
	if (survey->world || survey->wanted->ranks)
		tell_numbers("processes", &survey->ranks, false, out);
	else
		text_add(out, "processes: as many as the launcher starts\n");
	tell_numbers("sizes", &survey->sizes, true, out);
}

static void tell_memory(const struct survey *survey, struct text *out)
{
	uint64_t together;

	if (!survey->memory_for)
		return;
	if (__builtin_mul_overflow(survey->memory, (uint64_t)survey->memory_ranks, &together))
		together = UINT64_MAX;
	text_add(out, "buffers: at most ");
	text_add_size(out, survey->memory);
	text_add(out, " per process (%s, %llu bytes, %d processes), ", survey->memory_for->name,
	         (unsigned long long)survey->memory_bytes, survey->memory_ranks);
	text_add_size(out, together);
	text_add(out, " if all are on one node; this one has ");
	text_add_size(out, memory_here());
	text_add(out, "\n");
}

static enum status make_survey(struct survey *survey)
{
	const struct bench_plan *wanted = survey->wanted;
	const struct bench_timer *timer;
	int bound = survey->world ? survey->world : wanted->ranks ? INT_MAX : FEW_PROCESSES;

	if (wanted->timer)
		TRY(timer_find(wanted->timer, &timer));
	TRY(operations_choose(wanted->operations.at, wanted->operations.count, &survey->operations,
	                      &survey->operation_count));
	TRY(trial_check_words(wanted));
	TRY_BECAUSE(plan_ranks(wanted->ranks, bound, &survey->arena, &survey->ranks), "option '--ranks'");
	return plan_sizes(wanted->sizes, &survey->arena, &survey->sizes);
}

static enum status survey_all(struct survey *survey, struct text *out)
{
	TRY(make_survey(survey));
	tell_agenda(survey, out);
	for (size_t i = 0; i < survey->operation_count; i++)
		look_at_operation(survey, survey->operations[i], out);
	if (!survey->possible && survey->world)
		return fail("%s", survey->said);
	text_add(out, "lines of the table: %zu of %zu\n", survey->possible, survey->points);
	tell_memory(survey, out);
	return OK;
}

static void tell_memory_steps(struct text *out)
{
	text_add(out, "memory that the library needs for each of:\n");
	for (const struct allocating *step = memory_steps; step->name; step++)
		text_add(out, "  %s\n", step->name);
}

enum status dry_run(const struct bench_plan *wanted, int world, struct text *out)
{
	struct survey survey = {.wanted = wanted, .world = world};
	enum status status;

	if (wanted->memory) {
		tell_memory_steps(out);
		return OK;
	}
	status = survey_all(&survey, out);
	free(survey.operations);
	arena_release(&survey.arena);
	return status;
}
