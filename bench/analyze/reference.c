#include "reference.h"

#include "analysis/model/places.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum form { FORM_OTHER, FORM_BARRIER, FORM_ALL_TO_ALL, FORM_ONE_TO_ALL, FORM_ALL_TO_ONE };

/* Computed once per distinct call. */
struct about {
	enum form form;
	uint32_t place;
	bool sends, receives;
};

/* Names without "MPI_", a leading "I" and the suffixes "_c" and "_init". */
static const struct {
	const char *name;
	enum form form;
} forms[] = {
	{"barrier", FORM_BARRIER},
	{"allgather", FORM_ALL_TO_ALL},
	{"allgatherv", FORM_ALL_TO_ALL},
	{"allreduce", FORM_ALL_TO_ALL},
	{"alltoall", FORM_ALL_TO_ALL},
	{"alltoallv", FORM_ALL_TO_ALL},
	{"alltoallw", FORM_ALL_TO_ALL},
	{"reduce_scatter", FORM_ALL_TO_ALL},
	{"reduce_scatter_block", FORM_ALL_TO_ALL},
	{"bcast", FORM_ONE_TO_ALL},
	{"scatter", FORM_ONE_TO_ALL},
	{"scatterv", FORM_ONE_TO_ALL},
	{"gather", FORM_ALL_TO_ONE},
	{"gatherv", FORM_ALL_TO_ONE},
	{"reduce", FORM_ALL_TO_ONE},
};

static size_t cut(const char *name, size_t length, const char *end)
{
	size_t size = strlen(end);

	return length > size && memcmp(name + length - size, end, size) == 0 ? length - size : length;
}

static bool is_named(const char *function, const char *name)
{
	size_t length;

	if (strncmp(function, "MPI_", 4) != 0)
		return false;
	function += 4;
	length = cut(function, cut(function, strlen(function), "_c"), "_init");
	if (*function == 'I' && length == strlen(name) + 1) {
		function++;
		length--;
	}
	return length == strlen(name) && strncasecmp(function, name, length) == 0;
}

static enum form form_of(const char *function)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (is_named(function, forms[i].name))
			return forms[i].form;
	return FORM_OTHER;
}

/* By the number of the distinct call. */
static struct about *abouts;
static uint32_t about_count;

static void meet(const struct reference *reference, const struct call_semantics *semantics)
{
	struct about *about;
	int64_t bytes;

	if (!(about_count & (about_count - 1)))
		abouts = memory_grow(abouts, 2 * (size_t)about_count + 1, sizeof *abouts);
	about = &abouts[about_count++];
	about->form = form_of(semantics->call->outline->name);
	about->place = place_of(reference->places, &reference->reader->processes[semantics->process],
	                        semantics->call);
	about->sends = call_field(semantics->call, FIELD_SENT, &bytes) && bytes > 0;
	about->receives = call_field(semantics->call, FIELD_RECEIVED, &bytes) && bytes > 0;
}

static const struct about *about(const struct occurrence *call)
{
	return &abouts[call->semantics->number];
}

/* Spots */

static struct spot *slot_of(struct spot *spots, size_t room, uint64_t key)
{
	size_t at = (key * 0x9e3779b97f4a7c15 >> 32) & (room - 1);

	while (spots[at].key && spots[at].key != key)
		at = (at + 1) & (room - 1);
	return &spots[at];
}

static void grow(struct reference *reference)
{
	size_t room = reference->spot_room ? 2 * reference->spot_room : 1024;
	struct spot *larger = memory_new(room, sizeof *larger);

	for (size_t i = 0; i < reference->spot_room; i++)
		if (reference->spots[i].key)
			*slot_of(larger, room, reference->spots[i].key) = reference->spots[i];
	free(reference->spots);
	reference->spots = larger;
	reference->spot_room = room;
}

/* 20 bits are enough for places and for processes. */
static uint64_t key_of(enum wait_state state, const struct occurrence *at, const struct occurrence *partner)
{
	return (uint64_t)(state + 1) << 60 | (uint64_t)at->semantics->process << 40 |
	       (uint64_t)about(at)->place << 20 | about(partner)->place;
}

static void find(struct reference *reference, enum wait_state state, int64_t ns, const struct occurrence *at,
                 const struct occurrence *partner)
{
	uint64_t key = key_of(state, at, partner);
	struct spot *spot;

	if (2 * reference->spot_count >= reference->spot_room)
		grow(reference);
	spot = slot_of(reference->spots, reference->spot_room, key);
	reference->spot_count += !spot->key;
	spot->key = key;
	spot->state = state;
	spot->count++;
	spot->total_ns += ns;
	if (ns > spot->max_ns) {
		spot->max_ns = ns;
		spot->worst_at = *at;
		spot->worst_partner = *partner;
	}
}

static void charge(struct reference *reference, enum wait_state state, int64_t ns,
                   const struct occurrence *at, const struct occurrence *partner)
{
	count_wait(reference->totals, state, ns);
	if (ns > reference->eps_ns)
		find(reference, state, ns, at, partner);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Messages */

static void completion(struct reference *reference, const struct completion *done,
                       const struct transfer *transfers, uint32_t count)
{
	int64_t start = done->wait.start, end = done->wait.end, sender = 0, receiver = 0;
	const struct transfer *late_sender = NULL, *late_receiver = NULL;

	for (uint32_t i = 0; i < count; i++) {
		const struct transfer *transfer = &transfers[i];
		if (!transfer->is_send) {
			int64_t late = least(transfer->send.start, end) - start;
			if (late > sender) {
				sender = late;
				late_sender = transfer;
			}
		} else if (transfer->post.start < end && transfer->post.start - start > receiver) {
			receiver = transfer->post.start - start;
			late_receiver = transfer;
		}
	}
	if (late_sender)
		charge(reference, LATE_SENDER, sender, &done->wait, &late_sender->send);
	else if (late_receiver)
		charge(reference, LATE_RECEIVER, receiver, &done->wait, &late_receiver->post);
}

/* Collective operations */

struct gathering {
	const struct collective_call *rows;
	uint32_t count;
};

static const struct collective_call *latest(const struct gathering *gathering,
                                            bool (*counts)(const struct collective_call *))
{
	const struct collective_call *last = NULL;

	for (uint32_t i = 0; i < gathering->count; i++) {
		const struct collective_call *one = &gathering->rows[i];
		if (counts(one) && (!last || one->call.start > last->call.start))
			last = one;
	}
	return last;
}

static bool counts_always(const struct collective_call *one)
{
	(void)one;
	return true;
}

static bool gives(const struct collective_call *one)
{
	return about(&one->call)->sends;
}

static bool gets(const struct collective_call *one)
{
	return about(&one->call)->receives;
}

static bool is_root(const struct collective_call *one)
{
	return one->is_root;
}

static bool gives_to_root(const struct collective_call *one)
{
	return !one->is_root && about(&one->call)->sends;
}

static bool gets_from_root(const struct collective_call *one)
{
	return !one->is_root && about(&one->call)->receives;
}

static void charge_all(struct reference *reference, enum wait_state state, const struct gathering *gathering,
                       const struct collective_call *last, bool (*waits)(const struct collective_call *))
{
	if (!last)
		return;
	for (uint32_t i = 0; i < gathering->count; i++) {
		const struct collective_call *one = &gathering->rows[i];
		int64_t ns = least(last->call.start, one->wait.end) - one->since;
		if (ns > 0 && waits(one))
			charge(reference, state, ns, &one->wait, &last->call);
	}
}

static void charge_all_to_all(struct reference *reference, const struct gathering *gathering)
{
	const struct collective_call *last = latest(gathering, counts_always), *giver;
	int64_t first_end = gathering->rows[0].wait.end;

	for (uint32_t i = 1; i < gathering->count; i++)
		first_end = least(first_end, gathering->rows[i].wait.end);
	if (first_end >= last->call.start) {
		charge_all(reference, NXN_WAIT, gathering, last, counts_always);
		return;
	}
	giver = latest(gathering, gives);
	charge_all(reference, NXN_WAIT, gathering, giver ? giver : last, gets);
}

static void gathering(struct reference *reference, const struct gathering *gathering)
{
	if (gathering->count < 2)
		return;
	switch (about(&gathering->rows[0].call)->form) {
	case FORM_BARRIER:
		charge_all(reference, BARRIER_WAIT, gathering, latest(gathering, counts_always),
		           counts_always);
		break;
	case FORM_ALL_TO_ALL:
		charge_all_to_all(reference, gathering);
		break;
	case FORM_ONE_TO_ALL:
		charge_all(reference, LATE_BROADCAST, gathering, latest(gathering, is_root), gets_from_root);
		break;
	case FORM_ALL_TO_ONE:
		charge_all(reference, EARLY_REDUCE, gathering, latest(gathering, gives_to_root), is_root);
		break;
	case FORM_OTHER:
		break;
	}
}

static struct row_block *take_rows(void *context, const struct first_mentions *first, struct row_block *block)
{
	struct reference *reference = context;
	const struct completion *completions = block_groups(block);

	for (uint32_t i = 0; i < first->call_count; i++)
		meet(reference, first->calls[i]);
	for (uint32_t row = 0, end; row < block->rows; row = end) {
		end = block_group_end(block, row);
		if (block->relation == RELATION_TRANSFER)
			completion(reference, &completions[block->group_of[row]],
			           (const struct transfer *)block_rows(block) + row, end - row);
		else
			gathering(reference,
			          &(struct gathering){(const struct collective_call *)block_rows(block) + row,
			                              end - row});
	}
	return block;
}

void reference_run(struct analysis_session *session, struct reference *reference)
{
	struct places places = {0};
	struct row_sink sink = {.context = reference,
	                        .wants = {[RELATION_TRANSFER] = true, [RELATION_COLLECTIVE_CALL] = true},
	                        .rows = take_rows};

	*reference = (struct reference){
		.eps_ns = reference->eps_ns, .reader = session->reader, .places = &places};
	relate(session, &sink, &reference->counts);
	places_release(&places);
}

void reference_release(struct reference *reference)
{
	free(reference->spots);
	free(abouts);
	abouts = NULL;
	about_count = 0;
}
