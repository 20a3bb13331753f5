#include "bench/run/session_clock.h"

#include "base/memory.h"
#include "base/sort.h"
#include "bench/run/agreement.h"
#include "bench/run/plant.h"
#include "statistics/sample.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Without known drift, clocks of different machines differ by some 10 us after this time. */
static const int64_t OLD_NS = 5000000000;

/* Synchronise again if the error has grown by this factor. */
static const double WORN_OUT = 2;

enum { READABLE_NS = 100 * 1000 };

enum status clock_choose(struct session *session)
{
	TRY(sync_find(session->wanted->sync, &session->sync));
	TRY(plant_faults(session->wanted->plant));
	TRY(timer_find(session->wanted->timer, &session->clock.timer));
	session->clock.timer = plant_timer(session->clock.timer, session->rank);
	return OK;
}

static void take_worst_quality(struct session *session)
{
	struct timer_quality *quality = &session->clock.quality;
	int64_t worst[] = {quality->resolution_ns, quality->cost_ns};

	MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_INT64_T, MPI_MAX, session->world);
	*quality = (struct timer_quality){worst[0], worst[1]};
}

static void look_at_truth(struct session *session)
{
	if (!session->wanted->clock_truth)
		return;
	array_add(&session->truths, clock_truth(&session->clock, session->world));
}

static void synchronize(struct session *session)
{
	clock_synchronize(&session->clock, session->sync, session->world,
	                  (int)session->wanted->sync_patience);
	session->check_ns = session->clock.error_ns;
	session->clock_is_off = false;
	session->synchronisations++;
	look_at_truth(session);
}

/* Small values in ns, larger ones in readable units. */
static void tell_ns(struct session *session, const char *name, double ns)
{
	struct text text = {0};

	if (ns < READABLE_NS)
		text_add(&text, "%.0f ns", ns);
	else
		text_add_seconds(&text, ns * 1e-9);
	results_fact(&session->results, "clock", name, "%s", text_get(&text));
	text_release(&text);
}

static void tell_facts(struct session *session)
{
	const struct global_clock *clock = &session->clock;
	struct results *results = &session->results;

	results_fact(results, "clock", "timer", "%s", clock->timer->name);
	results_fact(results, "clock", "resolution", "%" PRId64 " ns", clock->quality.resolution_ns);
	results_fact(results, "clock", "cost of a reading", "%" PRId64 " ns", clock->quality.cost_ns);
	results_fact(results, "clock", "synchronisation", "%s", session->sync->name);
	tell_ns(session, "error", clock->error_ns);
	tell_ns(session, "shortest round trip", clock->round_trip_ns);
	if (session->sync->finds_drift)
		results_fact(results, "clock", "drift", "%.3f ppm", clock->drift * 1e6);
}

enum status clock_start(struct session *session)
{
	TRY(agree(session->world, timer_test(session->clock.timer, &session->clock.quality)));
	take_worst_quality(session);
	synchronize(session);
	if (session->rank == 0)
		tell_facts(session);
	return OK;
}

/* On a busy machine clocks always seem wrong, and comparing them takes seconds: at most half of the time
 * is spent on it. */
static bool is_due(const struct session *session)
{
	int64_t age_ns = session->clock.timer->now() - session->clock.set_ns;
	bool is_old = !session->sync->finds_drift && age_ns > OLD_NS;

	return (session->clock_is_off || is_old) && age_ns >= session->clock.cost_ns;
}

void clock_refresh(struct session *session)
{
	int wanted = is_due(session);

	MPI_Bcast(&wanted, 1, MPI_INT, 0, session->world);
	if (wanted)
		synchronize(session);
	else
		look_at_truth(session);
}

/* A new error may be one of the comparison: a second comparison decides. If processes share cores, it
 * always is, and a second one would not help. */
double clock_look(struct session *session, MPI_Comm comm)
{
	const struct global_clock *clock = &session->clock;
	double worn_out = WORN_OUT * clock->error_ns + (double)clock->quality.resolution_ns;

	session->check_ns = clock_check(clock, comm);
	if (session->check_ns > worn_out && !clock->is_crowded)
		session->check_ns = fmin(session->check_ns, clock_check(clock, comm));
	session->clock_is_off = session->check_ns > worn_out && !clock->is_crowded;
	return session->check_ns;
}

static void tell_truth(struct session *session)
{
	sort_doubles(session->truths.items, session->truths.count);
	results_fact(&session->results, "clock", "true error median", "%.0f ns",
	             quantile(session->truths.items, session->truths.count, 0.5));
	results_fact(&session->results, "clock", "true error max", "%.0f ns",
	             session->truths.items[session->truths.count - 1]);
}

void clock_facts_at_end(struct session *session)
{
	look_at_truth(session);
	if (session->rank != 0)
		return;
	results_fact(&session->results, "clock", "synchronisations", "%zu", session->synchronisations);
	tell_ns(session, "error at the end", session->check_ns);
	if (session->truths.count)
		tell_truth(session);
}
