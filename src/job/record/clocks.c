#include "job/record/clocks.h"

#include "base/bytes.h"
#include "job/record/process.h"
#include "job/record/reference.h"
#include "job/record/timer.h"

#include <pthread.h>
#include <string.h>

enum { PERIOD_SECONDS = 20, NS_PER_SECOND = 1000000000 };

uint64_t clocks_due = UINT64_MAX;

static bool reference_is_lost;

static uint64_t read_timer(void)
{
	return timer_now();
}

/* The uncertainty includes one tick of each clock. */
static struct clock_pair compare_timer_with(uint64_t (*other)(void), uint64_t rate)
{
	struct clock_moment moment = clock_compare(other, read_timer);

	return (struct clock_pair){
		.tick = moment.between,
		.other = moment.around,
		.uncertainty_ns = moment.width * NS_PER_SECOND / 2 / rate + NS_PER_SECOND / rate +
	                          NS_PER_SECOND / timer.rate + 1,
	};
}

static uint64_t read_realtime(void)
{
	return clock_system_ns(CLOCK_REALTIME);
}

static uint64_t read_counter(void)
{
	return clock_ticks();
}

static void write_comparison(const struct clock_pair *pair, uint64_t rate, const char *identity)
{
	process_write(RECORD_COMPARE, &(struct clock_comparison){.clock = identity,
	                                                         .tick = pair->tick,
	                                                         .other = pair->other,
	                                                         .other_rate = rate,
	                                                         .uncertainty_ns = pair->uncertainty_ns});
}

static void write_clock(void)
{
	struct clock_pair now = compare_timer_with(read_realtime, NS_PER_SECOND);
	struct clock_point point = {now.tick, now.other};

	process_write(RECORD_CLOCK, &(struct clock){timer.name, timer.rate, &point, 1});
	if (timer_shift) {
		/* Compares the ticks with the unshifted counter, which other processes and `tarry run` may use. */
		const struct timer *counter = timer_counter();
		const uint64_t ticks = clock_ticks();
		const struct clock_pair pair = {ticks >> timer_shift, ticks, NS_PER_SECOND / timer.rate + 1};
		if (counter)
			write_comparison(&pair, counter->rate, counter->identity);
	}
}

/* The processes of a machine share its counter, even if they use other clocks. */
static void compare_with_counter(const struct timer *counter)
{
	struct clock_pair pair = compare_timer_with(read_counter, counter->rate);

	write_comparison(&pair, counter->rate, counter->identity);
}

/* The last answer, for other processes of the trace in this system process. */
static struct clock_pair answer;
static bool is_answered;

/* True if the reference clock is on another machine. */
static bool is_elsewhere(const struct reference *reference, const struct timer *counter)
{
	return reference && !reference_is_lost && strcmp(reference->identity, timer.identity) != 0 &&
	       !(counter && strcmp(reference->identity, counter->identity) == 0);
}

/* False: there is no clock to compare with. */
static bool compare(void)
{
	const struct reference *reference = reference_get();
	const struct timer *counter = timer_counter();

	if (timer_other && counter)
		compare_with_counter(counter);
	if (is_elsewhere(reference, counter)) {
		struct clock_pair pair;
		switch (reference_measure(&pair)) {
		case MEASURED:
			answer = pair;
			is_answered = true;
			write_comparison(&pair, reference->rate, reference->identity);
			break;
		case MEASURED_BY_ANOTHER:
			break;
		case MEASURED_NOT:
			reference_is_lost = true;
			process_note(
				"process %u could not compare its clock with that of 'tarry run', which did not "
				"answer; its times rely on the wall clock of its machine",
				process.rank);
			break;
		}
	}
	return (timer_other && counter) || is_elsewhere(reference, counter);
}

/* One thread at a time asks the other clocks, without holding a lock. process_write() takes the lock to write the result. */
static bool is_asking;

/* The asking thread must not be cancelled: no other thread could ask after that. */
static bool begin_asking(int *cancelling)
{
	if (__atomic_exchange_n(&is_asking, true, __ATOMIC_ACQUIRE))
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancelling);
	return true;
}

static void end_asking(int cancelling)
{
	__atomic_store_n(&is_asking, false, __ATOMIC_RELEASE);
	pthread_setcancelstate(cancelling, NULL);
}

/* UPC threads begin under the process's lock, so clocks are not compared here but at the first recorded call, without the lock. */
void clocks_begin(void)
{
	const struct timer *counter = timer_counter();
	bool is_due = (timer_other && counter) || is_elsewhere(reference_get(), counter);

	process_property("clock", timer.identity);
	write_clock();
	__atomic_store_n(&clocks_due, is_due ? 0 : UINT64_MAX, __ATOMIC_RELAXED);
}

void clocks_join(void)
{
	const struct reference *reference = reference_get();
	const struct timer *counter = timer_counter();

	process_property("clock", timer.identity);
	write_clock();
	if (timer_other && counter)
		compare_with_counter(counter);
	if (reference && is_answered)
		write_comparison(&answer, reference->rate, reference->identity);
}

bool clocks_compare_again(void)
{
	int cancelling;
	uint64_t due_at;
	bool due;

	if (!begin_asking(&cancelling))
		return false;
	due_at = RELAXED_LOAD(clocks_due);
	due = timer_now() >= due_at;
	if (due) {
		__atomic_store_n(&clocks_due, UINT64_MAX,
		                 __ATOMIC_RELAXED); /* keeps other threads away meanwhile */
		if (due_at)
			write_clock();
		/* Without another clock, there is no further comparison. */
		bool again = compare();
		__atomic_store_n(&clocks_due, again ? timer_now() + PERIOD_SECONDS * timer.rate : UINT64_MAX,
		                 __ATOMIC_RELAXED);
	}
	end_asking(cancelling);
	return due;
}

void clocks_end(void)
{
	int cancelling;

	write_clock();
	if (begin_asking(&cancelling)) {
		compare();
		end_asking(cancelling);
	}
}
