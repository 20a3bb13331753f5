#include "coll/choice/catalogue.h"

#include <string.h>

const struct coll_catalogue_row coll_catalogue[] = {
#define COLL_ALGORITHM_ROW(id, operation, name, run, applies, summary) {#operation, #name, summary},
#include "coll/choice/algorithms.def"
#undef COLL_ALGORITHM_ROW
};

const int coll_catalogue_count = sizeof coll_catalogue / sizeof *coll_catalogue;

enum override_fault coll_catalogue_check(const struct coll_override *override)
{
	enum override_fault fault = OVERRIDE_OPERATION;

	for (int i = 0; i < coll_catalogue_count; i++) {
		if (strcmp(coll_catalogue[i].operation, override->operation) != 0)
			continue;
		if (strcmp(override->algorithm, OVERRIDE_MPI) == 0 ||
		    strcmp(coll_catalogue[i].name, override->algorithm) == 0)
			return OVERRIDE_VALID;
		fault = OVERRIDE_ALGORITHM;
	}
	return fault;
}
