#include "job/record/timer.h"

#include "base/settings.h"
#include "job/record/process.h"
#include "job/record/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

enum { NS_PER_SECOND = 1000000000, US_PER_SECOND = 1000000 };

uint64_t (*timer_other)(void);
uint32_t timer_shift;
struct timer timer;

static uint64_t read_clock_gettime(void)
{
	return clock_system_ns(CLOCK_MONOTONIC);
}

static uint64_t read_gettimeofday(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return (uint64_t)now.tv_sec * US_PER_SECOND + (uint64_t)now.tv_usec;
}

/* MPI_Wtime works only between MPI_Init and MPI_Finalize. Before and after, the system's clock replaces it. MPI's clock is shifted to match the
 * system's clock, because some MPI clocks start at MPI_Init. */
static struct {
	double (*wtime)(void);
	bool is_available;
	double bias; /* nanoseconds */
} mpi;

static uint64_t read_mpi_wtime(void)
{
	if (!__atomic_load_n(&mpi.is_available, __ATOMIC_ACQUIRE))
		return clock_system_ns(CLOCK_MONOTONIC);
	return (uint64_t)(mpi.wtime() * NS_PER_SECOND + mpi.bias);
}

void timer_mpi_begins(double (*wtime)(void))
{
	if (timer_other != read_mpi_wtime)
		return;
	mpi.wtime = wtime;
	mpi.bias = (double)clock_system_ns(CLOCK_MONOTONIC) - wtime() * NS_PER_SECOND;
	__atomic_store_n(&mpi.is_available, true, __ATOMIC_RELEASE);
}

void timer_mpi_ends(void)
{
	__atomic_store_n(&mpi.is_available, false, __ATOMIC_RELEASE);
}

/* Each time namespace has its own CLOCK_MONOTONIC. */
static void time_namespace(char *text, size_t size)
{
	ssize_t length = readlink("/proc/self/ns/time", text, size - 1);

	text[length > 0 ? length : 0] = '\0';
}

static void nothing(char *text, size_t size)
{
	(void)size;
	*text = '\0';
}

/* It is unknown whether processes share MPI's clock, so each one gets its own identity. */
static void random_text(char *text, size_t size)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof number, 0) != sizeof number)
		number = (uint64_t)getpid();
	snprintf(text, size, "%016llx", (unsigned long long)number);
}

struct timer_kind {
	const char *setting;
	const char *name;
	uint64_t rate; /* 0: that of the processor's counter */
	uint64_t (*read)(void);
	void (*domain)(
		char *text,
		size_t size); /* writes a text that is equal in all processes of a machine that share the clock */
};

static const struct timer_kind kinds[] = {
	{TIMER_COUNTER, CLOCK_NAME, 0, NULL, nothing},
	{TIMER_CLOCK_GETTIME, "monotonic", NS_PER_SECOND, read_clock_gettime, time_namespace},
	{TIMER_GETTIMEOFDAY, "realtime", US_PER_SECOND, read_gettimeofday, nothing},
	{TIMER_MPI_WTIME, "wtime", NS_PER_SECOND, read_mpi_wtime, random_text},
};

enum { COUNTER, CLOCK_GETTIME };

static const struct timer_kind *chosen(void)
{
	const char *setting = setting_get(SETTING_TIMER);

	for (size_t i = 0; setting && i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].setting, setting) == 0)
			return &kinds[i];
	if (machine_counter_is_sane())
		return &kinds[COUNTER];
	process_note(
		"the processor's counter is not a reliable clock on this machine: clock_gettime is used, "
		"which costs more");
	return &kinds[CLOCK_GETTIME];
}

/* Clocks with different `shift` are different clocks. */
static void identify(const struct timer_kind *kind, uint32_t shift, char identity[TIMER_IDENTITY_MAX])
{
	char machine[MACHINE_TEXT], domain[32], divisor[16] = "";

	if (shift)
		snprintf(divisor, sizeof divisor, "/%u", 1u << shift);

	if (!machine_identity(machine))
		random_text(machine, sizeof machine);
	kind->domain(domain, sizeof domain);
	snprintf(identity, TIMER_IDENTITY_MAX, "%s%s@%s%s%s", kind->name, divisor, machine,
	         *domain ? "/" : "", domain);
}

/* Measured once for each clock, because a clock must not have two rates, and because it takes time. */
static uint64_t counter_rate(const char *identity)
{
	const struct reference *reference = reference_get();

	return reference && strcmp(reference->identity, identity) == 0 ? reference->rate : clock_frequency();
}

const struct timer *timer_counter(void)
{
	static struct timer counter;

	if (!counter.rate && machine_counter_is_sane()) {
		counter.name = CLOCK_NAME;
		identify(&kinds[COUNTER], 0, counter.identity);
		counter.rate = counter_rate(counter.identity);
	}
	return counter.rate ? &counter : NULL;
}

void timer_start(void)
{
	const struct timer_kind *kind = chosen();

	timer.name = kind->name;
	timer_other = kind->read;
	identify(kind, 0, timer.identity);
	timer.rate = kind->rate ? kind->rate : counter_rate(timer.identity);
	timer_shift = kind->rate ? 0 : clock_spare_bits(timer.rate);
	timer.rate >>= timer_shift;
	if (timer_shift)
		identify(kind, timer_shift, timer.identity);
}
