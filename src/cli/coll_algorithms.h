/* The algorithms of collective operations as the command line names them: in the help, as a list, and where the user asks for one. */
#ifndef TARRY_CLI_COLL_ALGORITHMS_H
#define TARRY_CLI_COLL_ALGORITHMS_H

#include "base/status.h"
#include "base/text.h"

/* The names of each operation's algorithms, as a section of --help. */
void coll_algorithms_help(struct text *out);
/* Each algorithm, and how it works. */
void coll_algorithms_list(struct text *out);

/* Whether all operations and algorithms of a list such as "allgather=ring,bcast=mpi" exist; NULL: there is no list. */
enum status coll_algorithms_check(const char *list) MUST_CHECK;

#endif
