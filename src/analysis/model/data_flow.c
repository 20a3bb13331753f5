#include "analysis/model/data_flow.h"

#include "analysis/model/spans.h"
#include "base/memory.h"
#include "calls/calls.h"

#include <stdlib.h>
#include <string.h>

struct flow_pass {
	const struct reader *reader;
	const struct figures *figures;
	struct data_flow *flow;
	struct interner functions, comms;
	uint64_t *bytes;    /* of collectives, by sender and receiver; NULL: too many */
	bool *is_estimated; /* likewise */
	/* the current call */
	const struct site_total *site;
	const struct membership *own;
	const struct communicator *comm;
	uint32_t side; /* of its peers */
};

static void add_to_bin(struct size_bin *bins, const struct site_total *site)
{
	uint64_t each = call_bytes(site->call);
	struct size_bin *bin = &bins[each ? 64 - (size_t)__builtin_clzll(each) : 0];

	bin->count += site->starts;
	bin->bytes += site_bytes(site);
}

/* If the call's communicator is known: with its peers, which are the other group of an intercommunicator. */
static bool find_peers(struct flow_pass *pass, const struct site_total *site)
{
	const struct comm_table *comms = pass->figures->comms;

	pass->site = site;
	pass->own = find_membership(comms, site->process, (uint64_t)field_or(site->call, FIELD_COMM, 0));
	if (!pass->own)
		return false;
	pass->comm = &comms->comms[pass->own->comm];
	pass->side = is_inter(pass->comm) ? 1 - pass->own->side : pass->own->side;
	return true;
}

static uint32_t process_of(const struct flow_pass *pass, int64_t rank)
{
	return rank >= 0 && rank <= INT32_MAX
	               ? comm_process(pass->figures->comms, pass->own->comm, pass->side, (uint32_t)rank)
	               : NO_PROCESS;
}

struct data_ends {
	uint32_t from, to;
};

static struct data_ends ends_of_access(const struct flow_pass *pass)
{
	const struct call *call = pass->site->call;
	uint32_t target = process_of(pass, field_or(call, FIELD_TARGET, RANK_NULL));
	uint32_t source = process_of(pass, field_or(call, FIELD_SOURCE, RANK_NULL));

	/* upc_memcpy may copy between two other threads. */
	if (source != NO_PROCESS)
		return (struct data_ends){source, target};
	if (field_or(call, FIELD_SENT, -1) >= 0)
		return (struct data_ends){pass->site->process, target};
	return (struct data_ends){target, pass->site->process};
}

static void add_message(struct flow_pass *pass, struct data_ends ends, struct size_bin *sum)
{
	struct data_flow *flow = pass->flow;
	const struct site_total *site = pass->site;

	sum->count += site->starts;
	sum->bytes += site_bytes(site);
	add_to_bin(flow->sizes, site);
	if (ends.from == NO_PROCESS || ends.to == NO_PROCESS)
		return;
	arena_add(&flow->arena, flow->traffic, flow->traffic_count,
	          (struct rank_traffic){.from = ends.from,
	                                .to = ends.to,
	                                .messages = site->starts,
	                                .bytes = site_bytes(site)});
}

/* Collective operations */

static void add_flow(const struct flow_pass *pass, uint32_t from, uint32_t to, uint64_t bytes,
                     bool is_estimated)
{
	size_t cell = (size_t)from * pass->reader->process_count + to;

	if (from == to || from == NO_PROCESS || to == NO_PROCESS || !bytes)
		return;
	pass->bytes[cell] += bytes * pass->site->starts;
	pass->is_estimated[cell] |= is_estimated;
}

static uint64_t bytes_in(const struct flow_pass *pass, enum field_key key)
{
	int64_t bytes = field_or(pass->site->call, key, 0);

	return bytes > 0 ? (uint64_t)bytes : 0;
}

/* The same amount to each of the peers from this rank on. */
static void give_each(const struct flow_pass *pass, uint64_t first, uint64_t bytes, bool is_estimated)
{
	uint64_t count = pass->comm->sides[pass->side].size;

	for (uint64_t i = first; i < count && i < pass->reader->process_count; i++)
		add_flow(pass, pass->site->process, process_of(pass, (int64_t)i), bytes, is_estimated);
}

const struct collective_flow collective_flows[MOVES_VALUES] = {
	[MOVES_BCAST] = {FLOW_BROADCAST, false},
	[MOVES_REDUCE] = {FLOW_REDUCE, false},
	[MOVES_GATHER] = {FLOW_GATHER, false},
	[MOVES_GATHERV] = {FLOW_GATHER, false},
	[MOVES_SCATTER] = {FLOW_SCATTER, false},
	[MOVES_SCATTERV] = {FLOW_SCATTER, false},
	[MOVES_ALLREDUCE] = {FLOW_ALLREDUCE, false},
	[MOVES_ALLGATHER] = {FLOW_ALLGATHER, false},
	[MOVES_ALLGATHERV] = {FLOW_ALLGATHER, false},
	[MOVES_ALLTOALL] = {FLOW_ALLTOALL, false},
	[MOVES_ALLTOALLV] = {FLOW_ALLTOALL, true},
	[MOVES_ALLTOALLW] = {FLOW_ALLTOALL, true},
	[MOVES_REDUCE_SCATTER] = {FLOW_REDUCE_SCATTER, false},
	[MOVES_REDUCE_SCATTER_BLOCK] = {FLOW_REDUCE_SCATTER, false},
	[MOVES_NEIGHBOR_ALLGATHER] = {FLOW_NEIGHBOURS, false},
	[MOVES_NEIGHBOR_ALLTOALL] = {FLOW_NEIGHBOURS, false},
	[MOVES_NEIGHBOR_ALLGATHERV] = {FLOW_NEIGHBOURS, true},
	[MOVES_NEIGHBOR_ALLTOALLV] = {FLOW_NEIGHBOURS, true},
	[MOVES_NEIGHBOR_ALLTOALLW] = {FLOW_NEIGHBOURS, true},
};

/* Bytes that the current member sends or receives: each knows its own part, even if they differ. */
static void follow_collective(struct flow_pass *pass, const struct call_info *info)
{
	struct collective_flow flow = collective_flows[info->moves];
	const struct call *call = pass->site->call;
	uint32_t own = pass->site->process, root;
	uint64_t sent = bytes_in(pass, FIELD_SENT), received = bytes_in(pass, FIELD_RECEIVED), peers;
	int64_t root_rank = field_or(call, FIELD_ROOT, RANK_NULL), blocks = 0;
	struct neighbour_list sources;
	bool is_root;

	if (!pass->bytes)
		return;
	is_root = root_rank == RANK_ROOT || (!is_inter(pass->comm) && root_rank == (int64_t)pass->own->rank);
	root = process_of(pass, root_rank);
	peers = pass->comm->sides[pass->side].size;
	/* For upc_all_broadcast the trace has the bytes that each thread receives. */
	if (call_is_pgas(info) && flow.shape == FLOW_BROADCAST)
		flow.shape = FLOW_SCATTER;
	if (flow.shape == FLOW_BROADCAST && is_root) {
		give_each(pass, 0, sent, false);
	} else if (flow.shape == FLOW_REDUCE || flow.shape == FLOW_GATHER) {
		add_flow(pass, own, root, sent, false);
	} else if (flow.shape == FLOW_SCATTER && !is_root) {
		add_flow(pass, root, own, received, false);
	} else if (flow.shape == FLOW_ALLREDUCE || flow.shape == FLOW_ALLGATHER) {
		give_each(pass, info->collective == COLLECTIVE_LOWER_FIRST ? pass->own->rank + 1ull : 0, sent,
		          false);
	} else if (flow.shape == FLOW_ALLTOALL) {
		for (uint32_t i = 0; flow.is_uneven && i < field_count(call); i++)
			if (field_key_at(call, i) == FIELD_BLOCK && field_value_at(call, i) >= 0)
				add_flow(pass, own, process_of(pass, blocks++),
				         (uint64_t)field_value_at(call, i), false);
		if (!blocks && peers)
			give_each(pass, 0, sent / peers, flow.is_uneven);
	} else if (flow.shape == FLOW_REDUCE_SCATTER) {
		for (uint64_t i = 0; i < peers && i < pass->reader->process_count; i++)
			add_flow(pass, process_of(pass, (int64_t)i), own, received, false);
	} else if (flow.shape == FLOW_NEIGHBOURS) {
		sources = neighbour_table_find(&pass->flow->neighbours, own, pass->comm->identity);
		for (uint32_t i = 0; i < sources.count; i++)
			add_flow(pass, process_of(pass, sources.ranks[i]), own, received / sources.count,
			         flow.is_uneven);
	}
}

static void add_on_comm(struct flow_pass *pass, const char *call)
{
	struct data_flow *flow = pass->flow;
	const struct site_total *site = pass->site;
	struct {
		const char *call;
		uint64_t comm;
	} key = {call, pass->own->comm};
	size_t number = intern(&pass->comms, &key, sizeof key)->number;
	struct comm_collective *sum;

	if (number == flow->on_comm_count)
		arena_add(&flow->arena, flow->on_comms, flow->on_comm_count,
		          (struct comm_collective){.call = call, .comm = pass->own->comm});
	sum = &flow->on_comms[number];
	sum->count += site->starts;
	sum->bytes += call_bytes(site->call) * site->starts;
	sum->inside_ns = saturating_add(sum->inside_ns, site->inside_ns);
}

static bool is_collective(const struct call_info *info)
{
	return info->pgas == PGAS_COLLECTIVE || info->class == CLASS_COLLECTIVE ||
	       info->class == CLASS_NEIGHBOURHOOD;
}

static bool has_data(const struct call_info *info)
{
	return is_collective(info) && (info->moves || info->pgas == PGAS_COLLECTIVE);
}

static void take_site(struct flow_pass *pass, const struct site_total *site)
{
	const struct call_info *info = call_find(site->call->outline->name);
	int64_t peer = field_or(site->call, FIELD_PEER, RANK_NULL);

	pass->site = site;
	if (!info || !site->starts)
		return;
	if (is_collective(info) && find_peers(pass, site))
		add_on_comm(pass, info->name);
	if (has_data(info)) {
		struct data_flow *flow = pass->flow;
		const struct interned *known = intern(&pass->functions, info->name, strlen(info->name));
		struct collective_sizes *sizes;
		if (known->number == flow->collective_count)
			arena_add(&flow->arena, flow->collectives, flow->collective_count,
			          (struct collective_sizes){.call = info->name});
		sizes = &flow->collectives[known->number];
		add_to_bin(sizes->bins, pass->site);
		sizes->count += pass->site->starts;
		sizes->bytes += call_bytes(pass->site->call) * pass->site->starts;
		if (find_peers(pass, site))
			follow_collective(pass, info);
	} else if (info->pgas == PGAS_ACCESS) {
		struct data_ends ends = find_peers(pass, site) ? ends_of_access(pass)
		                                               : (struct data_ends){NO_PROCESS, NO_PROCESS};
		/* A UPC thread's accesses to its own memory move nothing. */
		if (field_or(site->call, FIELD_TARGET, RANK_NULL) >= 0 && ends.from != ends.to)
			add_message(pass, ends, &pass->flow->accesses);
	} else if (peer >= 0 && field_or(site->call, FIELD_SENT, -1) >= 0) {
		struct data_ends ends = {site->process,
		                         find_peers(pass, site) ? process_of(pass, peer) : NO_PROCESS};
		add_message(pass, ends, &pass->flow->messages);
	}
}

static void add_cells(struct flow_pass *pass)
{
	struct data_flow *flow = pass->flow;
	uint32_t count = (uint32_t)pass->reader->process_count;

	for (uint32_t from = 0; pass->bytes && from < count; from++)
		for (uint32_t to = 0; to < count; to++)
			if (pass->bytes[(size_t)from * count + to])
				arena_add(
					&flow->arena, flow->traffic, flow->traffic_count,
					(struct rank_traffic){
						.from = from,
						.to = to,
						.collective_bytes = pass->bytes[(size_t)from * count + to],
						.is_estimated = pass->is_estimated[(size_t)from * count + to],
					});
}

static int by_ends(const void *left, const void *right)
{
	const struct rank_traffic *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static int by_bytes(const void *left, const void *right)
{
	const struct collective_sizes *a = left, *b = right;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return strcmp(a->call, b->call);
}

/* `phase` is a number in figures->phases + 1; 0: none. */
static bool is_within(const struct figures *figures, uint32_t phase, uint32_t outer)
{
	while (phase && phase != outer)
		phase = figures->phases[phase - 1].parent;
	return phase == outer;
}

/* `phase` likewise; 0: all calls. */
static struct data_flow *follow_sites(const struct reader *reader, const struct figures *figures,
                                      uint32_t phase)
{
	struct data_flow *flow = memory_new(1, sizeof *flow);
	struct flow_pass pass = {.reader = reader, .figures = figures, .flow = flow};
	size_t count = reader->process_count, kept;

	pass.functions.arena = pass.comms.arena = &flow->arena;
	if (count <= COLLECTIVE_FLOW_MAX) {
		pass.bytes = memory_new(count * count + 1, sizeof *pass.bytes);
		pass.is_estimated = memory_new(count * count + 1, sizeof *pass.is_estimated);
	}
	neighbour_table_make(&flow->neighbours, figures);
	for (size_t i = 0; i < figures->site_count; i++)
		if (!phase || is_within(figures, figures->sites[i].phase, phase))
			take_site(&pass, &figures->sites[i]);
	flow->without_collectives = !pass.bytes && flow->collective_count;
	add_cells(&pass);
	kept = 0;
	if (flow->traffic_count) {
		qsort(flow->traffic, flow->traffic_count, sizeof *flow->traffic, by_ends);
		for (size_t i = 0; i < flow->traffic_count; i++) {
			struct rank_traffic *last = kept ? &flow->traffic[kept - 1] : NULL;
			if (last && by_ends(last, &flow->traffic[i]) == 0) {
				last->messages += flow->traffic[i].messages;
				last->bytes += flow->traffic[i].bytes;
				last->collective_bytes += flow->traffic[i].collective_bytes;
				last->is_estimated |= flow->traffic[i].is_estimated;
			} else {
				flow->traffic[kept++] = flow->traffic[i];
			}
		}
		flow->traffic_count = kept;
	}
	if (flow->collective_count)
		qsort(flow->collectives, flow->collective_count, sizeof *flow->collectives, by_bytes);
	free(pass.bytes);
	free(pass.is_estimated);
	return flow;
}

struct data_flow *data_flow_new(const struct reader *reader, const struct figures *figures)
{
	return follow_sites(reader, figures, 0);
}

struct data_flow *data_flow_of_phase(const struct reader *reader, const struct figures *figures,
                                     uint32_t phase)
{
	return follow_sites(reader, figures, phase + 1);
}

void data_flow_free(struct data_flow *flow)
{
	if (!flow)
		return;
	neighbour_table_release(&flow->neighbours);
	arena_release(&flow->arena);
	free(flow);
}
