#include "base/paths.h"
#include "base/settings.h"
#include "base/user_files.h"
#include "cli/command.h"
#include "cli/trace_files.h"
#include "trace/text.h"

#include <string.h>
#include <unistd.h>

static struct {
	const char *output;
	uint64_t chunk;
} choice = {.chunk = CHUNK_DEFAULT};

static const struct option_spec options[] = {
	{"output", 'o', "TRACE", "name of the trace; default: FILE with '" TRACE_SUFFIX "' for its suffix",
         OPTION_TEXT, &choice.output},
	{"chunk", 0, "SIZE", "begin a new chunk after this many bytes; default: 64K", OPTION_SIZE,
         &choice.chunk},
	OPTIONS_END,
};

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* "ring.txt" becomes "ring.tarry". */
static enum status name_output(const char *input, struct text *name)
{
	size_t length = strlen(input) - strlen(path_name(input));
	const char *dot = strrchr(path_name(input), '.');

	if (choice.output) {
		trace_name_add(choice.output, name);
		return OK;
	}
	if (is_stdin(input))
		return fail("standard input has no name: name the trace with -o");
	length += dot && dot != path_name(input) ? (size_t)(dot - path_name(input))
	                                         : strlen(path_name(input));
	text_add(name, "%.*s" TRACE_SUFFIX, (int)length, input);
	if (strcmp(text_get(name), input) == 0)
		return fail("'%s' would be overwritten: name the trace with -o", input);
	return OK;
}

static enum status assemble(const char *input, struct text *text, struct text *output)
{
	TRY(name_output(input, output));
	if (!(is_stdin(input) ? text_add_rest(text, STDIN_FILENO, SIZE_MAX)
	                      : text_add_user_file(text, input, SIZE_MAX)))
		return fail("cannot read '%s': %s", input, file_error());
	return trace_assemble(is_stdin(input) ? "standard input" : input, text_get(text), text->length,
	                      text_get(output), choice.chunk);
}

static enum status check_choice(void)
{
	if (choice.chunk < CHUNK_SMALLEST || choice.chunk > 1 << 30)
		return fail("option '--chunk' must be from %d bytes to 1G", CHUNK_SMALLEST);
	return choice.output ? trace_name_check(choice.output) : OK;
}

static int run_assemble(const struct invocation *given)
{
	struct text text = {0}, output = {0};
	enum status status = assemble(given->argv[0], &text, &output);

	text_release(&text);
	text_release(&output);
	return status == OK ? EXIT_FINE : report_failure();
}

const struct command command_assemble = {
	.name = "assemble",
	.summary = "convert the text of 'tarry dump', or a text written by hand, to a trace",
	.usage = "[options] FILE",
	.example =
		"tarry assemble -o run.tarry run.txt\ntarry dump run.tarry | tarry assemble -o copy.tarry -",
	.options = options,
	.operands = {1, 1},
	.check = check_choice,
	.run = run_assemble,
};
