/* The recorded part of a run, if the user has excluded some (--only, --not, --from, --to, MPI_Pcontrol).
 *
 *	struct recorded_part part = recorded_part_of(reader, &arena);
 *	if (part.never_came) … nothing was recorded …
 *	int64_t computing = length - paused_between(&stream, time, process, start, end, &next);
 *
 * Times and figures are those of the recorded window: the run of model/run_spans.h, without the pauses.
 * Pauses are known after all events have been read once. */
#ifndef TARRY_ANALYSIS_MODEL_RECORDED_PART_H
#define TARRY_ANALYSIS_MODEL_RECORDED_PART_H

#include "analysis/model/logical_clock.h"
#include "base/arena.h"
#include "trace/reader.h"

struct recorded_part {
	const char **rules; /* as in the options, "--from step:10", each once; of all processes */
	size_t rule_count;
	bool has_pauses; /* of any thread, before its last call: by an option, or by the program itself */
	/* The option whose moment never occurred in any process, so that nothing was recorded between
	 * MPI_Init and MPI_Finalize; NULL: it occurred, or there is none. */
	const char *never_came;
	const char *seen; /* regions, phases and marks that occurred instead, separated by ", "; or NULL */
};

/* Its lists and texts are valid as long as the arena and the reader. */
struct recorded_part recorded_part_of(const struct reader *reader, struct arena *arena);

/* True if only totals of calls were recorded (--summary), except for the first and the
 * last call of a process. */
bool has_only_sums(const struct reader *reader);

/* Number of calls without events, as far as the trace was read. */
uint64_t summed_calls(const struct reader *reader);

/* True if anything was excluded. */
static inline bool part_is_left_out(const struct recorded_part *part)
{
	return part->rule_count || part->has_pauses;
}

/* The paused time of a thread within an interval, as far as it was read. For many intervals in order, `*next`
 * is the first pause that may matter; it begins with 0. */
int64_t paused_between(const struct stream *stream, const struct corrected_time *time, uint32_t process,
                       int64_t from, int64_t to, size_t *next);

/* The same for an interval of this length that ends at a tick. */
int64_t paused_before(const struct stream *stream, const struct corrected_time *time, uint32_t process,
                      uint64_t tick, int64_t length_ns, size_t *next);

#endif
