#include "analysis/model/traffic_graph.h"

#include "base/array.h"
#include "base/map.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

struct traffic_pass {
	const struct reader *reader;
	const struct figures *figures;
	struct traffic_graph *graph;
	uint32_t *rank_of;           /* by process; UINT32_MAX: not one of them */
	struct map pairs;            /* to the edge */
	struct traffic_amount *even; /* by communicator */
	const struct neighbour_table *neighbours;
	/* the current call */
	const struct site_total *site;
	const struct membership *own;
	const struct communicator *comm;
};

/* Edges */

static void add_pair(struct traffic_pass *pass, uint32_t from, uint32_t to, struct traffic_amount amount)
{
	struct traffic_graph *graph = pass->graph;
	uint32_t a = from < to ? from : to, b = from < to ? to : from;
	uint32_t *number;

	if (a == b || (amount.bytes <= 0 && amount.messages <= 0))
		return;
	number = map_put(&pass->pairs, map_key(a, b));
	if (*number == MAP_NONE) {
		*number = (uint32_t)graph->edge_count;
		array_fit(graph->edges, graph->edge_room, graph->edge_count + 1);
		graph->edges[graph->edge_count++] = (struct traffic_edge){.a = a, .b = b};
	}
	graph->edges[*number].bytes += amount.bytes;
	graph->edges[*number].messages += amount.messages;
}

static void add_to(struct traffic_amount *sum, struct traffic_amount amount)
{
	sum->bytes += amount.bytes;
	sum->messages += amount.messages;
}

/* One-sided accesses of MPI */

static const struct membership *window_membership(const struct traffic_pass *pass, uint64_t identity)
{
	const struct process *process = &pass->reader->processes[pass->site->process];

	for (size_t i = 0; i < process->object_count; i++)
		if (process->objects[i].identity == identity)
			return find_membership(pass->figures->comms, pass->site->process,
			                       process->objects[i].comm);
	return NULL;
}

/* A target is a rank of the window's communicator. */
static void add_access(struct traffic_pass *pass, int64_t window, int64_t target)
{
	int64_t sent = 0, received = 0;
	bool has_sent = call_field(pass->site->call, FIELD_SENT, &sent) && sent > 0;
	bool has_received = call_field(pass->site->call, FIELD_RECEIVED, &received) && received > 0;
	double bytes = (has_sent ? (double)sent : 0) + (has_received ? (double)received : 0);
	double times = (double)pass->site->starts;
	struct traffic_amount amount = {bytes * times, times};
	const struct membership *own = bytes > 0 ? window_membership(pass, (uint64_t)window) : NULL;
	uint32_t process = own && target >= 0 && target <= INT32_MAX
	                           ? comm_process(pass->figures->comms, own->comm, 0, (uint32_t)target)
	                           : NO_PROCESS;

	if (!(bytes > 0) || process == pass->site->process)
		return;
	if (process == NO_PROCESS || pass->rank_of[process] == UINT32_MAX) {
		pass->graph->left_out_bytes += amount.bytes;
		return;
	}
	add_to(&pass->graph->messages, amount);
	add_pair(pass, pass->rank_of[pass->site->process], pass->rank_of[process], amount);
}

/* Collective operations: the contribution of one member */

static double bytes_of(const struct traffic_pass *pass, enum field_key key)
{
	int64_t bytes;

	return call_field(pass->site->call, key, &bytes) && bytes > 0 ? (double)bytes : 0;
}

/* Data between this member and another one. */
static void exchange_with(struct traffic_pass *pass, int64_t rank, double bytes)
{
	double times = (double)pass->site->starts;
	struct traffic_amount amount = {bytes * times, times};
	uint32_t process = rank >= 0 && rank <= INT32_MAX
	                           ? comm_process(pass->figures->comms, pass->own->comm, 0, (uint32_t)rank)
	                           : NO_PROCESS;
	uint32_t other = process == NO_PROCESS ? UINT32_MAX : pass->rank_of[process];

	if (rank == (int64_t)pass->own->rank || bytes <= 0)
		return;
	if (other == UINT32_MAX) {
		pass->graph->left_out_bytes += amount.bytes;
		return;
	}
	add_to(&pass->graph->collectives, amount);
	add_pair(pass, pass->rank_of[pass->site->process], other, amount);
}

/* Data that this member sends or receives by unknown partners. */
static void exchange_evenly(struct traffic_pass *pass, double bytes, double messages)
{
	double times = (double)pass->site->starts;
	struct traffic_amount amount = {bytes * times, bytes > 0 ? messages * times : 0};

	add_to(&pass->graph->collectives, amount);
	add_to(&pass->even[pass->own->comm], amount);
}

static double tree_depth(uint64_t members)
{
	return members > 1 ? 64 - __builtin_clzll(members - 1) : 0;
}

/* The contribution of one member. Each member except the root of a broadcast receives everything once,
 * and the root knows how much that is. In a reduce-scatter with an allgather, each member sends all
 * but its own part twice. */
static void add_member(struct traffic_pass *pass, const struct call_info *info)
{
	const struct collective_flow flow = collective_flows[info->moves];
	const struct call *call = pass->site->call;
	const double sent = bytes_of(pass, FIELD_SENT), received = bytes_of(pass, FIELD_RECEIVED);
	const double members = (double)pass->comm->sides[0].size, others = members - 1;
	const double depth = tree_depth(pass->comm->sides[0].size);
	int64_t root = field_or(call, FIELD_ROOT, RANK_NULL), blocks = 0;
	bool is_root = root == (int64_t)pass->own->rank;
	struct neighbour_list sources;

	if (info->collective == COLLECTIVE_LOWER_FIRST || (flow.shape == FLOW_REDUCE && !is_root)) {
		exchange_evenly(pass, sent, 1);
	} else if (flow.shape == FLOW_BROADCAST && is_root) {
		exchange_evenly(pass, sent * others, others);
	} else if (flow.shape == FLOW_GATHER || flow.shape == FLOW_SCATTER) {
		exchange_with(pass, root, flow.shape == FLOW_GATHER ? sent : received);
	} else if (flow.shape == FLOW_ALLREDUCE) {
		exchange_evenly(pass, 2 * sent * others / members, depth);
	} else if (flow.shape == FLOW_ALLGATHER || flow.shape == FLOW_REDUCE_SCATTER) {
		exchange_evenly(pass, (flow.shape == FLOW_ALLGATHER ? sent : received) * others, depth);
	} else if (flow.shape == FLOW_ALLTOALL) {
		/* The received amounts were recorded, or are assumed to be even. */
		for (uint32_t i = 0; flow.is_uneven && i < field_count(call); i++)
			if (field_key_at(call, i) == FIELD_BLOCK)
				exchange_with(pass, blocks++, (double)field_value_at(call, i));
		if (!blocks)
			exchange_evenly(pass, sent * others / members, others);
	} else if (flow.shape == FLOW_NEIGHBOURS) {
		sources = neighbour_table_find(pass->neighbours, pass->site->process, pass->comm->identity);
		for (uint32_t i = 0; i < sources.count; i++)
			exchange_with(pass, sources.ranks[i], received / sources.count);
	}
}

static void take_site(struct traffic_pass *pass, const struct site_total *site)
{
	const struct comm_table *comms = pass->figures->comms;
	const struct call_info *info = call_find(site->call->outline->name);
	int64_t identity, target;

	pass->site = site;
	if (info && !call_is_pgas(info) && site->starts && pass->rank_of[site->process] != UINT32_MAX &&
	    call_field(site->call, FIELD_WIN, &identity) && call_field(site->call, FIELD_TARGET, &target)) {
		add_access(pass, identity, target);
		return;
	}
	if (!info || !site->starts || !info->moves || pass->rank_of[site->process] == UINT32_MAX ||
	    (info->class != CLASS_COLLECTIVE && info->class != CLASS_NEIGHBOURHOOD) ||
	    !call_field(site->call, FIELD_COMM, &identity))
		return;
	pass->own = find_membership(comms, site->process, (uint64_t)identity);
	if (!pass->own)
		return;
	pass->comm = &comms->comms[pass->own->comm];
	if (is_inter(pass->comm)) {
		pass->graph->left_out_bytes += (double)call_bytes(site->call) * (double)site->starts;
	} else if (pass->comm->sides[0].size > 1) {
		add_member(pass, info);
	}
}

/* Collective operations: the shared part */

/* The known ranks of a communicator's members. The caller frees them. */
static uint32_t *members_of(const struct traffic_pass *pass, uint32_t comm, uint32_t *count)
{
	uint64_t size = pass->figures->comms->comms[comm].sides[0].size;
	uint32_t *members;

	*count = 0;
	/* There cannot be more than the number of ranks. */
	if (size > pass->graph->ranks)
		size = pass->graph->ranks;
	members = memory_new(size + 1, sizeof *members);
	for (uint32_t i = 0; i < size; i++) {
		uint32_t process = comm_process(pass->figures->comms, comm, 0, i);
		if (process != NO_PROCESS && pass->rank_of[process] != UINT32_MAX)
			members[(*count)++] = pass->rank_of[process];
	}
	return members;
}

static void share_out(struct traffic_pass *pass, const uint32_t *members, uint32_t count,
                      struct traffic_amount sum)
{
	bool all_pairs = count <= EVEN_PAIRS_MAX;
	double pairs = all_pairs ? count * (count - 1.0) / 2 : count * tree_depth(count);
	struct traffic_amount each = {sum.bytes / pairs, sum.messages / pairs};

	for (uint32_t i = 0; i < count; i++) {
		if (all_pairs)
			for (uint32_t j = 0; j < i; j++)
				add_pair(pass, members[i], members[j], each);
		else
			for (uint32_t step = 1; step < count; step *= 2)
				add_pair(pass, members[i], members[(i + step) % count], each);
	}
}

static void share_out_all(struct traffic_pass *pass)
{
	for (uint32_t i = 0; i < pass->figures->comms->comm_count; i++) {
		uint32_t count, *members;
		if (pass->even[i].bytes <= 0)
			continue;
		members = members_of(pass, i, &count);
		if (count == pass->graph->ranks)
			add_to(&pass->graph->everywhere, pass->even[i]);
		else if (count > 1)
			share_out(pass, members, count, pass->even[i]);
		free(members);
	}
}

struct traffic_graph *traffic_graph_new(const struct reader *reader, const struct figures *figures,
                                        const struct data_flow *flow, const uint32_t *processes,
                                        uint32_t count)
{
	struct traffic_graph *graph = memory_new(1, sizeof *graph);
	struct traffic_pass pass = {
		.reader = reader,
		.figures = figures,
		.graph = graph,
		.neighbours = &flow->neighbours,
		.rank_of = memory_new(reader->process_count, sizeof *pass.rank_of),
		.even = memory_new(figures->comms->comm_count + (size_t)1, sizeof *pass.even),
	};

	graph->ranks = count;
	for (size_t i = 0; i < reader->process_count; i++)
		pass.rank_of[i] = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++)
		pass.rank_of[processes[i]] = i;
	for (size_t i = 0; i < flow->traffic_count; i++) {
		const struct rank_traffic *traffic = &flow->traffic[i];
		struct traffic_amount amount = {(double)traffic->bytes, (double)traffic->messages};
		uint32_t from = pass.rank_of[traffic->from], to = pass.rank_of[traffic->to];
		if (from == UINT32_MAX || to == UINT32_MAX) {
			pass.graph->left_out_bytes += amount.bytes;
			continue;
		}
		add_to(&pass.graph->messages, amount);
		add_pair(&pass, from, to, amount);
	}
	for (size_t i = 0; i < figures->site_count; i++)
		take_site(&pass, &figures->sites[i]);
	share_out_all(&pass);
	map_release(&pass.pairs);
	free(pass.rank_of);
	free(pass.even);
	return graph;
}

void traffic_graph_free(struct traffic_graph *graph)
{
	if (!graph)
		return;
	free(graph->edges);
	free(graph);
}
