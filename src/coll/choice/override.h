/* Algorithms that the user wants: "allgather=ring,bcast=mpi". "mpi" stands for the MPI library's own. */
#ifndef TARRY_COLL_CHOICE_OVERRIDE_H
#define TARRY_COLL_CHOICE_OVERRIDE_H

#include <stdbool.h>
#include <stddef.h>

#define OVERRIDE_MPI "mpi"
enum { OVERRIDE_NAME_MAX = 40 };

struct coll_override {
	char operation[OVERRIDE_NAME_MAX], algorithm[OVERRIDE_NAME_MAX];
};

/* The next one of the text, and behind it. False: there is none; *text is then at the end, or at what makes no sense. */
bool coll_override_next(const char **text, struct coll_override *override);

/* Is every part of the text an operation and an algorithm? Whether these exist is another question. */
bool coll_overrides_are_valid(const char *text);

#endif
