/* Each thread works twice while it holds the lock, and waits for the other one. In the good version both threads do this work without it.
 *
 * omp-case: ranks=2 saves=0.15 */
#include "omp_case.h"

static int entered;
static omp_lock_t lock;

int main(int argc, char **argv)
{
	start(&argc, &argv);
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	{
		const int thread = omp_get_thread_num();
		work(thread ? 10 : 0);
		for (int round = 0; round < 2; round++) {
			work(thread || !round ? 0 : 170);
#ifdef GOOD
			work(160);
#endif
			omp_set_lock(&lock); /* @omp.lock-wait rank=0,1 total=0.3 count=4 */
			entered++;
#ifndef GOOD
			work(160);
#endif
			omp_unset_lock(&lock);
		}
		work(thread ? 160 : 0);
	}
	omp_destroy_lock(&lock);
	return end();
}
