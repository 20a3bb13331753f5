/* Algorithms forced by the user: "allgather=ring,bcast=mpi". "mpi" is the MPI library's own. */
#ifndef TARRY_COLL_CHOICE_OVERRIDE_H
#define TARRY_COLL_CHOICE_OVERRIDE_H

#include <stdbool.h>
#include <stddef.h>

#define OVERRIDE_MPI "mpi"
enum { OVERRIDE_NAME_MAX = 40 };

struct coll_override {
	char operation[OVERRIDE_NAME_MAX], algorithm[OVERRIDE_NAME_MAX];
};

/* Parses one entry and advances *text. False: *text is at the end, or at a syntax error. */
bool coll_override_next(const char **text, struct coll_override *override);

/* Whether every entry has the form OPERATION=ALGORITHM; names are not checked. */
bool coll_overrides_are_valid(const char *text);

#endif
