#include "cli/launcher.h"

#include "base/arena.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/job_settings.h"

#include <ctype.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists of words such as " n np host ", and whether an option is in one: "-n", "--host", but not "--host=a". */
static bool list_has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at++)
		if (at > list && at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static bool option_takes_value(const char *list, const char *option)
{
	const char *name = option + strspn(option, "-");

	return *name && !strpbrk(name, "= ") && list_has_word(list, name);
}

/* Commands that only start another command: nice, env, timeout, numactl and similar commands, and shells with a
 * simple command.
 *
 *	command_behind({"nice", "-n", "5", "env", "A=1", "./app", NULL}, &arena)      {"./app", NULL}
 *	command_behind({"sh", "-c", "exec ./app -x", NULL}, &arena)                   {"./app", "-x", NULL}
 *
 * Used only for guesses: the name of a trace, a message about the program. */

static const struct starter {
	const char *name;
	const char *one;     /* options that take a value, without dashes */
	int operands;        /* before the command */
	const char *skipped; /* other words that may precede the command */
} starters[] = {
	{"nice", " n adjustment ", 0, ""},
	{"env", " u unset C chdir ", 0, ""},
	{"time", " f format o output ", 0, ""},
	{"timeout", " k kill-after s signal ", 1, ""},
	{"stdbuf", " i input o output e error ", 0, ""},
	{"numactl",
         " i interleave w weighted-interleave p preferred P preferred-many N cpunodebind C physcpubind m membind ",
         0, ""},
	{"taskset", "", 1, ""},
	{"ionice", " c class n classdata ", 0, ""},
	{"setarch", "", 0, " x86_64 i386 i686 aarch64 arm64 linux32 linux64 ppc64le "},
	{"chrt", " T sched-runtime P sched-period D sched-deadline ", 1, ""},
	{"xvfb-run", " n server-num s server-args f auth-file e error-file w wait p xauth-protocol ", 0, ""},
	{"nohup", "", 0, ""},
	{"setsid", "", 0, ""},
};

static const struct starter *find_starter(const char *command)
{
	for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
		if (strcmp(starters[i].name, path_name(command)) == 0)
			return &starters[i];
	return NULL;
}

/* Of env: NAME=VALUE. */
static bool is_assignment(const char *word)
{
	size_t length = strcspn(word, "=");

	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)word[i]) && word[i] != '_')
			return false;
	return length && word[length] == '=';
}

static char *const *behind_starter(const struct starter *starter, char *const *words)
{
	char *const *at = words + 1;
	int operands = starter->operands;

	for (; *at && (*at)[0] == '-' && strcmp(*at, "--") != 0; at++)
		at += option_takes_value(starter->one, *at) && at[1];
	at += *at && strcmp(*at, "--") == 0;
	while (*at && (operands > 0 || is_assignment(*at) || list_has_word(starter->skipped, *at))) {
		operands--;
		at++;
	}
	/* options may follow such a word: setarch x86_64 -R */
	while (*at && (*at)[0] == '-' && *starter->skipped)
		at++;
	return *at ? at : words;
}

static bool is_shell(const char *command)
{
	static const char shells[] = " sh bash dash ksh zsh ";

	return list_has_word(shells, path_name(command));
}

/* Words for which a shell does not start a program. */
static const char shell_words_of_its_own[] =
	" . : [ ! alias case cd command echo eval exit export false for function if printf read return set shift source test time trap"
	" true ulimit umask unset until wait while ";

/* The argument of `sh -c`, if it is one command without special characters of the shell. */
static char *const *in_shell(char *const *words, struct arena *arena)
{
	char **inside;

	if (!words[1] || strcmp(words[1], "-c") != 0 || !words[2] ||
	    strpbrk(words[2], "$`;&|<>(){}*?[]~#!\n") || shell_words(words[2], arena, &inside) != OK ||
	    !inside[0])
		return words;
	inside += inside[1] && strcmp(inside[0], "exec") == 0;
	return is_assignment(inside[0]) || list_has_word(shell_words_of_its_own, inside[0]) ? words : inside;
}

/* The words from the start of the real command; new words in the arena if the command was in one word; the
 * same words if no other command follows. */
static char *const *command_behind(char *const *words, struct arena *arena)
{
	for (;;) {
		const struct starter *starter = find_starter(words[0]);
		char *const *behind = starter              ? behind_starter(starter, words)
		                      : is_shell(words[0]) ? in_shell(words, arena)
		                                           : words;

		if (behind == words)
			return words;
		words = behind;
	}
}

/* Launchers */

/* Options that take one value, or two, without dashes. The launchers of Open MPI and Hydra have the same
 * names, so they share the lists; no option has different meanings for them. */
static const char mpirun_one[] =
	" n np c N x H host hosts f hostfile machinefile default-hostfile rankfile rf am tune app"
	" configfile bind-to map-by rank-by ppr prefix preload-files cpu-list cpu-set cpus-per-proc"
	" cpus-per-rank npernode npersocket debugger launch-agent max-restarts max-vm-size"
	" ompi-server output-filename output path personality report-events report-pid report-uri stdin"
	" timeout wd wdir xml-file xterm cf cartofile hnp display runtime-options dvm pset envlist"
	" genvlist launcher launcher-exec rmk topolib membind demux iface ppn perhost"
	" prepend-pattern outfile-pattern errfile-pattern nameserver order-nodes localhost usize"
	" gpus-per-proc bootstrap bootstrap-exec s arch port ";
static const char mpirun_two[] = " mca gmca omca pmca prtemca gomca gpmca env genv ";
static const char srun_one[] =
	" n ntasks N nodes c cpus-per-task p partition t time A account J job-name o output e error"
	" i input D chdir w nodelist x exclude C constraint m distribution q qos G gpus gres mem"
	" mem-per-cpu mem-per-gpu ntasks-per-node ntasks-per-core ntasks-per-socket gpus-per-node"
	" gpus-per-task gpu-bind cpu-bind mem-bind mpi export jobid reservation r relative S"
	" core-spec L licenses d dependency signal network prolog epilog task-prolog task-epilog"
	" threads-per-core hint cpu-freq het-group open-mode kill-on-bad-exit W wait begin T threads comment"
	" B extra-node-info cluster-constraint M clusters a tres-per-task ";

static const char upcrun_one[] =
	" n np N nodes c cpus-per-node p pthreads pshm-width shared-heap shared-heap-max heap-offset"
	" backtrace-type tracefile conf ";

struct launcher {
	const char *name; /* also with a suffix after a dot: mpirun.openmpi, mpiexec.hydra */
	const char *one;
	const char *two;
};

static const struct launcher launchers[] = {
	{"mpirun", mpirun_one, mpirun_two},  {"mpiexec", mpirun_one, mpirun_two},
	{"orterun", mpirun_one, mpirun_two}, {"prterun", mpirun_one, mpirun_two},
	{"oshrun", mpirun_one, mpirun_two},  {"srun", srun_one, ""},
	{"upcrun", upcrun_one, ""},          {NULL, NULL, NULL},
};

static const struct launcher *find_launcher(const char *command)
{
	const char *base = path_name(command);
	size_t length = strcspn(base, ".");

	for (const struct launcher *l = launchers; l->name; l++)
		if (strlen(l->name) == length && memcmp(l->name, base, length) == 0)
			return l;
	return NULL;
}

static char *const *first_program(const struct launch_line *line, struct arena *arena)
{
	for (int i = line->command; i < line->count; i++)
		if (line->roles[i] == WORD_PROGRAM)
			return command_behind(&line->words[i], arena);
	return NULL;
}

int count_words(char *const *words)
{
	int count = 0;

	while (words[count])
		count++;
	return count;
}

/* A launcher inside another word, as in sh -c 'mpirun …': only its program is known. */
static char *const *program_of(char *const *words, struct arena *arena)
{
	struct launch_line inner;

	if (!find_launcher(words[0]))
		return words;
	launch_line_read(&inner, count_words(words), (char **)(uintptr_t)words, arena);
	return inner.program;
}

void launch_line_read(struct launch_line *line, int count, char **words, struct arena *arena)
{
	char *const *behind = command_behind(words, arena);
	bool is_here = behind >= words && behind < words + count;
	const struct launcher *launcher;

	*line = (struct launch_line){
		.count = count, .words = words, .command = is_here ? (int)(behind - words) : 0};
	launcher = find_launcher(words[line->command]);
	line->roles = arena_array(arena, enum word_role, (size_t)count);
	for (int i = 0; i < line->command; i++)
		line->roles[i] = WORD_STARTER;
	if (launcher) {
		enum word_role role = WORD_PROGRAM;
		int values = 0;

		line->roles[line->command] = WORD_LAUNCHER;
		for (int i = line->command + 1; i < line->count; i++) {
			const char *word = line->words[i];
			if (values > 0) {
				line->roles[i] = WORD_VALUE;
				values--;
			} else if (strcmp(word, ":") == 0) {
				line->roles[i] = WORD_COLON;
				role = WORD_PROGRAM;
			} else if (role == WORD_PROGRAM && word[0] == '-') {
				line->roles[i] = WORD_OPTION;
				values = option_takes_value(launcher->one, word)   ? 1
				         : option_takes_value(launcher->two, word) ? 2
				                                                   : 0;
			} else {
				line->roles[i] = role;
				role = WORD_ARGUMENT;
			}
		}
	} else {
		line->roles[line->command] = WORD_PROGRAM;
		for (int i = line->command + 1; i < count; i++)
			line->roles[i] = WORD_ARGUMENT;
	}
	line->program = is_here ? first_program(line, arena) : program_of(behind, arena);
}

static bool launch_line_has_launcher(const struct launch_line *line)
{
	return line->roles[line->command] == WORD_LAUNCHER;
}

const char *launch_line_program(const struct launch_line *line)
{
	if (!line->program)
		return NULL;
	if (line->program >= line->words && line->program < line->words + line->count)
		return line->program[0];
	for (int i = line->command; i < line->count; i++)
		if (line->roles[i] == WORD_PROGRAM)
			return line->words[i];
	return NULL;
}

/* Settings that a launcher passes on */

#define ENV_LIST "mca_base_env_list"
#define ENV_LIST_VARIABLE "OMPI_MCA_" ENV_LIST
#define PRELOAD LD_PRELOAD_VARIABLE
#define UPCRUN_LIST "UPC_ENVPREFIX"
#define UPCRUN_NAMES PRELOAD ",TARRY_"

static bool is_option(const struct launch_line *line, int i, const char *name)
{
	const char *word = line->words[i];

	return line->roles[i] == WORD_OPTION && strcmp(word + strspn(word, "-"), name) == 0;
}

static bool has_value(const struct launch_line *line, int i)
{
	return i + 1 < line->count && line->roles[i + 1] == WORD_VALUE;
}

/* "user's;A;B": after the names that are already there. */
static char *join_names(const char *before, const char *const *names, struct arena *arena)
{
	struct text list = {0};
	char *joined;

	if (before && *before)
		text_add(&list, "%s", before);
	for (; *names; names++) {
		const char *name = *names;
		const char *value = getenv(name);

		/* Open MPI interprets a value with '=' as a name and its value, unless the list contains the
		 * value itself. */
		text_add(&list, "%s%s", list.length ? ";" : "", name);
		if (value && strchr(value, '=') && !strchr(value, ';'))
			text_add(&list, "=%s", value);
	}
	joined = arena_text(arena, text_get(&list));
	text_release(&list);
	return joined;
}

static char **copy_words(const struct launch_line *line, struct arena *arena)
{
	char **words = arena_array(arena, char *, (size_t)line->count + 1);

	memcpy(words, line->words, (size_t)line->count * sizeof *words);
	return words;
}

/* `-x LD_PRELOAD=theirs` would replace our value, which is already in the environment. */
static char *with_our_preload(char *value, struct arena *arena)
{
	const char *ours = getenv(PRELOAD);

	if (!ours || !text_begins(value, PRELOAD "="))
		return value;
	return arena_format(arena, PRELOAD "=%s:%s", ours, value + strlen(PRELOAD "="));
}

/* `-x` applies to one of several programs, so each program gets its own options. */
static char **add_exports(const struct launch_line *line, const char *const *names, struct arena *arena)
{
	size_t exports = 0, colons = 1;
	char **words, **at;

	while (names[exports])
		exports++;
	for (int i = 0; i < line->count; i++)
		colons += line->roles[i] == WORD_COLON;
	at = words = arena_array(arena, char *, (size_t)line->count + 1 + 2 * exports * colons);
	for (int i = 0; i < line->count; i++) {
		bool exported = i > 0 && line->roles[i] == WORD_VALUE && is_option(line, i - 1, "x");

		*at++ = exported ? with_our_preload(line->words[i], arena) : line->words[i];
		if (line->roles[i] != WORD_LAUNCHER && line->roles[i] != WORD_COLON)
			continue;
		for (const char *const *name = names; *name; name++) {
			*at++ = arena_text(arena, "-x");
			*at++ = arena_text(arena, *name);
		}
	}
	return words;
}

static bool carries_by_itself(const struct launch_line *line)
{
	const char *name = path_name(line->words[line->command]);

	return strcmp(name, "srun") == 0 || strcmp(name, "upcrun") == 0;
}

char **launch_line_forward(const struct launch_line *line, const char *const *names, struct arena *arena)
{
	const char *before;
	bool has_before;
	size_t count = 0, set = 0;
	const char **kept;

	/* Launchers print a warning about variables that are not set. */
	while (names[count])
		count++;
	kept = arena_array(arena, const char *, count + 1);
	for (size_t i = 0; i < count; i++)
		if (getenv(names[i]))
			kept[set++] = names[i];
	names = kept;
	before = getenv(UPCRUN_LIST);
	has_before = before && *before;
	setenv(UPCRUN_LIST,
	       arena_format(arena, "%s%s" UPCRUN_NAMES, has_before ? before : "", has_before ? "," : ""), 1);
	/* A script of the user may run `mpirun -x`, which fails if the variable is set. */
	if (!launch_line_has_launcher(line) || carries_by_itself(line))
		return line->words;
	for (int i = 0; i + 2 < line->count; i++)
		if (is_option(line, i, "mca") && has_value(line, i) && has_value(line, i + 1) &&
		    strcmp(line->words[i + 1], ENV_LIST) == 0) {
			char **words = copy_words(line, arena);

			/* `--mca mca_base_env_list VALUE`: extend the user's list. */
			words[i + 2] = join_names(words[i + 2], names, arena);
			return words;
		}
	for (int i = 0; i < line->count; i++)
		if (is_option(line, i, "x") && has_value(line, i))
			return add_exports(line, names, arena);
	setenv(ENV_LIST_VARIABLE, join_names(getenv(ENV_LIST_VARIABLE), names, arena), 1);
	return line->words;
}

/* The program that is started */

/* Interpreters: use the name of the script that they run. A version may follow their name. */
static const char *const interpreters[] = {"python", "perl", "ruby", "julia", "Rscript",
                                           "bash",   "sh",   "lua",  "octave"};

static bool is_interpreter(const char *name)
{
	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
		size_t length = strlen(interpreters[i]);
		if (strncmp(name, interpreters[i], length) == 0 &&
		    !name[length + strspn(name + length, "0123456789.")])
			return true;
	}
	return false;
}

const char *program_title(char *const *words, struct arena *arena)
{
	const char *name;
	char *script, *suffix;

	words = command_behind(words, arena);
	name = path_name(words[0]);
	if (!is_interpreter(name) || !words[1] || words[1][0] == '-')
		return name;
	script = arena_text(arena, path_name(words[1]));
	suffix = strrchr(script, '.');
	if (suffix && suffix != script)
		*suffix = '\0';
	return script;
}

/* The index of a task of a job array: tasks run the same command, mostly in the same folder. NULL: not a job
 * array, for which LSF gives 0. */
static const char *array_member(void)
{
	static const struct {
		const char *variable, *none;
	} systems[] = {{"SLURM_ARRAY_TASK_ID", ""},
	               {"PBS_ARRAY_INDEX", ""},
	               {"PBS_ARRAYID", ""},
	               {"LSB_JOBINDEX", "0"}};

	for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
		const char *member = getenv(systems[i].variable);

		if (member && *member && strcmp(member, systems[i].none) != 0 &&
		    !member[strspn(member, "0123456789")])
			return member;
	}
	return NULL;
}

const char *default_name(char *const *words, struct arena *arena)
{
	const char *title = words ? program_title(words, arena) : "run";
	const char *member = array_member();

	return member ? arena_format(arena, "%s-%s", title, member) : title;
}

/* Words of a command line */

#define BLANKS " \t\n"

static bool is_escape(const char *at, char quote)
{
	if (*at != '\\' || !at[1] || quote == '\'')
		return false;
	return !quote || at[1] == '"' || at[1] == '\\';
}

/* Copies a word from `*line` to `*to`, and moves both on. */
static enum status take_word(const char **line, char **to)
{
	const char *at = *line;
	char quote = 0;

	for (; *at && (quote || !strchr(BLANKS, *at)); at++)
		if (is_escape(at, quote))
			*(*to)++ = *++at;
		else if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? 0 : *at;
		else
			*(*to)++ = *at;
	if (quote)
		return fail("%s is left open in '%s': close it", quote == '"' ? "a \"" : "an apostrophe",
		            *line);
	*(*to)++ = '\0';
	*line = at + strspn(at, BLANKS);
	return OK;
}

enum status shell_words(const char *line, struct arena *arena, char ***words)
{
	size_t length = strlen(line), count = 0;
	char **found = arena_array(arena, char *, length / 2 + 2);
	char *to = arena_array(arena, char, length + 1);

	line += strspn(line, BLANKS);
	while (*line) {
		found[count++] = to;
		TRY(take_word(&line, &to));
	}
	*words = found;
	return OK;
}

/* Cores */

/* The first processor of the core that this one belongs to. */
static int first_of_core(int cpu)
{
	char path[80];
	FILE *file;
	int first;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &first) != 1 || first < 0 || first >= CPU_SETSIZE)
		first = cpu;
	if (file)
		fclose(file);
	return first;
}

int available_cores(void)
{
	cpu_set_t allowed, cores;

	CPU_ZERO(&cores);
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			CPU_SET(first_of_core(cpu), &cores);
	return CPU_COUNT(&cores);
}
