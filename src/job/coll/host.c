/* The functions of job/mpi/host.h for this library, which records no call sites. */
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
