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

void race_reports_add(struct ordering *ordering, struct wildcard_receive *receive,
                      const struct taken_message *candidate)
{
	struct race_reports *reports = ordering->reports;
	uint32_t *known = map_put(&reports->known, map_key((uint64_t)(uintptr_t)receive->call->text,
	                                                   (uint64_t)(uintptr_t)candidate->call->text));
	struct race_place *place;

	if (*known == MAP_NONE) {
		uint32_t *number = map_put(&reports->places, map_key(hash_place(receive->call), 0));
		if (*number == MAP_NONE) {
			*number = (uint32_t)reports->list.count;
			array_add(&reports->list,
			          (struct race_place){.receive = call_keep(receive->call),
			                              .taken = call_keep(receive->taken.call)});
		}
		*known = *number;
		add_send(&reports->list.items[*known], candidate->call);
		reports->list.items[*known].differs |= sends_differ(receive->taken.call, candidate->call);
	}
	place = &reports->list.items[*known];
	place->times += !receive->is_reported;
	receive->is_reported = true;
}

void race_reports_write(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->reports->list.count; i++) {
		struct race_place *place = &ordering->reports->list.items[i];
		struct report_draft report;
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

void race_reports_free(struct ordering *ordering)
{
	struct race_reports *reports = ordering->reports;

	for (size_t i = 0; i < reports->list.count; i++) {
		struct race_place *place = &reports->list.items[i];
		call_drop(ordering->known, place->receive);
		call_drop(ordering->known, place->taken);
		for (uint32_t j = 0; j < place->send_count; j++)
			call_drop(ordering->known, place->sends[j]);
	}
	array_release(&reports->list);
	map_release(&reports->places);
	map_release(&reports->known);
	free(reports);
}
