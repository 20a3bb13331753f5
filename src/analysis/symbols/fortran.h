/* Lines of calls in Fortran. gfortran gives a call that takes several lines the last of them. A call whose procedure has an
 * interface, as all of MPI have that come from a module, often gets no line at all: it seems to be where the loop or the program
 * unit around it begins. The source itself tells which statements call the procedure, the machine code in which order they come.
 *
 *	struct fortran_text *text = fortran_text_load(&arena, "/home/u/halo.f90");
 *	bool is_exact = fortran_find_line(module, &unit, return_address, "MPI_Barrier", text, &line);
 *
 * Lines count from 1. Fixed and free form are understood: the file's name says which it is. */
#ifndef TARRY_ANALYSIS_SYMBOLS_FORTRAN_H
#define TARRY_ANALYSIS_SYMBOLS_FORTRAN_H

#include "analysis/symbols/debug_info.h"

struct fortran_text {
	bool is_fixed;
	const char **items; /* lines */
	unsigned count, room;
	uint64_t changed_ns; /* since 1970 */
};

/* NULL: it cannot be read. */
struct fortran_text *fortran_text_load(struct arena *arena, const char *path);

bool unit_is_fortran(struct compile_unit *unit);

/* Corrects the line of the call of `callee` before a return address. False: it is not known, and `line` may be that of
 * something around the call. */
bool fortran_find_line(Dwfl_Module *module, struct compile_unit *unit, Dwarf_Addr return_address,
                       const char *callee, const struct fortran_text *text, int *line);

#endif
