#include "job/record/describe.h"

#include "base/machine.h"
#include "job/record/process.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 1 << 16, VALUE_MAX = 4096 };

/* A variable whose name holds one of these may be a secret. */
static const char *const secret_words[] = {"KEY",        "TOKEN", "SECRET", "PASS",
                                           "CREDENTIAL", "AUTH",  "COOKIE", "PRIVATE"};

static int is_secret(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof secret_words / sizeof *secret_words; i++) {
		size_t size = strlen(secret_words[i]);
		for (size_t at = 0; at + size <= length; at++)
			if (strncasecmp(name + at, secret_words[i], size) == 0)
				return 1;
	}
	return 0;
}

static void describe_environment(void)
{
	for (char **variable = environ; variable && *variable; variable++) {
		char line[VALUE_MAX];
		size_t name = strcspn(*variable, "=");

		if (is_secret(*variable, name))
			snprintf(line, sizeof line, "%.*s=***", (int)name, *variable);
		else
			snprintf(line, sizeof line, "%s", *variable);
		process_property("env", line);
	}
}

static void describe_arguments(void)
{
	char *text = malloc(ARGUMENTS_MAX);
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t size = text && fd >= 0 ? read(fd, text, ARGUMENTS_MAX - 1) : 0;

	if (size > 0) {
		text[size] = '\0';
		for (const char *at = text; at < text + size; at += strlen(at) + 1)
			process_property("arg", at);
	}
	if (fd >= 0)
		close(fd);
	free(text);
}

/* As ranges: "0-3,8". */
static void describe_processors(void)
{
	char list[VALUE_MAX] = "";
	size_t length = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE && length < sizeof list - 32; cpu++) {
		int last = cpu;
		if (!CPU_ISSET(cpu, &set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set))
			last++;
		length += (size_t)snprintf(list + length, sizeof list - length,
		                           last > cpu ? "%s%d-%d" : "%s%d", length ? "," : "", cpu, last);
		cpu = last;
	}
	process_property("cpus", list);
}

static const char *launcher(void)
{
	static const struct {
		const char *variable, *name;
	} known[] = {{"OMPI_COMM_WORLD_SIZE", "mpirun (Open MPI)"},
	             {"SLURM_STEP_ID", "srun"},
	             {"PMI_FD", "mpiexec (Hydra)"}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (getenv(known[i].variable))
			return known[i].name;
	return "none";
}

void describe_own_node(char *text, size_t size)
{
	char machine[MACHINE_TEXT];

	if (machine_identity(machine))
		snprintf(text, size, "%s", machine);
	else if (gethostname(text, size - 1) != 0)
		*text = '\0';
	text[size - 1] = '\0';
}

static void describe_node(void)
{
	char machine[MACHINE_TEXT];

	if (machine_identity(machine))
		process_property("node", machine);
}

void describe_process(void)
{
	char text[PATH_MAX] = "";
	ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);

	text[length > 0 ? length : 0] = '\0';
	process_property("program", text);
	if (getcwd(text, sizeof text))
		process_property("cwd", text);
	if (gethostname(text, sizeof text - 1) == 0)
		process_property("host", text);
	describe_node();
	snprintf(text, sizeof text, "%d", (int)getpid());
	process_property("pid", text);
	process_property("tarry", TARRY_VERSION);
	process_property("launcher", launcher());
	selection_describe();
	describe_processors();
	describe_arguments();
	describe_environment();
}
