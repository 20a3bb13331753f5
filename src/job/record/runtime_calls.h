/* MPI calls that are not the program's but those of its UPC runtime: Berkeley UPC over MPI (-network=mpi) polls and sends by AMMPI, a library of
 * GASNet that is linked into the program. Nobody can mend what is found there, so such calls are left out; selection.c asks.
 *
 * They are recognised by the function that calls: it has a name of GASNet or AMMPI in the program's table of symbols, or comes from one of their
 * files. Of a stripped program nothing is known, and all calls are recorded. */
#ifndef TARRY_JOB_RECORD_RUNTIME_CALLS_H
#define TARRY_JOB_RECORD_RUNTIME_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Looks for such functions, but only in programs that `tarry upcc` linked: others pay nothing. Are there any? */
bool runtime_calls_find(void);

/* `site`: of a key; a return address, or the word of a place. */
bool is_runtime_call(int64_t site);

#endif
