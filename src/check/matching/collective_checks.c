#include "calls/calls.h"
#include "check/matching/collectives.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

/* How the data of the members must match, by the movement in the table of calls. */
enum data_rule {
	RULE_NONE,
	RULE_ONE,          /* each sends or receives the same */
	RULE_REDUCE,       /* each sends the same; the root receives as much */
	RULE_REDUCE_BLOCK, /* each member of a group receives a block of the same length */
	RULE_BOTH,         /* each sends to everyone what everyone receives from it */
	RULE_TO_ROOT,      /* each sends what the root receives from it */
	RULE_FROM_ROOT,
	RULE_LIST_OF_ALL, /* each receives from i what i sends, as a list */
	RULE_SAME_LIST,   /* all have the same list */
	RULE_LIST_TO_ROOT,
	RULE_LIST_FROM_ROOT,
	RULE_LISTS,      /* i sends to j what j receives from i */
	RULE_NEIGHBOURS, /* the same along the edges of a topology */
};

static const struct {
	enum data_rule rule;
	bool in_place_by_all;
} data_rules[MOVES_VALUES] = {
	[MOVES_BCAST] = {RULE_ONE, false},
	[MOVES_ALLREDUCE] = {RULE_REDUCE, true},
	[MOVES_REDUCE] = {RULE_REDUCE, false},
	[MOVES_REDUCE_SCATTER_BLOCK] = {RULE_REDUCE_BLOCK, true},
	[MOVES_REDUCE_SCATTER] = {RULE_SAME_LIST, false},
	[MOVES_ALLGATHER] = {RULE_BOTH, true},
	[MOVES_ALLTOALL] = {RULE_BOTH, true},
	[MOVES_GATHER] = {RULE_TO_ROOT, false},
	[MOVES_SCATTER] = {RULE_FROM_ROOT, false},
	[MOVES_ALLGATHERV] = {RULE_LIST_OF_ALL, true},
	[MOVES_GATHERV] = {RULE_LIST_TO_ROOT, false},
	[MOVES_SCATTERV] = {RULE_LIST_FROM_ROOT, false},
	[MOVES_ALLTOALLV] = {RULE_LISTS, true},
	[MOVES_ALLTOALLW] = {RULE_LISTS, true},
	[MOVES_NEIGHBOR_ALLGATHER] = {RULE_NEIGHBOURS, false},
	[MOVES_NEIGHBOR_ALLGATHERV] = {RULE_NEIGHBOURS, false},
	[MOVES_NEIGHBOR_ALLTOALL] = {RULE_NEIGHBOURS, false},
	[MOVES_NEIGHBOR_ALLTOALLV] = {RULE_NEIGHBOURS, false},
	[MOVES_NEIGHBOR_ALLTOALLW] = {RULE_NEIGHBOURS, false},
};

static enum data_rule rule_of(const struct analysed_call *call)
{
	return data_rules[all_calls[call->function].moves].rule;
}

/* MPI_Scan and MPI_Exscan move data like MPI_Allreduce, but each member may use
 * MPI_IN_PLACE independently. */
static bool in_place_is_common(const struct analysed_call *call)
{
	const struct call_info *info = &all_calls[call->function];

	return data_rules[info->moves].in_place_by_all && info->collective != COLLECTIVE_LOWER_FIRST;
}

bool moves_data(const struct analysed_call *call)
{
	return rule_of(call) != RULE_NONE;
}

bool needs_all_calls(const struct analysed_call *call)
{
	enum data_rule rule = rule_of(call);

	return !comm_is_inter(call->member->comm) &&
	       (rule == RULE_LIST_TO_ROOT || rule == RULE_LIST_FROM_ROOT || rule == RULE_LISTS ||
	        rule == RULE_NEIGHBOURS);
}

/* Reports a difference between two calls of an instance. The sending rank precedes the receiving
 * one, otherwise the lower rank is first, so that a finding does not depend on the order of
 * arrival. Returns false. */
#define differ(log, check, a, b, format, ...) \
	({ \
		if (log) \
			report_finding(log, check, 1, CALLS({a, NOTE_HERE}, {b, NOTE_OTHER}), \
			               "comm=%s" format, (a)->member->comm->name, ##__VA_ARGS__); \
		false; \
	})

static bool comes_first(const struct analysed_call *a, const struct analysed_call *b)
{
	return place_of(a->member) <= place_of(b->member);
}

/* The value of "op=MPI_SUM" in "count=1, op=MPI_SUM". */
static void find_argument(const char *list, const char *name, char *value, size_t size)
{
	size_t length = strlen(name);

	for (const char *at = list; at; at = strstr(at, ", "), at = at ? at + 2 : NULL)
		if (strncmp(at, name, length) == 0 && at[length] == '=') {
			at += length + 1;
			snprintf(value, size, "%.*s", (int)strcspn(at, ","), at);
			return;
		}
}

/* Arguments of all members */

static bool same_operation(struct findings_log *log, const struct analysed_call *a,
                           const struct analysed_call *b)
{
	const struct analysed_call *calls[] = {a, b};
	char names[2][128];

	if (a->operator== b->operator)
		return true;
	for (int i = 0; log && i < 2; i++) {
		struct check_call shown = call_to_show(calls[i], NOTE_HERE);
		snprintf(names[i], sizeof names[i], "operation %" PRIu64, calls[i]->operator);
		find_argument(shown.arguments, "op", names[i], sizeof names[i]);
		call_release(&shown);
	}
	return differ(log, CHECK_COLLECTIVE_OPERATION_MISMATCH, a, b,
	              AND "operation=%s" AND "other_operation=%s", names[0], names[1]);
}

static bool is_of_shmem(const struct analysed_call *call)
{
	return all_calls[call->function].pgas;
}

static bool same_detail(struct findings_log *log, const struct analysed_call *a,
                        const struct analysed_call *b)
{
	char name[64] = "", value[256] = "", other_value[256] = "";

	if (strcmp(a->detail, b->detail) == 0)
		return true;
	/* The first of "name=value, …" that differs. */
	for (const char *at = a->detail; at; at = strstr(at, ", "), at = at ? at + 2 : NULL) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "="), at);
		find_argument(a->detail, name, value, sizeof value);
		find_argument(b->detail, name, other_value, sizeof other_value);
		if (strcmp(value, other_value) != 0)
			break;
	}
	return differ(log,
	              is_of_shmem(a) ? CHECK_SHMEM_ARGUMENT_MISMATCH : CHECK_COLLECTIVE_ARGUMENT_MISMATCH, a,
	              b, AND "parameter=%s" AND "value=%s" AND "other_value=%s", name,
	              *value ? value : a->detail, *other_value ? other_value : b->detail);
}

/* Data */

static uint64_t elements_of(const struct known_data *data)
{
	uint64_t elements;

	return __builtin_mul_overflow(signature_elements(data->type->signature), data->count, &elements)
	               ? UINT64_MAX
	               : elements;
}

/* True if the sent and the expected sequence are equal, or unknown. */
static bool same_data(struct findings_log *log, const struct analysed_call *giver,
                      const struct known_data *given, const struct analysed_call *taker,
                      const struct known_data *taken)
{
	struct signature_comparison there, back;

	if (!given->type || !taken->type || (given->type == taken->type && given->count == taken->count))
		return true;
	there = signatures_compare(given->type->signature, given->count, taken->type->signature,
	                           taken->count);
	back = signatures_compare(taken->type->signature, taken->count, given->type->signature, given->count);
	if (there.verdict == SIGNATURE_DIFFERS)
		return differ(log, CHECK_COLLECTIVE_TYPE_MISMATCH, giver, taker,
		              AND "element=%" PRIu64 AND "sent=%s" AND "received=%s", there.at,
		              basic_type_name(there.sent), basic_type_name(there.received));
	if (there.verdict == SIGNATURE_TOO_LONG || back.verdict == SIGNATURE_TOO_LONG)
		return differ(log, CHECK_COLLECTIVE_COUNT_MISMATCH, giver, taker,
		              AND "count=%" PRIu64 AND "other_count=%" PRIu64, elements_of(given),
		              elements_of(taken));
	return true;
}

bool call_is_root(const struct analysed_call *call)
{
	return comm_is_inter(call->member->comm) ? call->root == ROOT_SELF
	                                         : call->root == (int32_t)call->member->rank;
}

struct common_data {
	const struct known_data *items[2]; /* that must equal those of all others */
	int count;
};

static void add_data(struct common_data *data, const struct known_data *item)
{
	if (item->type)
		data->items[data->count++] = item;
}

/* On an intercommunicator one side sends, the other receives: members on the root's side other than
 * the root take no part. */
static struct common_data common_of(const struct analysed_call *call)
{
	bool in_place = call->flags & CHECK_CALL_IN_PLACE, inter = comm_is_inter(call->member->comm);
	bool root = call_is_root(call);
	enum data_rule rule = rule_of(call);
	struct common_data data = {0};

	if (inter && call->root == ROOT_OTHER)
		return data;
	switch (rule) {
	case RULE_ONE:
		add_data(&data, call->send.type ? &call->send : &call->receive);
		break;
	case RULE_REDUCE:
	case RULE_REDUCE_BLOCK:
		if (inter && root)
			add_data(&data, &call->receive);
		else
			add_data(&data, call->send.type && !in_place ? &call->send : &call->receive);
		break;
	case RULE_BOTH:
		if (inter)
			break;
		add_data(&data, &call->receive);
		if (!in_place)
			add_data(&data, &call->send);
		break;
	case RULE_TO_ROOT:
		/* First the root's expectation, with which others are compared. */
		if (root)
			add_data(&data, &call->receive);
		if (!(root && (in_place || inter)))
			add_data(&data, &call->send);
		break;
	case RULE_FROM_ROOT:
		if (root)
			add_data(&data, &call->send);
		if (!(root && (in_place || inter)))
			add_data(&data, &call->receive);
		break;
	default:
		break;
	}
	return data;
}

/* True if the data of one call matches the data of the other. */
static bool same_common(struct findings_log *log, const struct analysed_call *a,
                        const struct analysed_call *b)
{
	struct common_data own = common_of(a), theirs = common_of(b);

	for (int i = 0; i < own.count; i++)
		for (int j = 0; j < theirs.count; j++) {
			const bool b_gives = own.items[i] == &a->receive && theirs.items[j] == &b->send;
			if (b_gives ? !same_data(log, b, theirs.items[j], a, own.items[i])
			            : !same_data(log, a, own.items[i], b, theirs.items[j]))
				return false;
		}
	return true;
}

static bool same_lists(struct findings_log *log, const struct analysed_call *a, const struct analysed_call *b)
{
	uint32_t count = a->receive_list_count;

	if (a->receive_list_hash == b->receive_list_hash || count != b->receive_list_count)
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (!same_data(log, a, &a->receive_list[i], b, &b->receive_list[i]))
			return false;
	return true;
}

/* The data of each member must equal the other's list entry for its rank. */
static bool fits_list(struct findings_log *log, const struct analysed_call *giver,
                      const struct analysed_call *taker)
{
	uint32_t rank = giver->member->rank;

	return giver->flags & CHECK_CALL_IN_PLACE || rank >= taker->receive_list_count ||
	       same_data(log, giver, &giver->send, taker, &taker->receive_list[rank]);
}

static bool same_by_rule(struct findings_log *log, const struct analysed_call *a,
                         const struct analysed_call *b)
{
	switch (rule_of(a)) {
	case RULE_LIST_OF_ALL:
		return comm_is_inter(a->member->comm) ||
		       (fits_list(log, a, b) && fits_list(log, b, a) && same_lists(log, a, b));
	/* Each of two groups divides its result among its own members. */
	case RULE_SAME_LIST:
		return a->member->side != b->member->side || same_lists(log, a, b);
	case RULE_REDUCE_BLOCK:
		return a->member->side != b->member->side || same_common(log, a, b);
	default:
		return same_common(log, a, b);
	}
}

bool collectives_agree(struct findings_log *log, const struct analysed_call *call,
                       const struct analysed_call *other)
{
	const struct analysed_call *a = comes_first(call, other) ? call : other,
				   *b = a == call ? other : call;
	bool agree = true;

	if (!is_same_collective(a, b))
		return differ(log,
		              is_of_shmem(a) ? CHECK_SHMEM_CALL_MISMATCH
		              : all_calls[a->function].plain == all_calls[b->function].plain
		                      ? CHECK_COLLECTIVE_BLOCKING_MISMATCH
		                      : CHECK_COLLECTIVE_CALL_MISMATCH,
		              a, b, "");
	/* All differences of arguments are reported. Data is compared only if there are none. */
	if (!comm_is_inter(a->member->comm) && a->root != b->root && a->root >= 0 && b->root >= 0 &&
	    !is_of_shmem(a)) /* its root is a detail */
		agree = differ(log, CHECK_COLLECTIVE_ROOT_MISMATCH, a, b, AND "root=%d" AND "other_root=%d",
		               a->root, b->root);
	agree &= same_operation(log, a, b);
	if ((a->flags ^ b->flags) & CHECK_CALL_IN_PLACE && in_place_is_common(a))
		agree = differ(log, CHECK_COLLECTIVE_IN_PLACE_MISMATCH, a, b, "");
	agree &= same_detail(log, a, b);
	return agree && same_by_rule(log, a, b);
}

bool gives_root(const struct analysed_call *call)
{
	return call->root == ROOT_SELF;
}

bool roots_agree(struct findings_log *log, const struct analysed_call *call,
                 const struct analysed_call *other)
{
	const struct analysed_call *calls[2] = {comes_first(call, other) ? call : other,
	                                        comes_first(call, other) ? other : call};
	uint32_t roots[2];
	char texts[2][64];

	/* MPI_ROOT is the rank of the process that passes it. */
	for (int i = 0; i < 2; i++) {
		const bool is_self = gives_root(calls[i]);
		roots[i] = is_self ? calls[i]->member->rank : (uint32_t)calls[i]->root;
		snprintf(texts[i], sizeof texts[i], is_self ? "MPI_ROOT (rank %u of its group)" : "%u",
		         roots[i]);
	}
	return roots[0] == roots[1] || differ(log, CHECK_COLLECTIVE_ROOT_MISMATCH, calls[0], calls[1],
	                                      AND "root=%s" AND "other_root=%s", texts[0], texts[1]);
}

bool has_common_data(const struct analysed_call *call)
{
	return common_of(call).count;
}

/* Lists pair by pair */

static bool check_root_list(struct findings_log *log, const struct collective_instance *instance,
                            uint32_t count, bool to_root)
{
	int32_t rank = instance->reference->root;
	struct analysed_call *root = rank >= 0 && (uint32_t)rank < count ? instance_call(instance, rank)
	                                                                 : NULL;
	const struct known_data *list = !root ? NULL : to_root ? root->receive_list : root->send_list;
	uint32_t length = !root ? 0 : to_root ? root->receive_list_count : root->send_list_count;

	for (uint32_t i = 0; i < count && i < length; i++) {
		struct analysed_call *call = instance_call(instance, i);
		bool in_place = call == root && root->flags & CHECK_CALL_IN_PLACE;
		if (!call || in_place)
			continue;
		if (to_root ? !same_data(log, call, &call->send, root, &list[i])
		            : !same_data(log, root, &list[i], call, &call->receive))
			return false;
	}
	return true;
}

static bool check_all_lists(struct findings_log *log, const struct collective_instance *instance,
                            uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < count; j++) {
			struct analysed_call *giver = instance_call(instance, i),
					     *taker = instance_call(instance, j);
			bool in_place = giver && giver->flags & CHECK_CALL_IN_PLACE;
			const struct known_data *given = !giver     ? NULL
			                                 : in_place ? giver->receive_list
			                                            : giver->send_list;
			uint32_t length = !giver     ? 0
			                  : in_place ? giver->receive_list_count
			                             : giver->send_list_count;
			if (!giver || !taker || j >= length || i >= taker->receive_list_count)
				continue;
			if (!same_data(log, giver, &given[j], taker, &taker->receive_list[i]))
				return false;
		}
	return true;
}

/* Neighbours */

/* Position of a rank in a list of neighbours; UINT32_MAX: missing, or more than once. */
static uint32_t find_neighbour(const int32_t *list, uint32_t count, uint32_t rank)
{
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++)
		if (list[i] == (int32_t)rank) {
			if (found != UINT32_MAX)
				return UINT32_MAX;
			found = i;
		}
	return found;
}

static const struct known_data *block_of(const struct known_data *one, const struct known_data *list,
                                         uint32_t count, uint32_t at)
{
	return !count ? one : at < count ? &list[at] : NULL;
}

/* Along each edge of the topology. */
static bool check_neighbours(struct findings_log *log, const struct collective_instance *instance,
                             uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct analysed_call *giver = instance_call(instance, i);
		for (uint32_t k = 0; giver && k < giver->member->dest_count; k++) {
			const struct comm_member *member = giver->member;
			uint32_t dest = (uint32_t)member->dests[k];
			const struct analysed_call *taker = dest < count ? instance_call(instance, dest)
			                                                 : NULL;
			const struct known_data *given, *taken;
			uint32_t source = !taker ? UINT32_MAX
			                         : find_neighbour(taker->member->sources,
			                                          taker->member->source_count, i);
			if (source == UINT32_MAX ||
			    find_neighbour(member->dests, member->dest_count, dest) != k)
				continue;
			given = block_of(&giver->send, giver->send_list, giver->send_list_count, k);
			taken = block_of(&taker->receive, taker->receive_list, taker->receive_list_count,
			                 source);
			if (given && taken && !same_data(log, giver, given, taker, taken))
				return false;
		}
	}
	return true;
}

bool lists_fit(struct findings_log *log, const struct collective_instance *instance)
{
	struct analysed_comm *comm = instance->comm;
	uint32_t count = comm_places(comm);
	uint64_t hash = count;
	bool fits;

	for (uint32_t i = 0; i < count; i++)
		hash = hash_word(hash, instance_call(instance, i) ? instance_call(instance, i)->serial : 0);
	/* The same calls as last time: nothing new to report. */
	if (hash == comm->fitting)
		return true;
	switch (rule_of(instance->reference)) {
	case RULE_LISTS:
		fits = check_all_lists(log, instance, count);
		break;
	case RULE_NEIGHBOURS:
		fits = check_neighbours(log, instance, count);
		break;
	default:
		fits = check_root_list(log, instance, count,
		                       rule_of(instance->reference) == RULE_LIST_TO_ROOT);
	}
	if (fits)
		comm->fitting = hash;
	return fits;
}

/* Summaries */

/* Equal if the sequences of basic types are. Never 0. */
static uint64_t data_key(const struct known_data *data)
{
	const uint64_t elements = elements_of(data);
	const uint64_t key = elements
	                             ? hash_word(signature_hash(data->type->signature, data->count), elements)
	                             : 1;

	return key ? key : 1;
}

/* Data that one member gives to another, or expects from it. */
static uint64_t edge_key(uint32_t giver, uint32_t taker, const struct known_data *data)
{
	return data && data->type && elements_of(data)
	               ? hash_word((uint64_t)giver << 32 | taker, data_key(data))
	               : 0;
}

static uint64_t root_balance(const struct analysed_call *call, bool to_root)
{
	const uint32_t rank = call->member->rank, root = (uint32_t)call->root;
	const bool is_root = call_is_root(call), in_place = is_root && call->flags & CHECK_CALL_IN_PLACE;
	const struct known_data *list = to_root ? call->receive_list : call->send_list;
	const uint32_t length = to_root ? call->receive_list_count : call->send_list_count;
	uint64_t expected = 0, own = 0;

	for (uint32_t i = 0; is_root && i < length && i < call->member->comm->size[0]; i++)
		if (!in_place || i != root)
			expected += to_root ? edge_key(i, root, &list[i]) : edge_key(root, i, &list[i]);
	if (!in_place)
		own = to_root ? edge_key(rank, root, &call->send) : edge_key(root, rank, &call->receive);
	return to_root ? own - expected : expected - own;
}

static uint64_t lists_balance(const struct analysed_call *call)
{
	const uint32_t rank = call->member->rank, count = call->member->comm->size[0];
	const bool in_place = call->flags & CHECK_CALL_IN_PLACE;
	const struct known_data *given = in_place ? call->receive_list : call->send_list;
	const uint32_t length = in_place ? call->receive_list_count : call->send_list_count;
	uint64_t balance = 0;

	for (uint32_t i = 0; i < count && i < length; i++)
		balance += edge_key(rank, i, &given[i]);
	for (uint32_t i = 0; i < count && i < call->receive_list_count; i++)
		balance -= edge_key(i, rank, &call->receive_list[i]);
	return balance;
}

/* Edges between neighbours that are named once. */
static uint64_t neighbours_balance(const struct analysed_call *call)
{
	const struct comm_member *member = call->member;
	const uint32_t rank = member->rank, count = member->comm->size[0];
	uint64_t balance = 0;

	for (uint32_t i = 0; i < member->dest_count; i++) {
		const uint32_t dest = (uint32_t)member->dests[i];

		if (dest < count && find_neighbour(member->dests, member->dest_count, dest) == i)
			balance += edge_key(rank, dest,
			                    block_of(&call->send, call->send_list, call->send_list_count, i));
	}
	for (uint32_t i = 0; i < member->source_count; i++) {
		const uint32_t source = (uint32_t)member->sources[i];

		if (source < count && find_neighbour(member->sources, member->source_count, source) == i)
			balance -= edge_key(
				source, rank,
				block_of(&call->receive, call->receive_list, call->receive_list_count, i));
	}
	return balance;
}

static uint64_t balance_of(const struct analysed_call *call)
{
	if (!needs_all_calls(call))
		return 0;
	switch (rule_of(call)) {
	case RULE_LISTS:
		return lists_balance(call);
	case RULE_NEIGHBOURS:
		return neighbours_balance(call);
	default:
		return call->root >= 0 ? root_balance(call, rule_of(call) == RULE_LIST_TO_ROOT) : 0;
	}
}

static uint64_t form_of(const struct analysed_call *call)
{
	const uint32_t flags = call->flags & (CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT);
	uint64_t form = hash_word(all_calls[call->function].plain, flags);

	if (!call_is_start(call)) {
		if (!comm_is_inter(call->member->comm))
			form = hash_word(form, call->root >= 0 ? (uint64_t)call->root + 1 : 0);
		form = hash_word(form, call->operator);
		form = hash_word(form, in_place_is_common(call) ? call->flags & CHECK_CALL_IN_PLACE : 0);
		form = hash_word(form, hash_bytes(call->detail, strlen(call->detail)));
	}
	return form ? form : 1;
}

static void add_data_key(struct collective_summary *summary, uint64_t key)
{
	summary->is_wrong |= summary->data && key && summary->data != key;
	summary->data = summary->data ? summary->data : key;
}

static void summarize_data(const struct analysed_call *call, struct collective_summary *summary)
{
	const struct common_data common = common_of(call);
	const bool has_list = !comm_is_inter(call->member->comm) &&
	                      (rule_of(call) == RULE_LIST_OF_ALL || rule_of(call) == RULE_SAME_LIST);
	uint64_t key = call->receive_list_count;

	for (int i = 0; i < common.count; i++)
		add_data_key(summary, data_key(common.items[i]));
	if (!has_list)
		return;
	for (uint32_t i = 0; i < call->receive_list_count; i++)
		key = hash_word(key, edge_key(0, i, &call->receive_list[i]));
	add_data_key(summary, key ? key : 1);
	summary->is_wrong |= rule_of(call) == RULE_LIST_OF_ALL && !fits_list(NULL, call, call);
}

const struct collective_summary *collective_summary_of(struct analysed_call *call)
{
	struct collective_summary *summary = call->summary;

	if (summary)
		return summary;
	summary = call->summary = memory_new(1, sizeof *summary);
	summary->form = form_of(call);
	if (call_is_start(call))
		return summary;
	summarize_data(call, summary);
	if (comm_is_inter(call->member->comm) && (call->root >= 0 || gives_root(call)))
		summary->root = 1 + (uint64_t)(gives_root(call) ? call->member->rank : (uint32_t)call->root);
	summary->balance = balance_of(call);
	return summary;
}

void collective_summary_add(struct collective_summary *sum, const struct collective_summary *more)
{
	if (!sum->form)
		sum->form = more->form;
	sum->is_wrong |= more->is_wrong || sum->form != more->form ||
	                 (sum->root && more->root && sum->root != more->root);
	add_data_key(sum, more->data);
	sum->root = sum->root ? sum->root : more->root;
	sum->balance += more->balance;
}

bool collective_has_summary(const struct analysed_call *call)
{
	return !comm_is_inter(call->member->comm) ||
	       (rule_of(call) != RULE_REDUCE_BLOCK && rule_of(call) != RULE_SAME_LIST);
}
