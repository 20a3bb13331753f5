#include "analysis/model/layers.h"
#include "cli/command.h"
#include "cli/info.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"

#include <stdio.h>
#include <string.h>

static struct {
	bool json;
	const char *symbols;
} choice;

static const struct option_spec options[] = {
	{"json", 0, NULL, "print JSON", OPTION_FLAG, &choice.json},
	SYMBOLS_OPTION(choice.symbols),
	OPTIONS_END,
};

const char *any_property(const struct reader *reader, const char *key)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		const char *value = process_property(&reader->processes[i], key);
		if (value)
			return value;
	}
	return NULL;
}

/* The eager limit's source that a process recorded for a distance ("node: …"); NULL: none. */
static const char *eager_answer(const struct process *process, const char *distance)
{
	const size_t length = strlen(distance);

	for (size_t i = 0; i < process->property_count; i++) {
		const struct property *property = &process->properties[i];

		if (strcmp(property->key, "eager") == 0 && strncmp(property->value, distance, length) == 0 &&
		    strncmp(property->value + length, ": ", 2) == 0)
			return property->value + length + 2;
	}
	return NULL;
}

static size_t eager_sources_of(const struct process *process, struct eager_source sources[EAGER_SOURCES])
{
	static const char *const distances[] = {"node", "network"};
	size_t count = 0;

	for (size_t i = 0; i < process->eager_count && count < EAGER_SOURCES; i++)
		sources[count++] = (struct eager_source){
			.distance = process->eagers[i].distance,
			.variable = eager_answer(process, process->eagers[i].distance),
			.bytes = process->eagers[i].bytes,
			.is_known = true,
		};
	for (size_t i = 0; i < sizeof distances / sizeof *distances && count < EAGER_SOURCES; i++) {
		const char *answer = eager_answer(process, distances[i]);

		if (answer && strcmp(answer, "not told") == 0)
			sources[count++] = (struct eager_source){.distance = distances[i]};
	}
	return count;
}

size_t eager_sources(const struct reader *reader, struct eager_source sources[EAGER_SOURCES])
{
	size_t count = 0;

	for (size_t i = 0; i < reader->process_count && !count; i++)
		count = eager_sources_of(&reader->processes[i], sources);
	return count;
}

static void each_line(const char *lines, void (*use)(void *context, const char *note), void *context)
{
	while (*lines) {
		struct text line = {0};
		size_t size = strcspn(lines, "\n");
		text_add_bytes(&line, lines, size);
		if (size)
			use(context, text_get(&line));
		text_release(&line);
		lines += size + (lines[size] == '\n');
	}
}

void each_note(const struct reader *reader, void (*use)(void *context, const char *note), void *context)
{
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		for (size_t j = 0; j < process->property_count; j++)
			if (strcmp(process->properties[j].key, "note") == 0)
				use(context, process->properties[j].value);
	}
	if (reader->notes)
		each_line(reader->notes, use, context);
}

double bytes_per_call(const struct info_input *input)
{
	uint64_t calls = input->figures.figures->calls;

	return calls ? (double)input->reader->used_bytes / (double)calls : 0;
}

static void print_info(struct reader *reader, struct symbols *source)
{
	struct text out = {0};
	struct analysis_session *session = session_new(reader);
	struct figures *figures;
	struct data_flow *flow;
	struct file_usage *files;
	struct summary *summary;
	struct info_input input;
	struct open_calls_view view = {.reader = reader, .source = source, .lang = "en"};

	progress_begin("reading");
	session->progress = progress_show;
	session_correct_time(session);
	figures = figures_new(session);
	if (has_open_calls(reader))
		view.open = open_calls_new(session);
	progress_end();
	flow = data_flow_new(reader, figures);
	files = file_usage_new(reader, session->time->clocks, figures);
	summary = summarize(session, figures, source);
	input = (struct info_input){reader,
	                            session->time,
	                            summary,
	                            view,
	                            {reader, figures, flow, files, source, .waiting_ns = NULL}};
	if (choice.json)
		info_json(&input, &out);
	else
		info_text(&input, &out);
	fputs(text_get(&out), stdout);
	text_release(&out);
	open_calls_free(view.open);
	summary_free(summary);
	data_flow_free(flow);
	file_usage_free(files);
	figures_free(figures);
	session_free(session);
}

static int run_info(const struct invocation *given)
{
	struct reader *reader;
	struct symbols *source;
	int code;

	if (!open_trace(given->argv[0], &reader))
		return EXIT_FAILED;
	source = symbols_new();
	symbols_search(source, choice.symbols);
	layers_find(reader, source);
	print_info(reader, source);
	say_warnings(source);
	say_damage(reader);
	code = reader->damage_count ? EXIT_FAILED : EXIT_FINE;
	symbols_free(source);
	reader_close(reader);
	return code;
}

const struct command command_info = {
	.name = "info",
	.summary = "summarise a trace: program, machine, time by function",
	.usage = "[options] TRACE",
	.example = "tarry info run.tarry",
	.options = options,
	.operands = {1, 1},
	.run = run_info,
};
