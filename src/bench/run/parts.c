#include "bench/run/parts.h"

#include <limits.h>

/* The total of this many blocks equals that of even ones. */
static int share_among(const struct trial *trial, int index, int blocks)
{
	int half = trial->count / 2;

	if (!(trial->operation->traits & IS_UNEVEN) || (index == blocks - 1 && blocks % 2))
		return trial->count;
	return index % 2 ? trial->count + half : trial->count - half;
}

int share_of(const struct trial *trial, int index)
{
	return share_among(trial, index, trial->ranks);
}

/* Both ends of a block must compute the same count. */
static int count_for(const struct trial *trial, const struct neighbour_lists *neighbours, int block, int peer)
{
	const struct bench_operation *operation = trial->operation;

	if (operation->send != BLOCK_EACH || operation->receive != BLOCK_EACH)
		return share_of(trial, peer);
	if (operation->traits & IN_NEIGHBOURHOOD)
		return share_among(trial, neighbours->way[block], neighbours->ways);
	return share_of(trial, (int)(((int64_t)trial->rank + peer) % trial->ranks));
}

static void claim(struct trial_blocks *parts, int count, struct arena *arena)
{
	parts->count = count;
	parts->counts = arena_array(arena, int, (size_t)count);
	parts->offsets = arena_array(arena, int, (size_t)count);
	parts->bytes = arena_array(arena, int, (size_t)count);
	parts->places = arena_array(arena, MPI_Aint, (size_t)count);
	parts->types = arena_array(arena, MPI_Datatype, (size_t)count);
	parts->peers = arena_array(arena, int, (size_t)count);
}

static void place(struct trial *trial, struct trial_blocks *parts)
{
	size_t extent = trial->datatype.extent;
	int64_t offset = 0;

	/* If they exceed an int, trial_check() has ensured that they are not used. */
	for (int i = 0; i < parts->count; offset += parts->counts[i++]) {
		parts->offsets[i] = (int)offset;
		parts->places[i] = offset * (MPI_Aint)extent;
		parts->bytes[i] = (int)parts->places[i];
		parts->types[i] = trial->type;
	}
}

static void divide_by_peers(struct trial *trial, const struct neighbour_lists *neighbours, const int *peers,
                            int count, struct trial_blocks *parts)
{
	claim(parts, count, &trial->arena);
	for (int i = 0; i < count; i++) {
		parts->peers[i] = peers ? peers[i] : i;
		parts->counts[i] = count_for(trial, neighbours, i, parts->peers[i]);
	}
}

static void divide_by_messages(struct trial *trial, int count, int share, struct trial_blocks *parts)
{
	claim(parts, count, &trial->arena);
	for (int i = 0; i < count; i++) {
		parts->peers[i] = trial->rank;
		parts->counts[i] = share;
	}
}

static bool is_root(const struct trial *trial)
{
	return !(trial->operation->traits & HAS_ROOT) || trial->rank == trial->root;
}

int blocks_in(const struct trial *trial, enum blocks blocks)
{
	const struct bench_operation *operation = trial->operation;

	switch (blocks) {
	case NO_BLOCK:
		return 0;
	case ONE_BLOCK:
		return 1;
	case TWO_BLOCKS:
		return 2;
	case BLOCK_A_MESSAGE:
		return MESSAGES_AT_ONCE;
	case BLOCK_EACH:
		if (operation->traits & IN_NEIGHBOURHOOD)
			return topology_neighbours(trial->wanted->topology, trial->ranks);
		return is_root(trial) ? trial->ranks : 0;
	}
	return 0;
}

static void divide(struct trial *trial, enum blocks blocks, const struct neighbour_lists *neighbours,
                   const int *peers, struct trial_blocks *parts)
{
	int count = blocks_in(trial, blocks);

	if (blocks == BLOCK_EACH)
		divide_by_peers(trial, neighbours, peers, count, parts);
	else
		divide_by_messages(trial, count, trial->share, parts);
	if (blocks == TWO_BLOCKS)
		parts->peers[1] = (trial->rank + 1) % trial->ranks;
	place(trial, parts);
}

void parts_make(struct trial *trial, const struct neighbour_lists *neighbours)
{
	trial->share = share_of(trial, trial->rank);
	divide(trial, trial->operation->send, neighbours, neighbours->to, &trial->out);
	divide(trial, trial->operation->receive, neighbours, neighbours->from, &trial->in);
}
