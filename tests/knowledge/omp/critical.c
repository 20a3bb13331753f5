/* Each thread works in a critical section twice, and waits there for the other one. In the good version both threads do this work outside.
 *
 * omp-case: ranks=2 saves=0.15 */
#include "omp_case.h"

static int entered;

int main(int argc, char **argv)
{
	start(&argc, &argv);
#pragma omp parallel num_threads(2)
	{
		const int thread = omp_get_thread_num();
		work(thread ? 10 : 0);
		for (int round = 0; round < 2; round++) {
			work(thread || !round ? 0 : 170);
#ifdef GOOD
			work(160);
#endif
#pragma omp critical(named) /* @omp.critical-wait rank=0,1 total=0.3 count=4 */
			{
				entered++;
#ifndef GOOD
				work(160);
#endif
			}
		}
		work(thread ? 160 : 0);
	}
	return end();
}
