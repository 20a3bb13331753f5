#include "check/execution/window_accesses.h"

enum { COVERED_LOOKS = 8 }; /* covered accesses to look for, per kind and run */

struct window_access *access_keep(struct window_access *access)
{
	access->references++;
	return access;
}

void access_drop(struct known *known, struct window_access *access)
{
	if (--access->references)
		return;
	call_drop(known, access->call);
	free(access);
}

static void release_value(void *owner, void *value)
{
	access_drop(owner, value);
}

static bool needs_lock(const struct window_access *access)
{
	return !access->is_local || access->is_locked;
}

static const struct signature *type_of(const struct window_access *access)
{
	return access->call->receive.type->signature;
}

static bool types_agree(const struct signature *one, const struct signature *other)
{
	return one == other || signatures_compare(one, 1, other, 1).verdict == SIGNATURE_FITS ||
	       (signature_single_type(one) && signature_single_type(one) == signature_single_type(other));
}

/* Updates of one process at the same place are ordered (12.7.2), unless the program waives it. */
static bool updates_keep_order(uint32_t hints, const struct window_access *earlier,
                               const struct window_access *later)
{
	const uint32_t needed = !access_writes(later)     ? ACCUMULATE_NO_RAW
	                        : !access_writes(earlier) ? ACCUMULATE_NO_WAR
	                                                  : ACCUMULATE_NO_WAW;

	return !(hints & needed) && types_agree(type_of(earlier), type_of(later));
}

/* The first access is complete at the target before the other begins. */
static bool is_ordered(const struct window_accesses *accesses, const struct window_access *earlier,
                       const struct window_access *later)
{
	if (earlier->process == later->process)
		return earlier->ended && earlier->ended < later->began;
	if ((earlier->is_exclusive || later->is_exclusive) && needs_lock(earlier) && needs_lock(later))
		return true; /* by the lock */
	return earlier->ended &&
	       ordering_is_before(accesses->ordering, earlier->process, earlier->completed, later->process);
}

struct conflict_search {
	const struct window_accesses *accesses;
	struct window_access *access;
	int64_t first, end;
	struct window_conflict *conflict;
	struct interval *covered[COVERED_LOOKS];
	int covered_count, looks;
	bool is_same_set; /* the set of the access itself */
	bool is_atomic;   /* with updates of other processes in the searched set */
	bool is_same;     /* the same operation as the updates in that set: their order makes no difference */
};

/* The two updates share only a part of an element. */
static bool share_part(const struct conflict_search *search, const struct interval *other)
{
	const int64_t bytes = signature_single_bytes(type_of(search->access));

	return bytes > 1 && (search->end - search->first) % bytes == 0 &&
	       (other->end - other->first) % bytes == 0 && (search->first - other->first) % bytes;
}

/* Two updates that are not ordered otherwise. */
static bool updates_agree(const struct conflict_search *search, const struct interval *interval)
{
	const struct window_access *earlier = interval->value, *later = search->access;

	if (types_agree(type_of(earlier), type_of(later)) && share_part(search, interval))
		return false;
	if (earlier->process != later->process)
		return search->is_atomic;
	return search->is_same || updates_keep_order(search->accesses->hints, earlier, later);
}

/* Loads, stores and buffers of one process cannot conflict here. Those of processes that share memory can. */
static bool are_one_program(const struct window_access *one, const struct window_access *other)
{
	return one->is_local && other->is_local &&
	       (one->process == other->process || one->is_buffer || other->is_buffer);
}

static bool look_for_conflict(struct interval *interval, void *owner)
{
	struct conflict_search *search = owner;
	struct window_access *other = interval->value;
	const bool are_updates = other->kind == ACCESS_UPDATES && search->access->kind == ACCESS_UPDATES;

	if (other == search->access || are_one_program(other, search->access) ||
	    is_ordered(search->accesses, other, search->access) ||
	    (are_updates && updates_agree(search, interval)))
		return true;
	*search->conflict = (struct window_conflict){
		.earlier = access_keep(other),
		.first = interval->first > search->first ? interval->first : search->first,
		.end = interval->end < search->end ? interval->end : search->end,
		.is_update = are_updates,
	};
	return false;
}

static bool look_for_covered(struct interval *interval, void *owner)
{
	struct conflict_search *search = owner;
	const struct window_access *other = interval->value;
	const bool is_same = search->is_same_set && other->process == search->access->process &&
	                     other->is_passive == search->access->is_passive;

	if (interval->first >= search->first && interval->end <= search->end && other != search->access &&
	    (is_same || is_ordered(search->accesses, other, search->access)))
		search->covered[search->covered_count++] = interval;
	return ++search->looks < COVERED_LOOKS;
}

/* True: the access replaced a kept access to the same bytes, which is faster than removing one and adding
 * another. */
static bool remove_covered(struct window_accesses *accesses, struct byte_intervals *set,
                           struct conflict_search *search, bool is_same_set)
{
	bool replaced = false;

	search->covered_count = search->looks = 0;
	search->is_same_set = is_same_set;
	interval_tree_visit(&set->tree, search->first, search->end, look_for_covered, search);
	for (int i = 0; i < search->covered_count; i++) {
		struct interval *covered = search->covered[i];

		access_drop(accesses->known, covered->value);
		if (is_same_set && !replaced && covered->first == search->first &&
		    covered->end == search->end) {
			covered->value = access_keep(search->access);
			replaced = true;
		} else {
			byte_intervals_remove(set, covered);
		}
	}
	return replaced;
}

/* Updates with it are atomic with those of other operations. */
static bool is_neutral(uint32_t hints, uint64_t op)
{
	return op == WINDOW_OPERATOR_SWAP || (op == WINDOW_OPERATOR_NONE && !(hints & ACCUMULATE_SAME_OP));
}

static void compare_with(struct conflict_search *search, const struct update_set *set)
{
	const uint64_t op = search->access->call->operator, other = set->operator;
	const uint32_t hints = search->accesses->hints;
	const bool agrees = search->access->kind == ACCESS_UPDATES &&
	                    types_agree(set->type, type_of(search->access));

	search->is_same = agrees && op == other;
	search->is_atomic = agrees && (op == other || is_neutral(hints, op) || is_neutral(hints, other));
}

bool access_writes(const struct window_access *access)
{
	return access->kind == ACCESS_WRITES ||
	       (access->kind == ACCESS_UPDATES && access->call->operator!= WINDOW_OPERATOR_NONE);
}

static int64_t element_bytes(const struct signature *type)
{
	const uint32_t bytes = signature_single_bytes(type);

	return bytes ? bytes : 1;
}

static bool is_whole(const struct signature *type, const struct conflict_search *search)
{
	return (search->end - search->first) % element_bytes(type) == 0;
}

/* The elements of all updates in the set begin at the same boundaries: none shares a part of an
 * element with this one. */
static bool has_boundaries(const struct update_set *set, const struct conflict_search *search)
{
	return !set->is_shifted && is_whole(set->type, search) &&
	       set->boundary == search->first % element_bytes(set->type);
}

static bool find_conflict(struct window_accesses *accesses, struct conflict_search *search)
{
	const struct window_access *access = search->access;

	search->is_atomic = search->is_same = false;
	if (!interval_tree_visit(&accesses->writes.tree, search->first, search->end, look_for_conflict,
	                         search))
		return true;
	if (access_writes(access) && !interval_tree_visit(&accesses->reads.tree, search->first, search->end,
	                                                  look_for_conflict, search))
		return true;
	for (size_t i = 0; i < accesses->updates.count; i++) {
		const struct update_set *set = &accesses->updates.items[i];

		compare_with(search, set);
		if ((access->kind == ACCESS_READS && set->operator== WINDOW_OPERATOR_NONE) ||
		    ((search->is_same || (search->is_atomic && !(accesses->hints & ACCUMULATE_UNORDERED))) &&
		     has_boundaries(set, search)))
			continue;
		if (!interval_tree_visit(&set->intervals.tree, search->first, search->end, look_for_conflict,
		                         search))
			return true;
	}
	return false;
}

/* NULL: not an update. */
static struct update_set *update_set_of(struct window_accesses *accesses, const struct window_access *access)
{
	const uint64_t operator= access->call->operator;

	if (access->kind != ACCESS_UPDATES)
		return NULL;
	for (size_t i = 0; i < accesses->updates.count; i++)
		if (accesses->updates.items[i].operator== operator&& accesses->updates.items[i].type ==
		    type_of(access))
			return &accesses->updates.items[i];
	array_add(&accesses->updates, (struct update_set){.operator= operator,
	                                                  .type = type_of(access),
	                                                  .boundary = -1,
	                                                  .call = call_keep(access->call)});
	return &accesses->updates.items[accesses->updates.count - 1];
}

static void add_run(struct window_accesses *accesses, struct conflict_search *search)
{
	struct update_set *set = update_set_of(accesses, search->access);
	struct byte_intervals *own = set                                    ? &set->intervals
	                             : search->access->kind == ACCESS_READS ? &accesses->reads
	                                                                    : &accesses->writes;
	bool is_there;

	if (set && !has_boundaries(set, search))
		set->is_shifted = set->boundary >= 0 || !is_whole(set->type, search);
	if (set && set->boundary < 0)
		set->boundary = search->first % element_bytes(set->type);
	is_there = remove_covered(accesses, own, search, true);
	if (search->access->kind == ACCESS_WRITES) {
		remove_covered(accesses, &accesses->reads, search, false);
		for (size_t i = 0; i < accesses->updates.count; i++)
			remove_covered(accesses, &accesses->updates.items[i].intervals, search, false);
	}
	if (!is_there)
		byte_intervals_add(own, search->first, search->end, access_keep(search->access));
}

static bool has_only_reads(const struct window_accesses *accesses)
{
	for (size_t i = 0; i < accesses->updates.count; i++)
		if (accesses->updates.items[i].intervals.count)
			return false;
	return !accesses->writes.count;
}

static void add_waiting(struct window_accesses *accesses, struct window_access *access, int64_t start)
{
	*map_put(&accesses->waiting_numbers,
	         map_key(access->call->serial, (uint64_t)start)) = (uint32_t)accesses->waiting.count;
	array_add(&accesses->waiting, (struct waiting_access){access, start});
	accesses->waiting_runs += access->call->rank_count / 2;
}

static bool has_waiting_updates(const struct window_accesses *accesses)
{
	return accesses->waiting.count && accesses->waiting.items[0].access->kind == ACCESS_UPDATES;
}

/* All kept accesses are updates like this one, and none shares a part of an element with it. */
static bool has_only_such_updates(struct window_accesses *accesses, const struct window_access *access,
                                  int64_t start)
{
	const struct analysed_call *call = access->call;
	struct update_set *set;

	if (access->kind != ACCESS_UPDATES || accesses->reads.count || accesses->writes.count ||
	    (accesses->waiting.count && !has_waiting_updates(accesses)))
		return false;
	set = update_set_of(accesses, access);
	if (accesses->updates.count > 1)
		return false;
	for (uint32_t i = 0; i + 1 < call->rank_count; i += 2) {
		const struct conflict_search run = {.first = start + call->ranks[i],
		                                    .end = start + call->ranks[i] + call->ranks[i + 1]};

		if (set->boundary < 0)
			set->boundary = run.first % element_bytes(set->type);
		if (!has_boundaries(set, &run))
			return false;
	}
	return true;
}

/* False: the access may conflict with another one, or must be stored as an interval. */
static bool waits(struct window_accesses *accesses, struct window_access *access, int64_t start)
{
	const uint32_t *number;
	struct waiting_access *last;

	if (access->kind == ACCESS_READS ? has_waiting_updates(accesses) || !has_only_reads(accesses)
	                                 : !has_only_such_updates(accesses, access, start))
		return false;
	number = map_find(&accesses->waiting_numbers, map_key(access->call->serial, (uint64_t)start));
	if (!number) {
		add_waiting(accesses, access_keep(access), start);
		return true;
	}
	last = &accesses->waiting.items[*number];
	if (last->access->is_passive != access->is_passive)
		return false;
	access_drop(accesses->known, last->access);
	last->access = access_keep(access);
	return true;
}

static void clear_waiting(struct window_accesses *accesses)
{
	array_release(&accesses->waiting);
	map_release(&accesses->waiting_numbers);
	accesses->waiting_runs = 0;
}

static void stop_waiting(struct window_accesses *accesses)
{
	for (size_t i = 0; i < accesses->waiting.count; i++) {
		const struct waiting_access *waiting = &accesses->waiting.items[i];
		const struct analysed_call *call = waiting->access->call;
		struct update_set *set = update_set_of(accesses, waiting->access);

		for (uint32_t j = 0; j + 1 < call->rank_count; j += 2)
			if (call->ranks[j + 1] > 0)
				byte_intervals_add(set ? &set->intervals : &accesses->reads,
				                   waiting->start + call->ranks[j],
				                   waiting->start + call->ranks[j] + call->ranks[j + 1],
				                   access_keep(waiting->access));
		access_drop(accesses->known, waiting->access);
	}
	clear_waiting(accesses);
}

bool accesses_add(struct window_accesses *accesses, struct window_access *access, int64_t start,
                  struct window_conflict *conflict)
{
	const struct analysed_call *call = access->call;
	struct conflict_search search = {.accesses = accesses, .access = access, .conflict = conflict};
	bool found = false;

	if (!access->is_local && (!call->receive.type || !signature_elements(call->receive.type->signature)))
		return false;
	if (waits(accesses, access, start))
		return false;
	if (access->kind != ACCESS_READS || has_waiting_updates(accesses))
		stop_waiting(accesses);
	for (uint32_t i = 0; i + 1 < call->rank_count; i += 2) {
		search.first = start + call->ranks[i];
		search.end = search.first + call->ranks[i + 1];
		if (call->ranks[i + 1] <= 0)
			continue;
		found = found || find_conflict(accesses, &search);
		add_run(accesses, &search);
	}
	return found;
}

uint64_t accesses_count(const struct window_accesses *accesses)
{
	uint64_t count = accesses->waiting_runs + accesses->reads.count + accesses->writes.count;

	for (size_t i = 0; i < accesses->updates.count; i++)
		count += accesses->updates.items[i].intervals.count;
	return count;
}

void accesses_clear(struct window_accesses *accesses)
{
	for (size_t i = 0; i < accesses->waiting.count; i++)
		access_drop(accesses->known, accesses->waiting.items[i].access);
	clear_waiting(accesses);
	byte_intervals_clear(&accesses->reads, release_value, accesses->known);
	byte_intervals_clear(&accesses->writes, release_value, accesses->known);
	for (size_t i = 0; i < accesses->updates.count; i++) {
		byte_intervals_clear(&accesses->updates.items[i].intervals, release_value, accesses->known);
		call_drop(accesses->known, accesses->updates.items[i].call);
	}
	array_release(&accesses->updates);
}

struct interval_list {
	ARRAY(struct interval *) list;
};

static bool is_completed(struct interval *interval, void *owner)
{
	const struct window_access *access = interval->value;

	(void)owner;
	return access->ended;
}

static bool collect_completed(struct interval *interval, void *owner)
{
	struct interval_list *found = owner;
	const struct window_access *access = interval->value;

	if (access->ended)
		array_add(&found->list, interval);
	return true;
}

static void clear_completed(struct window_accesses *accesses, struct byte_intervals *set)
{
	struct interval_list found = {0};

	if (interval_tree_visit(&set->tree, INT64_MIN, INT64_MAX, is_completed, NULL)) {
		byte_intervals_clear(set, release_value, accesses->known);
		return;
	}
	interval_tree_visit(&set->tree, INT64_MIN, INT64_MAX, collect_completed, &found);
	for (size_t i = 0; i < found.list.count; i++) {
		access_drop(accesses->known, found.list.items[i]->value);
		byte_intervals_remove(set, found.list.items[i]);
	}
	array_release(&found.list);
}

static void clear_completed_waiting(struct window_accesses *accesses)
{
	struct window_accesses before = *accesses;

	accesses->waiting = (__typeof__(accesses->waiting)){0};
	accesses->waiting_numbers = (struct map){0};
	accesses->waiting_runs = 0;
	for (size_t i = 0; i < before.waiting.count; i++) {
		const struct waiting_access *waiting = &before.waiting.items[i];

		if (waiting->access->ended)
			access_drop(accesses->known, waiting->access);
		else
			add_waiting(accesses, waiting->access, waiting->start);
	}
	clear_waiting(&before);
}

void accesses_clear_completed(struct window_accesses *accesses)
{
	clear_completed_waiting(accesses);
	clear_completed(accesses, &accesses->reads);
	clear_completed(accesses, &accesses->writes);
	for (size_t i = 0; i < accesses->updates.count; i++)
		clear_completed(accesses, &accesses->updates.items[i].intervals);
}
