#include "job/check/buffers/code_loops.h"

#include "base/hash.h"

#include <link.h>
#include <stdlib.h>
#include <unwind.h>

/* KNOWN: stacks with a cached answer; a power of two. */
enum { CODE_BYTES_MAX = 1 << 16, KNOWN = 256 };

/* The module and the end of the code at an address. */
struct code_place {
	uintptr_t address;
	uintptr_t module, end; /* 0: not found */
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *context)
{
	struct code_place *place = context;

	(void)size;
	for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uintptr_t first = info->dlpi_addr + segment->p_vaddr, end = first + segment->p_memsz;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X && place->address >= first &&
		    place->address < end) {
			place->module = (uintptr_t)info->dlpi_phdr;
			place->end = end;
			return 1;
		}
	}
	return 0;
}

static struct code_place place_at(uintptr_t address)
{
	struct code_place place = {.address = address};

	dl_iterate_phdr(find_segment, &place);
	return place;
}

/* The start of the function; 0: unknown. */
static uintptr_t function_at(uintptr_t address)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): code of the program */
	return (uintptr_t)_Unwind_FindEnclosingFunction((void *)(address + 1));
}

static bool may_be_in_loop(const struct code_place *place)
{
	const uintptr_t function = function_at(place->address - 1);
	const uintptr_t limit = place->address + CODE_BYTES_MAX,
			end = limit < place->end ? limit : place->end;
	struct code_branch branch;

	if (!function)
		return true;
	for (uintptr_t at = place->address; code_branch_back(at, end, place->address, &branch);
	     at = branch.at + 1) {
		/* Not in the loop: a branch of a later function, and a tail call of another function. */
		const bool is_other = function_at(branch.at) != function,
			   is_call = branch.target != function && function_at(branch.target) == branch.target;

		if (branch.target > function || (!is_other && !is_call))
			return true;
	}
	return limit < place->end && function_at(limit) == function;
}

static bool find_loop(const struct interrupted_stack *stack)
{
	const struct code_place c_library = place_at((uintptr_t)exit);

	for (uint32_t i = 0; i < stack->count; i++) {
		const struct code_place place = place_at(stack->addresses[i]);

		if (!place.end || (place.module != c_library.module && may_be_in_loop(&place)))
			return true;
	}
	return false;
}

bool stack_has_loop(const struct interrupted_stack *stack)
{
	static struct {
		uint64_t hash;
		bool has_loop;
	} known[KNOWN];
	const uint64_t hash = hash_bytes(stack->addresses, stack->count * sizeof *stack->addresses) | 1;

	if (!stack->is_whole || !stack->count)
		return true;
	if (known[hash / 2 % KNOWN].hash != hash) {
		known[hash / 2 % KNOWN].hash = hash;
		known[hash / 2 % KNOWN].has_loop = find_loop(stack);
	}
	return known[hash / 2 % KNOWN].has_loop;
}
