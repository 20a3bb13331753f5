/* Lines of calls in Fortran. gfortran gives a call that takes several lines the last of them; and one whose
 * procedure has an interface, as all of MPI have that come from a module, often no line at all, so that it seems to
 * stand where the loop or the program unit around it begins. The source itself tells which statements call
 * the procedure; the machine's code, in which order they come. */
#ifndef TARRY_ANALYSIS_MODEL_FORTRAN_LINES_H
#define TARRY_ANALYSIS_MODEL_FORTRAN_LINES_H

#include "analysis/model/fortran_text.h"
#include "analysis/model/units.h"

bool unit_is_fortran(struct unit *unit);

/* Puts right the line of the call of `callee` before a return address. False: it cannot be told, and `line` may be
 * that of something around it. */
bool fortran_line_mend(Dwfl_Module *module, struct unit *unit, Dwarf_Addr return_address, const char *callee,
                       const struct fortran_text *text, int *line);

#endif
