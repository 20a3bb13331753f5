/* What the processes of a trace are: ranks of MPI, threads of UPC, or both at once. */
#ifndef TARRY_ANALYSIS_MODEL_PARADIGM_H
#define TARRY_ANALYSIS_MODEL_PARADIGM_H

#include "trace/reader.h"

enum paradigm { PARADIGM_MPI, PARADIGM_UPC, PARADIGM_BOTH, PARADIGMS_END };

/* By the communicators that they know: that of UPC, or others. */
enum paradigm paradigm_of(const struct reader *reader);
/* Its communicators are UPC's. */
bool is_upc_thread(const struct process *process);
/* A thread of UPC begins: no call of the program. */
bool marks_start(const struct call *call);

#endif
