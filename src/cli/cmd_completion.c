#include "base/text.h"
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

/* Completion scripts of shells, made from the tables of commands and options. */

#define ZSH_QUOTE "'\\''"
#define FISH_QUOTE "\\'"

#define FOR_COMMANDS(command) \
	for (const struct command *const *command = commands; *command; command++) \
		if (!(*command)->hidden)

/* Nothing if it has none. */
#define FOR_SUBCOMMANDS(sub, owner) \
	for (const struct command *const *sub = (owner)->subcommands; sub && *sub; sub++)

#define FOR_OPTIONS(option, table) \
	for (const struct option_spec *option = table; option->name; option++) \
		if (option->help)

/* With a backslash before each character of `special`. Shells treat a single quote inside single quotes
 * differently. */
static void add_escaped(struct text *out, const char *words, const char *special, const char *quote)
{
	for (; *words; words++) {
		if (*words == '\'')
			text_add(out, "%s", quote);
		else if (strchr(special, *words))
			text_add(out, "\\%c", *words);
		else
			text_add(out, "%c", *words);
	}
}

static void add_choices(struct text *out, const char *choices)
{
	for (; *choices; choices++)
		text_add(out, "%c", *choices == '|' ? ' ' : *choices);
}

static void add_bash_options(struct text *out, const struct option_spec *options)
{
	const char *separator = "";

	FOR_OPTIONS(option, options)
	{
		text_add(out, "%s--%s", separator, option->name);
		if (option->letter)
			text_add(out, " -%c", option->letter);
		separator = " ";
	}
}

static void add_bash_choices(struct text *out, const struct command *command)
{
	FOR_OPTIONS(option, command->options)
	{
		if (option->kind != OPTION_CHOICE)
			continue;
		text_add(out, "\t'%s--%s') words='", command->name, option->name);
		add_choices(out, option->argument);
		text_add(out, "' ;;\n");
	}
}

static void add_bash_command(struct text *out, const struct command *command)
{
	text_add(out, "\t'%s') options='", command->name);
	add_bash_options(out, command->options);
	text_add(out, "'%s ;;\n", command->order == OPTIONS_FIRST ? " operands=-cf" : "");
}

static void add_subcommand_words(struct text *out, const struct command *command)
{
	const char *separator = "";

	FOR_SUBCOMMANDS(sub, command)
	{
		text_add(out, "%s%s", separator, command_word(*sub));
		separator = " ";
	}
}

static void write_bash(struct text *out)
{
	text_add(out, "_tarry()\n{\n"
	              "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
	              "\tlocal command=${COMP_WORDS[1]} options= words= operands=-f\n\n"
	              "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\tCOMPREPLY=($(compgen -W '");
	FOR_COMMANDS(command)
	text_add(out, "%s ", (*command)->name);
	add_bash_options(out, overview_options);
	text_add(out, "' -- \"$word\"))\n\t\treturn\n\tfi\n");
	/* A second word that makes the first one another command. */
	text_add(out, "\tcase \"$command ${COMP_WORDS[2]} $COMP_CWORD\" in\n");
	FOR_COMMANDS(command)
	{
		FOR_SUBCOMMANDS(sub, *command)
		text_add(out, "\t'%s '[3-9]*) command='%s' ;;\n", (*sub)->name, (*sub)->name);
		if (!(*command)->subcommands)
			continue;
		text_add(out, "\t'%s '[!-]*' 2'|'%s  2') words='", (*command)->name, (*command)->name);
		add_subcommand_words(out, *command);
		text_add(out, "' ;;\n");
	}
	text_add(out, "\tesac\n");
	text_add(out, "\tcase $command in\n");
	FOR_COMMANDS(command)
	{
		add_bash_command(out, *command);
		FOR_SUBCOMMANDS(sub, *command)
		add_bash_command(out, *sub);
	}
	text_add(out, "\tesac\n\tcase $command$before in\n");
	FOR_COMMANDS(command)
	{
		add_bash_choices(out, *command);
		FOR_SUBCOMMANDS(sub, *command)
		add_bash_choices(out, *sub);
	}
	text_add(out, "\tesac\n\tcase $words$word in\n"
	              "\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
	              "\t*) if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
	              "\t   else COMPREPLY=($(compgen $operands -- \"$word\")); fi ;;\n"
	              "\tesac\n}\ncomplete -o filenames -F _tarry tarry\n");
}

static void add_zsh_option(struct text *out, const struct option_spec *option)
{
	if (option->letter)
		text_add(out, " \\\n\t\t'(-%c --%s)'{-%c,--%s}'[", option->letter, option->name,
		         option->letter, option->name);
	else
		text_add(out, " \\\n\t\t'--%s[", option->name);
	add_escaped(out, option->help, "[]:\\", ZSH_QUOTE);
	text_add(out, "]");
	if (option->kind == OPTION_CHOICE) {
		text_add(out, ":%s:(", option->name);
		add_choices(out, option->argument);
		text_add(out, ")");
	} else if (option->argument && option->kind != OPTION_AMOUNT) {
		text_add(out, ":%s:%s", option->argument, option->kind == OPTION_TEXT ? "_files" : "");
	}
	text_add(out, "'");
}

static void add_zsh_command(struct text *out, const struct command *command)
{
	text_add(out, "'%s')\n\t_arguments", command->name);
	FOR_OPTIONS(option, command->options)
	add_zsh_option(out, option);
	if (command->subcommands) {
		text_add(out, " \\\n\t\t'1:command:(");
		add_subcommand_words(out, command);
		text_add(out, ")'");
	}
	text_add(out, " \\\n\t\t'%s'\n\t;;\n",
	         command->order == OPTIONS_FIRST ? "*::program:_normal" : "*:file:_files");
}

static void write_zsh(struct text *out)
{
	text_add(out, "#compdef tarry\n\nlocal -a commands\ncommands=(\n");
	FOR_COMMANDS(command)
	{
		text_add(out, "\t'%s:", (*command)->name);
		add_escaped(out, (*command)->summary, ":\\", ZSH_QUOTE);
		text_add(out, "'\n");
	}
	text_add(out, ")\nif (( CURRENT == 2 )); then\n\t_describe command commands\n\treturn\nfi\n"
	              "shift words\n(( CURRENT-- ))\n"
	              "case \"$words[1] $words[2]\" in\n");
	FOR_COMMANDS(command)
	FOR_SUBCOMMANDS(sub, *command)
	text_add(out, "'%s') if (( CURRENT > 2 )); then shift words; (( CURRENT-- )); words[1]='%s'; fi ;;\n",
	         (*sub)->name, (*sub)->name);
	text_add(out, "esac\ncase $words[1] in\n");
	FOR_COMMANDS(command)
	{
		add_zsh_command(out, *command);
		FOR_SUBCOMMANDS(sub, *command)
		add_zsh_command(out, *sub);
	}
	text_add(out, "esac\n");
}

/* "bench compare": both words are present. */
static void add_fish_condition(struct text *out, const char *command)
{
	int first = (int)strcspn(command, " ");

	text_add(out, "complete -c tarry -n '__fish_seen_subcommand_from %.*s", first, command);
	if (command[first])
		text_add(out, "; and __fish_seen_subcommand_from %s", command + first + 1);
	text_add(out, "'");
}

static void add_fish_option(struct text *out, const char *command, const struct option_spec *option)
{
	add_fish_condition(out, command);
	text_add(out, " -l %s", option->name);
	if (option->letter)
		text_add(out, " -s %c", option->letter);
	if (option->kind == OPTION_CHOICE) {
		text_add(out, " -x -a '");
		add_choices(out, option->argument);
		text_add(out, "'");
	} else if (option->argument && option->kind != OPTION_AMOUNT) {
		text_add(out, " -r");
	}
	text_add(out, " -d '");
	add_escaped(out, option->help, "\\", FISH_QUOTE);
	text_add(out, "'\n");
}

static void add_fish_command(struct text *out, const struct command *command)
{
	FOR_SUBCOMMANDS(sub, command)
	{
		add_fish_condition(out, command->name);
		text_add(out, " -f -a %s -d '", command_word(*sub));
		add_escaped(out, (*sub)->summary, "\\", FISH_QUOTE);
		text_add(out, "'\n");
	}
	FOR_OPTIONS(option, command->options)
	add_fish_option(out, command->name, option);
}

static void write_fish(struct text *out)
{
	FOR_COMMANDS(command)
	{
		text_add(out, "complete -c tarry -n __fish_use_subcommand -f -a %s -d '", (*command)->name);
		add_escaped(out, (*command)->summary, "\\", FISH_QUOTE);
		text_add(out, "'\n");
	}
	FOR_COMMANDS(command)
	{
		add_fish_command(out, *command);
		FOR_SUBCOMMANDS(sub, *command)
		add_fish_command(out, *sub);
	}
}

static const struct completion_shell {
	const char *name;
	void (*write)(struct text *out);
} completion_shells[] = {
	{"bash", write_bash},
	{"zsh", write_zsh},
	{"fish", write_fish},
	{NULL, NULL},
};

static const struct option_spec options[] = {OPTIONS_END};

static int run_completion(const struct invocation *given)
{
	const struct completion_shell *shell = completion_shells;
	struct text out = {0};

	while (shell->name && strcmp(shell->name, given->argv[0]) != 0)
		shell++;
	if (!shell->name)
		return misuse(&command_completion,
		              "no completion for the shell '%s'; there is one for bash, zsh and fish",
		              given->argv[0]);
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
	.operands = {1, 1},
	.hidden = true,
	.run = run_completion,
};
