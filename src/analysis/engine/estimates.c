#include "analysis/engine/estimates.h"

#include "analysis/model/call_semantics.h"
#include "analysis/model/spans.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The fastest message of about one size between two nodes. RECEIVE_OVERHEAD: that had been sent about so long before its receiver asked for it,
 * in ns in place of bytes. */
struct sample {
	uint32_t pair;
	enum sample_kind kind;
	int64_t bytes, ns;
};

/* The link of a pair of nodes, or of all similar pairs, as far as its messages show it. */
struct fit {
	uint32_t pair;
	enum sample_kind kind;
	struct network_link link;
	int64_t largest; /* message that was measured */
};

/* No memory or network is faster. If a message seems to be, not its whole transfer was observed, or clocks
 * differ. */
static bool is_possible(double bytes, double ns)
{
	const double min_ns = 50, max_bytes_per_ns = 200;

	return ns >= min_ns + bytes / max_bytes_per_ns;
}

/* In place of a pair: all pairs within nodes, all pairs between nodes. */
enum { ALL_WITHIN = UINT32_MAX - 1, ALL_BETWEEN };

struct estimates *estimates_new(const struct nodes *nodes, struct network_link known,
                                const struct fact_table *facts, uint32_t bytes_slot)
{
	struct estimates *estimates = memory_new(1, sizeof *estimates);

	estimates->nodes = nodes;
	estimates->known = known;
	estimates->facts = facts;
	estimates->bytes_slot = bytes_slot;
	return estimates;
}

void estimates_free(struct estimates *estimates)
{
	if (!estimates)
		return;
	map_release(&estimates->sample_of);
	array_release(&estimates->last_send);
	free(estimates->samples);
	free(estimates->fits);
	free(estimates);
}

/* Words: nodes have 16 bits each; of the size the first 25 bits are exact. */

enum { NODE_BITS = 16, NODES_MAX = (1 << NODE_BITS) - 1, EXACT_BITS = 25, SIZE_BITS = 31 };
static double size_of(int64_t word)
{
	int64_t packed = word & ((INT64_C(1) << SIZE_BITS) - 1);

	return ldexp((double)(packed & ((1 << EXACT_BITS) - 1)), (int)(packed >> EXACT_BITS));
}

static uint32_t pair_of(uint32_t a, uint32_t b)
{
	return a < b ? a << NODE_BITS | b : b << NODE_BITS | a;
}

int64_t estimate_word(uint32_t from, uint32_t to, int64_t bytes)
{
	int64_t shift = 0;

	if (from >= NODES_MAX || to >= NODES_MAX)
		return ABSENT;
	for (bytes = bytes < 0 ? 0 : bytes; bytes >> EXACT_BITS; bytes >>= 1)
		shift++;
	return (int64_t)pair_of(from, to) << SIZE_BITS | shift << EXACT_BITS | bytes;
}

static bool is_within(uint32_t pair)
{
	return pair >> NODE_BITS == (pair & NODES_MAX);
}

/* Collecting */

enum {
	SIZE_CLASSES = 65,
	SMALL_BYTES = 1024, /* overheads are those of messages up to this size … */
	BURST_NS =
		20000, /* … and gaps those of messages that follow each other so fast: otherwise the program computes between them */
};

static void add_sample(struct estimates *estimates, struct sample sample)
{
	uint64_t size_class = sample.bytes > 0 ? 64 - (uint64_t)__builtin_clzll((uint64_t)sample.bytes) : 0;
	uint32_t *number = map_put(&estimates->sample_of,
	                           map_key(sample.pair, sample.kind * SIZE_CLASSES + size_class));

	if (*number != UINT32_MAX) {
		struct sample *known = &estimates->samples[*number];
		if (sample.ns < known->ns || (sample.ns == known->ns && sample.bytes < known->bytes))
			*known = sample;
		return;
	}
	array_fit(estimates->samples, estimates->sample_room, estimates->sample_count + 1u);
	*number = estimates->sample_count;
	estimates->samples[estimates->sample_count++] = sample;
}

static int64_t bytes_of(const struct estimates *estimates, const struct call_semantics *send)
{
	int64_t bytes;

	if (!estimates->facts)
		return call_field(send->call, FIELD_SENT, &bytes) ? bytes : ABSENT;
	return fact_at(numbered_facts(estimates->facts, send->number), estimates->bytes_slot);
}

/* What is known of messages between these two calls. */
static struct fastest_transfer *fastest_of(struct estimates *estimates, const struct transfer *message)
{
	const struct call_semantics *send = message->send.semantics, *post = message->post.semantics;
	uint32_t from = estimates->nodes->of[send->process], to = estimates->nodes->of[post->process];
	uint64_t both = (uintptr_t)send + 33 * (uintptr_t)post;
	struct fastest_transfer *fastest =
		&estimates->fastest[both * 0x9e3779b97f4a7c15 >> (64 - FASTEST_BITS)];

	if (fastest->send != send || fastest->post != post) {
		bool is_known = from < NODES_MAX && to < NODES_MAX;
		bool is_small = bytes_of(estimates, send) <= SMALL_BYTES;
		/* If the receiver was late, a message that could not move without it is dim. Other messages
		 * show nothing of the whole time then. */
		bool needs_receiver = bytes_of(estimates, send) >
		                      eager_between(estimates->nodes, send->process, post->process);

		*fastest = (struct fastest_transfer){.send = send, .post = post};
		fastest->below[CLEAR] = is_known ? INT64_MAX : 0;
		fastest->below[DIM] = is_known && needs_receiver ? INT64_MAX : 0;
		for (enum sample_kind kind = SEND_OVERHEAD; kind < SAMPLE_KINDS; kind++)
			fastest->below[kind] = is_known && is_small ? INT64_MAX : 0;
	}
	return fastest;
}

static void note_faster(struct estimates *estimates, struct fastest_transfer *fastest, enum sample_kind kind,
                        int64_t bytes, int64_t ns)
{
	uint32_t from = estimates->nodes->of[fastest->send->process],
		 to = estimates->nodes->of[fastest->post->process];

	fastest->below[kind] = ns;
	add_sample(estimates,
	           (struct sample){.pair = pair_of(from, to), .kind = kind, .bytes = bytes, .ns = ns});
}

/* A message of this duration, if it may be the fastest so far between its calls. */
static void note_message(struct estimates *estimates, const struct transfer *message, enum sample_kind kind,
                         int64_t ns)
{
	struct fastest_transfer *fastest = fastest_of(estimates, message);
	int64_t bytes;

	if (ns >= fastest->below[kind])
		return;
	bytes = bytes_of(estimates, message->send.semantics);
	if (is_possible((double)bytes, (double)ns))
		note_faster(estimates, fastest, kind, bytes, ns);
}

/* Parts of the time of small messages. `wait`: the call that received only this message. */
static void note_parts(struct estimates *estimates, const struct transfer *message,
                       const struct occurrence *wait)
{
	struct fastest_transfer *fastest = fastest_of(estimates, message);
	int64_t *last = array_extend(&estimates->last_send, message->send.semantics->process + 1u)->items +
	                message->send.semantics->process;
	const int64_t parts[SAMPLE_KINDS] = {
		[SEND_OVERHEAD] = message->send.end - message->send.start,
		[RECEIVE_OVERHEAD] = wait->end - wait->start,
		[SEND_GAP] = message->send.start - *last,
	};
	const int64_t early = wait->start - message->send.start;

	if (fastest->below[SEND_OVERHEAD] > 0 && parts[SEND_OVERHEAD] < fastest->below[SEND_OVERHEAD])
		note_faster(estimates, fastest, SEND_OVERHEAD, 0, parts[SEND_OVERHEAD]);
	if (early > 0 && parts[RECEIVE_OVERHEAD] < fastest->below[RECEIVE_OVERHEAD])
		note_faster(estimates, fastest, RECEIVE_OVERHEAD, early, parts[RECEIVE_OVERHEAD]);
	if (*last && parts[SEND_GAP] > 0 && parts[SEND_GAP] <= BURST_NS &&
	    parts[SEND_GAP] < fastest->below[SEND_GAP])
		note_faster(estimates, fastest, SEND_GAP, 0, parts[SEND_GAP]);
	*last = max_ns(*last, message->send.start);
}

/* How long a message took that is received from `begin` on, if both sides had had a CPU since then. Negative: that cannot be told,
 * because they had none for most of the time, and delays are not exact. */
static int64_t calm_ns(const struct estimates *estimates, const struct occurrence *wait, int64_t begin)
{
	int64_t delay = estimates->delays
	                        ? propagated_exit_delay_at(estimates->delays, wait->semantics->process,
	                                                   wait->thread, wait->end + *estimates->start_ns)
	                        : 0;
	int64_t calm = wait->end - begin - delay;

	return calm < delay ? -1 : calm;
}

/* Of the messages that a call received, the one sent last ended the call. If the call also completed a
 * collective operation, that may have ended it. */
static bool is_partitioned(const struct transfer *message)
{
	const struct call_info *info = message->send.semantics->kind->info;

	return info && info->mode == MODE_PARTITIONED;
}

static bool is_received(const struct transfer *message)
{
	return !message->is_send && !message->is_probe && !is_partitioned(message);
}

void estimates_add(struct estimates *estimates, const struct row_block *block)
{
	const struct completion *completions = block_groups(block);
	const struct transfer *transfers = block_rows(block);

	for (uint32_t row = 0, end; row < block->rows; row = end) {
		const struct completion *completion = &completions[block->group_of[row]];
		const struct occurrence *wait = &completion->wait;
		const struct transfer *last = NULL;
		end = block_group_end(block, row);
		for (const struct transfer *one = transfers + row; one < transfers + end; one++)
			if (!one->is_send && !one->is_probe && (!last || one->send.start > last->send.start))
				last = one;
		if (last && end == row + 1 && is_received(last))
			note_parts(estimates, last, wait);
		/* Partitions are sent when they are ready, not when the send starts. */
		if (!last || is_partitioned(last) || completion->met > max_ns(wait->start, last->send.start))
			continue;
		if (wait->start <= last->send.start)
			note_message(estimates, last, CLEAR, calm_ns(estimates, wait, last->send.start));
		else if (last->post.semantics == wait->semantics && last->post.start == wait->start)
			note_message(estimates, last, DIM, calm_ns(estimates, wait, wait->start));
	}
}

void estimates_share(struct estimates *estimates, struct session_peers *peers)
{
	struct text mine = {0}, *all;
	struct sample sample;

	text_add_bytes(&mine, (const char *)estimates->samples,
	               estimates->sample_count * sizeof *estimates->samples);
	all = peers_share(peers, &mine);
	for (uint32_t i = 0; i < peers->count; i++) {
		struct cursor in = unpack_begin(&all[i]);
		while (UNPACK(&in, &sample))
			add_sample(estimates, sample);
	}
	peers_free_blocks(peers, all);
}

/* How far the samples lie above the line; infinite if one is below it. */
static double distance(struct network_link link, const struct sample *samples, uint32_t count)
{
	const double rounding = 1e-9;
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		double time = link.latency + (link.rate > 0 ? (double)samples[i].bytes / link.rate : 0);
		double above = 1 - time / (double)samples[i].ns;
		if (above < -rounding)
			return INFINITY;
		sum += above;
	}
	return sum;
}

/* There are at most 65 samples, so all lines through two of them, or through one and the origin, can be
 * tried. */
static struct network_link fit(const struct sample *samples, uint32_t count)
{
	struct network_link best = {.latency = (double)samples[0].ns}, link;

	for (uint32_t i = 1; i < count; i++)
		best.latency = fmin(best.latency, (double)samples[i].ns);
	for (uint32_t i = 0; i < count && count > 1; i++) {
		link = (struct network_link){.rate = (double)samples[i].bytes / (double)samples[i].ns};
		if (samples[i].bytes && distance(link, samples, count) < distance(best, samples, count))
			best = link;
		for (uint32_t j = 0; j < count; j++) {
			const struct sample *a = &samples[i], *b = &samples[j];
			if (a->bytes >= b->bytes || a->ns >= b->ns)
				continue;
			link.rate = (double)(b->bytes - a->bytes) / (double)(b->ns - a->ns);
			link.latency = (double)a->ns - (double)a->bytes / link.rate;
			if (link.latency >= 0 &&
			    distance(link, samples, count) < distance(best, samples, count))
				best = link;
		}
	}
	return best;
}

static int compare_pairs(enum sample_kind a_kind, uint32_t a_pair, enum sample_kind b_kind, uint32_t b_pair)
{
	if (a_kind != b_kind)
		return a_kind < b_kind ? -1 : 1;
	return (a_pair > b_pair) - (a_pair < b_pair);
}

static int by_pair(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;
	int order = compare_pairs(a->kind, a->pair, b->kind, b->pair);

	return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

void estimates_fit(struct estimates *estimates)
{
	const struct sample *samples;
	uint32_t first = 0;

	if (!estimates || !estimates->sample_count)
		return;
	/* The same for all similar pairs, as if they were one pair. */
	for (uint32_t i = 0, count = estimates->sample_count; i < count; i++) {
		struct sample sample = estimates->samples[i];
		sample.pair = is_within(sample.pair) ? ALL_WITHIN : ALL_BETWEEN;
		add_sample(estimates, sample);
	}
	samples = estimates->samples;
	qsort(estimates->samples, estimates->sample_count, sizeof *samples, by_pair);
	estimates->fits = memory_new(estimates->sample_count, sizeof *estimates->fits);
	for (uint32_t i = 1; i <= estimates->sample_count; i++) {
		if (i < estimates->sample_count && samples[i].pair == samples[first].pair &&
		    samples[i].kind == samples[first].kind)
			continue;
		if (samples[first].kind <= DIM)
			estimates->fits[estimates->fit_count++] = (struct fit){
				samples[first].pair, samples[first].kind, fit(&samples[first], i - first),
				samples[i - 1].bytes};
		first = i;
	}
}

static int compare_fits(const void *left, const void *right)
{
	const struct fit *a = left, *b = right;

	return compare_pairs(a->kind, a->pair, b->kind, b->pair);
}

/* NULL: no fit. Messages of a single size do not show the time of much larger messages. */
static const struct fit *find_fit(const struct estimates *estimates, uint32_t pair, enum sample_kind kind,
                                  double bytes)
{
	const struct fit wanted = {.pair = pair, .kind = kind};
	const struct fit *fit = estimates->fit_count ? bsearch(&wanted, estimates->fits, estimates->fit_count,
	                                                       sizeof wanted, compare_fits)
	                                             : NULL;

	return fit && (fit->link.rate > 0 || bytes <= 2 * (double)fit->largest) ? fit : NULL;
}

bool estimate_time(const struct estimates *estimates, int64_t word, double *ns)
{
	uint32_t pair = (uint32_t)(word >> SIZE_BITS);
	struct network_link link = estimates->known;
	double bytes = link.rate > 0 ? 0 : size_of(word);
	const struct fit *found = NULL;

	if (word == ABSENT)
		return false;
	for (enum sample_kind kind = CLEAR; kind <= DIM && !found; kind++) {
		found = find_fit(estimates, pair, kind, bytes);
		if (!found)
			found = find_fit(estimates, is_within(pair) ? ALL_WITHIN : ALL_BETWEEN, kind, bytes);
	}
	if (!found && !(link.latency > 0 && link.rate > 0))
		return false;
	if (!(link.latency > 0))
		link.latency = found->link.latency;
	if (!(link.rate > 0))
		link.rate = found->link.rate;
	*ns = link.latency + (link.rate > 0 ? size_of(word) / link.rate : 0);
	return is_possible(size_of(word), *ns);
}

/* The fastest sample; negative: there is none. RECEIVE_OVERHEAD: of messages that had been sent at least so long before. */
static double fastest_part(const struct estimates *estimates, uint32_t pair, enum sample_kind kind,
                           double earliest)
{
	double fastest = -1;

	for (uint32_t i = 0; i < estimates->sample_count; i++) {
		const struct sample *sample = &estimates->samples[i];
		if (sample->pair == pair && sample->kind == kind && (double)sample->bytes >= earliest &&
		    (fastest < 0 || (double)sample->ns < fastest))
			fastest = (double)sample->ns;
	}
	return fastest;
}

struct network_model estimates_model(const struct estimates *estimates, enum distance distance)
{
	const uint32_t pair = distance == DISTANCE_NODE ? ALL_WITHIN : ALL_BETWEEN;
	const struct fit *found = find_fit(estimates, pair, CLEAR, 0);
	struct network_model model = {-1, -1, -1, -1, -1};
	struct network_link link = estimates->known;

	found = found ? found : find_fit(estimates, pair, DIM, 0);
	if (!(link.latency > 0) && found)
		link.latency = found->link.latency;
	if (!(link.rate > 0) && found)
		link.rate = found->link.rate;
	model.send_overhead = fastest_part(estimates, pair, SEND_OVERHEAD, 0);
	model.gap = fastest_part(estimates, pair, SEND_GAP, 0);
	if (link.rate > 0)
		model.gap_per_byte = 1 / link.rate;
	/* The time of large messages of one size is more than a latency. */
	if (link.latency > 0 && (link.rate > 0 || (found && found->largest <= SMALL_BYTES))) {
		double whole = link.latency + SMALL_BYTES * fmax(model.gap_per_byte, 0);
		model.receive_overhead = fastest_part(estimates, pair, RECEIVE_OVERHEAD, whole);
		/* The fastest message does not contain more: the trace has too few to show the parts. */
		if (model.send_overhead > link.latency)
			model.send_overhead = -1;
		if (model.receive_overhead > link.latency - fmax(model.send_overhead, 0))
			model.receive_overhead = -1;
		model.latency = link.latency - fmax(model.send_overhead, 0) - fmax(model.receive_overhead, 0);
	}
	return model;
}
