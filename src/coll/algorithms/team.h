/* Reductions inside a team: the processes of a node, or a lane, which has one process of each node. Algorithms for all processes
 * combine them: first in nodes, then in lanes, then in nodes again.
 *
* A vector holds a process's operands, with room for one message. A range of it is given by `first` and `count`, in elements. The
 * operation is commutative. If all members get the result, it is bitwise equal on all of them: each combination is computed by one
 * process, or by two with the operands in the same order.
 *
 *	struct coll_team node = coll_team_of_node(c), lane = coll_team_of_lane(c);
 *	struct coll_range all = {0, count};
 *
 *	COLL_TRY(coll_team_reduce(c, &node, &v, all, 0));
 *	if (c->my_index == 0)
 *		COLL_TRY(coll_team_doubling(c, &lane, &v, all));
 *	COLL_TRY(coll_team_bcast(c, &node, &v, all, 0)); */
#ifndef TARRY_COLL_ALGORITHMS_TEAM_H
#define TARRY_COLL_ALGORITHMS_TEAM_H

#include "coll/algorithms/frame.h"

struct coll_team {
	const struct layout *layout;
	const int *ranks; /* of its members; NULL: a node or lane of the layout */
	bool is_lane;
	int number; /* of the node or lane */
	int size, me;
};

struct coll_vector {
	MPI_Datatype type;
	MPI_Op op;
	MPI_Aint extent;
	char *mine;  /* the operand, and later the result */
	char *other; /* room for another one */
};

struct coll_range {
	int first, count;
};

struct coll_team coll_team_of_node(const struct coll_comm *c);
/* The lane of this process's index. Lanes from coll_lanes() on are incomplete, and not used. */
struct coll_team coll_team_of_lane(const struct coll_comm *c);
/* The size of the smallest node. */
int coll_lanes(const struct coll_comm *c);
/* The rank of a member in c->comm. */
int coll_team_rank(const struct coll_team *team, int member);

/* Range `part` of `parts` nearly equal ranges. */
struct coll_range coll_part(struct coll_range of, int part, int parts);

/* Scratch memory for `vectors` vectors of `count` elements of v->type. Stores their beginnings in `starts`. */
int coll_vectors(struct coll_comm *c, struct coll_vector *v, int count, int vectors, char **starts);
bool coll_op_commutes(MPI_Op op);

/* Copies between vectors. */
int coll_copy_range(const struct coll_comm *c, const struct coll_vector *v, const char *from, char *to,
                    struct coll_range range);
/* Sends a member's operand to another process of c->comm, which combines it. */
int coll_send_range(const struct coll_comm *c, const struct coll_vector *v, struct coll_range range, int to);
int coll_receive_range(const struct coll_comm *c, const struct coll_vector *v, struct coll_range range,
                       int from);

/* Reductions to all members, and operations with a root or with a number of parts. */
typedef int coll_team_operation(const struct coll_comm *c, const struct coll_team *team,
                                const struct coll_vector *v, struct coll_range range);
typedef int coll_team_rooted(const struct coll_comm *c, const struct coll_team *team,
                             const struct coll_vector *v, struct coll_range range, int root_or_parts);

/* Reduces to member `root` by a binomial tree; overwrites the other operands. */
coll_team_rooted coll_team_reduce, coll_team_bcast;

/* Reduces to all members: by recursive doubling, by halving and doubling (Rabenseifner), or around a ring. */
coll_team_operation coll_team_doubling, coll_team_halving, coll_team_ring;

/* To all members, or to `root`, in two steps of direct messages; `other` needs room for team->size more elements. */
coll_team_operation coll_team_direct;
coll_team_rooted coll_team_direct_to;

/* Reduces to member `root` by halving and a gathering tree; overwrites the other operands. */
coll_team_rooted coll_team_halving_to;

/* Each of the first `parts` members gets the result of its part and sends it to all, directly. */
coll_team_rooted coll_team_share_out, coll_team_collect;
/* Only member `root` gets the parts. */
int coll_team_gather(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                     struct coll_range range, int parts, int root);

#endif
