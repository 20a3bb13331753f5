/* Lines of calls in Fortran. gfortran assigns the last line to a call that spans several. A call of a
 * procedure with an interface, such as all MPI procedures from a module, often gets no line at all: it seems
 * to be at the start of the enclosing loop or program unit. The source shows which statements call the
 * procedure, the machine code their order.
 *
 *	struct fortran_text *text = fortran_text_load(&arena, "/home/u/halo.f90");
 *	bool is_exact = fortran_find_line(module, &unit, return_address, "MPI_Barrier", text, &line);
 *
 * Lines count from 1. Fixed and free form are supported; the file's name decides. */
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

/* Corrects the line of the call of `callee` before a return address. False: unknown, and `line` may be that
 * of an enclosing construct. */
bool fortran_find_line(Dwfl_Module *module, struct compile_unit *unit, Dwarf_Addr return_address,
                       const char *callee, const struct fortran_text *text, int *line);

#endif
