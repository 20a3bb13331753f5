/* Other choices of receives with MPI_ANY_SOURCE (deadlock.potential-wildcard). A listener of the execution. */
#ifndef TARRY_CHECK_EXECUTION_WILDCARD_CHOICES_H
#define TARRY_CHECK_EXECUTION_WILDCARD_CHOICES_H

#include "check/execution/ordering.h"

struct wildcard_choices;

/* They are those of the order: handed over with it. */
struct wildcard_choices *wildcard_choices_new(struct execution *execution, struct findings_log *log,
                                              struct ordering *ordering);
/* Frees the choices, with findings if `is_evaluated`. */
void wildcard_choices_end(struct wildcard_choices *choices, bool is_evaluated);
/* After execution_free. NULL: nothing happens. */
void wildcard_choices_free(struct wildcard_choices *choices);

#endif
