#include "job/check/objects/mapped_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t mapped_pages[MAPPED_PAGES];

/* MPI libraries may accept memory of accelerators, which need not be mapped in this process. */
static bool may_be_of_an_accelerator(void)
{
	static const char *const libraries[] = {"libcuda.so.1",      "libcuda.so",
	                                        "libamdhip64.so",    "libhsa-runtime64.so.1",
	                                        "libze_loader.so.1", NULL};

	for (const char *const *name = libraries; *name; name++) {
		void *library = dlopen(*name, RTLD_LAZY | RTLD_NOLOAD);

		if (library) {
			dlclose(library);
			return true;
		}
	}
	return false;
}

bool page_is_mapped(uint64_t address)
{
	const long page_bytes = sysconf(_SC_PAGESIZE);
	const uint64_t page = address >> MAPPED_PAGE_BITS;
	const int kept_errno = errno;
	unsigned char there;
	bool missing;

	if (page_bytes <= 0)
		return true;
	missing = mincore((void *)(uintptr_t)(address - address % (uint64_t)page_bytes), 1, &there) != 0 &&
	          errno == ENOMEM;
	errno = kept_errno;
	if (missing)
		return address >= (uint64_t)page_bytes && may_be_of_an_accelerator();
	__atomic_store_n(&mapped_pages[page % MAPPED_PAGES], page, __ATOMIC_RELAXED);
	return true;
}
