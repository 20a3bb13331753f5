#include "bench/run/provenance.h"

#include "base/memory.h"
#include "base/text.h"
#include "bench/run/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Variables that influence an MPI library and the layers below it. */
static const char *const library_variables[] = {"OMPI_MCA_", "PMIX_MCA_", "PRTE_MCA_",  "MPIR_CVAR_",
                                                "MPICH_",    "HYDRA_",    "UCX_",       "FI_",
                                                "PSM2_",     "I_MPI_",    "LD_PRELOAD", NULL};

/* Set by launchers for each process; they describe the start, not the library. */
static const char *const launcher_variables[] = {
	"OMPI_MCA_orte_",
	"OMPI_MCA_ess",
	"OMPI_MCA_pmix",
	"OMPI_MCA_initial_wdir",
	"OMPI_MCA_mpi_oversubscribe",
	"OMPI_MCA_shmem_RUNTIME_QUERY_hint",
	"PMIX_MCA_psec",
	"PMIX_MCA_mca_base_component_show_load_errors",
	NULL,
};

static bool begins_with_one(const char *text, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (text_begins(text, *prefixes))
			return true;
	return false;
}

static void tell_environment(struct results *results)
{
	for (char **variable = environ; *variable; variable++) {
		size_t length = strcspn(*variable, "=");
		char *name;

		if (!begins_with_one(*variable, library_variables) ||
		    begins_with_one(*variable, launcher_variables) || !(*variable)[length])
			continue;
		name = arena_bytes_as_text(&results->arena, *variable, length);
		results_fact(results, "environment", name, "%s", *variable + length + 1);
	}
}

static void drop(char *text, const char *word)
{
	char *found = strstr(text, word);

	if (found)
		memmove(found, found + strlen(word), strlen(found + strlen(word)) + 1);
}

/* Any white space becomes one space. */
static void squeeze(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		bool is_blank = strchr(" \t\n", *from);
		if (is_blank && (to == text || to[-1] == ' '))
			continue;
		*to++ = is_blank ? ' ' : *from;
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = 0;
}

void library_name(const char *said, char *name, size_t size)
{
	snprintf(name, size, "%.*s", (int)strcspn(said, ",\n"), said);
	squeeze(name);
	drop(name, "Version: ");
	if (text_begins(name, "Open MPI v"))
		drop(name, "v");
}

static void tell_library(struct results *results, int processes)
{
	char said[MPI_MAX_LIBRARY_VERSION_STRING], name[96];
	int length, version, subversion;

	MPI_Get_library_version(said, &length);
	MPI_Get_version(&version, &subversion);
	library_name(said, name, sizeof name);
	squeeze(said);
	results_fact(results, "mpi", "library", "%s", name);
	results_fact(results, "mpi", "version", "%d.%d", version, subversion);
	results_fact(results, "mpi", "processes", "%d", processes);
	results_fact(results, "mpi", "details", "%s", said);
}

/* In the kernel's format: words end with NUL. */
static void tell_command_line(struct results *results)
{
	FILE *file = fopen("/proc/self/cmdline", "r");
	struct text line = {0};
	int byte;

	while (file && (byte = fgetc(file)) != EOF)
		text_add(&line, "%c", byte ? byte : ' ');
	if (file)
		fclose(file);
	if (line.length)
		results_fact(results, "job", "command line", "%.*s", (int)line.length - 1, text_get(&line));
	text_release(&line);
}

static void tell_job(struct results *results)
{
	time_t now = time(NULL);
	char text[32];
	struct tm utc;

	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	results_fact(results, "job", "tarry", "%s", TARRY_VERSION);
	results_fact(results, "job", "start", "%s", text);
	tell_command_line(results);
}

static void tell_parameters(struct results *results, const struct bench_plan *wanted)
{
	struct text value = {0};

	for (const struct option_spec *spec = plan_options; spec->name; spec++) {
		if (!plan_has_parameter(spec))
			continue;
		text_clear(&value);
		plan_value(spec, wanted, &value);
		results_fact(results, "parameters", spec->name, "%s", text_get(&value));
	}
	text_release(&value);
}

/* Processes by host. */
struct host_processes {
	const char *host;
	const struct node_info *first;
	int processes;
};

static size_t find_places(const struct node_info *nodes, int count, struct host_processes *places)
{
	size_t found = 0;

	for (int i = 0; i < count; i++) {
		/* Usually the host of the previous process: search backwards. */
		size_t at = found;
		while (at && strcmp(places[at - 1].host, nodes[i].host) != 0)
			at--;
		if (at)
			places[at - 1].processes++;
		else
			places[found++] = (struct host_processes){nodes[i].host, &nodes[i], 1};
	}
	return found;
}

static void tell_hosts(struct results *results, const struct host_processes *places, size_t count)
{
	struct text text = {0};

	for (size_t i = 0; i < count; i++)
		text_add(&text, "%s%s (%d)", i ? ", " : "", places[i].host, places[i].processes);
	results_fact(results, "machine", "hosts", "%s", text_get(&text));
	text_release(&text);
}

/* Common properties of hosts once, others with the host's name. */
static void tell_of_places(struct results *results, const char *name, const struct host_processes *places,
                           size_t count, void (*add)(const struct node_info *node, struct text *out))
{
	struct text first = {0}, text = {0}, one = {0};

	add(places[0].first, &first);
	text_add(&text, "%s", text_get(&first));
	for (size_t i = 1; i < count; i++) {
		text_clear(&one);
		add(places[i].first, &one);
		if (strcmp(text_get(&one), text_get(&first)) != 0)
			text_add(&text, ", on %s %s", places[i].host, text_get(&one));
	}
	results_fact(results, "machine", name, "%s", text_get(&text));
	text_release(&first);
	text_release(&text);
	text_release(&one);
}

static void add_processor(const struct node_info *node, struct text *out)
{
	text_add(out, "%s", node->processor);
}

static void add_processors(const struct node_info *node, struct text *out)
{
	text_add(out, "%s", node->processors);
}

static void add_memory(const struct node_info *node, struct text *out)
{
	text_add_size(out, node->memory_bytes);
}

static void add_kernel(const struct node_info *node, struct text *out)
{
	text_add(out, "%s", node->kernel);
}

static void add_governor(const struct node_info *node, struct text *out)
{
	text_add(out, "%s", node->governor);
}

static const struct {
	const char *name;
	void (*add)(const struct node_info *node, struct text *out);
} of_places[] = {
	{"processor", add_processor}, {"processors", add_processors},       {"memory", add_memory},
	{"kernel", add_kernel},       {"frequency governor", add_governor},
};

static void tell_nodes(struct results *results, const struct node_info *nodes, int count)
{
	struct host_processes *places = memory_new((size_t)count, sizeof *places);
	size_t place_count = find_places(nodes, count, places);
	char name[32];

	tell_hosts(results, places, place_count);
	for (size_t i = 0; i < sizeof of_places / sizeof *of_places; i++)
		tell_of_places(results, of_places[i].name, places, place_count, of_places[i].add);
	for (int rank = 0; rank < count; rank++) {
		struct text value = {0};

		snprintf(name, sizeof name, "rank %d", rank);
		text_add(&value, "%s: %s", nodes[rank].host, nodes[rank].binding);
		results_new_fact(results, "binding", name, text_get(&value));
		text_release(&value);
	}
	free(places);
}

void provenance_gather(struct results *results, const struct bench_plan *wanted, MPI_Comm world)
{
	struct node_info own, *nodes = NULL;
	int rank, size;

	MPI_Comm_rank(world, &rank);
	MPI_Comm_size(world, &size);
	node_look(&own);
	if (rank == 0)
		nodes = memory_new((size_t)size, sizeof *nodes);
	MPI_Gather(&own, sizeof own, MPI_BYTE, nodes, sizeof own, MPI_BYTE, 0, world);
	if (rank == 0) {
		tell_job(results);
		tell_library(results, size);
		tell_nodes(results, nodes, size);
		tell_parameters(results, wanted);
		tell_environment(results);
	}
	free(nodes);
}
