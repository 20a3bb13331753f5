/* Common code of the wrappers of traced functions. This text is at the start of their generated C file, after
 * base/probe.h; it is not compiled with Tarry. A wrapper looks like this:
 *
 *	begun = tarry_begin(probe, site)       NULL: the call is not recorded
 *	… values of `in` parameters …
 *	start = tarry_start()
 *	result = real(…)
 *	… values of `out` parameters …
 *	tarry_end(probe, begun, site, start, end, key)
 *
 * The first and the last part preserve errno, and calls of traced functions inside them are not recorded:
 * they are Tarry's own, or those of a signal handler. */
#include "base/probe.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <wchar.h>

#define TARRY_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define TARRY_EXPORT __attribute__((visibility("default"), noinline))

extern struct probe_link tarry_probe_link __attribute__((weak));

static __thread int tarry_inside __attribute__((tls_model("initial-exec")));

/* Called instead of a function that no library has: returns 0. */
static long tarry_nothing(void)
{
	return 0;
}

static bool tarry_is_own(const void *address)
{
	Dl_info own, other;

	return dladdr((const void *)(uintptr_t)tarry_nothing, &own) && dladdr(address, &other) &&
	       own.dli_fbase == other.dli_fbase;
}

static void *tarry_look_into(const char *file, const char *function)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD), *found;

	if (!library)
		return NULL;
	found = dlsym(library, function);
	dlclose(library);
	return found && !tarry_is_own(found) ? found : NULL;
}

/* A library loaded with RTLD_LOCAL sees libraries that others do not. */
static void *tarry_look_around(const char *function, const void *site)
{
	void *self = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD), *found = NULL;
	struct link_map *map = NULL;
	Dl_info caller;

	if (dladdr(site, &caller) && caller.dli_fname)
		found = tarry_look_into(caller.dli_fname, function);
	if (!found && self && dlinfo(self, RTLD_DI_LINKMAP, &map) == 0)
		for (; map && !found; map = map->l_next)
			if (*map->l_name)
				found = tarry_look_into(map->l_name, function);
	if (self)
		dlclose(self);
	return found;
}

static void *tarry_look_behind(const char *function)
{
	void *found = dlsym(RTLD_NEXT, function);

	if (!found)
		dlerror(); /* errors of later calls by the program must be its own */
	return found;
}

static __attribute__((noinline, cold)) void *tarry_find(struct probe *probe, const void *site)
{
	int error = errno, was_inside = tarry_inside;
	void *found;

	tarry_inside = 1;
	found = tarry_look_behind(probe->function);
	if (!found)
		found = tarry_look_around(probe->function, site);
	dlerror();
	if (found)
		__atomic_store_n(&probe->real, found, __ATOMIC_RELEASE);
	tarry_inside = was_inside;
	errno = error;
	return found ? found : (void *)(uintptr_t)tarry_nothing;
}

static inline void *tarry_real(struct probe *probe, const void *site)
{
	void *real = __atomic_load_n(&probe->real, __ATOMIC_ACQUIRE);

	return TARRY_UNLIKELY(!real) ? tarry_find(probe, site) : real;
}

struct tarry_call {
	void *begun; /* NULL: not recorded */
	int error;
};

static inline struct tarry_call tarry_begin(struct probe *probe, const void *site)
{
	void *(*begin)(struct probe *, const void *) =
		&tarry_probe_link ? __atomic_load_n(&tarry_probe_link.begin, __ATOMIC_ACQUIRE) : NULL;
	struct tarry_call call = {NULL, 0};

	if (!begin || tarry_inside)
		return call;
	call.error = errno;
	tarry_inside = 1;
	call.begun = begin(probe, site);
	if (!call.begun) {
		tarry_inside = 0;
		errno = call.error;
	}
	return call;
}

static inline uint64_t tarry_start(const struct tarry_call *call)
{
	uint64_t start = tarry_probe_link.now();

	tarry_inside = 0;
	errno = call->error;
	return start;
}

/* Before the values that the function returned: take the time first. */
static inline uint64_t tarry_returned(struct tarry_call *call)
{
	call->error = errno;
	tarry_inside = 1;
	return tarry_probe_link.now();
}

static inline void tarry_end(struct probe *probe, const struct tarry_call *call, const void *site,
                             uint64_t start, uint64_t end, int64_t *key)
{
	tarry_probe_link.end(probe, call->begun, site, start, end, key);
	tarry_inside = 0;
	errno = call->error;
}

/* -0.0 would look like a missing value. */
static inline int64_t tarry_bits(double number)
{
	union {
		double number;
		int64_t bits;
	} value = {number + 0.0};

	return value.bits;
}

static inline int64_t tarry_text(const char *text)
{
	return tarry_probe_link.text(text);
}

/* An invalid division must not stop the program. */
static inline int64_t tarry_divide(int64_t a, int64_t b)
{
	return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t tarry_modulo(int64_t a, int64_t b)
{
	return b == 0 || b == -1 ? 0 : a % b;
}

static inline double tarry_real_modulo(double a, double b)
{
	double turns = b != 0 ? a / b : 0;

	return turns > -9e18 && turns < 9e18 ? a - (double)(int64_t)turns * b : 0;
}

static inline int64_t tarry_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t tarry_greatest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline double tarry_real_least(double a, double b)
{
	return a < b ? a : b;
}

static inline double tarry_real_greatest(double a, double b)
{
	return a > b ? a : b;
}

static struct probe_table tarry_table;

/* Functions found now need no search later, which might be in a signal handler. */
__attribute__((constructor)) static void tarry_introduce(void)
{
	int error = errno;

	if (!&tarry_probe_link)
		return;
	for (uint32_t i = 0; i < tarry_table.count; i++)
		tarry_table.probes[i].real = tarry_look_behind(tarry_table.probes[i].function);
	tarry_probe_link.table = &tarry_table;
	errno = error;
}
