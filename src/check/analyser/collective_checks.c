#include "calls/calls.h"
#include "check/analyser/collectives.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

/* How data of the members have to fit, by how the table of calls says that it moves. */
enum data_rule {
	RULE_NONE,
	RULE_ONE,     /* each gives or takes the same */
	RULE_REDUCE,  /* each gives the same; what the root takes is as long */
	RULE_BOTH,    /* each gives to everyone what everyone takes of it */
	RULE_TO_ROOT, /* each gives what the root takes of it */
	RULE_FROM_ROOT,
	RULE_LIST_OF_ALL, /* each takes of i what i gives, as a list */
	RULE_SAME_LIST,   /* all have the same list */
	RULE_LIST_TO_ROOT,
	RULE_LIST_FROM_ROOT,
	RULE_LISTS, /* i gives to j what j takes of i */
};

static const struct {
	const char *moves;
	enum data_rule rule;
	bool in_place_by_all;
} data_rules[] = {
	{"bcast", RULE_ONE, false},
	{"allreduce", RULE_REDUCE, true},
	{"reduce", RULE_REDUCE, false},
	{"reduce_scatter_block", RULE_REDUCE, true},
	{"reduce_scatter", RULE_SAME_LIST, false},
	{"allgather", RULE_BOTH, true},
	{"alltoall", RULE_BOTH, true},
	{"gather", RULE_TO_ROOT, false},
	{"scatter", RULE_FROM_ROOT, false},
	{"allgatherv", RULE_LIST_OF_ALL, true},
	{"gatherv", RULE_LIST_TO_ROOT, false},
	{"scatterv", RULE_LIST_FROM_ROOT, false},
	{"alltoallv", RULE_LISTS, true},
	{"alltoallw", RULE_LISTS, true},
};

static int rule_number(const struct analysed_call *call)
{
	const struct call_info *info = &all_calls[call->function];

	for (int i = 0; i < (int)(sizeof data_rules / sizeof *data_rules); i++)
		if (strcmp(data_rules[i].moves, info->moves) == 0)
			return i;
	return -1;
}

static enum data_rule rule_of(const struct analysed_call *call)
{
	int number = rule_number(call);

	return number < 0 ? RULE_NONE : data_rules[number].rule;
}

/* MPI_Scan and MPI_Exscan move data as MPI_Allreduce does, but each member may decide for itself. */
static bool in_place_is_common(const struct analysed_call *call)
{
	int number = rule_number(call);

	return number >= 0 && data_rules[number].in_place_by_all &&
	       strcmp(all_calls[call->function].meets, "lower_first") != 0;
}

bool needs_all_calls(const struct analysed_call *call)
{
	enum data_rule rule = rule_of(call);

	return !comm_is_inter(call->member->comm) &&
	       (rule == RULE_LIST_TO_ROOT || rule == RULE_LIST_FROM_ROOT || rule == RULE_LISTS);
}

/* Reports */

enum collective_problem {
	PROBLEM_CALL,
	PROBLEM_ROOT,
	PROBLEM_OPERATION,
	PROBLEM_IN_PLACE,
	PROBLEM_ARGUMENT,
	PROBLEM_DATA
};

/* The lower rank stands first, so that a finding does not depend on who came first. */
static bool comes_first(const struct analysed_call *a, const struct analysed_call *b)
{
	return a->member->side != b->member->side ? a->member->side < b->member->side
	                                          : a->member->rank <= b->member->rank;
}

static void begin(struct report_draft *report, enum check check, const struct analysed_call *a,
                  const struct analysed_call *b)
{
	report_begin(report, check);
	report_call(report, a, NOTE_HERE);
	report_call(report, b, NOTE_OTHER);
	report_value(report, "comm", "%s", a->member->comm->name);
}

static void end(struct checked_run *analysis, struct collective_instance *instance, struct analysed_call *call,
                struct report_draft *report, enum collective_problem problem)
{
	instance->found |= 1u << problem;
	call->finding = report_end(report, analysis->log);
}

/* The value of "name = value" in "count = 1, op = MPI_SUM". */
static void find_argument(const char *list, const char *name, char *value, size_t size)
{
	size_t length = strlen(name);

	for (const char *at = list; at; at = strstr(at, ", "), at = at ? at + 2 : NULL)
		if (strncmp(at, name, length) == 0 && strncmp(at + length, " = ", 3) == 0) {
			at += length + 3;
			snprintf(value, size, "%.*s", (int)strcspn(at, ","), at);
			return;
		}
}

/* Same function? */

/* Without what tells blocking, non-blocking, persistent and large calls apart: MPI_Ibcast_c is MPI_Bcast. */
static void base_name(const struct analysed_call *call, char *name, size_t size)
{
	const struct call_info *info = &all_calls[call->function];
	size_t length;
	char *at;

	snprintf(name, size, "%s", info->name);
	length = strlen(name);
	if (info->large && length > 2)
		name[length -= 2] = '\0';
	if (info->persistent && length > 5 && strcmp(name + length - 5, "_init") == 0)
		name[length - 5] = '\0';
	if (!(call->flags & CHECK_CALL_NONBLOCKING))
		return;
	at = strstr(name, "_i");
	if (strncmp(name, "MPI_I", 5) == 0) {
		memmove(name + 4, name + 5, strlen(name + 5) + 1);
		name[4] = (char)toupper((unsigned char)name[4]);
	} else if (at) {
		memmove(at + 1, at + 2, strlen(at + 2) + 1);
	}
}

static bool is_same_function(struct checked_run *analysis, struct collective_instance *instance,
                             struct analysed_call *call)
{
	const uint32_t form = CHECK_CALL_NONBLOCKING | CHECK_CALL_PERSISTENT;
	const struct analysed_call *other = instance->reference;
	bool same_form = (call->flags & form) == (other->flags & form), same_base;
	struct report_draft report;
	char own_name[128], other_name[128];

	if (call->function == other->function && same_form)
		return true;
	base_name(call, own_name, sizeof own_name);
	base_name(other, other_name, sizeof other_name);
	same_base = strcmp(own_name, other_name) == 0;
	if (same_base && same_form)
		return true;
	if (comes_first(call, other))
		begin(&report,
		      same_base ? CHECK_COLLECTIVE_BLOCKING_MISMATCH : CHECK_COLLECTIVE_CALL_MISMATCH, call,
		      other);
	else
		begin(&report,
		      same_base ? CHECK_COLLECTIVE_BLOCKING_MISMATCH : CHECK_COLLECTIVE_CALL_MISMATCH, other,
		      call);
	end(analysis, instance, call, &report, PROBLEM_CALL);
	call->member->comm->is_broken = true;
	return false;
}

/* Arguments that all give */

/* Of an intercommunicator, those on the side of the root give MPI_ROOT and MPI_PROC_NULL, those on the other its rank. */
static const struct analysed_call *root_reference(struct collective_instance *instance, struct analysed_call *call)
{
	if (!comm_is_inter(call->member->comm))
		return instance->reference;
	if (!instance->rooted && call->root >= 0)
		instance->rooted = call_keep(call);
	return instance->rooted ? instance->rooted : call;
}

static void check_root(struct checked_run *analysis, struct collective_instance *instance,
                       struct analysed_call *call)
{
	const struct analysed_call *other = root_reference(instance, call);
	bool first = comes_first(call, other);
	struct report_draft report;

	if (call->root == other->root || call->root < 0 || other->root < 0)
		return;
	begin(&report, CHECK_COLLECTIVE_ROOT_MISMATCH, first ? call : other, first ? other : call);
	report_value(&report, "root", "%d", first ? call->root : other->root);
	report_value(&report, "other_root", "%d", first ? other->root : call->root);
	end(analysis, instance, call, &report, PROBLEM_ROOT);
}

static void report_operation(struct report_draft *report, const char *name, const struct check_call *shown,
                             const struct analysed_call *call)
{
	char text[128] = "";

	find_argument(shown->arguments, "op", text, sizeof text);
	if (*text)
		report_value(report, name, "%s", text);
	else
		report_value(report, name, "operation %" PRIu64, call->operator);
}

static void check_operation(struct checked_run *analysis, struct collective_instance *instance,
                            struct analysed_call *call)
{
	const struct analysed_call *other = instance->reference;
	bool first = comes_first(call, other);
	struct report_draft report;

	if (call->operator== other->operator)
		return;
	begin(&report, CHECK_COLLECTIVE_OPERATION_MISMATCH, first ? call : other, first ? other : call);
	report_operation(&report, "operation", &report.calls[0], first ? call : other);
	report_operation(&report, "other_operation", &report.calls[1], first ? other : call);
	end(analysis, instance, call, &report, PROBLEM_OPERATION);
}

static void check_in_place(struct checked_run *analysis, struct collective_instance *instance,
                           struct analysed_call *call)
{
	const struct analysed_call *other = instance->reference;
	bool first = comes_first(call, other);
	struct report_draft report;

	if (((call->flags ^ other->flags) & CHECK_CALL_IN_PLACE) == 0 || !in_place_is_common(call))
		return;
	begin(&report, CHECK_COLLECTIVE_IN_PLACE_MISMATCH, first ? call : other, first ? other : call);
	end(analysis, instance, call, &report, PROBLEM_IN_PLACE);
}

/* The first of "name = value, …" that differs. */
static void report_detail(struct report_draft *report, const char *own, const char *other)
{
	char name[64] = "", value[256] = "", other_value[256] = "";

	for (const char *at = own; at; at = strstr(at, ", "), at = at ? at + 2 : NULL) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
		find_argument(own, name, value, sizeof value);
		find_argument(other, name, other_value, sizeof other_value);
		if (strcmp(value, other_value) != 0)
			break;
	}
	report_value(report, "parameter", "%s", name);
	report_value(report, "value", "%s", *value ? value : own);
	report_value(report, "other_value", "%s", *other_value ? other_value : other);
}

static void check_detail(struct checked_run *analysis, struct collective_instance *instance,
                         struct analysed_call *call)
{
	const struct analysed_call *other = instance->reference;
	bool first = comes_first(call, other);
	struct report_draft report;

	if (strcmp(call->detail, other->detail) == 0)
		return;
	begin(&report, CHECK_COLLECTIVE_ARGUMENT_MISMATCH, first ? call : other, first ? other : call);
	report_detail(&report, first ? call->detail : other->detail, first ? other->detail : call->detail);
	end(analysis, instance, call, &report, PROBLEM_ARGUMENT);
}

/* Data */

static uint64_t elements_of(const struct known_data *data)
{
	uint64_t elements;

	if (!data->type)
		return 0;
	return __builtin_mul_overflow(signature_elements(data->type->signature), data->count, &elements)
	               ? UINT64_MAX
	               : elements;
}

/* They are the same sequence: what one gives and the other expects. True: they fit, or nothing can be said. */
static bool check_data(struct checked_run *analysis, struct collective_instance *instance,
                       struct analysed_call *giver, const struct known_data *given, struct analysed_call *taker,
                       const struct known_data *taken)
{
	struct signature_comparison compared = {.verdict = SIGNATURE_FITS};
	struct report_draft report;
	bool differ;

	if (!given->type || !taken->type || (given->type == taken->type && given->count == taken->count))
		return true;
	compared = signatures_compare(given->type->signature, given->count, taken->type->signature,
	                              taken->count);
	differ = compared.verdict == SIGNATURE_DIFFERS;
	if (!differ && elements_of(given) == elements_of(taken))
		return true;
	if (!differ && compared.verdict != SIGNATURE_TOO_LONG &&
	    signatures_compare(taken->type->signature, taken->count, given->type->signature, given->count)
	                    .verdict != SIGNATURE_TOO_LONG)
		return true;
	if (instance->found & 1u << PROBLEM_DATA)
		return false;
	begin(&report, differ ? CHECK_COLLECTIVE_TYPE_MISMATCH : CHECK_COLLECTIVE_COUNT_MISMATCH, giver,
	      taker);
	if (differ) {
		report_value(&report, "element", "%" PRIu64, compared.at);
		report_value(&report, "sent", "%s", basic_type_name(compared.sent));
		report_value(&report, "received", "%s", basic_type_name(compared.received));
	} else {
		report_value(&report, "count", "%" PRIu64, elements_of(given));
		report_value(&report, "other_count", "%" PRIu64, elements_of(taken));
	}
	end(analysis, instance, giver, &report, PROBLEM_DATA);
	return false;
}

static bool is_root(const struct analysed_call *call)
{
	return comm_is_inter(call->member->comm) ? call->root == -2
	                                         : call->root == (int32_t)call->member->rank;
}

struct common_data {
	const struct known_data *items[2]; /* that have to be equal to those of all others */
	int count;
};

static void add_data(struct common_data *data, const struct known_data *item)
{
	if (item->type)
		data->items[data->count++] = item;
}

/* Of an intercommunicator one side gives, the other takes: those on the root's side that are not the root have no part in it. */
static struct common_data common_of(const struct analysed_call *call)
{
	bool in_place = call->flags & CHECK_CALL_IN_PLACE, inter = comm_is_inter(call->member->comm);
	bool root = is_root(call);
	enum data_rule rule = rule_of(call);
	struct common_data data = {0};

	if (inter && call->root == -3)
		return data;
	switch (rule) {
	case RULE_ONE:
		add_data(&data, call->send.type ? &call->send : &call->receive);
		break;
	case RULE_REDUCE:
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
		if (!(root && (in_place || inter)))
			add_data(&data, &call->send);
		if (root)
			add_data(&data, &call->receive);
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

static void check_common(struct checked_run *analysis, struct collective_instance *instance,
                         struct analysed_call *call)
{
	struct analysed_call *other = instance->reference;
	struct common_data own = common_of(call), theirs = common_of(other);
	const struct known_data *first = theirs.count ? theirs.items[0] : NULL;

	/* The reference is no part of it: another one has to be. */
	if (!first && own.count && call != other) {
		call_keep(call);
		call_drop(&analysis->known, other);
		instance->reference = call;
		return;
	}
	for (int i = 0; i < own.count && first; i++)
		if (call != other || i > 0)
			if (comes_first(call, other)
			            ? !check_data(analysis, instance, call, own.items[i], other, first)
			            : !check_data(analysis, instance, other, first, call, own.items[i]))
				return;
}

static void check_same_lists(struct checked_run *analysis, struct collective_instance *instance,
                             struct analysed_call *call)
{
	struct analysed_call *other = instance->reference;
	uint32_t count = call->receive_list_count;

	if (call->receive_list_hash == other->receive_list_hash || count != other->receive_list_count)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (!check_data(analysis, instance, call, &call->receive_list[i], other,
		                &other->receive_list[i]))
			return;
}

/* What each gives stands in the list of the reference at its rank. */
static void check_list_of_all(struct checked_run *analysis, struct collective_instance *instance,
                              struct analysed_call *call)
{
	struct analysed_call *other = instance->reference;
	uint32_t rank = call->member->rank;

	check_same_lists(analysis, instance, call);
	if (!(call->flags & CHECK_CALL_IN_PLACE) && rank < other->receive_list_count)
		check_data(analysis, instance, call, &call->send, other, &other->receive_list[rank]);
}

static void check_data_rule(struct checked_run *analysis, struct collective_instance *instance,
                            struct analysed_call *call)
{
	switch (rule_of(call)) {
	case RULE_LIST_OF_ALL:
		if (!comm_is_inter(call->member->comm))
			check_list_of_all(analysis, instance, call);
		break;
	case RULE_SAME_LIST:
		check_same_lists(analysis, instance, call);
		break;
	default:
		check_common(analysis, instance, call);
		break;
	}
}

void check_collective(struct checked_run *analysis, struct collective_instance *instance,
                      struct analysed_call *call)
{
	const struct analysed_call *other = instance->reference;

	if (call->partner == other->serial && call != other && !comm_is_inter(call->member->comm)) {
		if (call->finding != FINDING_NONE)
			findings_log_repeat(analysis->log, call->finding);
		return;
	}
	call->partner = other->serial;
	call->finding = FINDING_NONE;
	if (call != other && !is_same_function(analysis, instance, call))
		return;
	check_root(analysis, instance, call);
	if (call != other) {
		check_operation(analysis, instance, call);
		check_in_place(analysis, instance, call);
		check_detail(analysis, instance, call);
	}
	if (!instance->found)
		check_data_rule(analysis, instance, call);
}

/* Lists pair by pair */

static uint64_t hash_calls(const struct collective_instance *instance, uint32_t count)
{
	uint64_t hash = count;

	for (uint32_t i = 0; i < count; i++)
		hash = hash_word(hash, instance->calls[i] ? instance->calls[i]->serial : 0);
	return hash;
}

static bool check_root_list(struct checked_run *analysis, struct collective_instance *instance,
                            uint32_t count, bool to_root)
{
	int32_t rank = instance->reference->root;
	struct analysed_call *root = rank >= 0 && (uint32_t)rank < count ? instance->calls[rank] : NULL;
	const struct known_data *list = !root ? NULL : to_root ? root->receive_list : root->send_list;
	uint32_t length = !root ? 0 : to_root ? root->receive_list_count : root->send_list_count;

	for (uint32_t i = 0; i < count && i < length; i++) {
		struct analysed_call *call = instance->calls[i];
		bool in_place = call == root && root->flags & CHECK_CALL_IN_PLACE;
		if (!call || in_place)
			continue;
		if (to_root ? !check_data(analysis, instance, call, &call->send, root, &list[i])
		            : !check_data(analysis, instance, root, &list[i], call, &call->receive))
			return false;
	}
	return true;
}

static bool check_all_lists(struct checked_run *analysis, struct collective_instance *instance,
                            uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < count; j++) {
			struct analysed_call *giver = instance->calls[i], *taker = instance->calls[j];
			bool in_place = giver && giver->flags & CHECK_CALL_IN_PLACE;
			const struct known_data *given = !giver     ? NULL
			                                 : in_place ? giver->receive_list
			                                            : giver->send_list;
			uint32_t length = !giver     ? 0
			                  : in_place ? giver->receive_list_count
			                             : giver->send_list_count;
			if (!giver || !taker || j >= length || i >= taker->receive_list_count)
				continue;
			if (!check_data(analysis, instance, giver, &given[j], taker, &taker->receive_list[i]))
				return false;
		}
	return true;
}

void check_lists(struct checked_run *analysis, struct collective_instance *instance)
{
	struct analysed_comm *comm = instance->reference->member->comm;
	uint32_t count = comm_members(comm);
	uint64_t hash = hash_calls(instance, count);
	enum data_rule rule = rule_of(instance->reference);
	bool fits;

	/* The same calls as last time, or roots or functions that differ: nothing new to say. */
	if (hash == comm->fitting || instance->found)
		return;
	fits = rule == RULE_LISTS ? check_all_lists(analysis, instance, count)
	                          : check_root_list(analysis, instance, count, rule == RULE_LIST_TO_ROOT);
	if (fits)
		comm->fitting = hash;
}
