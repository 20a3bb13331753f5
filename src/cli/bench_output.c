#include "cli/bench_output.h"

#include "bench/results/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_to_stdout(const struct bench_output *output)
{
	return output->path && strcmp(output->path, "-") == 0;
}

static bool is_same_file(const char *left, const char *right)
{
	struct stat a, b;

	return strcmp(left, right) == 0 ||
	       (stat(left, &a) == 0 && stat(right, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	        a.st_ino == b.st_ino);
}

enum status bench_outputs_check(const struct bench_output *outputs, size_t count, char *const *read)
{
	for (size_t i = 0; i < count; i++) {
		if (!outputs[i].path)
			continue;
		for (char *const *path = read; *path; path++)
			if (is_same_file(outputs[i].path, *path))
				return fail(
					"option '%s': '%s' is an input and would be overwritten: name another file",
					outputs[i].option, outputs[i].path);
		for (size_t j = 0; j < i; j++) {
			if (!outputs[j].path || !is_same_file(outputs[i].path, outputs[j].path))
				continue;
			return is_to_stdout(&outputs[i])
			               ? fail("options '%s -' and '%s -': only one of them can be printed; give the other a file",
			                      outputs[j].option, outputs[i].option)
			               : fail("options '%s' and '%s': give each a file of its own",
			                      outputs[j].option, outputs[i].option);
		}
	}
	return OK;
}

static enum status write_text(const struct bench_output *output, const struct text *text)
{
	if (!is_to_stdout(output))
		return write_whole(output->path, text);
	if (fwrite(text_get(text), 1, text->length, stdout) != text->length || fflush(stdout) != 0)
		return fail("cannot print: %s", strerror(errno));
	return OK;
}

static enum status write_output(const struct bench_output *output, const void *shown)
{
	struct text text = {0};
	enum status status;

	output->form(shown, &text);
	status = write_text(output, &text);
	text_release(&text);
	return status;
}

enum status bench_outputs_write(const struct bench_output *outputs, size_t count, bench_form *usual,
                                const void *shown)
{
	bool is_printed = false;

	for (size_t i = 0; i < count; i++) {
		if (outputs[i].path)
			TRY(write_output(&outputs[i], shown));
		is_printed = is_printed || is_to_stdout(&outputs[i]);
	}
	return is_printed ? OK : write_output(&(struct bench_output){.form = usual, .path = "-"}, shown);
}
