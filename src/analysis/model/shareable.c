/* Whether several sessions can analyse a trace together: facts that they do not exchange would be missing. */
#include "analysis/model/gaps.h"
#include "analysis/model/marks.h"
#include "analysis/model/propagated_delay.h"
#include "analysis/model/recorded_part.h"
#include "analysis/model/session.h"

#include <string.h>

/* Its partners would need more than the facts. */
static bool is_hidden(const struct call *call)
{
	const struct call_info *info = call_find(call->outline->name);

	if (!info)
		return false;
	switch (info->class) {
	case CLASS_PARTITIONED:
	case CLASS_ONE_SIDED:
	case CLASS_EPOCH:
	case CLASS_WINDOW:
	case CLASS_DYNAMIC:
		return true;
	default:
		return call_is_pgas(info) || call_field(call, FIELD_MESSAGE, &(int64_t){0});
	}
}

static bool is_whole(const struct process *process)
{
	if (process->loss_count || process->file_count || process_property(process, "selection"))
		return false;
	for (size_t i = 0; i < process->stream_count; i++) {
		const struct stream *stream = &process->streams[i];
		if (stream->loss_count || stream->pause_count || stream->summed_count || stream->open.call)
			return false;
	}
	return true;
}

static bool passes_everything_on(const struct process *process)
{
	for (uint32_t i = 0; i < process->calls.count; i++)
		if (process->calls.items[i] && is_hidden(process->calls.items[i]))
			return false;
	return is_whole(process);
}

bool session_is_shareable(const struct analysis_session *session)
{
	const struct reader *reader = session->reader;

	if (reader->is_parts || reader->damage_count || has_only_sums(reader) || has_phases(reader) ||
	    propagated_delays_are_needed(reader) || has_pgas(session->comms))
		return false;
	for (uint32_t i = session->owned.first; i < session->owned.end; i++)
		if (!passes_everything_on(&reader->processes[i]))
			return false;
	return true;
}
