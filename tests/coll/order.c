/*
 * Orders that several processes make for all (order.h): for random machines of switches, nodes and sockets each process has the place and the neighbours that one
 * process alone finds for it.
 *
 *	order-openmpi SEED MACHINES
 */
#include "coll/algorithms/order.h"
#include "cases.h"
#include "coll/algorithms/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order_test {
	struct case_random random;
	long compared, built, levels, wrong;
};

/* From the same numbers on all: nodes of random sizes, switches over some of them each, and sockets in them. */
static struct coll_location draw_location(struct order_test *t, int rank, int size)
{
	struct coll_location here = COLL_LOCATION_UNKNOWN;
	int node_size = 1 + (int)case_next(&t->random, 4), per_switch = 1 + (int)case_next(&t->random, 3);
	bool regular = case_next(&t->random, 2), sockets = case_next(&t->random, 2);
	int node = 0, used = 0;

	for (int i = 0; i < size; i++) {
		int most = regular ? node_size : 1 + (int)case_next(&t->random, (uint32_t)node_size);

		if (used >= most) {
			node++;
			used = 0;
		}
		used++;
		if (i == rank)
			here.node = node;
	}
	here.tiers = (int)case_next(&t->random, 3);
	for (int tier = 0; tier < here.tiers; tier++)
		here.switches[tier] = here.node / per_switch / (here.tiers - tier);
	if (sockets)
		here.socket = rank / 2 % 2;
	return here;
}

/* The tree with all its tables, on every process. */
static struct rank_tree whole_tree(const struct coll_comm *c)
{
	struct rank_tree tree = c->tree;
	int *keys = malloc((size_t)c->size * sizeof *keys);

	for (int level = 0; level < tree.levels; level++) {
		PMPI_Allgather(&c->lowest[level], 1, MPI_INT, keys, 1, MPI_INT, c->comm);
		layout_make(&tree.layouts[level], c->size, keys);
	}
	free(keys);
	return tree;
}

static bool is_expected(const struct coll_comm *c, const struct coll_order *order,
                        const struct mapping *mapping)
{
	int place = mapping_place(mapping, c->rank);
	bool same = order->place == place && order->holder == mapping_rank(mapping, c->rank);

	for (int step = 0; 1 << step < c->size; step++)
		same &= order->ahead[step] == mapping_rank(mapping, (place + (1 << step)) % c->size) &&
		        order->behind[step] ==
		                mapping_rank(mapping, (place - (1 << step) + c->size) % c->size);
	return same;
}

static void compare_machine(struct order_test *t, int rank, int size)
{
	struct coll_location here = draw_location(t, rank, size);
	struct coll_comm c;

	if (coll_comm_make_at(&c, MPI_COMM_WORLD, &here) != MPI_SUCCESS) {
		t->wrong++;
		return;
	}
	t->levels += c.tree.levels > 1;
	struct rank_tree tree = whole_tree(&c);
	for (int graph = 0; graph < 2; graph++) {
		const struct coll_order *order;
		struct mapping alone;

		if (coll_order(&c, graph, &order) != MPI_SUCCESS ||
		    !mapping_make_tree(&alone, &tree, graph, &mapping_alone)) {
			t->wrong++;
			continue;
		}
		t->compared++;
		t->built += !order->has_whole;
		if (!is_expected(&c, order, &alone)) {
			t->wrong++;
			fprintf(stderr, "wrong: place %d of rank %d of %d, graph %d\n", order->place, rank,
			        size, graph);
		}
		mapping_release(&alone);
	}
	for (int level = 0; level < tree.levels; level++)
		layout_release(&tree.layouts[level]);
	coll_comm_release(&c);
}

int main(int argc, char **argv)
{
	struct order_test t = {.random = {argc > 1 ? strtoull(argv[1], NULL, 10) : 1}};
	int machines = argc > 2 ? atoi(argv[2]) : 20, rank, size;

	PMPI_Init(&argc, &argv);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < machines; i++)
		compare_machine(&t, rank, size);
	PMPI_Allreduce(MPI_IN_PLACE, &t.wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%ld orders compared, %ld of them made together, %ld machines of several levels, %ld wrong\n",
		       t.compared, t.built, t.levels, t.wrong);
	PMPI_Finalize();
	return t.wrong != 0 || !t.built || !t.levels;
}
