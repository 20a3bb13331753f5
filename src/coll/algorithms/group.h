/*
 * Steps of collectives within a group: some processes of a communicator, each with a part of its own size, such as the processes of a node
 * with their blocks, or one process of each node with all blocks of that node.
 *
 *	struct coll_blocks blocks = coll_blocks_of(c, call);
 *	struct coll_group node = group_of_node(c, &blocks);
 *
 *	COLL_TRY(group_bruck(&node, parts));
 *
 * Buffers hold the parts as bytes, one after the other: from the first member's on, or, where a function says "rotated", from the part of
 * the calling member on, then the next member's, and the first member's after the last's. All parts of a group together are at most INT_MAX bytes.
 */
#ifndef TARRY_COLL_ALGORITHMS_GROUP_H
#define TARRY_COLL_ALGORITHMS_GROUP_H

#include "coll/algorithms/collective.h"
#include "coll/algorithms/frame.h"

/* How many bytes each process contributes. */
struct coll_blocks {
	size_t bytes;      /* of everyone, unless there are counts */
	const int *counts; /* NULL: all contribute alike */
	size_t element_bytes;
};

/* Of an allgather, allgatherv, gather or scatter. */
struct coll_blocks coll_blocks_of(const struct coll_comm *c, const struct coll_call *call);
size_t coll_block_bytes(const struct coll_blocks *blocks, int rank);
/* Of all processes of a node. */
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
	const void *context; /* of `rank` and `bytes` */
};

/* The processes of the caller's node. */
struct coll_group group_of_node(const struct coll_comm *c, const struct coll_blocks *blocks);
/* The head of each node: the lowest process, on the root's node the root (root -1: none). The caller may be another process of its node. */
struct coll_group group_of_heads(const struct coll_comm *c, const struct coll_blocks *blocks, int root);
/* The number of the head among the processes of the caller's node. */
int coll_head_index(const struct coll_comm *c, int root);

/* Of `count` parts from a member on, around the end. */
size_t group_bytes_from(const struct coll_group *g, int member, int count);

/* Everyone gets all parts, in ceil(log2 count) steps. Rotated. */
int group_bruck(const struct coll_group *g, char *parts);
/* The same in count - 1 steps, each of which sends one part. Not rotated. */
int group_ring(const struct coll_group *g, char *parts);
/* Parts from member `first` on into their order. */
void group_rotate(const struct coll_group *g, int first, const char *rotated, char *parts);

/*
 * By binomial trees. `parts` begins with the part of the caller; the root gets (gather) or has (scatter) all of them, rotated. Others need
 * room for those of their part of the tree: at most as much as the root.
 */
int group_gather(const struct coll_group *g, int root, char *parts);
int group_scatter(const struct coll_group *g, int root, char *parts);
/* `bytes` of member `root` to all. */
int group_bcast(const struct coll_group *g, int root, char *data, size_t bytes);

/* The same without trees: the root has a message from or to each of them. */
int group_gather_flat(const struct coll_group *g, int root, char *parts);
int group_scatter_flat(const struct coll_group *g, int root, char *parts);
int group_bcast_flat(const struct coll_group *g, int root, char *data, size_t bytes);

/* The blocks of all processes, by node from the caller's on and there by rank, to the program's receive buffer. */
int target_store_nodes(const struct coll_comm *c, const struct coll_target *t,
                       const struct coll_blocks *blocks, const char *held);

#endif
