/* The pass. A row is written when it is complete, sometimes long after its calls. So dependences are
 * collected and resolved in batches, in time order. The logs of the threads cover more time than a batch. */
#include "analysis/causes/causes.h"

#include "analysis/causes/call_log.h"
#include "analysis/causes/dependences.h"
#include "analysis/causes/late_threads.h"
#include "analysis/causes/path_follow.h"
#include "analysis/causes/wait_places.h"
#include "analysis/model/spans.h"
#include "analysis/model/time_resolver.h"
#include "base/memory.h"

#include <stdlib.h>

enum {
	BATCH_MIN = 4096, /* dependences */
	/* Calls of each process to compare for one wait: minimum, maximum, and the increase
	 * per call of the run. */
	COMPARED_MIN = 32,
	COMPARED_MAX = 512,
	COMPARED_PER_CALL = 2,
	CAUSES_KNOWN = 4096,
	PARTNERS_KEPT = 8, /* per process: when it was last synchronized with them */
	COLLECTIVES_KEPT = 4,
	SMALLEST_PART = 64,  /* of a wait: a smaller fraction is noise */
	PAIRS_MAX = 1 << 20, /* of processes: further ones are only counted in total */
};

/* When a process was last synchronized with others: with partners that it waited for, and with all members
 * of a collective call. */
struct in_step {
	struct {
		int64_t ns;
		uint32_t partner; /* + 1; 0: none */
	} partners[PARTNERS_KEPT];
	struct {
		int64_t ns;
		uint64_t instance;
	} collectives[COLLECTIVES_KEPT];
	uint32_t next;
};

/* A place, as a cause with this process. */
struct known_cause {
	uint32_t key, process, cause;
};

struct causes {
	struct analysis_session *session;
	struct call_logs *logs;
	struct dependence_reading reading;
	const struct replay_counts *counts; /* of the replay; NULL after it */
	uint64_t calls;                     /* that were replayed */
	struct row_sink sink;
	struct time_resolver resolver;
	ARRAY(struct dependence) batch; /* without `wait`: resolved */
	uint32_t batch_most;
	uint64_t compared;       /* compared calls so far */
	uint64_t next_calls;     /* number of logged calls at which the next batch is due */
	struct in_step *in_step; /* by process */
	struct key_sums sums;
	struct late_threads late;
	struct known_cause known[CAUSES_KNOWN];
	struct wait_places waits;
	struct map pair_numbers; /* by both processes and the path of the region */
	ARRAY(struct pair_wait) pairs;
	int64_t other_pairs_ns;
	struct path_tree tree;
	struct critical_path *path;
};

static int64_t step_with(const struct in_step *own, uint32_t partner, int64_t before)
{
	uint32_t slot = partner % PARTNERS_KEPT;

	return own->partners[slot].partner == partner + 1 && own->partners[slot].ns <= before
	               ? own->partners[slot].ns
	               : INT64_MIN;
}

static int64_t step_of_both(const struct in_step *a, const struct in_step *b, int64_t before)
{
	int64_t ns = INT64_MIN;

	for (int i = 0; i < COLLECTIVES_KEPT; i++)
		for (int j = 0; j < COLLECTIVES_KEPT; j++)
			if (a->collectives[i].instance &&
			    a->collectives[i].instance == b->collectives[j].instance &&
			    a->collectives[i].ns <= before && a->collectives[i].ns > ns)
				ns = a->collectives[i].ns;
	return ns;
}

/* How many calls of each process are compared for a wait: fewer if waits are frequent, so that the total time
 * is proportional to the number of calls. */
static uint64_t calls_to_compare(const struct causes *causes)
{
	uint64_t allowed = COMPARED_PER_CALL * causes->logs->added;
	uint64_t left = allowed > causes->compared ? (allowed - causes->compared) / 2 : 0;

	return left < COMPARED_MIN ? COMPARED_MIN : left > COMPARED_MAX ? COMPARED_MAX : left;
}

/* When both were last synchronized, as far as known. */
static int64_t last_step(const struct causes *causes, const struct dependence *dependence)
{
	uint32_t process = dependence->wait->process, partner = dependence->partner->process;
	const struct in_step *own = &causes->in_step[process], *others = &causes->in_step[partner];
	int64_t ns = max_ns(step_with(own, partner, dependence->since),
	                    step_with(others, process, dependence->since));

	return max_ns(ns, step_of_both(own, others, dependence->since));
}

static bool is_larger(const struct key_sum *a, const struct key_sum *b)
{
	return a->ns != b->ns ? a->ns > b->ns : a->key < b->key;
}

/* Finds the additional work of the late process, compared with the other one. */
static void compare(struct causes *causes, const struct dependence *dependence)
{
	struct call_logs *logs = causes->logs;
	struct call_log *log = call_logs_find(logs, dependence->wait->process, dependence->thread);
	struct call_log *late = call_logs_find(logs, dependence->partner->process,
	                                       dependence->partner_thread);
	uint64_t calls = calls_to_compare(causes), count;
	struct log_stretch stretch;
	int64_t since;

	key_sums_clear(&causes->sums);
	if (!log || !late)
		return;
	stretch = (struct log_stretch){.from = dependence->since,
	                               .to = dependence->moment,
	                               .count = call_log_count(logs, late, dependence->moment),
	                               .place = call_place(logs, dependence->partner),
	                               .sign = 1};
	causes->compared += call_logs_stretch(logs, late, &stretch, &causes->sums);
	key_sums_note_late(&causes->sums);
	stretch.to = dependence->since;
	stretch.count = call_log_count(logs, late, dependence->since);
	count = call_log_count(logs, log, dependence->since);
	since = max_ns(last_step(causes, dependence), call_log_known(logs, late, stretch.count, calls));
	since = max_ns(since, call_log_known(logs, log, count, calls));
	/* Begins at the latest with the wait, to show the activity of the late process meanwhile. */
	stretch.from = since < dependence->since ? since : dependence->since;
	causes->compared += call_logs_stretch(logs, late, &stretch, &causes->sums);
	stretch.count = count;
	stretch.place = call_place(logs, dependence->wait);
	stretch.sign = -1;
	causes->compared += call_logs_stretch(logs, log, &stretch, &causes->sums);
}

/* The place as a cause with the late process. */
static uint32_t cause_of(struct causes *causes, uint32_t key, uint32_t process)
{
	struct cause_key cause = causes->logs->keys.all.items[key];
	struct known_cause *known = &causes->known[(key * 31 + process) % CAUSES_KNOWN];

	if (key == KEY_OTHER || key == KEY_UNKNOWN || cause.process != NO_PROCESS)
		return key;
	if (known->key != key || known->process != process || !known->cause) {
		cause.process = process;
		*known = (struct known_cause){key, process, cause_key_number(&causes->logs->keys, &cause)};
	}
	return known->cause;
}

static int64_t late_part(const struct key_sum *sum)
{
	return sum->late_ns < sum->ns ? max_ns(sum->late_ns, 0) : sum->ns;
}

/* Work of the waiting process may also have delayed the late process. Such work does not make one wait for the other. */
static void cancel_own(struct causes *causes, uint32_t process)
{
	for (uint32_t i = 0; i < causes->sums.count; i++) {
		struct key_sum *sum = &causes->sums.slots[causes->sums.used[i]], *own;
		struct cause_key key;
		int64_t ns;
		if (causes->logs->keys.all.items[sum->key].process != process || sum->ns <= 0)
			continue;
		key = causes->logs->keys.all.items[sum->key];
		key.process = NO_PROCESS;
		own = key_sums_find(&causes->sums, cause_key_number(&causes->logs->keys, &key));
		if (!own || own->ns >= 0)
			continue;
		ns = min_ns(sum->ns, -own->ns);
		sum->ns -= ns;
		own->ns += ns;
	}
}

/* The positive sums. Returns their number. */
static uint32_t take_sums(const struct causes *causes, struct key_sum *parts, int64_t *noise)
{
	int64_t instead = 0;
	uint32_t count = 0;
	double before, late, left_before, left_late;

	for (uint32_t i = 0; i < causes->sums.count; i++) {
		const struct key_sum *sum = &causes->sums.slots[causes->sums.used[i]];
		if (sum->key == KEY_NOISE)
			*noise = sum->ns;
		else if (sum->ns > 0) {
			parts[count] = *sum;
			parts[count++].order = i;
		} else
			instead -= sum->ns;
	}
	/* Other work of the waiting process offsets the extra work of the late process before the wait;
	 * only if that is less, also work during the wait. If the late process had no CPU, the offset
	 * may exceed its work. */
	before = 0;
	late = 0;
	for (uint32_t i = 0; i < count; i++) {
		late += (double)late_part(&parts[i]);
		before += (double)(parts[i].ns - late_part(&parts[i]));
	}
	left_before = before > (double)instead ? 1 - (double)instead / before : 0;
	left_late = before >= (double)instead || late <= 0 ? 1 : 1 - ((double)instead - before) / late;
	left_late = left_late > 0 ? left_late : 0;
	for (uint32_t i = 0; i < count; i++) {
		double own = (double)late_part(&parts[i]);
		parts[i].ns = (int64_t)(left_late * own + left_before * ((double)parts[i].ns - own));
	}
	return count;
}

/* Scales the parts so that they add up to the wait. Drops negligible ones. */
static uint32_t scale(struct key_sum *parts, uint32_t count, int64_t wait)
{
	int64_t all = 0, least, left = wait;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++)
		all += parts[i].ns;
	least = all / SMALLEST_PART;
	all = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (parts[i].ns <= least)
			continue;
		parts[kept++] = parts[i];
		all += parts[i].ns;
	}
	for (uint32_t i = 0; i < kept; i++) {
		parts[i].ns = (int64_t)((double)parts[i].ns * (double)wait / (double)all);
		left -= parts[i].ns;
	}
	if (kept) {
		/* Insertion sort, the largest first: there are few. */
		for (uint32_t i = 1; i < kept; i++) {
			struct key_sum part = parts[i];
			uint32_t at = i;
			for (; at && is_larger(&part, &parts[at - 1]); at--)
				parts[at] = parts[at - 1];
			parts[at] = part;
		}
		parts[0].ns += left;
	}
	return kept;
}

/* The causes of a wait, the largest first. Returns their number. */
static uint32_t take_parts(struct causes *causes, const struct dependence *dependence, struct key_sum *parts)
{
	int64_t noise = 0;
	uint32_t count;

	cancel_own(causes, dependence->wait->process);
	count = scale(parts, take_sums(causes, parts, &noise), dependence->ns);
	if (!count)
		parts[count++] = (struct key_sum){.key = noise > 0 ? KEY_NOISE : KEY_UNKNOWN,
		                                  .ns = dependence->ns};
	for (uint32_t i = 0; i < count; i++)
		parts[i].key = cause_of(causes, parts[i].key, dependence->partner->process);
	return count;
}

/* Kept for processes that wait for this one. */
static void keep_wait(struct causes *causes, const struct dependence *dependence, const struct key_sum *parts,
                      uint32_t count)
{
	struct call_log *log = call_logs_find(causes->logs, dependence->wait->process, dependence->thread);
	struct resolved_wait wait = {.since = dependence->since, .until = dependence->moment};
	struct key_sum kept[WAIT_PARTS];
	uint32_t kept_count = count <= WAIT_PARTS ? count : WAIT_PARTS - 1, others = kept_count < count;
	float rest = 1;

	if (!log)
		return;
	for (uint32_t i = 0; i < kept_count; i++) {
		uint32_t at = i;
		for (; at && kept[at - 1].order < parts[i].order; at--)
			kept[at] = kept[at - 1];
		kept[at] = parts[i];
	}
	for (uint32_t i = 0; i < kept_count; i++) {
		wait.keys[others + i] = kept[i].key;
		wait.parts[others + i] = (float)((double)kept[i].ns / (double)dependence->ns);
		rest -= wait.parts[others + i];
	}
	if (others) {
		wait.keys[0] = KEY_OTHER;
		wait.parts[0] = rest;
	}
	call_logs_keep_wait(causes->logs, log, dependence->start, &wait);
}

/* NULL: too many places. */
static struct waits_at *find_waits(struct causes *causes, const struct dependence *dependence)
{
	uint32_t partner = call_place(causes->logs, dependence->partner);
	struct known_call *known = call_logs_know(causes->logs, dependence->wait);
	struct waits_at *waits;

	if (known->waits && known->partner == partner)
		return &causes->waits.all.items[known->waits - 1];
	waits = wait_places_add(&causes->waits, dependence->wait->process, known->place - 1, partner);
	if (waits) {
		known->partner = partner;
		known->waits = (uint32_t)(waits - causes->waits.all.items) + 1;
	}
	return waits;
}

/* How much longer the late process took, without noise. */
static int64_t took_longer(const struct causes *causes)
{
	int64_t ns = 0;

	for (uint32_t i = 0; i < causes->sums.count; i++) {
		const struct key_sum *sum = &causes->sums.slots[causes->sums.used[i]];
		ns += sum->key == KEY_NOISE ? 0 : sum->ns;
	}
	return ns;
}

/* The process that would have arrived last without delays, unless its work does not explain the wait: delays
 * may be older than the compared calls. Then it is the process that really arrived last. */
static void compare_late(struct causes *causes, struct dependence *dependence)
{
	compare(causes, dependence);
	if (!dependence->last || took_longer(causes) >= dependence->ns / 2)
		return;
	dependence->partner = dependence->last;
	dependence->partner_thread = dependence->last_thread;
	dependence->moment = dependence->last_moment;
	compare(causes, dependence);
}

static void add_to_pair(struct causes *causes, uint32_t waiting, uint32_t late, uint32_t phase, int64_t ns)
{
	uint32_t path = call_logs_path_of(causes->logs, phase);
	struct map_key key = map_key((uint64_t)waiting << 32 | late, path);
	uint32_t *number = causes->pairs.count < PAIRS_MAX ? map_put(&causes->pair_numbers, key)
	                                                   : map_find(&causes->pair_numbers, key);
	int64_t *sum;

	if (number && *number == MAP_NONE) {
		*number = (uint32_t)causes->pairs.count;
		array_add(&causes->pairs,
		          ((struct pair_wait){waiting, late, call_logs_path_text(causes->logs, path), 0}));
	}
	sum = number ? &causes->pairs.items[*number].ns : &causes->other_pairs_ns;
	*sum = saturating_add(*sum, ns);
}

static void resolve(struct causes *causes, const struct dependence *dependence)
{
	struct key_sum parts[SUMS_MAX + 1];
	struct dependence compared = *dependence;
	struct waits_at *waits;
	uint32_t count, partner, slot;
	struct in_step *own;

	if (dependence->ns) {
		compare_late(causes, &compared);
		count = take_parts(causes, &compared, parts);
		keep_wait(causes, &compared, parts, count);
		add_to_pair(causes, compared.wait->process, compared.partner->process, compared.phase,
		            compared.ns);
		waits = find_waits(causes, dependence);
		for (uint32_t i = 0; waits && i < count; i++)
			waits_add_cause(waits, parts[i].key, parts[i].ns);
		if (waits)
			waits->ns = saturating_add(waits->ns, dependence->ns);
	}
	own = &causes->in_step[compared.wait->process];
	partner = compared.partner->process;
	slot = partner % PARTNERS_KEPT;
	if (compared.ns) {
		own->partners[slot].ns = compared.moment;
		own->partners[slot].partner = partner + 1;
	}
	if (compared.instance) {
		own->collectives[own->next].ns = compared.moment;
		own->collectives[own->next].instance = compared.instance;
		own->next = (own->next + 1) % COLLECTIVES_KEPT;
	}
}

/* Sorted by the ends of waits: a process delays others only after its own wait has ended. */
static int64_t list_batch(void *context, struct time_resolver *resolver)
{
	const struct causes *causes = context;

	for (uint32_t i = 0; i < causes->batch.count; i++)
		time_resolver_add(resolver, i, causes->batch.items[i].settled,
		                  causes->batch.items[i].wait->number);
	return INT64_MAX;
}

static bool resolve_one(void *context, uint32_t number, int64_t *ns, uint32_t *tie)
{
	struct causes *causes = context;

	(void)ns;
	(void)tie;
	resolve(causes, &causes->batch.items[number]);
	causes->batch.items[number].wait = NULL;
	causes->resolver.kept--;
	return false;
}

/* Later rows may precede the later half of the batch in time. */
static void resolve_batch(struct causes *causes, bool all)
{
	size_t count = causes->batch.count, left = 0;

	causes->resolver.kept = count;
	time_resolver_run(&causes->resolver, all ? 0 : count - count / 2);
	for (size_t i = 0; i < count; i++)
		if (causes->batch.items[i].wait)
			causes->batch.items[left++] = causes->batch.items[i];
	causes->batch.count = left;
}

static void move_path(struct causes *causes, const struct dependence *dependence)
{
	struct call_logs *logs = causes->logs;
	const struct call_log *log = call_logs_find(logs, dependence->wait->process, dependence->thread);
	const struct call_log *late = call_logs_find(logs, dependence->path_process, dependence->path_thread);

	if (log && late)
		path_tree_add(&causes->tree, (uint32_t)(log - logs->logs), dependence->settled,
		              (uint32_t)(late - logs->logs));
}

static void add_dependence(void *context, const struct dependence *dependence)
{
	struct causes *causes = context;

	if (causes->tree.heads && dependence->path_process != NO_PROCESS)
		move_path(causes, dependence);
	if (dependence->ns || dependence->instance)
		array_add(&causes->batch, *dependence);
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct causes *causes = context;

	for (uint32_t i = 0; i < first->phase_count; i++)
		call_logs_name_phase(causes->logs, &first->phases[i]);
	if (block->relation == RELATION_TEAM_CALL)
		late_threads_read(&causes->late, causes->logs, block);
	dependences_read(&causes->reading, block);
	if (causes->batch.count >= causes->batch_most)
		resolve_batch(causes, false);
	return block;
}

static void take_call(void *context, const struct occurrence *call, const struct event *event)
{
	struct causes *causes = context;

	call_logs_add(causes->logs, call, event);
	if (late_threads_want(&causes->late, call))
		late_threads_call(&causes->late, causes->logs, call);
	if (causes->logs->added < causes->next_calls)
		return;
	causes->next_calls = causes->logs->added +
	                     causes->session->reader->process_count * causes->logs->room / 4;
	resolve_batch(causes, false);
}

static void end_rows(void *context)
{
	struct causes *causes = context;

	resolve_batch(causes, true);
	if (causes->tree.heads) {
		path_tree_finish(&causes->tree);
		causes->path = path_follow(&causes->tree, causes->session->reader,
		                           session_run_spans(causes->session), causes->counts->start_ns);
	}
	path_tree_release(&causes->tree);
	call_logs_forget_calls(causes->logs);
}

struct causes *causes_begin(struct analysis_session *session, const struct causes_options *options,
                            const struct replay_counts *counts)
{
	struct causes *causes = memory_new(1, sizeof *causes);
	size_t processes = session->reader->process_count;

	causes->session = session;
	causes->counts = counts;
	causes->sink = (struct row_sink){.context = causes,
	                                 .wants = {[RELATION_TEAM_CALL] = true},
	                                 .block_groups = 16,
	                                 .is_prompt = true,
	                                 .rows = take_rows,
	                                 .call = take_call,
	                                 .end = end_rows};
	dependences_want(&causes->sink);
	causes->resolver = (struct time_resolver){.context = causes, .list = list_batch, .step = resolve_one};
	causes->logs = call_logs_new(session);
	causes->logs->places.source = options->source;
	causes->in_step = memory_new(processes + 1, sizeof *causes->in_step);
	causes->batch_most = BATCH_MIN + 2 * (uint32_t)processes;
	causes->next_calls = causes->logs->room / 4 * processes;
	causes->reading = (struct dependence_reading){.session = session,
	                                              .logs = causes->logs,
	                                              .origin = &counts->start_ns,
	                                              .context = causes,
	                                              .add = add_dependence};
	if (options->finds_path)
		path_tree_init(&causes->tree, causes->logs->first[processes], options->path_nodes);
	return causes;
}

const struct row_sink *causes_sink(const struct causes *causes)
{
	return &causes->sink;
}

static void release_reading(struct causes *causes)
{
	dependences_release(&causes->reading);
	time_resolver_release(&causes->resolver);
	array_release(&causes->batch);
	causes->counts = NULL;
}

void causes_finish(struct causes *causes)
{
	if (causes->path)
		path_add_parts(causes->path, causes->logs, causes->session->time, causes->counts->start_ns);
	causes->calls = causes->counts->events;
	release_reading(causes);
}

struct causes *causes_new(struct analysis_session *session, const struct causes_options *options)
{
	struct replay_counts counts = {0};
	struct causes *causes = causes_begin(session, options, &counts);

	relate(session, &causes->sink, &counts);
	causes_finish(causes);
	return causes;
}

void causes_free(struct causes *causes)
{
	if (!causes)
		return;
	if (causes->counts)
		release_reading(causes);
	call_logs_free(causes->logs);
	free(causes->in_step);
	wait_places_release(&causes->waits);
	late_threads_release(&causes->late);
	map_release(&causes->pair_numbers);
	array_release(&causes->pairs);
	critical_path_free(causes->path);
	free(causes);
}

struct pair_waits causes_pairs(const struct causes *causes)
{
	return (struct pair_waits){causes->pairs.items, causes->pairs.count, causes->other_pairs_ns};
}

const struct critical_path *causes_path(const struct causes *causes)
{
	return causes->path;
}

struct critical_path *causes_take_path(struct causes *causes)
{
	struct critical_path *path = causes->path;

	causes->path = NULL;
	return path;
}

uint64_t causes_calls(const struct causes *causes)
{
	return causes->calls;
}

static struct caller caller_at(const struct causes *causes, uint32_t number)
{
	const struct place *place = number == NO_PLACE ? NULL : place_get(&causes->logs->places, number);

	if (!place)
		return (struct caller){NO_PROCESS, NULL};
	return (struct caller){(uint32_t)(place->process - causes->session->reader->processes), place->call};
}

/* Without region and process: the key for totals of computation. */
static uint32_t plain_key(struct causes *causes, uint32_t key)
{
	struct cause_key plain = causes->logs->keys.all.items[key];

	plain.process = NO_PROCESS;
	plain.region = 0;
	return cause_key_number(&causes->logs->keys, &plain);
}

static void describe_computing(struct causes *causes, uint32_t key, struct wait_cause *cause)
{
	struct computing_sums *sums = &causes->logs->computing;
	struct computing_times times;
	struct late_thread late;

	if (!computing_of(sums, key, cause->process, &times))
		return;
	cause->own_ns = times.own_ns;
	cause->blocked_ns = times.blocked_ns;
	cause->mean_ns = times.mean_ns;
	cause->ranks = times.processes;
	if (!late_threads_of(&causes->late, sums,
	                     &(struct late_query){computing_number(sums, key, cause->process), cause->ranks,
	                                          cause->own_ns, cause->mean_ns},
	                     &late))
		return;
	cause->late_ns = late.ns;
	cause->late_thread = late.thread;
	cause->late_at = caller_at(causes, late.place);
}

static struct wait_cause describe(struct causes *causes, const struct place_cause *found)
{
	const struct cause_key *key = &causes->logs->keys.all.items[found->key];
	struct wait_cause cause = {.kind = (enum cause_kind)key->kind,
	                           .process = key->process,
	                           .from = caller_at(causes, key->from),
	                           .to = caller_at(causes, key->to),
	                           .instances = found->instances,
	                           .total_ns = found->ns,
	                           .in_vain_ns = key->in_vain ? found->ns : 0};

	if (key->region)
		cause.region = causes->logs->texts.items[key->region - 1].text;
	if (cause.kind == CAUSE_COMPUTING)
		describe_computing(causes, plain_key(causes, found->key), &cause);
	return cause;
}

const struct work_instances *causes_work(struct causes *causes, const struct caller *from,
                                         const struct caller *to)
{
	const struct process *processes = causes->session->reader->processes;
	struct cause_key key = {
		.kind = CAUSE_COMPUTING,
		.process = NO_PROCESS,
		.from = place_of(&causes->logs->places, &processes[from->process], from->call),
		.to = place_of(&causes->logs->places, &processes[to->process], to->call)};

	return computing_instances(&causes->logs->computing, cause_key_number(&causes->logs->keys, &key));
}

/* Successful and unsuccessful tests at one place are one cause. */
static bool joins(struct cause_list *list, size_t first, const struct wait_cause *cause)
{
	for (size_t i = first; cause->kind == CAUSE_CALL && i < list->count; i++) {
		struct wait_cause *known = &list->items[i];
		if (known->kind != CAUSE_CALL || known->process != cause->process ||
		    known->to.call != cause->to.call)
			continue;
		known->instances = known->instances > cause->instances ? known->instances : cause->instances;
		known->total_ns = saturating_add(known->total_ns, cause->total_ns);
		known->in_vain_ns = saturating_add(known->in_vain_ns, cause->in_vain_ns);
		return true;
	}
	return false;
}

static void add_waits(struct causes *causes, const struct waits_at *waits, struct cause_list *list)
{
	struct place_cause other = waits->other;
	size_t first = list->count;

	list->items = memory_grow(list->items, list->count + PLACE_CAUSES + 1, sizeof *list->items);
	for (int i = 0; i < PLACE_CAUSES && waits->causes[i].key != MAP_NONE; i++) {
		struct wait_cause cause = describe(causes, &waits->causes[i]);
		if (!joins(list, first, &cause))
			list->items[list->count++] = cause;
	}
	other.key = KEY_OTHER;
	if (other.ns)
		list->items[list->count++] = describe(causes, &other);
	list->total_ns = saturating_add(list->total_ns, waits->ns);
}

static int by_total(const void *left, const void *right)
{
	const struct wait_cause *a = left, *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns < b->total_ns ? 1 : -1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

struct cause_list causes_of(struct causes *causes, uint32_t process, const struct call *wait,
                            uint32_t partner_process, const struct call *partner)
{
	const struct process *processes = causes->session->reader->processes;
	uint32_t place = place_of(&causes->logs->places, &processes[process], wait);
	uint32_t at = partner ? place_of(&causes->logs->places, &processes[partner_process], partner)
	                      : NO_PLACE;
	const struct waits_at *waits = wait_places_find(&causes->waits, process, place, at);
	struct cause_list list = {0};

	if (waits)
		add_waits(causes, waits, &list);
	else
		for (waits = wait_places_first(&causes->waits, process, place); waits;
		     waits = wait_places_next(&causes->waits, waits))
			add_waits(causes, waits, &list);
	if (list.count)
		qsort(list.items, list.count, sizeof *list.items, by_total);
	return list;
}
