#include "job/record/traffic.h"

#include <string.h>

/* The number of blocks of a side. */
enum extent { NONE, ONE, ALL, GROUP, MINE, INWARD, OUTWARD };

struct rule {
	/* of the root and of all others; if there is no root, all count as roots */
	enum extent root_sends, root_gets, others_send, others_get;
	bool rooted;
	bool one_buffer; /* both sides are described by the receiving blocks */
};

static const struct rule rules[] = {
	[TRAFFIC_bcast] = {ONE, NONE, NONE, ONE, true, true},
	[TRAFFIC_reduce] = {ONE, ONE, ONE, NONE, true, true},
	[TRAFFIC_allreduce] = {ONE, ONE, ONE, ONE, false, true},
	[TRAFFIC_gather] = {ONE, ALL, ONE, NONE, true, false},
	[TRAFFIC_scatter] = {ALL, ONE, NONE, ONE, true, false},
	[TRAFFIC_allgather] = {ONE, ALL, ONE, ALL, false, false},
	[TRAFFIC_alltoall] = {ALL, ALL, ALL, ALL, false, false},
	[TRAFFIC_reduce_scatter] = {GROUP, MINE, GROUP, MINE, false, true},
	[TRAFFIC_neighbor_allgather] = {ONE, INWARD, ONE, INWARD, false, false},
	[TRAFFIC_neighbor_alltoall] = {OUTWARD, INWARD, OUTWARD, INWARD, false, false},
};

static int64_t block_bytes(struct recording_stream *s, const struct blocks *b, int i)
{
	int64_t count = !b->counts ? b->count
	                : b->wide  ? ((const MPI_Count *)b->counts)[i]
	                           : ((const int *)b->counts)[i];
	MPI_Datatype type = !b->types    ? b->type
	                    : b->fortran ? f_type((const MPI_Fint *)b->types + i)
	                                 : ((const MPI_Datatype *)b->types)[i];

	return count * type_size(s, type);
}

static int64_t sum_blocks(struct recording_stream *s, const struct blocks *b, int blocks)
{
	int64_t bytes = 0;

	if (!b->counts && !b->types)
		return blocks * block_bytes(s, b, 0);
	for (int i = 0; i < blocks; i++)
		bytes += block_bytes(s, b, i);
	return bytes;
}

static int64_t extent_bytes(struct recording_stream *s, enum extent extent, const struct recorded_comm *c,
                            const struct blocks *b)
{
	switch (extent) {
	case ONE:
		return block_bytes(s, b, 0);
	case ALL:
		return sum_blocks(s, b, c->shape.peers);
	case GROUP: /* one for each process of the own group, even if the peers are in another group */
		return sum_blocks(s, b, c->shape.size);
	case MINE:
		return block_bytes(s, b, c->shape.rank);
	case INWARD:
		return sum_blocks(s, b, c->shape.sources);
	case OUTWARD:
		return sum_blocks(s, b, c->shape.destinations);
	case NONE:
		break;
	}
	return 0;
}

struct traffic traffic_of(struct recording_stream *s, enum traffic_kind kind, const struct recorded_comm *c,
                          int root, bool in_place, const struct blocks *send, const struct blocks *receive)
{
	const struct rule *rule = &rules[kind];
	bool is_root = !rule->rooted || root == MPI_ROOT || (!c->shape.inter && root == c->shape.rank);
	enum extent sends = is_root ? rule->root_sends : rule->others_send;
	enum extent gets = is_root ? rule->root_gets : rule->others_get;
	struct traffic traffic;

	if (rule->rooted && root == MPI_PROC_NULL)
		return (struct traffic){0};
	if (c->shape.inter && rule->rooted) /* the root's group only sends or only receives */
		sends = kind == TRAFFIC_gather || kind == TRAFFIC_reduce ? (is_root ? NONE : sends) : sends,
		gets = kind == TRAFFIC_scatter ? (is_root ? NONE : gets) : gets;
	if (rule->one_buffer)
		send = receive;
	/* With MPI_IN_PLACE, the contribution of this process is already in its receive buffer. */
	if (in_place && !rule->one_buffer) {
		if (kind == TRAFFIC_gather)
			sends = NONE;
		else if (kind == TRAFFIC_scatter)
			gets = NONE;
		else
			send = receive, sends = kind == TRAFFIC_allgather ? MINE : sends;
	}
	traffic.sent = extent_bytes(s, sends, c, send);
	traffic.received = extent_bytes(s, gets, c, receive);
	traffic.size = sends != NONE && !send->types     ? type_size(s, send->type)
	               : gets != NONE && !receive->types ? type_size(s, receive->type)
	                                                 : ABSENT;
	return traffic;
}

void record_with_blocks(struct recording_stream *s, const int64_t *key, uint32_t words,
                        const struct recorded_comm *c, const struct blocks *send, uint64_t start,
                        uint64_t end)
{
	enum { WORDS_MAX = KEY_VALUES + sizeof(((struct shape *)0)->fields) };
	int64_t longer[WORDS_MAX + 2 * BLOCKS_MAX];

	if (c->shape.peers > BLOCKS_MAX || words > WORDS_MAX) {
		stream_record(s, key, words, start, end);
		return;
	}
	memcpy(longer, key, words * sizeof *key);
	for (int i = 0; i < c->shape.peers; i++) {
		longer[words++] = FIELD_BLOCK;
		longer[words++] = block_bytes(s, send, i);
	}
	stream_record(s, longer, words, start, end);
}
