/* Names of the algorithms for code without MPI: the command line, its help, and the documentation.
 *
 *	for (int i = 0; i < coll_catalogue_count; i++)
 *		print(coll_catalogue[i].operation, coll_catalogue[i].name, coll_catalogue[i].summary);
 *
 * Rows equal those of coll_algorithms (coll/algorithms): both are generated from algorithms.def. */
#ifndef TARRY_COLL_CHOICE_CATALOGUE_H
#define TARRY_COLL_CHOICE_CATALOGUE_H

#include "coll/choice/override.h"

struct coll_catalogue_row {
	const char *operation, *name, *summary;
};

extern const struct coll_catalogue_row coll_catalogue[];
extern const int coll_catalogue_count;

/* The unknown part of an override. */
enum override_fault { OVERRIDE_VALID, OVERRIDE_OPERATION, OVERRIDE_ALGORITHM };
enum override_fault coll_catalogue_check(const struct coll_override *override);

#endif
