#include "analysis/wrappers/refusal.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *reason;
	const char *patterns; /* separated by blanks */
} refusals[] = {
	{"everything allocates memory by it, also the linker and the recorder, before anybody could look",
         "malloc calloc realloc reallocarray free cfree memalign aligned_alloc posix_memalign valloc pvalloc "
         "mmap mmap64 munmap mremap mprotect madvise brk sbrk"},
	{"it finds or loads libraries, and the wrapper itself needs it",
         "dlopen dlmopen dlsym dlvsym dlclose dlerror dladdr dladdr1 dlinfo dl_iterate_phdr _dl_*"},
	{"it does not return, so that a call of it never ends",
         "exit _exit _Exit quick_exit abort longjmp _longjmp siglongjmp __longjmp_chk pthread_exit thrd_exit exec* "
         "fexecve __assert_fail __stack_chk_fail err errx verr verrx"},
	{"it returns twice, or on another stack",
         "setjmp _setjmp sigsetjmp __sigsetjmp vfork getcontext setcontext swapcontext makecontext clone"},
	{"compilers call it without being asked to, also in the wrapper",
         "memcpy memmove memset memcmp __memcpy_chk __memmove_chk __memset_chk strlen"},
	{"errors and exceptions of C and C++ go through it",
         "__errno_location _Unwind_* __cxa_* __gxx_* __tls_get_addr __libc_* __gmon_start__"},
	{"a function of MPI is named without a prototype: for MPI_Send", "MPI_* PMPI_* MPIX_* PMPIX_*"},
	{"it is Tarry's own; regions and marks of tarry.h are recorded anyway", "tarry_*"},
	{"it belongs to the program itself, and nothing can stand before it", "main"},
};

static int matches(const char *patterns, const char *function)
{
	while (*patterns) {
		char pattern[64];
		size_t length = strcspn(patterns, " ");

		if (length < sizeof pattern) {
			memcpy(pattern, patterns, length);
			pattern[length] = '\0';
			if (fnmatch(pattern, function, 0) == 0)
				return 1;
		}
		patterns += length + (patterns[length] == ' ');
	}
	return 0;
}

const char *tracing_refusal(const char *function)
{
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		if (matches(refusals[i].patterns, function))
			return refusals[i].reason;
	return NULL;
}
