#include "cli/command.h"
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
	OPTIONS_END,
};

static int run_completion(int argc, char **argv)
{
	const struct completion_shell *shell = completion_shells;
	struct text out = {0};

	(void)argc;
	while (shell->name && strcmp(shell->name, argv[0]) != 0)
		shell++;
	if (!shell->name)
		return misuse(&command_completion,
		              "no completion for the shell '%s'; there is one for bash, "
		              "zsh and fish",
		              argv[0]);
	shell->write(&out);
	fputs(text_get(&out), stdout);
	text_release(&out);
	return EXIT_FINE;
}

const struct command command_completion = {
	.name = "completion",
	.summary = "print the completion script of a shell",
	.usage = "bash|zsh|fish",
	.example = "source <(tarry completion bash)",
	.options = options,
	.operands_min = 1,
	.operands_max = 1,
	.hidden = true,
	.run = run_completion,
};
