/* Calls of a process with another tool between the program and MPI. Such a tool uses the return address as the call
 * site, so the program must call it directly, not through us:
 *
 *	program ─► entry point ─► tool's MPI_Send ─► (gate) ─► our wrapper ─► MPI
 *
 * The entry point stores the site and jumps to the tool. The tool's references to PMPI_Send are redirected to a gate.
 * The gate jumps to our wrapper while the tool serves the program's MPI_Send, otherwise to MPI: the tool's own calls
 * are not the program's. Our wrapper asks for the site (tool_calls_site). Functions that start and end MPI, and those
 * in which the tool does not call the PMPI function of the same name, go to our wrapper first, which calls the tool. */
#ifndef TARRY_JOB_PRELOAD_TOOL_CALLS_H
#define TARRY_JOB_PRELOAD_TOOL_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* Flag in a slot number: the call came through a gate. */
enum { GATE = 1 << 16 };

/* Finds the functions of tools loaded after us, and whether they call PMPI. False: no tool precedes us. */
bool tool_calls_find(void);
/* Whether the tool precedes our wrapper of this function. */
bool tool_comes_first(uint32_t slot);
/* Sets our server of a slot and MPI's own function. Call it for all slots, then tool_calls_begin. */
void tool_calls_serve(uint32_t slot, void *server, void *mpi);
void tool_calls_begin(void);

/* NULL: no tool, or not begun. */
void *tool_calls_next(uint32_t slot, const void *site);
/* The program's call site, if one of our wrappers was called from this return address. */
const void *tool_calls_site(const void *return_address);

#endif
