/* A distinct call as bytes, for the reader of another process that has not read the events of the call's rank.
 *
 *	call_pack(process, call, &out);
 *	const struct call *call = call_unpack(process, &in);      there: the same id, function, fields, site and path
 *
 * Calls of a process may come in any order, and calls that are not needed need not come: its table has NULL in their places. */
#ifndef TARRY_TRACE_CALL_COPY_H
#define TARRY_TRACE_CALL_COPY_H

#include "base/packing.h"
#include "trace/reader.h"

void call_pack(const struct process *process, const struct call *call, struct text *out);
/* NULL: the bytes are damaged. */
const struct call *call_unpack(struct process *process, struct cursor *in);

#endif
