/* Calls that a compiler turned into jumps: `return MPI_Barrier(comm);` as the last thing that a function does. The return address
 * is then that of the function's own caller. Debug information says which function that caller called, and which jumps out of
 * functions there are: when only one of them can have led to the MPI function, it is the call that was meant. */
#ifndef TARRY_ANALYSIS_SYMBOLS_TAIL_CALLS_H
#define TARRY_ANALYSIS_SYMBOLS_TAIL_CALLS_H

#include "analysis/symbols/debug_info.h"

struct tail_call {
	const char *through; /* the function that the caller called */
	Dwarf_Addr address;  /* inside the jump; 0: not known, there are several or none that can be seen */
};

/* False: the call before this return address is `callee`'s itself, or nothing is known of it. */
bool tail_call_find(struct object_file *file, Dwarf_Addr return_address, const char *callee,
                    struct tail_call *found);

#endif
