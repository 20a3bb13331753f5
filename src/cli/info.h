/* The page of `tarry info`, as text and as JSON. */
#ifndef TARRY_CLI_INFO_H
#define TARRY_CLI_INFO_H

#include "analysis/model/logical_clock.h"
#include "analysis/model/summary.h"
#include "base/text.h"
#include "output/report/figures_output.h"
#include "output/report/open_calls_text.h"

/* Contents of the page. */
struct info_input {
	const struct reader *reader;
	const struct corrected_time *time;
	const struct summary *summary;
	struct open_calls_view open;
	struct shown_figures figures; /* the same as in a report */
};

void info_text(const struct info_input *input, struct text *out);
void info_json(const struct info_input *input, struct text *out);

/* The eager limit of a distance, and its origin. */
struct eager_source {
	const char *distance;
	const char *
		variable; /* and its value: "btl_vader_eager_limit = 4096"; NULL: the trace does not name it */
	uint64_t bytes;
	bool is_known;
};

enum { EAGER_SOURCES = 4 };

/* Stores the limits of the first process that asked its MPI library; returns their number. */
size_t eager_sources(const struct reader *reader, struct eager_source sources[EAGER_SOURCES]);

/* The property of the first process that has it; NULL: no process has it. */
const char *any_property(const struct reader *reader, const char *key);
/* Calls `use` for each note that the recorder left, in the trace or in its parts folder. */
void each_note(const struct reader *reader, void (*use)(void *context, const char *note), void *context);
double bytes_per_call(const struct info_input *input);

#endif
