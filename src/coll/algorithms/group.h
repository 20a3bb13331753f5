/* Steps of collectives within a group: some processes of a communicator, each with a part. Examples: the processes of a node with
 * their blocks, or one process of each node with all blocks of that node.
 *
 *	struct coll_blocks blocks = coll_blocks_of(c, call);
 *	struct coll_group node = group_of_node(c, &blocks);
 *
 *	COLL_TRY(group_bruck(&node, parts));
 *
* Buffers hold the parts as consecutive bytes, starting with the first member's. "Rotated" means: starting with the caller's part, and
 * the first member's part follows the last. All parts of a group together have at most INT_MAX bytes. */
#ifndef TARRY_COLL_ALGORITHMS_GROUP_H
#define TARRY_COLL_ALGORITHMS_GROUP_H

#include "coll/algorithms/collective.h"
#include "coll/algorithms/frame.h"

/* Bytes that each process contributes. */
struct coll_blocks {
	size_t bytes;      /* of each process if `counts` is NULL */
	const int *counts; /* NULL: all equal */
	size_t element_bytes;
};

/* The blocks of an allgather, allgatherv, gather or scatter. */
struct coll_blocks coll_blocks_of(const struct coll_comm *c, const struct coll_call *call);
/* The bytes of all processes of a node. */
size_t coll_node_bytes(const struct coll_comm *c, const struct coll_blocks *blocks, int node);
size_t coll_total_bytes(const struct coll_comm *c, const struct coll_blocks *blocks);

struct coll_group {
	const struct coll_comm *c;
	const struct coll_blocks *blocks;
	int count;
	int me; /* the caller's number in the group */
	int (*rank)(const struct coll_group *, int member);
	size_t (*bytes)(const struct coll_group *, int member);
	int root;            /* of a rooted operation; -1: none */
	const void *context; /* for `rank` and `bytes` */
};

/* The processes of the caller's node. */
struct coll_group group_of_node(const struct coll_comm *c, const struct coll_blocks *blocks);
/* The heads of nodes: the root, and the lowest process of each other node (root -1: there is none). The caller need not be a head. */
struct coll_group group_of_heads(const struct coll_comm *c, const struct coll_blocks *blocks, int root);
/* The index of the head of the caller's node. */
int coll_head_index(const struct coll_comm *c, int root);

/* The bytes of `count` parts, cyclically, beginning with a member's. */
size_t group_bytes_from(const struct coll_group *g, int member, int count);

/* Allgather in ceil(log2 count) steps. The result is rotated. */
int group_bruck(const struct coll_group *g, char *parts);
/* Rotates parts that start with member `first` into order. */
void group_rotate(const struct coll_group *g, int first, const char *rotated, char *parts);

/* Gather and scatter by binomial trees. `parts` starts with the caller's part; the root gets or has all parts, rotated. Other members
 * need room for their subtree, at most as much as the root. */
int group_gather(const struct coll_group *g, int root, char *parts);
int group_scatter(const struct coll_group *g, int root, char *parts);
/* Broadcasts `bytes` of member `root`. */
int group_bcast(const struct coll_group *g, int root, char *data, size_t bytes);

/* The same without trees: one message between the root and each member. */
int group_gather_flat(const struct coll_group *g, int root, char *parts);
int group_scatter_flat(const struct coll_group *g, int root, char *parts);
int group_bcast_flat(const struct coll_group *g, int root, char *data, size_t bytes);

/* Stores the blocks of all processes, ordered by node, beginning with the caller's, and then by rank, in the program's receive buffer. */
int target_store_nodes(const struct coll_comm *c, const struct coll_target *t,
                       const struct coll_blocks *blocks, const char *held);

#endif
