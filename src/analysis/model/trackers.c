#include "analysis/model/mutexes.h"
#include "analysis/model/partitions.h"
#include "analysis/model/phases.h"
#include "analysis/model/request_lives.h"
#include "analysis/model/rma.h"
#include "analysis/model/thread_fences.h"
#include "analysis/model/tracker.h"

/* One-sided communication */

static bool want_rma(void *context, const struct role *role)
{
	return rma_wants(context, role);
}

static void follow_rma(void *context, const struct occurrence *call, const struct event *event)
{
	(void)event;
	rma_call(context, call);
}

static void lose_process(void *context, uint32_t process)
{
	rma_gone(context, process);
}

static bool is_ahead_in_rma(void *context, uint32_t process)
{
	return rma_is_ahead(context, process);
}

static bool is_rma_full(void *context)
{
	return rma_is_full(context);
}

static void settle_rma(void *context, const int64_t *now)
{
	rma_settle(context, now);
}

static void end_rma(void *context)
{
	rma_finish(context);
}

static bool track_rma(const struct tracking *about, struct tracker *tracker)
{
	const struct teller *teller = about->teller;

	if (!teller->exposures && !teller->access_epoch && !teller->fence && !teller->lock &&
	    !teller->passive && !teller->access)
		return false;
	*tracker = (struct tracker){.context = rma_new(about->reader, about->comms, teller, about->counts),
	                            .wants = want_rma,
	                            .call = follow_rma,
	                            .gone = lose_process,
	                            .blind = lose_process,
	                            .is_ahead = is_ahead_in_rma,
	                            .is_full = is_rma_full,
	                            .settle = settle_rma,
	                            .end = end_rma};
	return true;
}

/* Requests */

static bool want_request(void *context, const struct role *role)
{
	(void)context;
	return request_lives_want(role);
}

static void follow_request(void *context, const struct occurrence *call, const struct event *event)
{
	request_lives_call(context, call, event->polls);
}

static void blind_requests(void *context, uint32_t process)
{
	request_lives_blind(context, process);
}

static void end_requests(void *context)
{
	request_lives_finish(context);
}

static bool track_requests(const struct tracking *about, struct tracker *tracker)
{
	if (!about->teller->request)
		return false;
	*tracker = (struct tracker){
		.context = request_lives_new(about->reader->process_count, about->teller, about->counts),
		.wants = want_request,
		.call = follow_request,
		.blind = blind_requests,
		.end = end_requests};
	return true;
}

/* Partitioned sends */

static bool want_partitioned(void *context, const struct role *role)
{
	return partitions_want(context, role);
}

static void follow_partitioned(void *context, const struct occurrence *call, const struct event *event)
{
	(void)event;
	partitions_call(context, call);
}

static void blind_partitions(void *context, uint32_t process)
{
	partitions_blind(context, process);
}

static void end_partitions(void *context)
{
	partitions_finish(context);
}

static bool track_partitions(const struct tracking *about, struct tracker *tracker)
{
	if (!about->teller->partitioned)
		return false;
	*tracker = (struct tracker){.context = partitions_new(about->reader->process_count, about->teller),
	                            .wants = want_partitioned,
	                            .call = follow_partitioned,
	                            .blind = blind_partitions,
	                            .end = end_partitions};
	return true;
}

/* Tests that find nothing: what they hold is told at once, so there is nothing to keep. */

static bool want_test(void *context, const struct role *role)
{
	int64_t flag;

	(void)context;
	return role->kind->info &&
	       (role->kind->info->class == CLASS_REQUEST || role->kind->info->class == CLASS_PROBE) &&
	       call_field(role->call, FIELD_FLAG, &flag) && !flag;
}

static void follow_test(void *context, const struct occurrence *call, const struct event *event)
{
	const struct teller *teller = context;
	struct polling told = {
		.call = *call, .polls = event->polls ? event->polls : 1, .busy = call->end - call->start};
	uint64_t ticks = event->end - event->start;

	if (event->polls && ticks)
		told.busy = (int64_t)((double)told.busy * ((double)event->busy / (double)ticks));
	teller->polling(teller->context, &told);
}

static void end_tests(void *context)
{
	(void)context;
}

static bool track_tests(const struct tracking *about, struct tracker *tracker)
{
	if (!about->teller->polling)
		return false;
	*tracker = (struct tracker){.context = (void *)(uintptr_t)about->teller,
	                            .wants = want_test,
	                            .call = follow_test,
	                            .end = end_tests};
	return true;
}

/* Locks of UPC */

static bool has_upc(const struct comm_table *comms)
{
	for (uint32_t i = 0; i < comms->comm_count; i++)
		if (comms->comms[i].kind == COMM_UPC)
			return true;
	return false;
}

static bool want_mutex(void *context, const struct role *role)
{
	(void)context;
	return mutexes_want(role);
}

static void follow_mutex(void *context, const struct occurrence *call, const struct event *event)
{
	(void)event;
	mutexes_call(context, call);
}

static void blind_mutexes(void *context, uint32_t process)
{
	mutexes_blind(context, process);
}

static bool is_ahead_in_mutexes(void *context, uint32_t process)
{
	return mutexes_are_ahead(context, process);
}

static bool are_mutexes_full(void *context)
{
	return mutexes_are_full(context);
}

static void settle_mutexes(void *context, const int64_t *now)
{
	mutexes_settle(context, now);
}

static void end_mutexes(void *context)
{
	mutexes_finish(context);
}

static bool track_mutexes(const struct tracking *about, struct tracker *tracker)
{
	if (!about->teller->mutex || !has_upc(about->comms))
		return false;
	*tracker = (struct tracker){.context = mutexes_new(about->reader, about->teller, about->counts),
	                            .wants = want_mutex,
	                            .call = follow_mutex,
	                            .blind = blind_mutexes,
	                            .is_ahead = is_ahead_in_mutexes,
	                            .is_full = are_mutexes_full,
	                            .settle = settle_mutexes,
	                            .end = end_mutexes};
	return true;
}

/* Fences of UPC */

static bool want_fence(void *context, const struct role *role)
{
	(void)context;
	return thread_fences_want(role);
}

static void follow_fence(void *context, const struct occurrence *call, const struct event *event)
{
	(void)event;
	thread_fences_call(context, call);
}

static void blind_fences(void *context, uint32_t process)
{
	thread_fences_blind(context, process);
}

static void end_fences(void *context)
{
	thread_fences_finish(context);
}

static bool track_fences(const struct tracking *about, struct tracker *tracker)
{
	if (!about->teller->thread_fence || !has_upc(about->comms))
		return false;
	*tracker = (struct tracker){.context = thread_fences_new(about->reader->process_count, about->teller),
	                            .wants = want_fence,
	                            .call = follow_fence,
	                            .blind = blind_fences,
	                            .end = end_fences};
	return true;
}

/* Phases: every call has one, whoever asks for it. */

static bool want_phase(void *context, const struct role *role)
{
	(void)context;
	return phases_want(role);
}

static void follow_phase(void *context, const struct occurrence *call, const struct event *event)
{
	phases_call(context, call, event->start);
}

static uint32_t phase_now(void *context, uint32_t process, uint32_t thread)
{
	return phase_at(context, process, thread);
}

static void blind_phases(void *context, uint32_t process)
{
	phases_blind(context, process);
}

static void end_phases(void *context)
{
	phases_free(context);
}

static bool track_phases(const struct tracking *about, struct tracker *tracker)
{
	*tracker = (struct tracker){.context = phases_new(about->reader, about->teller),
	                            .wants = want_phase,
	                            .call = follow_phase,
	                            .phase = phase_now,
	                            .blind = blind_phases,
	                            .end = end_phases};
	return true;
}

static bool (*const kinds[])(const struct tracking *about, struct tracker *tracker) = {
	track_rma, track_requests, track_partitions, track_tests, track_mutexes, track_fences, track_phases,
};

_Static_assert(sizeof kinds / sizeof *kinds <= TRACKERS_MAX, "there is room for all trackers");

uint32_t trackers_new(const struct tracking *about, struct tracker *trackers)
{
	uint32_t count = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		count += kinds[i](about, &trackers[count]);
	return count;
}
