/* Functions that compilers call for loads and stores after an inline test of the shadow
 * (-fsanitize=kernel-address). In a separate file: only programs with such code contain it. */
#include "job/cc/runtime.h"

/* Runs after accesses.c has mapped the hooks. */
__attribute__((constructor(102))) static void tell(void)
{
	if (access_hooks_are_there())
		access_hooks_place()->has_inline = true;
}

/* NOLINTBEGIN(bugprone-reserved-identifier): compilers name them */

#define REPORTS(kind, is_write, bytes) \
	void __asan_report_##kind##bytes##_noabort(uintptr_t address) \
	{ \
		access_report(address, bytes, is_write, RETURN_ADDRESS); \
	} \
	void __asan_##kind##bytes##_noabort(uintptr_t address) \
	{ \
		access_check(address, bytes, is_write, RETURN_ADDRESS); \
	}
#define REPORTS_OF_ALL_SIZES(kind, is_write) \
	REPORTS(kind, is_write, 1) \
	REPORTS(kind, is_write, 2) \
	REPORTS(kind, is_write, 4) \
	REPORTS(kind, is_write, 8) \
	REPORTS(kind, is_write, 16) \
	void __asan_report_##kind##_n_noabort(uintptr_t address, size_t bytes) \
	{ \
		access_report(address, bytes, is_write, RETURN_ADDRESS); \
	} \
	void __asan_##kind##N_noabort(uintptr_t address, size_t bytes) \
	{ \
		range_check((void *)address, bytes, is_write, RETURN_ADDRESS); \
	}

REPORTS_OF_ALL_SIZES(load, false)
REPORTS_OF_ALL_SIZES(store, true)

/* Functions that do not return, variables initialized at the start, and queries of
 * programs for a sanitizer. */
UNUSED(__asan_handle_no_return)
UNUSED(__asan_before_dynamic_init)
UNUSED(__asan_after_dynamic_init)
UNUSED(__asan_poison_stack_memory)
UNUSED(__asan_unpoison_stack_memory)
UNUSED(__asan_alloca_poison)
UNUSED(__asan_allocas_unpoison)
UNUSED(__asan_poison_memory_region)
UNUSED(__asan_unpoison_memory_region)

/* NOLINTEND(bugprone-reserved-identifier) */
