/* tarry.h: name parts of your program for the trace and the report.
 *
 *	#include <tarry.h>
 *
 *	tarry_phase("time loop");
 *	for (int step = 0; step < steps; step++) {
 *		tarry_region_begin("exchange");
 *		exchange_halo(grid);
 *		tarry_region_end("exchange");
 *	}
 *	tarry_mark("converged");
 *
 * A region has a beginning and an end; regions may be nested. A phase lasts until the next
 * one begins. A mark is a moment. Names are copied; use a few dozen of them, not one per iteration.
 *
 * Nothing has to be linked: the functions check once whether the program runs under `tarry`; after that they
 * only test one pointer. In C++ a region can be the scope of a variable:
 *
 *	{
 *		tarry::region here("exchange");
 *		exchange_halo(grid);
 *	}
 *
 * For Fortran there is a module: compile tarry.f90, in the folder of this file, with the program.
 * (With a glibc older than 2.34, link with -ldl.) */
#ifndef TARRY_H
#define TARRY_H

#include <dlfcn.h>
#include <stddef.h>

typedef void tarry_hook(const char *name);

/* The hook without a recorder. */
static inline void tarry_no_hook(const char *name)
{
	(void)name;
}

static inline tarry_hook *tarry_find_hook(const char *symbol)
{
	/* The null handle is RTLD_DEFAULT, which <dlfcn.h> defines only with _GNU_SOURCE. */
	void *found = dlsym(NULL, symbol);
	tarry_hook *hook = &tarry_no_hook;

	if (found)
		__builtin_memcpy(&hook, &found, sizeof hook);
	return hook;
}

/* Inlined and without a tail call, so that the place of a region is the program's own line. */
#define TARRY_INLINE __attribute__((always_inline)) inline

#define TARRY_DEFINE_HOOK(function) \
	static TARRY_INLINE void tarry_##function(const char *name) \
	{ \
		static tarry_hook *found; /* all threads find the same */ \
		tarry_hook *hook = __atomic_load_n(&found, __ATOMIC_RELAXED); \
		if (!hook) { \
			hook = tarry_find_hook("tarry_hook_" #function); \
			__atomic_store_n(&found, hook, __ATOMIC_RELAXED); \
		} \
		if (hook != &tarry_no_hook) { \
			hook(name); \
			__asm__ __volatile__(""); \
		} \
	}

TARRY_DEFINE_HOOK(region_begin)
TARRY_DEFINE_HOOK(region_end)
TARRY_DEFINE_HOOK(phase)
TARRY_DEFINE_HOOK(mark)
#undef TARRY_DEFINE_HOOK

#ifdef __cplusplus
namespace tarry
{
class region
{
      public:
	TARRY_INLINE explicit region(const char *name) : name_(name)
	{
		tarry_region_begin(name_);
	}
	TARRY_INLINE ~region()
	{
		tarry_region_end(name_);
	}
	region(const region &) = delete;
	region &operator=(const region &) = delete;

      private:
	const char *name_;
};
} /* namespace tarry */
#endif
#undef TARRY_INLINE

#endif
