/* Buffers of complete operations, in programs with threads: an access by another thread must be ordered after
 * the completion (wire/thread_order.h). Only the most recent buffers are kept.
 *
 *	retired_buffer_add(call, buffer);            `call` has completed the operation
 *	retired_buffers_accessed(…);                 the program accesses memory
 *	retired_buffers_report();                    before the next call of MPI */
#ifndef TARRY_JOB_CHECK_BUFFERS_RETIRED_BUFFERS_H
#define TARRY_JOB_CHECK_BUFFERS_RETIRED_BUFFERS_H

#include "job/check/buffers/active_buffers.h"

void retired_buffer_add(const struct agent_call *call, const struct active_buffer *buffer);
void retired_buffers_accessed(uintptr_t address, size_t bytes, bool is_write, const void *site);
/* The program frees this memory. */
void retired_buffers_forget(uintptr_t first, uintptr_t end);
void retired_buffers_report(void);

#endif
