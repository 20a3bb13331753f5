/* A thread works longer in a loop: because its chunk is too large, and because of one long iteration, in a loop without a barrier of its own.
 *
 * omp-case: ranks=2 saves=0.2 */
#include "omp_case.h"

#ifdef GOOD
enum { CHUNK = 1, LONG = 120, SHORT = 120 };
#else
enum { CHUNK = 8, LONG = 240, SHORT = 60 };
#endif
enum { STEPS = 12, STEP = 40 };

int main(int argc, char **argv)
{
	start(&argc, &argv);
	omp_set_num_threads(2);
#pragma omp parallel for schedule(dynamic, CHUNK) /* @omp.loop-imbalance rank=0,1 total=0.16 count=2 */
	for (int i = 0; i < STEPS; i++)
		work(STEP);
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic) nowait /* @omp.loop-imbalance rank=0,1 total=0.24 count=4 */
		for (int i = 0; i < 3; i++)
			work(i ? SHORT : LONG);
		work(STEP);
	}
	return end();
}
