/* MPI calls of a UPC runtime inside the program: Berkeley UPC over MPI (-network=mpi) polls and sends with AMMPI, a library of GASNet that is
 * linked into the program. Users cannot fix problems there, so selection.c leaves such calls out.
 *
 * The calling function identifies them: in the program's symbol table it has a name of GASNet or AMMPI, or belongs to one of their files. In
 * a stripped program all calls are recorded. */
#ifndef TARRY_JOB_RECORD_RUNTIME_CALLS_H
#define TARRY_JOB_RECORD_RUNTIME_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Looks for such functions, but only in programs that `tarry upcc` linked. False: none. */
bool runtime_calls_find(void);

/* `site` is that of a key: a return address, or the word of a place. */
bool is_runtime_call(int64_t site);

#endif
