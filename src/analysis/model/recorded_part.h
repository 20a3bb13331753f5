/* Which part of a run is in the trace, where that is not all of it: by the user's choice (--only, --not, --from, --to, MPI_Pcontrol).
 *
 *	struct recorded_part part = recorded_part_of(reader, &arena);
 *	if (part.never_came) … nothing was recorded …
 *	int64_t computing = length - paused_between(&stream, time, process, start, end, &next);
 *
 * Times and figures are those of the recorded window: the run of model/run_spans.h, without the
 * pauses. Pauses are known when all events have been read once. */
#ifndef TARRY_ANALYSIS_MODEL_RECORDED_PART_H
#define TARRY_ANALYSIS_MODEL_RECORDED_PART_H

#include "analysis/model/logical_clock.h"
#include "base/arena.h"
#include "trace/reader.h"

struct recorded_part {
	const char **rules; /* as the options say them, "--from step:10", each once; of all processes */
	size_t rule_count;
	bool has_pauses; /* of any thread, before its last call: by a rule, or by the program itself */
	/* The rule whose moment never came, in any process, so that there is nothing between MPI_Init and MPI_Finalize; NULL: it came, or
	 * there is none. */
	const char *never_came;
	const char *
		seen; /* regions, phases and marks that came instead, separated by ", "; NULL: none, or it is not known */
};

/* Its lists and texts live as long as the arena and the reader. */
struct recorded_part recorded_part_of(const struct reader *reader, struct arena *arena);

/* Whether only sums of calls were recorded (--summary), except for the first and the last call of a process. */
bool has_only_sums(const struct reader *reader);

/* Number of calls without events, as far as the trace was read. */
uint64_t summed_calls(const struct reader *reader);

/* Was anything left out? */
static inline bool part_is_left_out(const struct recorded_part *part)
{
	return part->rule_count || part->has_pauses;
}

/* What of a span lies in pauses of the thread, as far as it was read. Of many spans in order, `*next` is the first pause that
 * may matter; it begins with 0. */
int64_t paused_between(const struct stream *stream, const struct corrected_time *time, uint32_t process,
                       int64_t from, int64_t to, size_t *next);

/* The same of a span of this length that ends at a tick. */
int64_t paused_before(const struct stream *stream, const struct corrected_time *time, uint32_t process,
                      uint64_t tick, int64_t length_ns, size_t *next);

#endif
