#include "analysis/model/wrong_launcher.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* Variables in which launchers give the number of processes. Slurm's is that of `srun`: a batch
 * script has another one. */
static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE=", "PMI_SIZE=", "SLURM_STEP_NUM_TASKS="};

static bool was_started_with_others(const struct process *process)
{
	for (size_t i = 0; i < process->property_count; i++)
		for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
			if (strcmp(process->properties[i].key, "env") == 0 &&
			    text_begins(process->properties[i].value, sizes[j]) &&
			    strtoull(process->properties[i].value + strlen(sizes[j]), NULL, 10) > 1)
				return true;
	return false;
}

static const char *name_of(const char *library)
{
	return !library                          ? "?"
	       : strcmp(library, "openmpi") == 0 ? "Open MPI"
	       : strcmp(library, "mpich") == 0   ? "MPICH"
	       : strcmp(library, "abi") == 0     ? "libmpi_abi"
	                                         : library;
}

struct wrong_launcher find_wrong_launcher(const struct reader *reader)
{
	struct wrong_launcher wrong = {0};
	const char *launcher;

	for (size_t i = 0; i < reader->process_count; i++)
		if (!(reader->processes[i].has_size && reader->processes[i].size == 1 &&
		      was_started_with_others(&reader->processes[i])))
			return wrong;
	if (reader->process_count < 2)
		return wrong;
	launcher = process_property(&reader->processes[0], "launcher");
	return (struct wrong_launcher){reader->process_count, launcher ? launcher : "?",
	                               name_of(process_property(&reader->processes[0], "mpi"))};
}
