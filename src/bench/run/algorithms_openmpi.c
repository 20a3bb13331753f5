/* Open MPI's coll/tuned component: coll_tuned_<collective>_algorithm and related settings, read when a
 * communicator is created if coll_tuned_use_dynamic_rules was set at the start of the job. */
#include "bench/run/algorithms.h"

#include "base/text.h"
#include "bench/run/control.h"
#include "bench/tuning/library_text.h"

#include <string.h>

/* Algorithms that forward messages, so that segments can overlap. */
static const char *const with_segments[] = {"MPI_Bcast", "MPI_Reduce", "MPI_Allreduce"};
/* Collectives whose rules contain the fan-out of chains; others that of trees. */
static const char *const with_chains[] = {"MPI_Bcast", "MPI_Reduce", "MPI_Reduce_scatter"};

static bool is_among(const char *operation, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], operation) == 0)
			return true;
	return false;
}

#define IS_AMONG(operation, names) is_among(operation, names, sizeof(names) / sizeof(*(names)))

static bool open_setting(const char *operation, const char *what, struct control *control)
{
	struct arena arena = {0};
	const char *collective = collective_short_name(operation, &arena);
	bool is_open = control_open(arena_format(&arena, "coll_tuned_%s_algorithm%s", collective, what),
	                            control);

	arena_release(&arena);
	return is_open;
}

static bool is_openmpi(void)
{
	struct control control;
	bool is_open = open_setting("MPI_Bcast", "", &control);

	control_close(&control);
	return is_open;
}

/* 0: none, for example for barriers. */
static int usual_value(const char *operation, const char *what)
{
	struct control control;
	int value = open_setting(operation, what, &control) ? control.usual : 0;

	control_close(&control);
	return value;
}

static void add_algorithm(struct algorithms *algorithms, struct arena *arena, const char *name, int number,
                          uint64_t segment)
{
	struct algorithm *algorithm = &algorithms->at[algorithms->count++];
	bool has_chains = IS_AMONG(algorithms->operation, with_chains);
	int fan_out = usual_value(algorithms->operation, has_chains ? "_chain_fanout" : "_tree_fanout");

	*algorithm = (struct algorithm){.name = name, .number = number, .segment = (int)segment};
	if (segment)
		algorithm->name = segment % 1024 ? arena_format(arena, "%s,%d", name, (int)segment)
		                                 : arena_format(arena, "%s,%dK", name, (int)segment / 1024);
	algorithm->term = arena_format(arena, "%d %d %d %d", number, fan_out, (int)segment,
	                               usual_value(algorithms->operation, "_max_requests"));
}

/* Number 0 is "ignore": the library's own choice. */
static void add_names(struct algorithms *algorithms, const struct control *control, struct arena *arena,
                      const struct uint_list *segments)
{
	char name[256];
	int count, length = sizeof name, number;

	MPI_T_enum_get_info(control->names, &count, name, &length);
	algorithms->at = arena_array(arena, struct algorithm, (size_t)count * segments->count);
	for (int i = 0; i < count; i++) {
		length = sizeof name;
		if (MPI_T_enum_get_item(control->names, i, &number, name, &length) != MPI_SUCCESS ||
		    number == 0)
			continue;
		const char *kept = arena_text(arena, name);
		for (size_t k = 0; k < segments->count; k++)
			add_algorithm(algorithms, arena, kept, number, segments->at[k]);
	}
}

static enum status list_openmpi(const char *operation, const struct bench_plan *wanted, struct arena *arena,
                                struct algorithms *algorithms)
{
	uint64_t none = 0;
	struct uint_list segments = {&none, 1};
	struct control control;

	if (!open_setting(operation, "", &control) || control.names == MPI_T_ENUM_NULL)
		return fail("Open MPI offers no algorithms for it");
	if (!control_restore(&control)) {
		control_close(&control);
		return fail("Open MPI does not let its algorithm be changed while a job runs");
	}
	if (wanted->segments && IS_AMONG(operation, with_segments))
		TRY(plan_sizes(wanted->segments, arena, &segments));
	add_names(algorithms, &control, arena, &segments);
	control_close(&control);
	return OK;
}

static enum status set(const char *operation, const char *what, int value)
{
	struct control control;
	bool is_set = open_setting(operation, what, &control) && control_set(&control, value);

	control_close(&control);
	return is_set ? OK : fail("Open MPI does not let the algorithm of %s be set", operation);
}

static enum status force_openmpi(const struct algorithms *algorithms, const struct algorithm *algorithm,
                                 bool strictly)
{
	(void)strictly; /* it always is */
	TRY(set(algorithms->operation, "", algorithm->number));
	if (algorithm->segment)
		TRY(set(algorithms->operation, "_segmentsize", algorithm->segment));
	return OK;
}

static void relent_openmpi(const struct algorithms *algorithms)
{
	/* Both succeeded before. */
	if (set(algorithms->operation, "", 0) == OK && IS_AMONG(algorithms->operation, with_segments))
		(void)!set(algorithms->operation, "_segmentsize", 0);
}

const struct family family_openmpi = {
	.name = "openmpi",
	.is_kept_by_communicator = true,
	.is_for_all_reductions = true,
	.is_there = is_openmpi,
	.list = list_openmpi,
	.force = force_openmpi,
	.relent = relent_openmpi,
};
