#define _GNU_SOURCE
#include "base/libc_dlsym.h"

#include <stddef.h>

#undef dlsym

symbol_lookup *libc_dlsym(void)
{
	/* Of glibc, by the processor and by its age. */
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
	static symbol_lookup *known;
	symbol_lookup *found = __atomic_load_n(&known, __ATOMIC_ACQUIRE);

	for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++)
		*(void **)&found = dlvsym(RTLD_DEFAULT, "dlsym", versions[i]);
	if (!found)
		found = dlsym;
	__atomic_store_n(&known, found, __ATOMIC_RELEASE);
	return found;
}
