/* Reports of message races: one finding for each place of a receive. */
#include "base/hash.h"
#include "check/execution/message_races.h"
#include "check/known/report.h"

struct race_reports *race_reports_new(void)
{
	return memory_new(1, sizeof(struct race_reports));
}

/* The place of the call, ignoring its arguments. */
static uint64_t hash_place(const struct analysed_call *call)
{
	struct check_call shown = call_to_show(call, NOTE_HERE);
	uint64_t hash = hash_word(shown.function, shown.stack_count);

	if (shown.stack_count) {
		const struct check_place *place = &shown.stack[0];
		hash = hash_word(hash, hash_bytes(place->module, strlen(place->module)));
		hash = hash_word(hash_word(hash, place->offset), place->line);
	}
	call_release(&shown);
	return hash;
}

/* True if the program would notice a difference independently of the data. */
static bool sends_differ(const struct analysed_call *a, const struct analysed_call *b)
{
	const struct known_data *first = &a->send, *second = &b->send;

	if (hash_place(a) != hash_place(b))
		return true;
	if (!first->type || !second->type)
		return first->count != second->count;
	return signatures_compare(first->type->signature, first->count, second->type->signature,
	                          second->count)
	                       .verdict != SIGNATURE_FITS ||
	       signatures_compare(second->type->signature, second->count, first->type->signature,
	                          first->count)
	                       .verdict != SIGNATURE_FITS;
}

static void add_send(struct race_place *place, struct analysed_call *send)
{
	const uint64_t hash = hash_place(send);

	for (uint32_t i = 0; i < place->send_count; i++)
		if (place->send_places[i] == hash)
			return;
	if (place->send_count == RACE_SENDS)
		return;
	place->send_places[place->send_count] = hash;
	place->sends[place->send_count++] = call_keep(send);
}

static uint32_t place_get(struct race_reports *reports, struct analysed_call *receive,
                          struct analysed_call *taken)
{
	uint32_t *number = map_put(&reports->places, map_key(hash_place(receive), 0));

	if (*number == MAP_NONE) {
		*number = (uint32_t)reports->list.count;
		array_add(&reports->list,
		          (struct race_place){.receive = call_keep(receive), .taken = call_keep(taken)});
	}
	return *number;
}

void race_reports_resume(struct ordering *ordering, const struct race_place *found)
{
	struct race_reports *reports = ordering->reports;
	const uint32_t number = place_get(reports, found->receive, found->taken);
	struct race_place *place = &reports->list.items[number];

	place->times += found->times;
	place->differs |= found->differs;
	for (uint32_t i = 0; i < found->send_count; i++)
		add_send(place, found->sends[i]);
}

void race_reports_add(struct ordering *ordering, struct wildcard_receive *receive,
                      const struct taken_message *candidate)
{
	struct race_reports *reports = ordering->reports;
	const struct analysed_call *taken = receive->taken.call;
	uint32_t *pair = map_put(&reports->pairs,
	                         map_key((uintptr_t)receive->call->text, (uintptr_t)taken->text));
	uint32_t *known;
	struct race_place *place;

	/* All three, so that the result does not depend on the order in which races are found. */
	*pair = *pair == MAP_NONE ? reports->pairs.count : *pair;
	known = map_put(&reports->known, map_key(*pair, (uintptr_t)candidate->call->text));
	if (*known == MAP_NONE) {
		*known = place_get(reports, receive->call, receive->taken.call);
		add_send(&reports->list.items[*known], candidate->call);
		reports->list.items[*known].differs |= sends_differ(receive->taken.call, candidate->call);
	}
	place = &reports->list.items[*known];
	place->times += !receive->is_reported;
	receive->is_reported = true;
}

static int compare_sources(const void *a, const void *b)
{
	const struct analysed_call *x = *(struct analysed_call *const *)a,
				   *y = *(struct analysed_call *const *)b;
	const int by_rank = (x->member->rank > y->member->rank) - (x->member->rank < y->member->rank);

	return by_rank ? by_rank : (x->serial > y->serial) - (x->serial < y->serial);
}

void race_reports_write(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->reports->list.count; i++) {
		struct race_place *place = &ordering->reports->list.items[i];
		struct report_draft report;
		qsort(place->sends, place->send_count, sizeof *place->sends, compare_sources);
		report_begin(&report, place->differs ? CHECK_RACE_MESSAGE : CHECK_RACE_MESSAGE_ORDER);
		report.finding.times = place->times;
		report_call(&report, place->receive, NOTE_HERE);
		report_call(&report, place->taken, NOTE_SENT);
		for (uint32_t j = 0; j < place->send_count; j++)
			report_call(&report, place->sends[j], NOTE_OTHER);
		report_value(&report, "source", "%u", place->taken->member->rank);
		report_value(&report, "other_source", "%u", place->sends[0]->member->rank);
		report_value(&report, "comm", "%s", place->receive->member->comm->name);
		report_end(&report, ordering->log);
	}
}

static void drop_call(struct ordering *ordering, struct analysed_call *call)
{
	if (call)
		call_drop(ordering->known, call);
}

void race_place_release(struct ordering *ordering, struct race_place *place)
{
	drop_call(ordering, place->receive);
	drop_call(ordering, place->taken);
	for (uint32_t i = 0; i < place->send_count; i++)
		drop_call(ordering, place->sends[i]);
}

void race_reports_free(struct ordering *ordering)
{
	struct race_reports *reports = ordering->reports;

	for (size_t i = 0; i < reports->list.count; i++)
		race_place_release(ordering, &reports->list.items[i]);
	array_release(&reports->list);
	map_release(&reports->places);
	map_release(&reports->known);
	map_release(&reports->pairs);
	free(reports);
}
