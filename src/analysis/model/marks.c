#include "analysis/model/marks.h"

#include "base/text.h"
#include "calls/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char level_prefix[] = "MPI_Pcontrol(";

static const struct {
	const char *call;
	enum mark_kind kind;
} marks[] = {
	{"tarry_region_begin", MARK_REGION_BEGIN},
	{"tarry_region_end", MARK_REGION_END},
	{"tarry_phase", MARK_PHASE},
};

static bool is_control(const struct call *call)
{
	return strcmp(call->outline->name, all_calls[CALL_Pcontrol].name) == 0;
}

enum mark_kind mark_kind(const struct call *call)
{
	int64_t level;

	if (is_control(call))
		return !call_field(call, FIELD_LEVEL, &level) ? MARK_NONE
		       : level > 1                            ? MARK_PHASE
		                                              : MARK_LEVEL_END;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strcmp(call->outline->name, marks[i].call) == 0)
			return marks[i].kind;
	return MARK_NONE;
}

const char *mark_name(struct reader *reader, const struct call *call)
{
	char name[40];
	int64_t level = 0;
	const char *kept;

	if (!is_control(call))
		return call_text(call, FIELD_REGION);
	(void)call_field(call, FIELD_LEVEL, &level);
	snprintf(name, sizeof name, "%s%" PRId64 ")", level_prefix, level);
	pthread_mutex_lock(&reader->lock);
	kept = (const char *)intern(&reader->texts, name, strlen(name))->bytes;
	pthread_mutex_unlock(&reader->lock);
	return kept;
}

bool has_phases(const struct reader *reader)
{
	for (size_t i = 0; i < reader->process_count; i++)
		for (size_t j = 0; j < sizeof marks / sizeof *marks; j++)
			if (process_calls(&reader->processes[i], marks[j].call) ||
			    process_calls(&reader->processes[i], all_calls[CALL_Pcontrol].name))
				return true;
	return false;
}

bool is_level(const char *phase)
{
	return text_begins(phase, level_prefix);
}
