#include "job/check/wire/places.h"

#include "job/check/wire/process_state.h"
#include "job/mpi/sites.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { MODULES_MAX = 4096, SITE_CACHE = 256, HERE_DEPTH = 32 };

struct module_text {
	const char *path, *build_id;
	bool is_python;
};

/* By number of the module. Each is written once, under the lock of job/mpi/sites.c or the GIL,
 * and then only read. */
static struct module_text module_texts[MODULES_MAX + 1];

static char *to_hexadecimal(const uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	char *text = host_table(2 * count + 1, 1);

	for (size_t i = 0; text && i < count; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	return text;
}

void place_module(uint64_t number, const char *path, const uint8_t *build_id, size_t bytes, bool is_python)
{
	if (number > MODULES_MAX)
		return;
	module_texts[number] = (struct module_text){
		.path = strdup(path), .build_id = to_hexadecimal(build_id, bytes), .is_python = is_python};
}

static struct check_place describe(uint64_t number, uint64_t offset)
{
	const struct module_text *module = &module_texts[number <= MODULES_MAX ? number : 0];

	return (struct check_place){
		.module = module->path ? module->path : "",
		.build_id = module->build_id ? module->build_id : "",
		.offset = module->is_python ? 0 : offset,
		.line = module->is_python ? (uint32_t)offset : 0,
	};
}

uint32_t place_stack(uint32_t place, struct check_place *stack)
{
	uint32_t count = 0;

	while (place != NO_PLACE && count < FINDING_STACK_MAX) {
		const struct path_node node = place_get(place);

		stack[count++] = describe(node.module, node.offset);
		place = node.caller;
	}
	return count;
}

uint32_t place_of_site(const void *site)
{
	uint64_t module, offset;

	site_locate((uint64_t)(uintptr_t)site, &module, &offset);
	return place_add(NO_PLACE, module, offset);
}

static struct origins *thread_origins(struct agent_thread *thread)
{
	if (!thread->origins) {
		thread->origins = origins_new();
		thread->unloads = site_unloads;
	} else if (UNLIKELY(thread->unloads != RELAXED_LOAD(site_unloads))) {
		origins_forget(thread->origins);
		thread->unloads = RELAXED_LOAD(site_unloads);
	}
	return thread->origins;
}

uint32_t agent_place(const struct agent_call *call)
{
	struct agent_call *known = (struct agent_call *)(uintptr_t)call; /* the call caches its place */
	struct origins *origins;
	int64_t word = 0;

	if (LIKELY(call->place_known))
		return call->place;
	origins = thread_origins(agent_self);
	if (LIKELY(origins))
		word = origin_of(origins, (int64_t)(uintptr_t)call->site, (uintptr_t)call->frame);
	known->place = word < 0 ? place_of_word(word) : place_of_site(call->site);
	known->place_known = true;
	return known->place;
}

struct stack_taken {
	uintptr_t addresses[HERE_DEPTH];
	uint32_t count;
};

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static _Unwind_Reason_Code take_address(struct _Unwind_Context *context, void *argument)
{
	struct stack_taken *taken = argument;
	uintptr_t address = (uintptr_t)_Unwind_GetIP(context);

	if (!address || taken->count == HERE_DEPTH)
		return _URC_END_OF_STACK;
	if (address < (uintptr_t)__ehdr_start || address >= (uintptr_t)_end)
		taken->addresses[taken->count++] = address;
	return _URC_NO_REASON;
}

/* Symbols of the C library and its loader, which contain exit(), its callees and the caller of main(), and of
 * the Fortran library, in which programs read and write files. */
static const char *const runtime_symbols[] = {"gnu_get_libc_version", "__tls_get_addr", "_gfortran_st_write"};
enum { RUNTIMES = sizeof runtime_symbols / sizeof *runtime_symbols };

/* The number of such a library; 0: not loaded. */
static uint64_t runtime_module(size_t number)
{
	const void *symbol = dlsym(RTLD_DEFAULT, runtime_symbols[number]);
	uint64_t module = 0, offset;

	if (symbol)
		site_locate((uint64_t)(uintptr_t)symbol, &module, &offset);
	return module;
}

static bool is_of_runtime(uint64_t module)
{
	for (size_t i = 0; i < RUNTIMES; i++)
		if (module && module == runtime_module(i))
			return true;
	return false;
}

uint32_t place_of_addresses(const uintptr_t *addresses, uint32_t count, bool is_whole)
{
	uint32_t place = NO_PLACE;
	uint64_t module, offset;

	/* The last frame is _start, for which the C library called main(). */
	if (count > 1)
		site_locate(addresses[count - 2], &module, &offset);
	if (count > 1 && is_whole && is_of_runtime(module))
		count--;
	for (uint32_t i = count; i-- > 0;) {
		site_locate(addresses[i], &module, &offset);
		if (!is_of_runtime(module))
			place = place_add(place, module, offset);
	}
	return place;
}

uint32_t place_here(void)
{
	struct stack_taken taken = {.count = 0};

	_Unwind_Backtrace(take_address, &taken);
	return place_of_addresses(taken.addresses, taken.count, taken.count < HERE_DEPTH);
}

static uint64_t known_runtimes[RUNTIMES];

void places_prepare(void)
{
	for (size_t i = 0; i < RUNTIMES; i++)
		known_runtimes[i] = runtime_module(i);
}

uint32_t places_peek(const uintptr_t *addresses, uint32_t count, struct check_place *stack)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count && kept < FINDING_STACK_MAX; i++) {
		uint64_t module, offset;
		bool is_known = false;

		site_peek(addresses[i], &module, &offset);
		for (size_t j = 0; j < RUNTIMES; j++)
			is_known |= module == known_runtimes[j];
		if (module && !is_known)
			stack[kept++] = describe(module, offset);
	}
	return kept;
}
