#include "analysis/model/session.h"
#include "analysis/symbols/symbols.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "cli/trace_window.h"
#include "trace/output.h"
#include "trace/text.h"

#include <stdio.h>

enum { NOT_GIVEN = -1 };

static struct {
	struct window_choice window;
	int64_t thread;
	bool no_source;
	bool corrected;
	const char *symbols;
	const char *output;
} choice = {.thread = NOT_GIVEN};

static const struct option_spec options[] = {
	WINDOW_OPTIONS(choice.window),
	{"thread", 't', "NUMBER",
         "only threads with this number, counted from 0 in the order of their first MPI call", OPTION_NUMBER,
         &choice.thread},
	{"corrected", 0, NULL,
         "print starts and ends in nanoseconds of one clock, corrected so that no effect precedes its cause",
         OPTION_FLAG, &choice.corrected},
	{"no-source", 0, NULL, "leave out source lines, so the text depends only on the trace", OPTION_FLAG,
         &choice.no_source},
	SYMBOLS_OPTION(choice.symbols),
	{"output", 'o', "FILE", "write to FILE instead of standard output", OPTION_TEXT, &choice.output},
	OPTIONS_END,
};

static void add_source(void *context, const struct process *process, const struct call *call,
                       struct text *out)
{
	struct location where = symbols_find_site(context, process, call);
	struct caller_iter callers = {.of_short_paths = true};

	location_describe(&where, out);
	while (where.module && symbols_next_caller(context, process, call, &callers)) {
		where = callers.where;
		text_add(out, " < ");
		location_describe(&where, out);
	}
}

static enum status check_thread(void)
{
	return choice.thread == NOT_GIVEN || (choice.thread >= 0 && choice.thread <= UINT32_MAX)
	               ? OK
	               : fail("option '--thread': %lld is not a thread number: they begin at 0",
	                      (long long)choice.thread);
}

static enum status check_wanted(const struct reader *reader, const struct dump_options *dump)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		if (!filter_wants_process(dump->filter, process))
			continue;
		for (size_t j = 0; j < process->stream_count; j++)
			if (!dump->thread || process->streams[j].number == *dump->thread)
				return OK;
	}
	return dump->thread ? fail("'%s' contains no such thread: see 'tarry info'", reader->path) : OK;
}

static int64_t correct(void *context, const struct process *process, uint64_t tick)
{
	const struct corrected_time *time = context;

	return corrected_ns(time, (uint32_t)(process - process->reader->processes), tick);
}

static enum status write_dump(struct reader *reader, const struct dump_options *dump)
{
	struct output output;
	enum status status;

	if (!choice.output)
		return trace_dump(reader, dump, stdout);
	TRY(output_open(&output, choice.output));
	progress_begin("writing");
	status = trace_dump(reader, dump, output.file);
	progress_end();
	if (status == OK)
		return output_commit(&output);
	output_discard(&output);
	return FAILED;
}

/* Of the events of large traces. */
enum { LINE_BYTES = 105, PLACE_BYTES = 25 };

static int dump_window(struct reader *reader, struct symbols *source, struct corrected_time *time,
                       struct trace_window *window)
{
	uint32_t thread = (uint32_t)choice.thread;
	struct dump_options dump = {.context = source, .progress = progress_show};
	int code = window_open(window, reader, time);

	if (code != EXIT_FINE)
		return code;
	dump.filter = window->filter;
	dump.thread = choice.thread == NOT_GIVEN ? NULL : &thread;
	dump.remark = choice.no_source ? NULL : add_source;
	dump.time = choice.corrected ? correct : NULL;
	dump.time_context = time;
	if (check_wanted(reader, &dump) != OK)
		return report_failure();
	window_say_size(window, reader, LINE_BYTES + (dump.remark ? PLACE_BYTES : 0));
	return write_dump(reader, &dump) == OK ? EXIT_FINE : report_failure();
}

static int dump_trace(struct reader *reader, struct trace_window *window)
{
	struct symbols *source = symbols_new();
	struct analysis_session *session = choice.corrected || window_needs_time(window) ? session_new(reader)
	                                                                                 : NULL;
	int code;

	if (choice.corrected)
		session_correct_time(session);
	symbols_search(source, choice.symbols);
	code = dump_window(reader, source, session ? session->time : NULL, window);
	if (code == EXIT_FINE) {
		say_warnings(source);
		say_damage(reader);
		code = reader->damage_count ? EXIT_FAILED : EXIT_FINE;
	}
	session_free(session);
	symbols_free(source);
	return code;
}

static int run_dump(const struct invocation *given)
{
	struct trace_window window;
	struct reader *reader;
	int code = EXIT_FAILED;

	if (window_parse(&choice.window, &window) != OK)
		return misuse(&command_dump, "%s", trail_text());
	if (open_trace(given->argv[0], &reader)) {
		code = dump_trace(reader, &window);
		reader_close(reader);
	}
	window_release(&window);
	return code;
}

const struct command command_dump = {
	.name = "dump",
	.summary = "print a trace as text, which 'tarry assemble' converts back",
	.usage = "[options] TRACE",
	.example =
		"tarry dump run.tarry\ntarry dump --ranks 3 --from 1.5s --to 2s --no-source -o part.txt run.tarry",
	.options = options,
	.operands = {1, 1},
	.check = check_thread,
	.run = run_dump,
};
