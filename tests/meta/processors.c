/* What depends on the processor, run on it: entry points of libtarry-preload.so keep every parameter, in registers and on
 * the stack, both when they find their server and when they know it, and tell the site of the call; so do gates; the counter counts; the checksum is CRC-32. */
#include "base/clock.h"
#include "base/crc32.h"
#include "job/preload/preload.h"
#include "job/preload/tool_calls.h"

#include <stdio.h>

enum { TEN, REALS, ENTRIES };

void *preload_slots[ENTRIES];

long MPI_Ten(long, long, long, long, long, long, long, long, long, long);
double MPI_Reals(double, double, double, double, double, double, double, double, int);

static long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

static double reals(double a, double b, double c, double d, double e, double f, double g, double h, int i)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + i;
}

static const char *last_site;
static int gate_calls;

/* Spoils all registers that a function may spoil, as far as C can. */
void *preload_find_server(uint32_t slot, const void *site)
{
	char line[64];

	last_site = site;
	gate_calls += (slot & GATE) != 0;
	slot &= ~(uint32_t)GATE;
	snprintf(line, sizeof line, "%f %f %d", 1.5 * slot, 2.5 * slot, 3);
	preload_slots[slot] = slot == TEN ? (void *)(uintptr_t)ten : (void *)(uintptr_t)reals;
	return preload_slots[slot];
}

static int check(const char *what, int holds)
{
	if (!holds)
		printf("wrong: %s\n", what);
	return !holds;
}

int main(void)
{
	long (*gate)(long, long, long, long, long, long, long, long, long,
	             long) = (void *)(uintptr_t)(preload_gates + 16 * TEN);
	uint64_t before = clock_ticks();
	int wrong = 0;

	for (int time = 0; time < 2; time++) {
		wrong += check("integers", MPI_Ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385);
		wrong += check("reals", MPI_Reals(1, 2, 3, 4, 5, 6, 7, 8, 9) == 213);
	}
	wrong += check("site", last_site > (const char *)(uintptr_t)main &&
	                               last_site < (const char *)(uintptr_t)main + 4096);
	last_site = NULL;
	wrong += check("gate", gate(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385 && gate_calls == 1);
	wrong += check("site of a gate", last_site > (const char *)(uintptr_t)main &&
	                                         last_site < (const char *)(uintptr_t)main + 4096);
	wrong += check("checksum", crc32_of("123456789", 9) == 0xcbf43926);
	wrong += check("frequency", clock_frequency() > 1000000);
	wrong += check("counter", clock_ticks() > before);
	return wrong;
}
