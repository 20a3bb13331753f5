#include "calls/calls.h"

#include <stddef.h>
#include <string.h>

const struct call_info *call_find(const char *name)
{
	for (size_t i = 0; i < MPI_CALLS; i++)
		if (strcmp(mpi_calls[i].name, name) == 0)
			return &mpi_calls[i];
	return NULL;
}
