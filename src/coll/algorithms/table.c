#include "coll/algorithms/table.h"

#include <string.h>

const struct coll_algorithm coll_algorithms[] = {
#define COLL_ALGORITHM_ROW(id, operation, name, run, applies, summary) {COLL_##id, #name, applies, run},
#include "coll/choice/algorithms.def"
#undef COLL_ALGORITHM_ROW
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
