/* A part of a trace: the options --from, --to, --ranks and --calls of `tarry dump` and `tarry export`.
 *
 *	static struct window_choice choice;
 *	static const struct option_spec options[] = {WINDOW_OPTIONS(choice), OPTIONS_END};
 *	struct trace_window window;
 *	if (window_parse(&choice, &window) != OK)
 *		return misuse(…);
 *	code = window_open(&window, reader, time);
 *	if (code == EXIT_FINE)
 *		… window.filter …
 *	window_release(&window); */
#ifndef TARRY_CLI_TRACE_WINDOW_H
#define TARRY_CLI_TRACE_WINDOW_H

#include "analysis/model/logical_clock.h"
#include "base/number_ranges.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text.h"
#include "calls/select.h"
#include "trace/filter.h"

/* As the user wrote it; NULL: not given. */
struct window_choice {
	const char *from, *to, *ranks, *calls;
};

// clang-format off
#define WINDOW_OPTIONS(choice) \
	{"from", 0, "TIME", "only events from TIME on, such as 1.5s or 200ms after the start of the run", OPTION_TEXT, \
	 &(choice).from}, \
	{"to", 0, "TIME", "only events up to TIME", OPTION_TEXT, &(choice).to}, \
	{"ranks", 'r', "LIST", "only processes of these ranks, such as 0-3,8", OPTION_LIST, &(choice).ranks}, \
	{"calls", 0, "LIST", "only these functions or classes, such as p2p,MPI_Barrier,MPI_I*", OPTION_LIST, &(choice).calls}
// clang-format on

struct trace_window {
	const struct window_choice *choice;
	const struct event_filter *filter; /* NULL: all is wanted */
	/* The following members are private. */
	struct event_filter own_filter;
	int64_t from_ns, to_ns; /* of the run; when it is open, of the clock */
	ARRAY(struct number_range) ranks;
	bool chosen[SELECTABLE];
	ARRAY(bool) known, wanted; /* by the number of a call's outline */
	const struct reader *reader;
	const struct corrected_time *time;
};

/* Can it be understood? */
enum status window_parse(const struct window_choice *choice, struct trace_window *window) MUST_CHECK;
/* Whether the time is asked for, without which window_open() may be given none. */
bool window_needs_time(const struct trace_window *window);
/* Prints an error if the trace has none of the selected calls. Returns an exit code. */
int window_open(struct trace_window *window, struct reader *reader, const struct corrected_time *time);
void window_release(struct trace_window *window);

/* Says it if this is more than a person may expect: `event_bytes` for each event of the window. */
void window_say_size(const struct trace_window *window, const struct reader *reader, double event_bytes);

/* Lists of functions and classes of functions, as --only, --not and --calls take them (calls/select.h). */
/* Does every word of the list of this option mean something? NULL: there is no list. */
enum status call_list_check(const char *option, const char *list) MUST_CHECK;

/* Fails, and says what may have been meant. */
enum status call_list_unknown(const char *option, const char *word) MUST_CHECK;

void call_list_offer_functions(struct nearest *nearest);

#endif
