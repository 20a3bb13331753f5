#include "cli/job_machine.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* Ranks */

enum status job_ranks_read(const struct reader *reader, struct job_ranks *ranks)
{
	uint64_t size = 0, present = 0;

	*ranks = (struct job_ranks){0};
	if (!reader->process_count)
		return fail("'%s' has no processes", reader->path);
	ranks->world = reader->processes[0].world;
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		if (process->world != ranks->world || process->rank == PROCESS_UNKNOWN)
			continue;
		present++;
		size = process->has_size && process->size > size ? process->size : size;
		size = process->rank >= size ? (uint64_t)process->rank + 1 : size;
	}
	if (!present || present < size)
		return fail("'%s' has %llu of %llu ranks: all of them are needed", reader->path,
		            (unsigned long long)present, (unsigned long long)size);
	ranks->count = (uint32_t)size;
	ranks->at = memory_new(size, sizeof *ranks->at);
	ranks->processes = memory_new(size, sizeof *ranks->processes);
	for (size_t i = 0; i < reader->process_count; i++) {
		const struct process *process = &reader->processes[i];
		if (process->world != ranks->world || process->rank >= ranks->count)
			continue;
		ranks->at[process->rank] = (struct rank_place){.host = process_property(process, "host"),
		                                               .cpus = process_property(process, "cpus")};
		ranks->processes[process->rank] = (uint32_t)i;
	}
	return OK;
}

void job_ranks_release(struct job_ranks *ranks)
{
	free(ranks->at);
	free(ranks->processes);
	*ranks = (struct job_ranks){0};
}

/* Hosts */

/* One above the highest processor of a list such as "0-3,8"; 0: unknown. */
static uint32_t processors_of(const char *cpus)
{
	unsigned long most = 0;

	while (cpus && *cpus) {
		char *end;
		unsigned long number = strtoul(cpus, &end, 10);
		if (end == cpus)
			break;
		most = number + 1 > most ? number + 1 : most;
		cpus = *end ? end + 1 : end;
	}
	return most < NODE_CORES_MAX ? (uint32_t)most : NODE_CORES_MAX;
}

struct traced_host {
	const char *name;
	uint32_t ranks, processors;
};

static enum status parse_hosts(const struct traced_host *hosts, size_t count, struct machine **machine)
{
	struct text text = {0};
	enum status status = OK;

	for (size_t i = 0; i < count && status == OK; i++) {
		uint32_t cores = hosts[i].processors ? hosts[i].processors : hosts[i].ranks;
		if (!*hosts[i].name || strpbrk(hosts[i].name, " \t\r\n[],#=\"\\"))
			status = fail("'%s' is not a host name: name the machine with --machine",
			              hosts[i].name);
		text_add(&text, "NodeName=%s CoresPerSocket=%u\n", hosts[i].name,
		         cores < NODE_CORES_MAX ? cores : NODE_CORES_MAX);
	}
	if (status == OK)
		status = machine_parse("hosts of the trace", text_get(&text), text.length, machine);
	if (status == OK)
		(*machine)->source = "the machine of the trace";
	text_release(&text);
	return status;
}

/* NULL: the machine has all of them. */
static const char *missing_host(const struct machine *machine, const struct job_ranks *ranks)
{
	for (uint32_t i = 0; i < ranks->count; i++)
		if (ranks->at[i].host && machine_find_node(machine, ranks->at[i].host) == NO_NODE)
			return ranks->at[i].host;
	return NULL;
}

enum status job_machine_open(const char *name, const struct job_ranks *ranks, struct machine **machine)
{
	struct machine *found;
	const char *missing;
	struct text_map names = {0};
	struct traced_host *hosts;
	enum status status = OK;

	TRY(machine_open(name, &found));
	/* The machine that the user names must fit the job. A machine that was found may not be the job's
	 * machine. */
	missing = found->is_chosen ? NULL : missing_host(found, ranks);
	if (missing && !found->is_this_host)
		say("%s does not have '%s', where ranks ran: using the machine of the trace", found->source,
		    missing);
	if (!missing && !(found->is_this_host && ranks->count)) {
		*machine = found;
		return OK;
	}
	machine_free(found);
	hosts = memory_new(ranks->count, sizeof *hosts);
	for (uint32_t i = 0; i < ranks->count && status == OK; i++) {
		uint32_t processors = processors_of(ranks->at[i].cpus);
		struct traced_host *host;
		if (!ranks->at[i].host) {
			status = fail("the trace does not say where rank %u ran", i);
			break;
		}
		host = &hosts[text_map_number(&names, ranks->at[i].host)];
		host->name = ranks->at[i].host;
		host->ranks++;
		host->processors = processors > host->processors ? processors : host->processors;
	}
	if (status == OK)
		status = parse_hosts(hosts, names.count, machine);
	text_map_release(&names);
	free(hosts);
	return status;
}

void say_placement_doubts(const struct machine *machine, const struct placement *placement)
{
	uint64_t assumed = 0;

	for (uint32_t i = 0; i < machine->node_count; i++)
		assumed += machine_shape(machine, i)->is_assumed;
	if (assumed)
		say("%s does not give the size of %llu nodes: they are treated like this one; add "
		    "'NodeName=... Sockets=... CoresPerSocket=...'",
		    machine->source, (unsigned long long)assumed);
	if (placement->is_crowded)
		say("some nodes have more ranks than cores: ranks share cores there");
}
