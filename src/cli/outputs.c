#include "cli/outputs.h"

#include "base/paths.h"
#include "bench/results/output.h"
#include "cli/trace_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool is_stdout(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

bool any_is_stdout(const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_stdout(paths[i]))
			return true;
	return false;
}

enum status outputs_check(const struct output_option *outputs, size_t count, char *const *read)
{
	for (size_t i = 0; i < count; i++) {
		const char *name = outputs[i].name, *path = outputs[i].path;

		if (!path)
			continue;
		if (text_begins(path, "--"))
			return fail("option '--%s' needs a FILE, or '-' for stdout, not '%s'", name, path);
		if (!is_stdout(path) && is_trace(path))
			return fail(
				"option '--%s': '%s' is a trace and would be overwritten: name another file",
				name, path);
		for (char *const *input = read; *input; input++)
			if (path_is_same_file(path, *input))
				return fail(
					"option '--%s': '%s' is an input and would be overwritten: name another file",
					name, path);
		for (size_t j = 0; j < i; j++) {
			if (!outputs[j].path || !path_is_same_file(path, outputs[j].path))
				continue;
			return is_stdout(path)
			               ? fail("options '--%s -' and '--%s -': only one of them can be printed; give the other a file",
			                      outputs[j].name, name)
			               : fail("options '--%s' and '--%s': give each a file of its own",
			                      outputs[j].name, name);
		}
	}
	return OK;
}

static enum status write_form(output_form *form, const char *path, const void *shown)
{
	struct text text = {0};
	enum status status = OK;

	form(shown, &text);
	if (!is_stdout(path))
		status = write_whole(path, &text);
	else if (fwrite(text_get(&text), 1, text.length, stdout) != text.length || fflush(stdout) != 0)
		status = fail("cannot print: %s", strerror(errno));
	text_release(&text);
	return status;
}

enum status outputs_write(const struct output_option *outputs, size_t count, output_form *usual,
                          const void *shown)
{
	bool is_printed = false;

	for (size_t i = 0; i < count; i++) {
		if (outputs[i].path)
			TRY(write_form(outputs[i].form, outputs[i].path, shown));
		is_printed = is_printed || is_stdout(outputs[i].path);
	}
	return is_printed ? OK : write_form(usual, "-", shown);
}
