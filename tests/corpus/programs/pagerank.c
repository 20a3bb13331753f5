/* corpus: ranks=6
 *
 * Page rank on a web that is spread over the ranks. Which ranks have links to which is known only at the start: from that a
 * distributed graph of ranks is made (Dist_graph_create_adjacent), and in each round only the values that links cross with
 * go between neighbours of that graph (Neighbor_alltoallv).
 *
 * Check: the values add up to one, and are those that each rank computes alone. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGES = 60, LINKS = 3, ROUNDS = 25, MOST_RANKS = 16 }; /* pages of each rank, links of each page */

struct web {
	int rank, size, pages;
	MPI_Comm comm;
	int out_count, in_count; /* ranks with links from here, ranks with links to here */
	int out_rank[MOST_RANKS], in_rank[MOST_RANKS];
	int out_links[MOST_RANKS], in_links[MOST_RANKS]; /* how many */
	int out_first[MOST_RANKS], in_first[MOST_RANKS]; /* where they begin in the buffers */
};

/* Pages link to near ones, and to some of the next rank but one. */
static int link_of(const struct web *w, int page, int number)
{
	const int steps[LINKS] = {1, 7, PAGES + 13};

	return (page + steps[number] * (1 + page % 2)) % w->pages;
}

static int owner(int page)
{
	return page / PAGES;
}

/* Links from the pages of one rank to those of another. */
static int count_links(const struct web *w, int from, int to)
{
	int count = 0;

	for (int page = from * PAGES; page < (from + 1) * PAGES; page++)
		for (int i = 0; i < LINKS; i++)
			count += owner(link_of(w, page, i)) == to;
	return count;
}

static void add_neighbour(int rank, int links, int *count, int *ranks, int *all_links, int *firsts)
{
	if (links == 0)
		return;
	ranks[*count] = rank;
	all_links[*count] = links;
	firsts[*count] = *count ? firsts[*count - 1] + all_links[*count - 1] : 0;
	++*count;
}

static void web_init(struct web *w)
{
	MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &w->size);
	w->pages = w->size * PAGES;
	w->out_count = w->in_count = 0;
	for (int other = 0; other < w->size; other++) {
		add_neighbour(other, count_links(w, w->rank, other), &w->out_count, w->out_rank, w->out_links,
		              w->out_first);
		add_neighbour(other, count_links(w, other, w->rank), &w->in_count, w->in_rank, w->in_links,
		              w->in_first);
	}
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, w->in_count, w->in_rank, w->in_links, w->out_count,
	                               w->out_rank, w->out_links, MPI_INFO_NULL, 0, &w->comm);
}

/* The values on the links between two ranks, in an order known to both. */
static int pack(const struct web *w, int to, const double *values, double *buffer)
{
	int count = 0;

	for (int page = 0; page < PAGES; page++)
		for (int i = 0; i < LINKS; i++)
			if (owner(link_of(w, w->rank * PAGES + page, i)) == to)
				buffer[count++] = values[page] / LINKS;
	return count;
}

static void unpack(const struct web *w, int from, const double *buffer, double *values)
{
	for (int page = from * PAGES; page < (from + 1) * PAGES; page++)
		for (int i = 0; i < LINKS; i++) {
			int to = link_of(w, page, i);

			if (owner(to) == w->rank)
				values[to - w->rank * PAGES] += 0.85 * *buffer++;
		}
}

static void run_round(const struct web *w, double *values)
{
	double out[PAGES * LINKS], in[PAGES * LINKS * MOST_RANKS];

	for (int i = 0; i < w->out_count; i++)
		pack(w, w->out_rank[i], values, &out[w->out_first[i]]);
	MPI_Neighbor_alltoallv(out, w->out_links, w->out_first, MPI_DOUBLE, in, w->in_links, w->in_first,
	                       MPI_DOUBLE, w->comm);
	for (int i = 0; i < PAGES; i++)
		values[i] = 0.15 / w->pages;
	for (int i = 0; i < w->in_count; i++)
		unpack(w, w->in_rank[i], &in[w->in_first[i]], values);
}

/* The largest difference from a computation without others. */
static double error_of(const struct web *w, const double *values)
{
	double *now = calloc((size_t)w->pages, sizeof(double)),
	       *next = calloc((size_t)w->pages, sizeof(double)), error = 0;

	if (!now || !next)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < w->pages; i++)
		now[i] = 1.0 / w->pages;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < w->pages; i++)
			next[i] = 0.15 / w->pages;
		for (int page = 0; page < w->pages; page++)
			for (int i = 0; i < LINKS; i++)
				next[link_of(w, page, i)] += 0.85 * now[page] / LINKS;
		for (int i = 0; i < w->pages; i++)
			now[i] = next[i];
	}
	for (int i = 0; i < PAGES; i++)
		error = fmax(error, fabs(now[w->rank * PAGES + i] - values[i]));
	free(now);
	free(next);
	return error;
}

int main(int argc, char **argv)
{
	double values[PAGES], own[2] = {0, 0}, all[2]; /* sum, error */
	int in, out, weighted;
	struct web w;

	MPI_Init(&argc, &argv);
	web_init(&w);
	MPI_Dist_graph_neighbors_count(w.comm, &in, &out, &weighted);
	for (int i = 0; i < PAGES; i++)
		values[i] = 1.0 / w.pages;
	for (int i = 0; i < ROUNDS; i++)
		run_round(&w, values);
	for (int i = 0; i < PAGES; i++)
		own[0] += values[i];
	own[1] = error_of(&w, values) + (in != w.in_count) + (out != w.out_count);
	MPI_Reduce(own, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (w.rank == 0)
		printf("%s : sum %.6f, error %.1e\n",
		       fabs(all[0] - 1) < 1e-9 && all[1] < 1e-12 ? "ok" : "wrong", all[0], all[1]);
	MPI_Comm_free(&w.comm);
	MPI_Finalize();
	return 0;
}
