/* Helpers for algorithms: scratch memory that all members agree on, datatypes as bytes, and copies.
 *
* A datatype is plain if an array of it equals its packed form; then its bytes are sent directly. Otherwise data is packed into
 * scratch memory (coll_pack), or sent with the program's datatype. Processes may differ in this, because the message has the
 * same bytes in all cases. */
#ifndef TARRY_COLL_ALGORITHMS_FRAME_H
#define TARRY_COLL_ALGORITHMS_FRAME_H

#include "coll/algorithms/collective.h"

/* Evaluates an expression and returns its value unless it is MPI_SUCCESS. */
#define COLL_TRY(expression) \
	do { \
		int coll_code_ = (expression); \
		if (coll_code_ != MPI_SUCCESS) \
			return coll_code_; \
	} while (0)

/* Tags on the private communicator. Calls are ordered, so one tag per purpose is enough. */
enum { COLL_TAG = 1, COLL_TAG_UP, COLL_TAG_DOWN, COLL_TAG_READY };

/* Whether all members agree: MPI_SUCCESS or COLL_DECLINED, the same on all of them. */
int coll_agree(const struct coll_comm *c, bool mine);

/* At least `bytes` of scratch memory in c->scratch. All members ask for the same size at the same time. If it must grow, they
 * agree on the result. COLL_DECLINED: a member is out of memory. */
int coll_scratch(struct coll_comm *c, size_t bytes);

/* The same for `count` requests in c->requests, at most COLL_REQUESTS_MAX. They are separate because
 * processes of a simulation share data. */
int coll_requests(struct coll_comm *c, size_t count);
#define COLL_REQUESTS_MAX ((size_t)1 << 16)

/* Packed size of `count` elements. */
size_t coll_packed_bytes(int count, MPI_Datatype type);
bool coll_is_plain(MPI_Datatype type);

/* Packs `count` elements at `buffer` to bytes, and back. */
int coll_pack(const struct coll_comm *c, const void *buffer, int count, MPI_Datatype type, void *bytes);
int coll_unpack(const struct coll_comm *c, const void *bytes, void *buffer, int count, MPI_Datatype type);

/* Copies between arrays of two types with the same signature. Source and destination may be equal. */
int coll_copy(const struct coll_comm *c, const void *from, int count, MPI_Datatype type, void *to,
              int to_count, MPI_Datatype to_type);

/* Positions of the blocks of an allgather, allgatherv or gather in the program's receive buffer. */
struct coll_target {
	const struct coll_call *call;
	MPI_Aint extent;
	bool plain;
};

struct coll_target coll_target_of(const struct coll_call *call);
void *target_address(const struct coll_target *t, int rank);
int target_count(const struct coll_target *t, int rank);
/* Stores the packed block of a process. */
int target_store(const struct coll_comm *c, const struct coll_target *t, int rank, const void *bytes,
                 size_t length);
/* The caller's contribution (from the send buffer or, with MPI_IN_PLACE, the receive buffer) as packed
 * bytes, or copied to its position. */
int target_pack_own(const struct coll_comm *c, const struct coll_target *t, void *bytes);
int target_copy_own(const struct coll_comm *c, const struct coll_target *t);

/* The distance in bytes between blocks of `count` elements. */
MPI_Aint coll_stride(int count, MPI_Datatype type);

/* Lengths fit into a count for MPI, because scratch memory never exceeds INT_MAX bytes. */
int coll_send(const struct coll_comm *c, const void *bytes, size_t length, int to, int tag);
int coll_receive(const struct coll_comm *c, void *bytes, size_t length, int from, int tag);
int coll_exchange(const struct coll_comm *c, const void *sent, size_t sent_length, int to, void *received,
                  size_t received_length, int from);

/* Frees the groups of levels.c. */
void coll_heads_release(struct coll_comm *c);

/* The lowest rank of a node. */
int coll_leader(const struct coll_comm *c, int node);

#endif
