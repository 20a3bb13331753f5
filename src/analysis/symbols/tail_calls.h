/* Calls that a compiler turned into jumps: `return MPI_Barrier(comm);` at the end of a function. The
 * return address is then that of the function's own caller. Debug information says which function that
 * caller called, and which jumps leave functions: if only one of them can have led to the MPI
 * function, it is the call. */
#ifndef TARRY_ANALYSIS_SYMBOLS_TAIL_CALLS_H
#define TARRY_ANALYSIS_SYMBOLS_TAIL_CALLS_H

#include "analysis/symbols/debug_info.h"

struct tail_call {
	const char *through; /* the function that the caller called */
	Dwarf_Addr address;  /* inside the jump; 0: unknown, several, or none visible */
};

/* False: the call before this return address is that of `callee` itself, or nothing is known. */
bool tail_call_find(struct object_file *file, Dwarf_Addr return_address, const char *callee,
                    struct tail_call *found);

#endif
