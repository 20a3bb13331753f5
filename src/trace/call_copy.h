/* A distinct call as bytes, for the reader of another process that has not read the events of the call's rank.
 *
 *	struct call_packer packer = {0};                                      one for each block
 *	call_pack(&packer, process, call, &out);
 *	call_packer_release(&packer);
 *
 *	struct call_unpacker unpacker = {0};
 *	const struct call *call = call_unpack(&unpacker, process, &in);      there: the same id, function, fields, site and path
 *	call_unpacker_release(&unpacker);
 *
 * A block has each outline once: most calls of other ranks only differ in a few values. Without a packer, calls are complete by themselves. Calls
 * of a process may come in any order, and calls that are not needed need not come: its table has NULL in their places. */
#ifndef TARRY_TRACE_CALL_COPY_H
#define TARRY_TRACE_CALL_COPY_H

#include "base/array.h"
#include "base/map.h"
#include "base/packing.h"
#include "trace/reader.h"

/* Outlines that the block has so far. */
struct call_packer {
	struct map numbers;
	uint32_t count;
};

struct call_unpacker {
	ARRAY(struct known_outline {
		const struct outline *outline;
		uint32_t own; /* values of each call */
	})
	known;
};

/* `packer` may be NULL; then `unpacker` is NULL, too. */
void call_pack(struct call_packer *packer, const struct process *process, const struct call *call,
               struct text *out);
void call_packer_release(struct call_packer *packer);
/* NULL: the bytes are damaged. */
const struct call *call_unpack(struct call_unpacker *unpacker, struct process *process, struct cursor *in);
void call_unpacker_release(struct call_unpacker *unpacker);

#endif
