#include "coll/algorithms/table.h"

#include <string.h>

#define ROW(operation, name, function) \
	{ \
		operation, name, function##_applies, function \
	}

const struct coll_algorithm coll_algorithms[] = {
	ROW(COLL_ALLGATHER, "ring", allgather_ring),
};

const int coll_algorithm_count = sizeof coll_algorithms / sizeof *coll_algorithms;

const struct coll_algorithm *coll_algorithm_find(enum coll_operation operation, const char *name)
{
	for (int i = 0; i < coll_algorithm_count; i++) {
		const struct coll_algorithm *a = &coll_algorithms[i];
		if (a->operation == operation && !strcmp(a->name, name))
			return a;
	}
	return NULL;
}
