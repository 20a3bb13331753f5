#include "cli/launcher.h"

#include "base/text.h"

#include <string.h>

struct valued_option {
	const char *name; /* without dashes */
	int values;
};

/* Open MPI's and Hydra's launchers share their names, so they share a table; no option means one thing to the
 * one and another to the other. */
static const struct valued_option mpirun_options[] = {
	{"n", 1}, {"np", 1}, {"c", 1}, {"N", 1}, {"x", 1}, {"H", 1}, {"host", 1}, {"hosts", 1}, {"f", 1},
	{"hostfile", 1}, {"machinefile", 1}, {"default-hostfile", 1}, {"rankfile", 1}, {"rf", 1}, {"mca", 2},
	{"gmca", 2}, {"omca", 2}, {"pmca", 2}, {"prtemca", 2}, {"gomca", 2}, {"gpmca", 2}, {"am", 1}, {"tune", 1},
	{"app", 1}, {"configfile", 1}, {"bind-to", 1}, {"map-by", 1}, {"rank-by", 1}, {"ppr", 1}, {"prefix", 1},
	{"preload-files", 1}, {"cpu-list", 1}, {"cpu-set", 1}, {"cpus-per-proc", 1}, {"cpus-per-rank", 1},
	{"npernode", 1}, {"npersocket", 1}, {"debugger", 1}, {"launch-agent", 1}, {"max-restarts", 1},
	{"max-vm-size", 1}, {"ompi-server", 1}, {"output-filename", 1}, {"output", 1}, {"path", 1},
	{"personality", 1}, {"report-events", 1}, {"report-pid", 1}, {"report-uri", 1}, {"stdin", 1},
	{"timeout", 1}, {"wd", 1}, {"wdir", 1}, {"xml-file", 1}, {"xterm", 1}, {"cf", 1}, {"cartofile", 1},
	{"hnp", 1}, {"display", 1}, {"runtime-options", 1}, {"dvm", 1}, {"pset", 1},
	{"env", 2}, {"genv", 2}, {"envlist", 1}, {"genvlist", 1}, {"launcher", 1}, {"launcher-exec", 1},
	{"rmk", 1}, {"topolib", 1}, {"membind", 1}, {"demux", 1}, {"iface", 1}, {"ppn", 1}, {"perhost", 1},
	{"prepend-pattern", 1}, {"outfile-pattern", 1}, {"errfile-pattern", 1}, {"nameserver", 1},
	{"order-nodes", 1}, {"localhost", 1}, {"usize", 1}, {"gpus-per-proc", 1}, {"bootstrap", 1},
	{"bootstrap-exec", 1}, {"s", 1}, {"arch", 1}, {"port", 1}, {NULL, 0}
};

static const struct valued_option srun_options[] = {
	{"n", 1}, {"ntasks", 1}, {"N", 1}, {"nodes", 1}, {"c", 1}, {"cpus-per-task", 1}, {"p", 1}, {"partition", 1},
	{"t", 1}, {"time", 1}, {"A", 1}, {"account", 1}, {"J", 1}, {"job-name", 1}, {"o", 1}, {"output", 1},
	{"e", 1}, {"error", 1}, {"i", 1}, {"input", 1}, {"D", 1}, {"chdir", 1}, {"w", 1}, {"nodelist", 1},
	{"x", 1}, {"exclude", 1}, {"C", 1}, {"constraint", 1}, {"m", 1}, {"distribution", 1}, {"q", 1}, {"qos", 1},
	{"G", 1}, {"gpus", 1}, {"gres", 1}, {"mem", 1}, {"mem-per-cpu", 1}, {"mem-per-gpu", 1},
	{"ntasks-per-node", 1}, {"ntasks-per-core", 1}, {"ntasks-per-socket", 1}, {"gpus-per-node", 1},
	{"gpus-per-task", 1}, {"gpu-bind", 1}, {"cpu-bind", 1}, {"mem-bind", 1}, {"mpi", 1}, {"export", 1},
	{"jobid", 1}, {"reservation", 1}, {"r", 1}, {"relative", 1}, {"S", 1}, {"core-spec", 1}, {"L", 1},
	{"licenses", 1}, {"d", 1}, {"dependency", 1}, {"signal", 1}, {"network", 1}, {"prolog", 1}, {"epilog", 1},
	{"task-prolog", 1}, {"task-epilog", 1}, {"threads-per-core", 1}, {"hint", 1}, {"cpu-freq", 1},
	{"het-group", 1}, {"open-mode", 1}, {"kill-on-bad-exit", 1}, {"K", 0}, {"W", 1}, {"wait", 1},
	{"begin", 1}, {"T", 1}, {"threads", 1}, {"comment", 1}, {"B", 1}, {"extra-node-info", 1},
	{"cluster-constraint", 1}, {"M", 1}, {"clusters", 1}, {"a", 1}, {"tres-per-task", 1}, {NULL, 0}
};

struct launcher {
	const char *name; /* also with a suffix behind a dot: mpirun.openmpi, mpiexec.hydra */
	const struct valued_option *options;
};

static const struct launcher launchers[] = {
	{"mpirun", mpirun_options}, {"mpiexec", mpirun_options}, {"orterun", mpirun_options},
	{"prterun", mpirun_options}, {"oshrun", mpirun_options}, {"srun", srun_options},
	{NULL, NULL}
};

static const struct launcher *find_launcher(const char *command)
{
	const char *base = text_base_name(command);
	size_t length = strcspn(base, ".");

	for (const struct launcher *l = launchers; l->name; l++)
		if (strlen(l->name) == length && memcmp(l->name, base, length) == 0)
			return l;
	return NULL;
}

static int values_of(const struct launcher *launcher, const char *word)
{
	const char *name = word + strspn(word, "-");

	if (strchr(name, '='))
		return 0;
	for (const struct valued_option *option = launcher->options; option->name; option++)
		if (strcmp(option->name, name) == 0)
			return option->values;
	return 0;
}

static void read_roles(struct launch_line *line, const struct launcher *launcher)
{
	enum word_role role = WORD_PROGRAM;
	int values = 0;

	line->roles[0] = WORD_LAUNCHER;
	for (int i = 1; i < line->count; i++) {
		const char *word = line->words[i];
		if (values > 0) {
			line->roles[i] = WORD_VALUE;
			values--;
		} else if (strcmp(word, ":") == 0) {
			line->roles[i] = WORD_COLON;
			role = WORD_PROGRAM;
		} else if (role == WORD_PROGRAM && word[0] == '-') {
			line->roles[i] = WORD_OPTION;
			values = values_of(launcher, word);
		} else {
			line->roles[i] = role;
			role = WORD_ARGUMENT;
		}
	}
}

void launch_line_read(struct launch_line *line, int count, char **words, struct arena *arena)
{
	const struct launcher *launcher = find_launcher(words[0]);

	line->count = count;
	line->words = words;
	line->roles = arena_array(arena, enum word_role, (size_t)count);
	if (launcher) {
		read_roles(line, launcher);
		return;
	}
	line->roles[0] = WORD_PROGRAM;
	for (int i = 1; i < count; i++)
		line->roles[i] = WORD_ARGUMENT;
}

bool launch_line_has_launcher(const struct launch_line *line)
{
	return line->roles[0] == WORD_LAUNCHER;
}

const char *launch_line_program(const struct launch_line *line)
{
	for (int i = 0; i < line->count; i++)
		if (line->roles[i] == WORD_PROGRAM)
			return line->words[i];
	return NULL;
}
