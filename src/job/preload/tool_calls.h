/* Calls of a process that has a tool of somebody else between the program and MPI. Such a tool takes the return address of a call for the place of
 * the call, so it has to be called by the program and not by us:
 *
 *	program ─► entry point ─► tool's MPI_Send ─► (gate) ─► our wrapper ─► MPI
 *
 * The entry point remembers the site, and jumps to the tool. The tool's own references to PMPI_Send lead to a gate, which jumps to our wrapper
 * while the tool serves the program's MPI_Send, and otherwise to MPI: what a tool does for itself is not the program's. Our wrapper asks for
 * the site (tool_calls_site). Functions that begin and end MPI, and those in which the tool does not call PMPI's function of the same name, go
 * to our wrapper first, which calls the tool. */
#ifndef TARRY_JOB_PRELOAD_TOOL_CALLS_H
#define TARRY_JOB_PRELOAD_TOOL_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* In the number of a slot: the call came through a gate. */
enum { GATE = 1 << 16 };

/* Finds the functions of tools loaded after us, and whether they call PMPI. False: no tool comes first. */
bool tool_calls_find(void);
/* Does the tool come before our wrapper of this function? */
bool tool_comes_first(uint32_t slot);
/* Who serves the calls of a slot for us, and MPI's own function. To be called for all slots; then tool_calls_begin. */
void tool_calls_serve(uint32_t slot, void *server, void *mpi);
void tool_calls_begin(void);

/* NULL: there is no tool, or it has not begun. */
void *tool_calls_next(uint32_t slot, const void *site);
/* Where the program called, if a wrapper of ours was called from this return address. */
const void *tool_calls_site(const void *return_address);

#endif
