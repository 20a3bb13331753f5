/* Algorithms that the user wants: "allgather=ring,bcast=mpi". "mpi" stands for the MPI library's own. */
#ifndef TARRY_COLL_CHOICE_WISH_H
#define TARRY_COLL_CHOICE_WISH_H

#include <stdbool.h>
#include <stddef.h>

#define WISH_MPI "mpi"
enum { WISH_NAME = 40 };

struct coll_wish {
	char operation[WISH_NAME], algorithm[WISH_NAME];
};

/* The next one of the text, and behind it. False: there is none; *text is then at the end, or at what makes no sense. */
bool coll_wish_next(const char **text, struct coll_wish *wish);

/* Is every part of the text an operation and an algorithm? Whether these exist is another question. */
bool coll_wish_is_sound(const char *text);

#endif
