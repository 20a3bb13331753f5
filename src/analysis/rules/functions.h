/* The functions of MPI that have to be recorded for rules to work, for `tarry run --minimal` and limits (--fail-on).
 *
 *	bool needed[SELECTABLE] = {false};
 *	rulebook_functions(book, needed);
 *	if (needed[CALL_Barrier]) … */
#ifndef TARRY_ANALYSIS_RULES_FUNCTIONS_H
#define TARRY_ANALYSIS_RULES_FUNCTIONS_H

#include "analysis/rules/rulebook.h"
#include "calls/select.h"

/* Adds all that problems and metrics of the book need; functions that are not MPI's have no place in it. */
void rulebook_functions(const struct rulebook *book, bool needed[SELECTABLE]);
/* Adds the functions whose calls may hold a finding of this problem. Where they were recorded, no finding is missing; it may be too large
 * where others were not that it competes with. */
void problem_functions(const struct rulebook *book, const struct problem *problem, bool holding[SELECTABLE]);

#endif
