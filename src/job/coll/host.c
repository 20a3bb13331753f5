/* What job/mpi wants of the library that it is part of (job/mpi/host.h): here nobody asks for call sites. */
#include "job/mpi/host.h"

#include <stddef.h>

void host_module(uint64_t number, const struct module_description *module)
{
	(void)number;
	(void)module;
}

void host_unloaded(void)
{
}
