/* The MPI functions that must be recorded for a set of rules, for `tarry run --minimal`
 * and limits (--fail-on).
 *
 *	bool needed[SELECTABLE] = {false};
 *	rulebook_functions(book, needed);
 *	if (needed[CALL_Barrier]) … */
#ifndef TARRY_ANALYSIS_RULES_FUNCTIONS_H
#define TARRY_ANALYSIS_RULES_FUNCTIONS_H

#include "analysis/rules/rulebook.h"
#include "calls/select.h"

/* Adds all functions that problems and metrics of the book need; functions outside MPI are ignored. */
void rulebook_functions(const struct rulebook *book, bool needed[SELECTABLE]);
/* Adds the functions whose calls may contain a finding of this problem. If they were recorded, no finding is
 * missing; it may be too large if competing functions were not recorded. */
void problem_functions(const struct rulebook *book, const struct problem *problem, bool holding[SELECTABLE]);

#endif
