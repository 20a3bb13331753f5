#include "calls/calls.h"

#include <stddef.h>
#include <string.h>

const struct call_info *call_find(const char *name)
{
	size_t low = 0, high = ALL_CALLS;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct call_info *call = &all_calls[calls_by_name[middle]];
		int order = strcmp(name, call->name);
		if (order == 0)
			return call;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

bool call_is_pgas(const struct call_info *call)
{
	return call->pgas != PGAS_NONE;
}

bool call_is_shmem(const struct call_info *call)
{
	return call->pgas != PGAS_NONE && call - all_calls >= UPC_CALLS_END;
}

bool call_is_openmp(const struct call_info *call)
{
	return call - all_calls >= PGAS_CALLS_END;
}

bool call_is_local(const struct call_info *call)
{
	static const bool outward[CALL_CLASSES] = {
		[CLASS_POINT_TO_POINT] = true, [CLASS_PERSISTENT] = true, [CLASS_PARTITIONED] = true,
		[CLASS_PROBE] = true,          [CLASS_REQUEST] = true,    [CLASS_COLLECTIVE] = true,
		[CLASS_NEIGHBOURHOOD] = true,  [CLASS_ONE_SIDED] = true,  [CLASS_EPOCH] = true,
		[CLASS_FILE_DATA] = true,
	};

	return !call->collective && !outward[call->class] &&
	       (call->pgas == PGAS_NONE || call->pgas == PGAS_MEMORY);
}
