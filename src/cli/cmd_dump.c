#include "analysis/model/logical_clock.h"
#include "analysis/symbols/symbols.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"
#include "trace/output.h"
#include "trace/text.h"

#include <stdio.h>

enum { NOT_GIVEN = -1 };

static struct {
	int64_t process;
	int64_t thread;
	bool no_source;
	bool corrected;
	const char *symbols;
	const char *output;
} choice = {.process = NOT_GIVEN, .thread = NOT_GIVEN};

static const struct option_spec options[] = {
	{"process", 'p', "RANK", "only processes of this rank", OPTION_NUMBER, &choice.process},
	{"thread", 't', "NUMBER", "only threads of this number, counted from 0 by their first MPI call",
         OPTION_NUMBER, &choice.thread},
	{"corrected", 0, NULL,
         "print starts and ends in nanoseconds of one clock, corrected so that no effect precedes its cause",
         OPTION_FLAG, &choice.corrected},
	{"no-source", 0, NULL, "leave out source lines, so that the text depends on the trace alone",
         OPTION_FLAG, &choice.no_source},
	SYMBOLS_OPTION(choice.symbols),
	{"output", 'o', "FILE", "write to FILE instead of standard output", OPTION_TEXT, &choice.output},
	OPTIONS_END,
};

static void add_source(void *context, const struct process *process, const struct call *call,
                       struct text *out)
{
	struct location where = symbols_find_call(context, process, call);
	struct caller_iter callers = {0};

	location_describe(&where, out);
	while (where.module && symbols_next_caller(context, process, call, &callers)) {
		where = callers.where;
		text_add(out, " < ");
		location_describe(&where, out);
	}
}

/* NULL for what was not given; FAILED for what no trace can hold. */
static enum status narrow(int64_t number, const char *option, uint32_t *place, const uint32_t **wanted)
{
	*wanted = NULL;
	if (number == NOT_GIVEN)
		return OK;
	if (number < 0 || number > UINT32_MAX)
		return fail("--%s cannot be %lld: numbers begin at 0", option, (long long)number);
	*place = (uint32_t)number;
	*wanted = place;
	return OK;
}

static bool is_there(const struct reader *reader, const struct dump_options *dump)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		if (dump->process && *dump->process != process->rank)
			continue;
		if (!dump->thread)
			return true;
		for (size_t j = 0; j < process->stream_count; j++)
			if (process->streams[j].number == *dump->thread)
				return true;
	}
	return false;
}

static enum status check_wanted(const struct reader *reader, const struct dump_options *dump)
{
	if (is_there(reader, dump))
		return OK;
	return fail("'%s' holds no such %s: see 'tarry info' for what it holds", reader->path,
	            dump->thread ? "thread" : "process");
}

static enum status dump_to_file(struct reader *reader, const struct dump_options *dump, const char *path)
{
	struct output output;

	TRY(output_open(&output, path));
	if (trace_dump(reader, dump, output.file) != OK) {
		output_discard(&output);
		return FAILED;
	}
	return output_commit(&output);
}

struct correction {
	const struct reader *reader;
	struct corrected_time *time;
};

static int64_t correct(void *context, const struct process *process, uint64_t tick)
{
	const struct correction *correction = context;

	return corrected_ns(correction->time, (uint32_t)(process - correction->reader->processes), tick);
}

static enum status write_dump(struct reader *reader, const struct dump_options *dump)
{
	enum status status;

	if (!choice.output)
		return trace_dump(reader, dump, stdout);
	progress_begin("writing");
	status = dump_to_file(reader, dump, choice.output);
	progress_end();
	return status;
}

static enum status write_corrected(struct reader *reader, const struct dump_options *plain)
{
	struct correction correction = {reader, corrected_time_new(reader, NULL)};
	struct dump_options dump = *plain;
	enum status status;

	dump.time = correct;
	dump.time_context = &correction;
	status = write_dump(reader, &dump);
	corrected_time_free(correction.time);
	return status;
}

static enum status dump_trace(struct reader *reader, struct symbols *source)
{
	uint32_t process, thread;
	struct dump_options dump = {.context = source, .progress = progress_show};

	dump.remark = choice.no_source ? NULL : add_source;
	TRY(narrow(choice.process, "process", &process, &dump.process));
	TRY(narrow(choice.thread, "thread", &thread, &dump.thread));
	TRY(check_wanted(reader, &dump));
	return choice.corrected ? write_corrected(reader, &dump) : write_dump(reader, &dump);
}

static int run_dump(int argc, char **argv)
{
	struct reader *reader;
	struct symbols *source;
	enum status status;

	(void)argc;
	if (!open_trace(argv[0], &reader))
		return EXIT_FAILED;
	source = symbols_new();
	symbols_search(source, choice.symbols);
	status = dump_trace(reader, source);
	if (status == OK) {
		say_warnings(source);
		say_damage(reader);
	} else {
		report_failure();
	}
	if (reader->damage_count)
		status = FAILED;
	symbols_free(source);
	reader_close(reader);
	return status == OK ? EXIT_FINE : EXIT_FAILED;
}

const struct command command_dump = {
	.name = "dump",
	.summary = "print a trace as text, from which 'tarry assemble' makes it again",
	.usage = "[options] TRACE",
	.example = "tarry dump run.tarry\ntarry dump --process 3 --no-source -o rank3.txt run.tarry",
	.options = options,
	.operands_min = 1,
	.operands_max = 1,
	.run = run_dump,
};
