/* The same work: steps are scheduled dynamically, sums are reductions, threads write to their own memory, and all threads share the work
 * that one thread did alone. */
#include <omp.h>
#include <unistd.h>

enum { STEPS = 16, STEP_US = 1000 };

static long sum, counts[STEPS];

static void work(int steps)
{
	usleep((useconds_t)(steps * STEP_US));
}

int main(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic) nowait
		for (int i = STEPS - 1; i >= 0; i--)
			work(i);
#pragma omp for schedule(dynamic) nowait
		for (int i = 0; i < STEPS; i++)
			work(1);
#pragma omp for schedule(dynamic) reduction(+ : sum)
		for (int i = 0; i < STEPS; i++) {
			work(2);
			sum += i;
			counts[i]++;
		}
	}
	return sum == 0;
}
