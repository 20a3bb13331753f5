#include "cli/launcher.h"

#include "base/paths.h"
#include "base/text.h"

#include <string.h>

/* Options that take a value, or two, without dashes. Open MPI's and Hydra's launchers share their names,
 * so they share the lists; no option means one thing to the one and another to the other. */
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
	const char *name; /* also with a suffix behind a dot: mpirun.openmpi, mpiexec.hydra */
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

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at++)
		if (at > list && at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static int values_of(const struct launcher *launcher, const char *option)
{
	const char *name = option + strspn(option, "-");

	if (!*name || strpbrk(name, "= "))
		return 0;
	return has_word(launcher->one, name) ? 1 : has_word(launcher->two, name) ? 2 : 0;
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

char *const *launch_line_words(const struct launch_line *line)
{
	for (int i = 0; i < line->count; i++)
		if (line->roles[i] == WORD_PROGRAM)
			return &line->words[i];
	return NULL;
}

const char *launch_line_program(const struct launch_line *line)
{
	char *const *words = launch_line_words(line);

	return words ? words[0] : NULL;
}
