/* Thunks, run on the processor they are written for: the count sees every parameter, in registers and on the stack, and the
 * function behind it gets them all and returns to its caller. */
#include "count.h"

#include <stdio.h>

enum { TEN = 3, TWO = SLOTS - 1 };

static uint64_t slots_seen[4], sums_seen[4];
static int seen;

static long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}

static double two(double a, long b)
{
	return a * (double)b;
}

void *count_call(uint64_t slot, const uint64_t *registers, const uint64_t *stack)
{
	const struct arguments arguments = {registers, stack};
	const int many = slot == TEN ? 10 : 1;

	for (int i = 0; i < many; i++)
		sums_seen[seen] += (uint64_t)(i + 1) * argument(&arguments, i);
	slots_seen[seen++] = slot;
	return slot == TEN ? (void *)(uintptr_t)ten : (void *)(uintptr_t)two;
}

static void *thunk(int slot)
{
	return (void *)(uintptr_t)(count_thunks + (count_thunks_end - count_thunks) / SLOTS * slot);
}

static int check(const char *what, int holds)
{
	if (!holds)
		printf("wrong: %s\n", what);
	return !holds;
}

int main(void)
{
	long (*call_ten)(long, long, long, long, long, long, long, long, long, long) = thunk(TEN);
	double (*call_two)(double, long) = thunk(TWO);
	int wrong = 0;

	wrong += check("ten parameters", call_ten(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == 385);
	wrong += check("a real", call_two(2.5, 4) == 10);
	wrong += check("calls seen", seen == 2 && slots_seen[0] == TEN && slots_seen[1] == TWO);
	wrong += check("parameters seen", sums_seen[0] == 385 && sums_seen[1] == 4);
	return wrong;
}
