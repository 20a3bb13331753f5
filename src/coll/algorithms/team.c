#include "coll/algorithms/team.h"

#include "coll/algorithms/window.h"

enum { LEVELS_MAX = 32 };

struct coll_team coll_team_of_node(const struct coll_comm *c)
{
	return (struct coll_team){.layout = &c->layout,
	                          .number = c->my_node,
	                          .me = c->my_index,
	                          .size = layout_node_size(&c->layout, c->my_node)};
}

struct coll_team coll_team_of_lane(const struct coll_comm *c)
{
	return (struct coll_team){.layout = &c->layout,
	                          .is_lane = true,
	                          .number = c->my_index,
	                          .me = c->my_node,
	                          .size = c->layout.nodes};
}

int coll_lanes(const struct coll_comm *c)
{
	int lanes = layout_node_size(&c->layout, 0);

	for (int node = 1; node < c->layout.nodes && !layout_is_regular(&c->layout); node++)
		if (layout_node_size(&c->layout, node) < lanes)
			lanes = layout_node_size(&c->layout, node);
	return lanes;
}

int coll_team_rank(const struct coll_team *team, int member)
{
	if (team->ranks)
		return team->ranks[member];
	return team->is_lane ? layout_rank(team->layout, member, team->number)
	                     : layout_rank(team->layout, team->number, member);
}

struct coll_range coll_part(struct coll_range of, int part, int parts)
{
	int each = of.count / parts, rest = of.count % parts;
	int before = part < rest ? part : rest;

	return (struct coll_range){of.first + part * each + before, each + (part < rest)};
}

int coll_vectors(struct coll_comm *c, struct coll_vector *v, int count, int vectors, char **starts)
{
	MPI_Aint lb, extent, true_lb, true_extent, span;

	COLL_TRY(PMPI_Type_get_extent(v->type, &lb, &extent));
	COLL_TRY(PMPI_Type_get_true_extent(v->type, &true_lb, &true_extent));
	span = extent < 0 ? (MPI_Aint)COLL_SCRATCH_MAX + 1 : true_extent + extent * (count - 1);
	if (span < 0)
		span = 0;
	span = (span + 63) / 64 * 64;
	if ((size_t)span > COLL_SCRATCH_MAX / (size_t)vectors)
		return COLL_DECLINED;
	COLL_TRY(coll_scratch(c, (size_t)span * (size_t)vectors));
	v->extent = extent;
	for (int i = 0; i < vectors; i++)
		starts[i] = (char *)c->scratch + i * span - true_lb;
	return MPI_SUCCESS;
}

bool coll_op_commutes(MPI_Op op)
{
	int commutes = 0;

	return PMPI_Op_commutative(op, &commutes) == MPI_SUCCESS && commutes;
}

static char *at(const struct coll_vector *v, char *vector, int element)
{
	return vector + v->extent * element;
}

int coll_copy_range(const struct coll_comm *c, const struct coll_vector *v, const char *from, char *to,
                    struct coll_range range)
{
	return coll_copy(c, from + v->extent * range.first, range.count, v->type, at(v, to, range.first),
	                 range.count, v->type);
}

int coll_send_range(const struct coll_comm *c, const struct coll_vector *v, struct coll_range range, int to)
{
	return PMPI_Send(at(v, v->mine, range.first), range.count, v->type, to, COLL_TAG, c->comm);
}

int coll_receive_range(const struct coll_comm *c, const struct coll_vector *v, struct coll_range range,
                       int from)
{
	return PMPI_Recv(at(v, v->mine, range.first), range.count, v->type, from, COLL_TAG, c->comm,
	                 MPI_STATUS_IGNORE);
}

static int combine(const struct coll_vector *v, struct coll_range range)
{
	if (range.count == 0)
		return MPI_SUCCESS;
	return PMPI_Reduce_local(at(v, v->other, range.first), at(v, v->mine, range.first), range.count,
	                         v->type, v->op);
}

static int coll_combine_from(const struct coll_comm *c, const struct coll_vector *v, struct coll_range range,
                             int from)
{
	COLL_TRY(PMPI_Recv(at(v, v->other, range.first), range.count, v->type, from, COLL_TAG, c->comm,
	                   MPI_STATUS_IGNORE));
	return combine(v, range);
}

int coll_team_reduce(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                     struct coll_range range, int root)
{
	int me = (team->me - root + team->size) % team->size;

	for (int mask = 1; mask < team->size; mask *= 2) {
		if (me & mask)
			return coll_send_range(c, v, range,
			                       coll_team_rank(team, (me - mask + root) % team->size));
		if (me + mask < team->size)
			COLL_TRY(coll_combine_from(c, v, range,
			                           coll_team_rank(team, (me + mask + root) % team->size)));
	}
	return MPI_SUCCESS;
}

int coll_team_bcast(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                    struct coll_range range, int root)
{
	int me = (team->me - root + team->size) % team->size, mask = 1;

	while (mask < team->size && !(me & mask))
		mask *= 2;
	if (me)
		COLL_TRY(coll_receive_range(c, v, range,
		                            coll_team_rank(team, (me - mask + root) % team->size)));
	for (mask /= 2; mask > 0; mask /= 2)
		if (me + mask < team->size)
			COLL_TRY(coll_send_range(c, v, range,
			                         coll_team_rank(team, (me + mask + root) % team->size)));
	return MPI_SUCCESS;
}

/* Algorithms for powers of two run on a part of the members: of the first 2 * surplus members, each odd one gives its operand to
 * the previous even one, and receives the result from it. */
struct folding {
	int size, surplus; /* a power of two, and the number of members beyond it */
	int me;            /* -1: folded into another member */
};

static struct folding fold_of(const struct coll_team *team)
{
	struct folding fold = {.size = 1};

	while (fold.size <= team->size / 2)
		fold.size *= 2;
	fold.surplus = team->size - fold.size;
	fold.me = team->me >= 2 * fold.surplus ? team->me - fold.surplus : team->me % 2 ? -1 : team->me / 2;
	return fold;
}

static int folded_rank(const struct coll_team *team, const struct folding *fold, int member)
{
	return coll_team_rank(team, member < fold->surplus ? 2 * member : member + fold->surplus);
}

static int fold_in(const struct coll_comm *c, const struct coll_team *team, const struct folding *fold,
                   const struct coll_vector *v, struct coll_range range)
{
	if (team->me >= 2 * fold->surplus)
		return MPI_SUCCESS;
	if (fold->me < 0)
		return coll_send_range(c, v, range, coll_team_rank(team, team->me - 1));
	return coll_combine_from(c, v, range, coll_team_rank(team, team->me + 1));
}

static int unfold(const struct coll_comm *c, const struct coll_team *team, const struct folding *fold,
                  const struct coll_vector *v, struct coll_range range)
{
	if (team->me >= 2 * fold->surplus)
		return MPI_SUCCESS;
	if (fold->me < 0)
		return coll_receive_range(c, v, range, coll_team_rank(team, team->me - 1));
	return coll_send_range(c, v, range, coll_team_rank(team, team->me + 1));
}

/* Sends a range of the first vector, and receives another one into the second. */
static int exchange(const struct coll_comm *c, const struct coll_vector *v, char *sent, struct coll_range out,
                    int to, char *received, struct coll_range in, int from)
{
	return PMPI_Sendrecv(at(v, sent, out.first), out.count, v->type, to, COLL_TAG,
	                     at(v, received, in.first), in.count, v->type, from, COLL_TAG, c->comm,
	                     MPI_STATUS_IGNORE);
}

int coll_team_doubling(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                       struct coll_range range)
{
	struct folding fold = fold_of(team);
	struct coll_vector w = *v;

	COLL_TRY(fold_in(c, team, &fold, &w, range));
	for (int mask = 1; fold.me >= 0 && mask < fold.size; mask *= 2) {
		int partner = fold.me ^ mask, rank = folded_rank(team, &fold, partner);
		COLL_TRY(exchange(c, &w, w.mine, range, rank, w.other, range, rank));
		/* The lower member's operand is first, on both sides. */
		if (partner > fold.me) {
			char *mine = w.mine;
			w.mine = w.other;
			w.other = mine;
		}
		COLL_TRY(combine(&w, range));
	}
	COLL_TRY(unfold(c, team, &fold, &w, range));
	return w.mine == v->mine ? MPI_SUCCESS : coll_copy_range(c, v, w.mine, v->mine, range);
}

/* Halves of a range, and which half stays here. */
static void split(struct coll_range range, bool keep_upper, struct coll_range *kept, struct coll_range *given)
{
	struct coll_range lower = coll_part(range, 0, 2), upper = coll_part(range, 1, 2);

	*kept = keep_upper ? upper : lower;
	*given = keep_upper ? lower : upper;
}

struct halves {
	struct coll_range kept[LEVELS_MAX], given[LEVELS_MAX];
	int levels;
};

/* Each member of the power of two gets the result of its part. */
static int halve(const struct coll_comm *c, const struct coll_team *team, const struct folding *fold,
                 const struct coll_vector *v, struct coll_range range, struct halves *halves)
{
	int level = 0;

	for (int mask = fold->size / 2; mask > 0; mask /= 2, level++) {
		int rank = folded_rank(team, fold, fold->me ^ mask);
		split(range, fold->me & mask, &halves->kept[level], &halves->given[level]);
		range = halves->kept[level];
		COLL_TRY(exchange(c, v, v->mine, halves->given[level], rank, v->other, range, rank));
		COLL_TRY(combine(v, range));
	}
	halves->levels = level;
	return MPI_SUCCESS;
}

int coll_team_halving(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                      struct coll_range range)
{
	struct folding fold = fold_of(team);
	struct halves halves;

	COLL_TRY(fold_in(c, team, &fold, v, range));
	if (fold.me < 0)
		return unfold(c, team, &fold, v, range);
	COLL_TRY(halve(c, team, &fold, v, range, &halves));
	for (int mask = 1, level = halves.levels - 1; level >= 0; mask *= 2, level--) {
		int rank = folded_rank(team, &fold, fold.me ^ mask);
		COLL_TRY(exchange(c, v, v->mine, halves.kept[level], rank, v->mine, halves.given[level],
		                  rank));
	}
	return unfold(c, team, &fold, v, range);
}

int coll_team_halving_to(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                         struct coll_range range, int root)
{
	struct folding fold = fold_of(team);
	bool root_is_folded = root < 2 * fold.surplus && root % 2;
	int towards = root < 2 * fold.surplus ? root / 2 : root - fold.surplus;
	struct halves halves;

	COLL_TRY(fold_in(c, team, &fold, v, range));
	if (fold.me < 0)
		return team->me == root ? unfold(c, team, &fold, v, range) : MPI_SUCCESS;
	COLL_TRY(halve(c, team, &fold, v, range, &halves));
	for (int mask = 1, level = halves.levels - 1; level >= 0; mask *= 2, level--) {
		int rank = folded_rank(team, &fold, fold.me ^ mask);
		if ((fold.me ^ towards) & mask)
			return coll_send_range(c, v, halves.kept[level], rank);
		COLL_TRY(coll_receive_range(c, v, halves.given[level], rank));
	}
	return root_is_folded ? unfold(c, team, &fold, v, range) : MPI_SUCCESS;
}

int coll_team_ring(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                   struct coll_range range)
{
	int size = team->size, next = coll_team_rank(team, (team->me + 1) % size);
	int previous = coll_team_rank(team, (team->me + size - 1) % size);

	for (int step = 0; step < 2 * (size - 1); step++) {
		struct coll_range sent = coll_part(range, (team->me + 2 * size - step) % size, size);
		struct coll_range received = coll_part(range, (team->me + 2 * size - step - 1) % size, size);
		bool reducing = step < size - 1;
		COLL_TRY(exchange(c, v, v->mine, sent, next, reducing ? v->other : v->mine, received,
		                  previous));
		if (reducing)
			COLL_TRY(combine(v, received));
	}
	return MPI_SUCCESS;
}

/* Each member gets the result of its part, in one step of direct messages. */
static int coll_team_direct_parts(const struct coll_comm *c, const struct coll_team *team,
                                  const struct coll_vector *v, struct coll_range range)
{
	struct coll_range own = coll_part(range, team->me, team->size);
	struct coll_window w;

	coll_window_init(&w, c);
	for (int i = 1; i < team->size; i++) {
		int from = (team->me + team->size - i) % team->size, to = (team->me + i) % team->size;
		struct coll_range part = coll_part(range, to, team->size);
		COLL_TRY(coll_window_receive(&w, at(v, v->other, range.first + from * own.count), own.count,
		                             v->type, coll_team_rank(team, from)));
		COLL_TRY(coll_window_send(&w, at(v, v->mine, part.first), part.count, v->type,
		                          coll_team_rank(team, to)));
	}
	COLL_TRY(coll_window_wait(&w));
	for (int i = 0; i < team->size; i++)
		if (i != team->me && own.count > 0)
			COLL_TRY(PMPI_Reduce_local(at(v, v->other, range.first + i * own.count),
			                           at(v, v->mine, own.first), own.count, v->type, v->op));
	return MPI_SUCCESS;
}

int coll_team_direct(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                     struct coll_range range)
{
	struct coll_range own = coll_part(range, team->me, team->size);
	struct coll_window w;

	COLL_TRY(coll_team_direct_parts(c, team, v, range));
	coll_window_init(&w, c);
	for (int i = 1; i < team->size; i++) {
		int from = (team->me + team->size - i) % team->size, to = (team->me + i) % team->size;
		struct coll_range part = coll_part(range, from, team->size);
		COLL_TRY(coll_window_receive(&w, at(v, v->mine, part.first), part.count, v->type,
		                             coll_team_rank(team, from)));
		COLL_TRY(coll_window_send(&w, at(v, v->mine, own.first), own.count, v->type,
		                          coll_team_rank(team, to)));
	}
	return coll_window_wait(&w);
}

int coll_team_direct_to(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                        struct coll_range range, int root)
{
	struct coll_window w;

	COLL_TRY(coll_team_direct_parts(c, team, v, range));
	if (team->me != root)
		return coll_send_range(c, v, coll_part(range, team->me, team->size),
		                       coll_team_rank(team, root));
	coll_window_init(&w, c);
	for (int from = 0; from < team->size; from++) {
		struct coll_range part = coll_part(range, from, team->size);
		if (from != root)
			COLL_TRY(coll_window_receive(&w, at(v, v->mine, part.first), part.count, v->type,
			                             coll_team_rank(team, from)));
	}
	return coll_window_wait(&w);
}

int coll_team_share_out(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                        struct coll_range range, int parts)
{
	struct coll_range own = coll_part(range, team->me, parts);

	for (int step = 1; step < team->size; step++) {
		int to = (team->me + step) % team->size, from = (team->me + team->size - step) % team->size;
		struct coll_range sent = coll_part(range, to, parts);
		int receiver = to < parts ? coll_team_rank(team, to) : MPI_PROC_NULL;
		if (team->me >= parts) {
			COLL_TRY(receiver == MPI_PROC_NULL ? MPI_SUCCESS
			                                   : coll_send_range(c, v, sent, receiver));
			continue;
		}
		COLL_TRY(exchange(c, v, v->mine, receiver == MPI_PROC_NULL ? (struct coll_range){0, 0} : sent,
		                  receiver, v->other, own, coll_team_rank(team, from)));
		COLL_TRY(combine(v, own));
	}
	return MPI_SUCCESS;
}

int coll_team_collect(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                      struct coll_range range, int parts)
{
	static const struct coll_range none = {0, 0};
	bool has_part = team->me < parts;

	for (int step = 1; step < team->size; step++) {
		int to = (team->me + step) % team->size, from = (team->me + team->size - step) % team->size;
		bool receives = from < parts;
		COLL_TRY(exchange(c, v, v->mine, has_part ? coll_part(range, team->me, parts) : none,
		                  has_part ? coll_team_rank(team, to) : MPI_PROC_NULL, v->mine,
		                  receives ? coll_part(range, from, parts) : none,
		                  receives ? coll_team_rank(team, from) : MPI_PROC_NULL));
	}
	return MPI_SUCCESS;
}

int coll_team_gather(const struct coll_comm *c, const struct coll_team *team, const struct coll_vector *v,
                     struct coll_range range, int parts, int root)
{
	if (team->me != root)
		return team->me < parts ? coll_send_range(c, v, coll_part(range, team->me, parts),
		                                          coll_team_rank(team, root))
		                        : MPI_SUCCESS;
	for (int part = 0; part < parts; part++)
		if (part != root)
			COLL_TRY(coll_receive_range(c, v, coll_part(range, part, parts),
			                            coll_team_rank(team, part)));
	return MPI_SUCCESS;
}
