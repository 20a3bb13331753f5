#include "analysis/live/live_calls.h"

#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <string.h>

enum {
	SITES_MAX = 10000, /* more have no line of their own */
	REQUESTS_MAX = 1 << 20,
	ORDERS_MAX = 1 << 16,
};

double live_ns_per_tick(const struct process *process)
{
	uint64_t rate = process->clock_count ? process->clocks[0].ticks_per_second : 0;

	return rate ? 1e9 / (double)rate : 0;
}

/* Sites */

static uint32_t site_number(struct live_job *job, const char *function, const char *place)
{
	const char *key;
	void *known;

	if (job->sites.count >= SITES_MAX)
		function = place = "elsewhere";
	key = arena_format(&job->look, "%s\n%s", function, place);
	known = text_map_find(&job->site_numbers, key);
	if (known)
		return (uint32_t)((uintptr_t)known - 1);
	array_add(&job->sites, (struct live_site){.function = arena_text(&job->arena, function),
	                                          .place = arena_text(&job->arena, place)});
	*text_map_put(&job->site_numbers, arena_text(&job->arena, key)) = (void *)(uintptr_t)job->sites.count;
	return (uint32_t)job->sites.count - 1;
}

/* The same place on another path may be shown where its wrapper was called. */
uint32_t live_site_of(struct live_job *job, struct followed_stream *followed, const struct call *call)
{
	struct live_stream *stream = followed->data;
	const struct outline *outline = call->outline;
	const struct path *path = call_path(followed->own, call);
	struct map_key key = map_key(outline->offset ^ (uint64_t)outline->module << 48,
	                             (uint64_t)(uintptr_t)outline->name ^ (path ? path->id + 1 : 0) << 48);
	uint32_t *known = map_find(&stream->sites, key), number;
	struct location where;
	struct text place = {0};

	if (known)
		return *known;
	where = symbols_find_call(job->symbols, followed->own, call);
	if (where.file)
		text_add(&place, "%s:%d", path_name(where.file), where.line);
	else
		location_describe(&where, &place);
	text_strip_controls(&place);
	number = site_number(job, outline->name, text_get(&place));
	*map_put(&stream->sites, key) = number;
	text_release(&place);
	return number;
}

/* Calls */

static void learn(struct live_job *job, struct followed_stream *followed, const struct call *call,
                  struct known_live_call *known)
{
	struct live_stream *stream = followed->data;
	int64_t request = field_or(call, FIELD_REQUEST, -1);
	struct call_order order;

	*known = (struct known_live_call){.is_known = true, .request = -1};
	known->info = call_find(call->outline->name);
	if (!known->info)
		return;
	known->site = live_site_of(job, followed, call);
	known->ends = known->info == &all_calls[CALL_Finalize];
	known->messages = message_needs_of(call, known->info);
	if (call_makes_request(known->info) && request >= 0 && request < REQUESTS_MAX)
		known->request = (int32_t)request;
	known->is_epoch = window_needs_wants(known->info);
	known->notifies = known->info == &all_calls[CALL_upc_notify];
	/* upc_wait is the second half of an operation that began earlier. */
	if (known->info->collective &&
	    call_order_of(stream->process->followed->process, call, known->info, &order))
		known->order = order.identity;
}

void live_calls_forget(struct live_stream *stream)
{
	stream->calls.count = 0;
	map_release(&stream->sites);
}

void live_calls_add(struct live_job *job, struct followed_stream *followed, const struct event *event)
{
	struct live_stream *stream = followed->data;
	struct live_process *process = stream->process;
	struct known_live_call *known = &array_extend(&stream->calls, event->id + 1)->items[event->id];
	struct live_site *site;

	if (!known->is_known)
		learn(job, followed, event->call, known);
	if (!known->info)
		return;
	site = &job->sites.items[known->site];
	site->calls += event->polls ? event->polls : 1;
	site->ns += (double)(event->polls ? event->busy : event->end - event->start) *
	            live_ns_per_tick(process->followed->process);
	stream->last_site = known->site;
	process->has_finalized |= known->ends;
	process->splits_barriers |= known->notifies;
	if (known->is_epoch)
		window_needs_note(&process->waiting, event->call, known->info);
	if (known->order && process->waiting.entered.count < ORDERS_MAX)
		count_entered(&process->waiting, known->order);
	else if (known->order)
		process->waiting.is_incomplete = true;
	if (known->request >= 0)
		array_extend(&process->waiting.requests, (size_t)known->request + 1)->items[known->request] =
			known->messages;
}
