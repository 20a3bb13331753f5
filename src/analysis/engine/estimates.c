#include "analysis/engine/estimates.h"

#include "analysis/model/call_semantics.h"
#include "base/array.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The fastest message of about a size between two nodes. */
struct sample {
	uint32_t pair;
	enum clarity clarity;
	int64_t bytes, ns;
};

/* What its messages show of a pair of nodes, or of all that are alike. */
struct fit {
	uint32_t pair;
	enum clarity clarity;
	struct network_link link;
	int64_t largest; /* message that was measured */
};

/* No memory or network is faster: a message that seems to be was not seen from its beginning to its end, or clocks are apart. */
static bool is_possible(double bytes, double ns)
{
	const double least_ns = 50, most_bytes_per_ns = 200;

	return ns >= least_ns + bytes / most_bytes_per_ns;
}

/* Instead of a pair: all within a node, all between nodes. */
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
	free(estimates->samples);
	free(estimates->fits);
	free(estimates);
}

/* Words: nodes have 16 bits each; of the size the first 25 bits are exact. */

enum { NODE_BITS = 16, NODES_MOST = (1 << NODE_BITS) - 1, EXACT_BITS = 25, SIZE_BITS = 31 };

static int64_t packed_size(int64_t bytes)
{
	int64_t shift = 0;

	for (bytes = bytes < 0 ? 0 : bytes; bytes >> EXACT_BITS; bytes >>= 1)
		shift++;
	return shift << EXACT_BITS | bytes;
}

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
	if (from >= NODES_MOST || to >= NODES_MOST)
		return ABSENT;
	return (int64_t)pair_of(from, to) << SIZE_BITS | packed_size(bytes);
}

static bool is_within(uint32_t pair)
{
	return pair >> NODE_BITS == (pair & NODES_MOST);
}

/* Collecting */

enum { SIZE_CLASSES = 65 };

static uint64_t size_class(int64_t bytes)
{
	return bytes > 0 ? 64 - (uint64_t)__builtin_clzll((uint64_t)bytes) : 0;
}

static void add_sample(struct estimates *estimates, struct sample sample)
{
	uint32_t *number = map_put(
		&estimates->sample_of,
		map_key(sample.pair, sample.clarity * SIZE_CLASSES + size_class(sample.bytes)));

	if (*number != UINT32_MAX) {
		if (sample.ns < estimates->samples[*number].ns)
			estimates->samples[*number] = sample;
		return;
	}
	array_fit(estimates->samples, estimates->sample_room, estimates->sample_count + 1u);
	*number = estimates->sample_count;
	estimates->samples[estimates->sample_count++] = sample;
}

static int64_t bytes_of(const struct estimates *estimates, const struct call_semantics *send)
{
	return fact_at(numbered_facts(estimates->facts, send->number), estimates->bytes_slot);
}

/* A message of which nothing could move without its receiver is dim, if that was late; others are no use then. */
static struct fastest_transfer no_transfer_yet(const struct estimates *estimates,
                                               const struct call_semantics *send,
                                               const struct call_semantics *post)
{
	const uint32_t *node_of = estimates->nodes->of;
	bool is_known = node_of[send->process] < NODES_MOST && node_of[post->process] < NODES_MOST;
	bool needs_receiver = bytes_of(estimates, send) >
	                      eager_between(estimates->nodes, send->process, post->process);

	return (struct fastest_transfer){.send = send,
	                                 .post = post,
	                                 .below = {[CLEAR] = is_known ? INT64_MAX : 0,
	                                           [DIM] = is_known && needs_receiver ? INT64_MAX : 0}};
}

/* A message that took so long may be the fastest so far between its calls. */
static void note_message(struct estimates *estimates, const struct transfer *message, enum clarity clarity,
                         int64_t ns)
{
	const struct call_semantics *send = message->send.semantics, *post = message->post.semantics;
	const uint32_t *node_of = estimates->nodes->of;
	uint64_t both = (uintptr_t)send + 33 * (uintptr_t)post;
	struct fastest_transfer *fastest =
		&estimates->fastest[both * 0x9e3779b97f4a7c15 >> (64 - FASTEST_BITS)];

	if (fastest->send != send || fastest->post != post)
		*fastest = no_transfer_yet(estimates, send, post);
	if (ns >= fastest->below[clarity] || !is_possible((double)bytes_of(estimates, send), (double)ns))
		return;
	fastest->below[clarity] = ns;
	add_sample(estimates, (struct sample){.pair = pair_of(node_of[send->process], node_of[post->process]),
	                                      .clarity = clarity,
	                                      .bytes = bytes_of(estimates, send),
	                                      .ns = ns});
}

/* Of what one call completed, the message that was received and was sent last ended it. NULL: there is none. */
static const struct transfer *find_last(const struct transfer *transfers, uint32_t count)
{
	const struct transfer *last = NULL;

	for (const struct transfer *one = transfers; one < transfers + count; one++)
		if (!one->is_send && !one->is_probe && (!last || one->send.start > last->send.start))
			last = one;
	return last;
}

/* When it would have ended, had both sides had a processor from when the message was sent. */
static int64_t calm_end(const struct estimates *estimates, const struct occurrence *wait)
{
	return wait->end - (estimates->delays
	                            ? propagated_exit_delay_at(estimates->delays, wait->semantics->process,
	                                                       wait->thread, wait->end + *estimates->start_ns)
	                            : 0);
}

void estimates_add(struct estimates *estimates, const struct row_block *block)
{
	const struct completion *completions = block_groups(block);
	const struct transfer *transfers = block_rows(block);

	for (uint32_t row = 0, end; row < block->rows; row = end) {
		const struct occurrence *wait = &completions[block->group_of[row]].wait;
		const struct transfer *last;
		end = block_group_end(block, row);
		last = find_last(transfers + row, end - row);
		if (!last)
			continue;
		if (wait->start <= last->send.start)
			note_message(estimates, last, CLEAR, calm_end(estimates, wait) - last->send.start);
		else if (last->post.semantics == wait->semantics && last->post.start == wait->start)
			note_message(estimates, last, DIM, calm_end(estimates, wait) - wait->start);
	}
}

/* Fitting */

static double time_on(struct network_link link, int64_t bytes)
{
	return link.latency + (link.rate > 0 ? (double)bytes / link.rate : 0);
}

/* How far the samples lie above the line; infinite if one is below it. */
static double distance(struct network_link link, const struct sample *samples, uint32_t count)
{
	const double rounding = 1e-9;
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		double above = 1 - time_on(link, samples[i].bytes) / (double)samples[i].ns;
		if (above < -rounding)
			return INFINITY;
		sum += above;
	}
	return sum;
}

static struct network_link line_through(const struct sample *a, const struct sample *b)
{
	double rate = (double)(b->bytes - a->bytes) / (double)(b->ns - a->ns);

	return (struct network_link){.latency = (double)a->ns - (double)a->bytes / rate, .rate = rate};
}

static struct network_link constant(const struct sample *samples, uint32_t count)
{
	struct network_link link = {.latency = (double)samples[0].ns};

	for (uint32_t i = 1; i < count; i++)
		link.latency = fmin(link.latency, (double)samples[i].ns);
	return link;
}

/* There are 65 samples at the most, so that all lines through two of them, or through one and nothing, can be tried. */
static struct network_link fit(const struct sample *samples, uint32_t count)
{
	struct network_link best = constant(samples, count), link;

	for (uint32_t i = 0; i < count && count > 1; i++) {
		link = (struct network_link){.rate = (double)samples[i].bytes / (double)samples[i].ns};
		if (samples[i].bytes && distance(link, samples, count) < distance(best, samples, count))
			best = link;
		for (uint32_t j = 0; j < count; j++) {
			if (samples[i].bytes >= samples[j].bytes || samples[i].ns >= samples[j].ns)
				continue;
			link = line_through(&samples[i], &samples[j]);
			if (link.latency >= 0 &&
			    distance(link, samples, count) < distance(best, samples, count))
				best = link;
		}
	}
	return best;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_pair(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;
	int order = compare(a->clarity, b->clarity);

	order = order ? order : compare(a->pair, b->pair);
	return order ? order : compare((uint64_t)a->bytes, (uint64_t)b->bytes);
}

void estimates_fit(struct estimates *estimates)
{
	const struct sample *samples;
	uint32_t first = 0;

	if (!estimates || !estimates->sample_count)
		return;
	/* Of all pairs that are alike, as if they were one. */
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
		    samples[i].clarity == samples[first].clarity)
			continue;
		estimates->fits[estimates->fit_count++] = (struct fit){
			samples[first].pair, samples[first].clarity, fit(&samples[first], i - first),
			samples[i - 1].bytes};
		first = i;
	}
}

/* Asking */

static int compare_fits(const void *left, const void *right)
{
	const struct fit *a = left, *b = right;
	int order = compare(a->clarity, b->clarity);

	return order ? order : compare(a->pair, b->pair);
}

static const struct fit *find_fit(const struct estimates *estimates, uint32_t pair, enum clarity clarity)
{
	const struct fit wanted = {.pair = pair, .clarity = clarity};

	return estimates->fit_count ? bsearch(&wanted, estimates->fits, estimates->fit_count,
	                                      sizeof *estimates->fits, compare_fits)
	                            : NULL;
}

/* Messages of a single size do not show the time of much larger ones. */
static bool reaches(const struct fit *fit, double bytes)
{
	return fit && (fit->link.rate > 0 || bytes <= 2 * (double)fit->largest);
}

/* NULL: no measured message shows the time of this size. */
static const struct network_link *find_measured(const struct estimates *estimates, uint32_t pair,
                                                double bytes)
{
	const struct fit *found = NULL;

	for (int clarity = CLEAR; clarity < CLARITIES && !reaches(found, bytes); clarity++) {
		found = find_fit(estimates, pair, (enum clarity)clarity);
		if (!reaches(found, bytes))
			found = find_fit(estimates, is_within(pair) ? ALL_WITHIN : ALL_BETWEEN,
			                 (enum clarity)clarity);
	}
	return reaches(found, bytes) ? &found->link : NULL;
}

bool estimate_time(const struct estimates *estimates, int64_t word, double *ns)
{
	const struct network_link *measured;
	struct network_link link = estimates->known;

	if (word == ABSENT)
		return false;
	measured = find_measured(estimates, (uint32_t)(word >> SIZE_BITS), link.rate > 0 ? 0 : size_of(word));
	if (!measured && !(link.latency > 0 && link.rate > 0))
		return false;
	if (!(link.latency > 0))
		link.latency = measured->latency;
	if (!(link.rate > 0))
		link.rate = measured->rate;
	*ns = link.latency + (link.rate > 0 ? size_of(word) / link.rate : 0);
	return is_possible(size_of(word), *ns);
}
