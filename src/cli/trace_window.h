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
	const struct event_filter *filter; /* NULL: no restriction */
	/* The following members are private. */
	struct event_filter own_filter;
	int64_t from_ns, to_ns; /* since the start of the run; after window_open(), times of the clock */
	ARRAY(struct number_range) ranks;
	bool chosen[SELECTABLE];
	ARRAY(bool) known, wanted; /* by the number of a call's outline */
	const struct reader *reader;
	const struct corrected_time *time;
};

/* Fails if a value has a syntax error. */
enum status window_parse(const struct window_choice *choice, struct trace_window *window) MUST_CHECK;
/* True if the window has times; otherwise the time of window_open() may be NULL. */
bool window_needs_time(const struct trace_window *window);
/* Prints an error if the trace has none of the selected calls. Returns an exit code. */
int window_open(struct trace_window *window, struct reader *reader, const struct corrected_time *time);
void window_release(struct trace_window *window);

/* Prints the estimated size of the output if it is large. Each event of the window takes `event_bytes`. */
void window_say_size(const struct trace_window *window, const struct reader *reader, double event_bytes);

/* Lists of functions and classes of functions, for --only, --not and --calls (calls/select.h). */

/* Fails if the list of this option has an unknown word. NULL: no list. */
enum status call_list_check(const char *option, const char *list) MUST_CHECK;

/* Fails with a suggestion for the unknown word. */
enum status call_list_unknown(const char *option, const char *word) MUST_CHECK;

void call_list_offer_functions(struct nearest *nearest);

#endif
