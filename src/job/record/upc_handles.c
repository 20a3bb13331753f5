#include "job/record/upc_handles.h"

#include "job/record/stream.h"

enum { WORD_BITS = 64 };

static int64_t take_lowest(struct upc_handles *handles)
{
	for (uint32_t word = 0; word < UPC_HANDLE_WORDS; word++) {
		uint64_t free = ~handles->taken[word];
		if (free) {
			handles->taken[word] |= free & -free;
			return word * WORD_BITS + __builtin_ctzll(free);
		}
	}
	return ABSENT;
}

static void give_back(struct upc_handles *handles, int64_t number)
{
	handles->taken[number / WORD_BITS] &= ~(1ull << number % WORD_BITS);
}

static bool is_trivial(uint64_t handle)
{
	return handle == UPC_HANDLE_NONE || handle == UPC_HANDLE_IMPLICIT;
}

/* The map keeps pointers, and NULL is nothing. */
int64_t upc_handle_add(struct upc_handles *handles, uint64_t handle)
{
	int64_t number;

	if (is_trivial(handle))
		return ABSENT;
	upc_handle_remove(handles, handle); /* whose end nobody saw */
	number = take_lowest(handles);
	if (number != ABSENT &&
	    !handles_set(&handles->numbers, handle, (void *)(uintptr_t)(number + 1))) { /* NOLINT */
		give_back(handles, number);
		return ABSENT;
	}
	return number;
}

int64_t upc_handle_remove(struct upc_handles *handles, uint64_t handle)
{
	uintptr_t found;

	if (is_trivial(handle))
		return ABSENT;
	found = (uintptr_t)handles_remove(&handles->numbers, handle);
	if (!found)
		return ABSENT;
	give_back(handles, (int64_t)found - 1);
	return (int64_t)found - 1;
}
